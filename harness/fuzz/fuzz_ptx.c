/* A random program as PTX text.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/fuzz_prog.h"
#include <stdlib.h>
#include <string.h>

struct needs { bool function[PROG_FUNCTIONS], local, shared; };
struct writer {
    FILE *f;
    const struct prog *p;
    struct needs needs;
    int labels, loop, depth, function;
    bool rem;                    /* the core has what a remainder takes */
};
#define PUT(...) fprintf(w->f, __VA_ARGS__)

/* What the statements need, and the functions that they call. */
static void find_needs(const struct prog *p, int first, struct needs *u)
{
    for (int i = first; i >= 0; i = p->node[i].next) {
        const struct node *n = &p->node[i];
        int called = n->kind == NODE_CALL ? n->op : n->predict - PROG_AT_FUNCTION;
        if (n->fold == DROPPED)
            continue;
        u->local |= n->kind == NODE_LOCAL_STORE || n->kind == NODE_LOCAL_LOAD;
        u->shared |= n->kind == NODE_SHARED;
        if (called >= 0 && !u->function[called]) {
            u->function[called] = true;
            find_needs(p, p->function[called], u);
        }
        for (int k = 0; k < PROG_WAYS &&
                        (n->kind == NODE_IF || n->kind == NODE_LOOP || n->kind == NODE_SWITCH);
             k++)
            if (n->fold == KEEP || k == (n->fold == SECOND_ONLY))
                find_needs(p, n->body[k], u);
    }
}

static void operand(struct writer *w, int which, uint32_t imm)
{
    if (which < PROG_VARS)
        PUT("%%v%d", which);
    else
        PUT("%u", imm);
}

/* %p = the node's condition */
static void condition(struct writer *w, const struct node *n)
{
    PUT("    setp.%s %%p, %%v%d, ", prog_compares[n->compare], n->ga);
    operand(w, n->gb, n->gimm);
    PUT(";\n");
}

/* An operation's text with its operands.  One of several instructions works in %d, since its
 * destination may be one of its sources; an immediate where only registers may stand goes
 * through %k. */
static void operation(struct writer *w, const struct node *n)
{
    const char *text = prog_ops[n->op].text, *guard = n->guarded ? "@%p " : "";
    bool several = strchr(text, ';')[1],
         registers = strstr(text, "f32") || strstr(text, "cvt") || strstr(text, "{");
    if (registers)
        PUT("    mov.b32 %%k, %u;\n", n->imm);
    PUT("    %s", guard);
    for (const char *s = text; *s; s++) {
        int which = *s == 'A' ? n->a : *s == 'B' ? n->b : *s == 'C' ? n->c : -1;
        if (*s == 'D' && several)
            PUT("%%d");
        else if (*s == 'D')
            PUT("%%v%d", n->d);
        else if (which >= PROG_VARS && registers)
            PUT("%%k");
        else if (which >= 0)
            operand(w, which, n->imm);
        else if (*s == ';')
            PUT(";%s%s", s[1] ? " " : "\n", s[1] ? guard : "");
        else
            fputc(*s, w->f);
    }
    if (several)
        PUT("    %smov.b32 %%v%d, %%d;\n", guard, n->d);
}

static const char *const width_name[] = { "u32", "u8", "s8", "u16", "s16" };

/* d = something of a narrow type */
static void load(struct writer *w, const struct node *n, const char *address)
{
    PUT("    ld.global.%s %%v%d, [%s];\n", width_name[n->imm % 5], n->d, address);
}

static void statements(struct writer *w, int first);

static void branchy(struct writer *w, const struct node *n)
{
    int l = w->labels;
    w->labels += 2 + PROG_WAYS;
    switch (n->kind) {
    case NODE_IF:
        condition(w, n);
        PUT("    @!%%p bra L%d;\n", l);
        statements(w, n->body[0]);
        if (n->body[1] >= 0)
            PUT("    bra L%d;\n", l + 1);
        PUT("L%d:\n", l);
        statements(w, n->body[1]);
        if (n->body[1] >= 0)
            PUT("L%d:\n", l + 1);
        break;
    case NODE_LOOP: {
        int outer = w->loop;
        PUT("    and.b32 %%i%d, %%v%d, %u;\nL%d:\n", w->depth, n->a, n->imm, l);
        w->loop = l;
        w->depth++;
        statements(w, n->body[0]);
        w->depth--;
        w->loop = outer;
        PUT("L%d:\n    sub.u32 %%i%d, %%i%d, 1;\n    setp.ge.s32 %%p, %%i%d, 1;\n"
            "    @%%p bra L%d;\nL%d:\n",
            l + 1, w->depth, w->depth, w->depth, l, l + 2);
        break;
    }
    default:                                         /* NODE_SWITCH */
        PUT("    {\n    .reg .b32 %%s;\n    and.b32 %%s, %%v%d, %u;\n", n->a, n->imm);
        PUT("    T%d: .branchtargets ", l);
        for (unsigned k = 0; k <= n->imm; k++)
            PUT("%sL%d", k ? ", " : "", l + 1 + (int)k);
        PUT(";\n    brx.idx %%s, T%d;\n    }\n", l);
        for (unsigned k = 0; k <= n->imm; k++) {
            PUT("L%d:\n", l + 1 + (int)k);
            statements(w, n->body[k]);
            if (k < n->imm)
                PUT("    bra L%d;\n", l);
        }
        PUT("L%d:\n", l);
    }
}

static void call(struct writer *w, const struct node *n)
{
    PUT("    {\n    .param .b32 pa;\n    .param .b32 pb;\n    .param .b32 pr;\n"
        "    st.param.b32 [pa], %%v%d;\n",
        n->a);
    PUT("    st.param.b32 [pb], ");
    operand(w, n->b, n->imm);
    PUT(";\n    call.uni (pr), f%d, (pa, pb);\n    ld.param.b32 %%v%d, [pr];\n    }\n", n->op,
        n->d);
}

static void leave(struct writer *w, const struct node *n)
{
    condition(w, n);
    if (n->kind == NODE_BREAK || n->kind == NODE_CONTINUE)
        PUT("    @%%p bra L%d;\n", w->loop + (n->kind == NODE_BREAK ? 2 : 1));
    else if (w->function < 0)
        PUT("    @%%p %s;\n", n->imm & 1 ? "exit" : "ret");
    else
        PUT("    @%%p st.param.b32 [r], %%v0;\n    @%%p ret;\n");
}

static void collective(struct writer *w, const struct node *n, uint32_t threads)
{
    static const char *const mode[] = { "up", "down", "bfly", "idx" };
    if (n->kind == NODE_SHARED) {
        PUT("    shl.b32 %%k, %%t, 2;\n    st.shared.b32 [%%sh], %%v%d;\n    bar.sync 0;\n", n->a);
        PUT("    add.u32 %%k, %%t, %u;\n", n->imm % threads);
        if (w->rem)
            PUT("    rem.u32 %%k, %%k, %u;\n", threads);
        else
            PUT("    setp.ge.u32 %%q, %%k, %u;\n    @%%q sub.u32 %%k, %%k, %u;\n", threads,
                threads);
        PUT("    shl.b32 %%k, %%k, 2;\n");
        PUT("    mov.u32 %%x0, sh;\n    add.u32 %%k, %%k, %%x0;\n"
            "    ld.shared.b32 %%v%d, [%%k];\n    bar.sync 0;\n",
            n->d);
    } else if (n->kind == NODE_SHFL) {
        PUT("    shfl.sync.%s.b32 %%v%d, %%v%d, %u, %s, 0xffffffff;\n", mode[n->imm & 3], n->d,
            n->a, n->imm >> 2 & 31,
            (n->imm & 3) == 0 ? "0" : "0x1f");
    } else {
        condition(w, n);
        PUT("    vote.sync.ballot.b32 %%v%d, %%p, 0xffffffff;\n", n->d);
    }
}

static void local_address(struct writer *w, const struct node *n)
{
    PUT("    and.b32 %%k, %%v%d, %d;\n    shl.b32 %%k, %%k, 2;\n    mov.u32 %%x0, loc;\n"
        "    add.u32 %%k, %%k, %%x0;\n",
        n->a, PROG_LOCAL / 4 - 1);
}

static void memory(struct writer *w, const struct node *n)
{
    static const char *const red[] = { "add.u32", "and.b32", "or.b32",  "xor.b32",  "min.u32",
                                       "max.u32", "min.s32", "max.s32", "exch.b32", "cas.b32" };
    unsigned at = FUZZ_SLOT / 2 + n->imm / 8 % (PROG_OWN / 4) * 4;
    char address[32];
    snprintf(address, sizeof address, "%%out+%u", at);
    switch (n->kind) {
    case NODE_LOAD:
        PUT("    and.b32 %%k, %%v%d, %d;\n    cvt.u64.u32 %%w0, %%k;\n"
            "    add.u64 %%w0, %%w0, %%in;\n",
            n->a, FUZZ_IN - 4);
        load(w, n, "%w0");
        break;
    case NODE_OWN_STORE:
        PUT("    st.global.%s [%s], %%v%d;\n", width_name[n->imm % 5], address, n->a);
        break;
    case NODE_OWN_LOAD: load(w, n, address); break;
    case NODE_OWN_ATOM:
        PUT("    atom.global.%s %%v%d, [%s], %%v%d", red[n->imm % 10], n->d, address, n->a);
        if (n->imm % 10 == 9)
            PUT(", %%v%d", n->ga);
        PUT(";\n");
        break;
    case NODE_LOCAL_STORE:
        local_address(w, n);
        PUT("    st.local.b32 [%%k], %%v%d;\n", n->ga);
        break;
    case NODE_LOCAL_LOAD: local_address(w, n); PUT("    ld.local.b32 %%v%d, [%%k];\n", n->d); break;
    default:
        PUT("    red.global.%s [%%sum+%u], %%v%d;\n", red[n->imm % 8], 16 * (n->imm % 8), n->a);
        break;
    }
}

static void directives(struct writer *w, const struct node *n)
{
    if (n->predict >= PROG_AT_FUNCTION)
        PUT("    .pragma \"simt.predict f%d 0\";\n", n->predict - PROG_AT_FUNCTION);
    else if (n->predict)
        PUT("    .pragma \"simt.predict P%d %d\";\n", n->predict, n->threshold);
    if (n->label)
        PUT("    .pragma \"simt.label P%d\";\n", n->label);
}

static void statement(struct writer *w, const struct node *n, uint32_t threads)
{
    directives(w, n);
    switch (n->kind) {
    case NODE_OP:
        if (n->guarded)
            condition(w, n);
        operation(w, n);
        break;
    case NODE_IF: case NODE_LOOP: case NODE_SWITCH:
        if (n->fold == KEEP)
            branchy(w, n);
        else
            statements(w, n->body[n->fold == SECOND_ONLY]);
        break;
    case NODE_CALL: call(w, n); break;
    case NODE_BREAK: case NODE_CONTINUE: case NODE_EXIT: leave(w, n); break;
    case NODE_SHARED: case NODE_SHFL: case NODE_BALLOT: collective(w, n, threads); break;
    default: memory(w, n);
    }
}

static void statements(struct writer *w, int first)
{
    for (int i = first; i >= 0; i = w->p->node[i].next)
        if (w->p->node[i].fold != DROPPED)
            statement(w, &w->p->node[i], 1);
}

static void registers(struct writer *w)
{
    PUT("    .reg .b32 %%v<%d>, %%i<3>, %%x<2>, %%k, %%d, %%t, %%g, %%sh;\n"
        "    .reg .b64 %%w<2>, %%in, %%out, %%sum;\n",
        PROG_VARS);
    PUT("    .reg .b16 %%h<1>;\n    .reg .pred %%p, %%q;\n");
}

/* Rd = x + nx * (y + ny * z) of %tid or %ctaid */
static void linear(struct writer *w, const char *rd, const char *what, struct hd_dim3 n)
{
    if (w->p->trimmed && n.x == 1 && n.y == 1 && n.z == 1) {
        PUT("    mov.b32 %s, 0;\n", rd);
        return;
    }
    PUT("    mov.u32 %%k, %%%s.z;\n    mov.u32 %%x0, %%%s.y;\n    mad.lo.u32 %%k, %%k, %u, %%x0;\n",
        what, what, n.y);
    PUT("    mov.u32 %%x0, %%%s.x;\n    mad.lo.u32 %s, %%k, %u, %%x0;\n", what, rd, n.x);
}

static void function(struct writer *w, int k)
{
    PUT(".func (.param .b32 r) f%d(.param .b32 a, .param .b32 b)\n{\n", k);
    registers(w);
    PUT("    ld.param.b32 %%v0, [a];\n    ld.param.b32 %%v1, [b];\n");
    for (int i = 2; i < PROG_VARS; i++)
        PUT("    add.u32 %%v%d, %%v%d, %d;\n", i, i & 1, i);
    w->function = k;
    statements(w, w->p->function[k]);
    PUT("    st.param.b32 [r], %%v0;\n    ret;\n}\n");
}

static void entry(struct writer *w, const struct fuzz_case *c)
{
    PUT(".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 sum)\n{\n");
    registers(w);
    if (w->needs.shared)
        PUT("    .shared .align 4 .b8 sh[%u];\n", 4 * fuzz_block_room(c));
    if (w->needs.local)
        PUT("    .local .align 4 .b8 loc[%d];\n", PROG_LOCAL);
    PUT("    ld.param.u64 %%in, [in];\n    ld.param.u64 %%out, [out];\n"
        "    ld.param.u64 %%sum, [sum];\n");
    linear(w, "%t", "tid", c->block);
    linear(w, "%g", "ctaid", c->grid);
    PUT("    mad.lo.u32 %%g, %%g, %u, %%t;\n    mad.wide.u32 %%out, %%g, %d, %%out;\n",
        fuzz_block_threads(c), FUZZ_SLOT);
    if (w->needs.shared)
        PUT("    mov.u32 %%sh, sh;\n    mad.lo.u32 %%sh, %%t, 4, %%sh;\n");
    if (w->needs.local)
        PUT("    mov.b32 %%k, 0;\n");
    for (int i = 0; w->needs.local && i < PROG_LOCAL; i += 4)
        PUT("    st.local.b32 [loc+%d], %%k;\n", i);
    PUT("    and.b32 %%k, %%g, %d;\n    mad.wide.u32 %%w0, %%k, %d, %%in;\n",
        FUZZ_IN / 4 / PROG_VARS - 1, 4 * PROG_VARS);
    for (int i = 0; i < PROG_VARS; i++)
        PUT("    ld.global.b32 %%v%d, [%%w0+%d];\n", i, 4 * i);
    w->function = -1;
    for (int i = w->p->main; i >= 0; i = w->p->node[i].next)
        if (w->p->node[i].fold != DROPPED)
            statement(w, &w->p->node[i], fuzz_block_threads(c));
    for (int i = 0; i < PROG_VARS; i++)
        PUT("    st.global.b32 [%%out+%d], %%v%d;\n", 4 * i, i);
    PUT("    ret;\n}\n");
}

char *prog_text(const struct prog *p, const struct fuzz_case *c)
{
    char *text = NULL;
    size_t size = 0;
    struct writer out = { .f = open_memstream(&text, &size), .p = p,
                          .rem = !(c->core.lacks & (1u << UNIT_FPU | 1u << UNIT_SFU)) }, *w = &out;
    if (!w->f)
        abort();
    PUT(".version 7.0\n.target sm_70\n.address_size 64\n");
    w->needs = (struct needs){ { true, true }, true, true };
    if (p->trimmed) {
        w->needs = (struct needs){ 0 };
        find_needs(p, p->main, &w->needs);
    }
    for (int k = PROG_FUNCTIONS - 1; k >= 0; k--)
        if (w->needs.function[k])
            function(w, k);
    entry(w, c);
    fclose(w->f);
    return text;
}
