/* Block barriers that the machine lacks: those that a register names, and those at which threads
 * arrive without waiting.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The machine's instruction names its barrier and waits.  A register that names one is a switch
 * over the sixteen.  In a module that has bar.arrive, every barrier at which threads may arrive is
 * two words of shared memory, cleared where kernels begin: how many threads have come, and the
 * number of the phase, at which those that wait look. */
#include <string.h>
#include "compiler/ptx/expand.h"

/* Whether the module's text has an arrival; zero: perhaps at barrier 0. */
static bool has_arrivals(const struct module *m, bool *zero)
{
    static const char *const words[] = { "bar.arrive", "bar.cta.arrive", "barrier.arrive",
                                         "barrier.cta.arrive" };
    bool found = false;
    for (int k = 0; k < 4; k++) {
        const char *at = m->text, *end = m->text + m->len;
        for (size_t n = strlen(words[k]); (at = memmem(at, (size_t)(end - at), words[k], n));) {
            found = true;
            for (at += n; at < end && *at > ' '; at++) continue;
            while (at < end && (*at == ' ' || *at == '\t')) at++;
            *zero |= at < end && (*at < '1' || *at > '9');
        }
    }
    return found;
}

/* 0: the machine's barrier does, or it is bar.warp; 'r': a register names it; 's': it is in shared
 * memory. */
static char barrier_kind(const struct parser *p)
{
    const char *c = p->p;
    bool zero = false;
    size_t n = 0;
    while (c + n < p->end && c[n] > ' ' && c[n] != ';') n++;
    if (p->machine_barriers || memmem(c, n, ".warp", 5)) return 0;
    bool red = memmem(c, n, ".red", 4);
    for (c += n; c < p->end && (*c == ' ' || *c == '\t'); c++) continue;
    if (red) {                                   /* its number is the second operand */
        while (c < p->end && *c != ',' && *c != ';') c++;
        for (c += *c == ','; c < p->end && (*c == ' ' || *c == '\t'); c++) continue;
    }
    bool number = c < p->end && *c >= '0' && *c <= '9';
    if (!red && has_arrivals(p->m, &zero) && (zero || !number || *c != '0')) return 's';
    return number || c >= p->end || *c == '(' ? 0 : 'r';
}

bool ex_barrier_applies(const struct parser *p) { return barrier_kind(p) != 0; }

static void words_of(const struct expansion *e, FILE *o)
{
    for (int k = 0; k < e->nmods; k++) fprintf(o, ".%s", e->mod[k]);
}

/* The switch: operand `at` is the number. */
static bool by_register(struct expansion *e, const char *name, int at)
{
    FILE *o = e->out;
    if (e->nops <= at) return false;
    fprintf(o, ".reg .b32 $n; .reg .pred $p; mov.b32 $n, %s; setp.gt.u32 $p, $n, 15; @$p trap;\n"
               "$t: .branchtargets $b0", e->op[at]);
    for (int k = 1; k < 16; k++) fprintf(o, ", $b%d", k);
    fputs(";\nbrx.idx $n, $t;\n", o);
    for (int k = 0; k < 16; k++) {
        fprintf(o, "$b%d: %s", k, name);
        words_of(e, o);
        for (int i = 0; i < e->nops; i++) {
            fputs(i ? ", " : " ", o);
            if (i == at) fprintf(o, "%d", k);
            else fputs(e->op[i], o);
        }
        fputs("; bra $end;\n", o);
    }
    fputs("$end:\n", o);
    return true;
}

/* Threads that come: those of a whole warp together, by one of them, or each by itself. */
static bool in_memory(struct expansion *e, bool aligned)
{
    FILE *o = e->out;
    bool arrives = ex_has(e, "arrive");
    if (e->nops < 1 + arrives || e->nops > 2 || (!arrives && !ex_has(e, "sync"))) return false;
    fputs(".reg .b32 $n, $a, $x, $c, $old, $phase, $step; .reg .pred $p, $q;\n", o);
    if (aligned) fputs("bar.warp.sync -1;\n", o);
    fprintf(o, "membar.cta; mov.b32 $n, %s; setp.gt.u32 $p, $n, 15; @$p trap; shl.b32 $n, $n, 3;\n"
               "mov.u32 $a, %%hd_named_barriers; add.u32 $a, $a, $n;\n", e->op[0]);
    if (e->nops == 2) fprintf(o, "mov.b32 $n, %s;\n", e->op[1]);
    else
        fputs("mov.u32 $n, %ntid.x; mov.u32 $x, %ntid.y; mul.lo.u32 $n, $n, $x;\n"
              "mov.u32 $x, %ntid.z; mad.lo.u32 $n, $n, $x, 31; and.b32 $n, $n, -32;\n", o);
    fputs("ld.volatile.shared.u32 $phase, [$a+4];\n", o);
    if (aligned)
        fputs("activemask.b32 $x; mov.u32 $c, %lanemask_lt; and.b32 $x, $x, $c;\n"
              "setp.ne.u32 $q, $x, 0; mov.u32 $step, 32; @$q bra $came;\n", o);
    else fputs("mov.u32 $step, 1;\n", o);
    fputs("atom.shared.add.u32 $old, [$a], $step; add.u32 $c, $old, $step;\n"
          "setp.lt.u32 $p, $c, $n; @$p bra $came; setp.ge.u32 $p, $old, $n; @$p bra $came;\n"
          "atom.shared.add.u32 $x, [$a+4], 1; neg.s32 $c, $n; atom.shared.add.u32 $x, [$a], $c;\n"
          "$came:\n", o);
    if (!arrives)
        fputs("ld.volatile.shared.u32 $x, [$a+4]; setp.eq.u32 $p, $x, $phase; @$p bra $came;\n"
              "membar.cta;\n", o);
    return true;
}

static bool barrier_of(struct expansion *e, const char *name, bool aligned)
{
    if (ex_has(e, "red")) return by_register(e, name, 1);
    bool zero = false;
    return has_arrivals(e->p->m, &zero) ? in_memory(e, aligned) : by_register(e, name, 0);
}
static bool bar(struct expansion *e) { return barrier_of(e, "bar", true); }
static bool barrier(struct expansion *e) { return barrier_of(e, "barrier", ex_has(e, "aligned")); }

/* A kernel clears them before its threads come to one. */
void ex_clear_barriers(struct parser *p)
{
    static const char text[] =
        "{ .reg .b32 $a, $x, $y; .reg .pred $p; mov.u32 $x, %tid.x; mov.u32 $y, %tid.y;\n"
        "or.b32 $x, $x, $y; mov.u32 $y, %tid.z; or.b32 $x, $x, $y; setp.ne.u32 $p, $x, 0;\n"
        "mov.u32 $a, %hd_named_barriers; mov.u32 $x, 0; @$p bra $cleared;\n"
        "$again: st.shared.u32 [$a], 0; add.u32 $a, $a, 4; add.u32 $x, $x, 1;\n"
        "setp.lt.u32 $p, $x, 32; @$p bra $again;\n"
        "$cleared: bar.sync 0; }\n";
    bool zero = false;
    if (!p->fn->entry || !has_arrivals(p->m, &zero)) return;
    p->machine_barriers = true;
    parse_text(p, text, sizeof text - 1);
    p->machine_barriers = false;
}

const struct expander ex_block[] = { { "bar", bar, "?" }, { "barrier", barrier, "?" },
                                     { NULL, NULL, NULL } };
