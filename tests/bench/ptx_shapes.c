/* PTX of any size, in the shapes that compilers find hard.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A unit reads %r1 and %r2, which differ between lanes, and changes them, as clang would: every
 * other value has a register of its own.  Units follow each other in one kernel (in `functions`,
 * each is one that the kernel calls), so a pass that visits everything for each unit is quadratic
 * here. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "tests/bench/ptx_shapes.h"

struct text { FILE *to; int unit, regs, preds; };

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(t->to, fmt, ap);
    va_end(ap);
}

/* %r1 and %r2 through a few values of their own. */
static void mix(struct text *t, int k)
{
    int r = t->regs;
    t->regs += 4;
    say(t, "\tmad.lo.s32 %%r%d, %%r1, %d, %%r2;\n\tshr.u32 %%r%d, %%r%d, %d;\n", r, 2 * k + 3,
        r + 1, r, k % 7 + 1);
    say(t, "\txor.b32 %%r%d, %%r%d, %%r1;\n\tadd.s32 %%r%d, %%r%d, %%r%d;\n", r + 2, r + 1, r + 3,
        r + 2, r);
    say(t, "\tmov.u32 %%r1, %%r%d;\n\txor.b32 %%r2, %%r%d, %d;\n", r + 3, r + 2, k);
}

static void keep(struct text *t)
{
    say(t, "\tst.global.u32 [%%rd1+%d], %%r1;\n", t->unit % 64 * 4);
}

static int asks(struct text *t, int k)          /* a predicate that differs between lanes */
{
    int r = t->regs++, p = t->preds++;
    say(t, "\tand.b32 %%r%d, %%r1, %d;\n\tsetp.eq.s32 %%p%d, %%r%d, %d;\n", r, 7 << k % 9, p, r,
        k % 3);
    return p;
}

static void straight(struct text *t)
{
    for (int k = 0; k < 8; k++) mix(t, k + t->unit % 50);
    keep(t);
}

static void branches(struct text *t)
{
    int u = t->unit, outer = asks(t, u);
    say(t, "\t@%%p%d bra E%d;\n", outer, u);
    mix(t, 1);
    int inner = asks(t, u + 1);
    say(t, "\t@%%p%d bra F%d;\n", inner, u);
    mix(t, 2);
    keep(t);
    say(t, "\tbra.uni J%d;\nF%d:\n", u, u);
    mix(t, 3);
    mix(t, 4);
    say(t, "J%d:\n", u);
    keep(t);
    say(t, "E%d:\n", u);
    mix(t, 5);
}

static void guards(struct text *t)              /* short sides, which become guards */
{
    int u = t->unit, r = t->regs;
    t->regs += 4;
    for (int k = 0; k < 4; k++) {
        int p = asks(t, u + k);
        say(t, "\t@%%p%d bra G%d_%d;\n\tadd.s32 %%r%d, %%r1, %d;\n\txor.b32 %%r1, %%r1, %d;\n", p,
            u, k, r + k, k, u);
        if (k % 2) say(t, "G%d_%d:\n", u, k);
        else
            say(t, "\tbra.uni H%d_%d;\nG%d_%d:\n\tsub.s32 %%r%d, %%r2, %d;\nH%d_%d:\n", u, k, u, k,
                r + k, k, u, k);
        if (k % 2) say(t, "\tmov.u32 %%r%d, %%r2;\n", r + k);
        say(t, "\tadd.s32 %%r2, %%r2, %%r%d;\n", r + k);
    }
    keep(t);
}

static void loops(struct text *t)
{
    int u = t->unit, r = t->regs, depth = 3;
    t->regs += depth;
    for (int k = 0; k < depth; k++) {
        say(t, "\tand.b32 %%r%d, %%r1, %d;\nL%d_%d:\n", r + k, 3 + k, u, k);
        mix(t, k);
    }
    keep(t);
    for (int k = depth - 1; k >= 0; k--) {
        int p = t->preds++;
        mix(t, 9 + k);
        say(t,
            "\tadd.s32 %%r%d, %%r%d, -1;\n\tsetp.gt.s32 %%p%d, %%r%d, 0;\n\t@%%p%d bra L%d_%d;\n",
            r + k, r + k, p, r + k, p, u, k);
    }
}

/* A loop that lanes leave in the middle, and from two places at once. */
static void breaks(struct text *t)
{
    int u = t->unit, r = t->regs++;
    say(t, "\tand.b32 %%r%d, %%r1, 15;\nL%d:\n", r, u);
    mix(t, 1);
    say(t, "\t@%%p%d bra B%d;\n", asks(t, u), u);
    mix(t, 2);
    keep(t);
    say(t, "\t@%%p%d bra C%d;\n", asks(t, u + 1), u);
    mix(t, 3);
    int p = t->preds++;
    say(t, "\tadd.s32 %%r%d, %%r%d, -1;\n\tsetp.gt.s32 %%p%d, %%r%d, 0;\n\t@%%p%d bra L%d;\n", r, r,
        p, r, p, u);
    say(t, "\tbra.uni J%d;\nB%d:\n", u, u);
    mix(t, 4);
    keep(t);
    say(t, "C%d:\n", u);
    mix(t, 5);
    keep(t);
    say(t, "J%d:\n", u);
}

static void shortcuts(struct text *t)           /* a || b */
{
    int u = t->unit;
    say(t, "\t@%%p%d bra T%d;\n", asks(t, u), u);
    mix(t, 1);
    keep(t);
    say(t, "\t@%%p%d bra T%d;\n", asks(t, u + 1), u);
    mix(t, 2);
    keep(t);
    mix(t, 3);
    say(t, "\tbra.uni J%d;\nT%d:\n", u, u);
    mix(t, 4);
    keep(t);
    mix(t, 5);
    say(t, "J%d:\n", u);
}

static void returns(struct text *t)
{
    int u = t->unit;
    mix(t, 1);
    say(t, "\t@%%p%d bra N%d;\n", asks(t, u), u);
    mix(t, 2);
    keep(t);
    mix(t, 3);
    say(t, "\tret;\nN%d:\n", u);
}

static void switches(struct text *t)
{
    int u = t->unit, r = t->regs++, p = t->preds;
    t->preds += 4;
    say(t, "\tand.b32 %%r%d, %%r1, 7;\n", r);
    for (int k = 0; k < 4; k++)
        say(t, "\tsetp.eq.s32 %%p%d, %%r%d, %d;\n\t@%%p%d bra S%d_%d;\n", p + k, r, k, p + k, u, k);
    for (int k = 4; k >= 0; k--) {
        if (k < 4) say(t, "S%d_%d:\n", u, k);
        mix(t, k);
        keep(t);
        if (k) say(t, "\tbra.uni J%d;\n", u);
    }
    say(t, "J%d:\n", u);
}

static void calls(struct text *t)
{
    int r = t->regs++;
    say(t,
        "\t{\n\t.param .b32 a;\n\t.param .b32 b;\n\tst.param.b32 [a], %%r1;\n"
        "\tcall.uni (b), f%d, (a);\n"
        "\tld.param.b32 %%r%d, [b];\n\t}\n\tadd.s32 %%r1, %%r%d, %%r2;\n",
        t->unit, r, r);
}

typedef void unit(struct text *);
static unit *const units[PTX_SHAPES] = { straight,  branches, guards,   loops, breaks,
                                         shortcuts, returns,  switches, calls };
const char *const ptx_shape_names[PTX_SHAPES] = { "straight", "branches", "guards",
                                                  "loops",    "breaks",   "shortcuts",
                                                  "returns",  "switches", "functions" };

/* Registers are declared first, so the body is made before what stands above it. */
static void module_of(FILE *to, const char *head, const char *load, unit *make, int n, int at)
{
    char *body = NULL;
    size_t size = 0;
    struct text t = { open_memstream(&body, &size), at, 3, 1 };
    for (int k = 0; k < n; k++, t.unit++) make(&t);
    fclose(t.to);
    fprintf(to, "%s\n{\n\t.reg .pred %%p<%d>;\n\t.reg .b32 %%r<%d>;\n\t.reg .b64 %%rd<2>;\n%s",
            head, t.preds, t.regs, load);
    fwrite(body, 1, size, to);
    free(body);
}

char *ptx_shape(int shape, int n, int *lines)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    fprintf(to, ".version 7.0\n.target sm_70\n.address_size 64\n");
    for (int k = 0; units[shape] == calls && k < n; k++) {
        char head[80];
        snprintf(head, sizeof head, ".func (.param .b32 b) f%d(.param .b32 a)", k);
        module_of(to, head,
                  "\tld.param.u32 %r1, [a];\n\tmov.u32 %r2, %laneid;\n\tmov.u64 %rd1, 0;\n",
                  branches, 1, k);
        fprintf(to, "\tst.param.b32 [b], %%r1;\n\tret;\n}\n");
    }
    module_of(to, ".visible .entry k(.param .u64 out)",
              "\tld.param.u64 %rd1, [out];\n\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %laneid;\n",
              units[shape], n, 0);
    fprintf(to, "\tst.global.u32 [%%rd1], %%r1;\n\tret;\n}\n");
    fclose(to);
    *lines = 0;
    for (size_t k = 0; k < size; k++) *lines += text[k] == '\n';
    return text;
}
