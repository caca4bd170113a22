/* Copies that need not wait, barriers in memory, and hints: cp.async, mbarrier, elect, createpolicy
 * and their like.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A copy is made where it is issued, so that a wait finds it done.  A barrier of 64
 * bits is ours: arrivals that are missing (bits 0 to 19), how many a phase has (20 to 39), and the
 * number of the phase (40 to 63), as softlib/mbarrier.cu has it. */
#include <stdlib.h>
#include <string.h>
#include "compiler/ptx/expand.h"

enum { PENDING = 0xfffff, EXPECTED = 20, PHASE = 40 };

static bool only(const struct expansion *e, const char *const *words)
{
    for (int i = 0; i < e->nmods; i++) {
        int k = 0;
        while (words[k] && strcmp(words[k], e->mod[i])) k++;
        if (!words[k]) return false;
    }
    return true;
}

static bool shared(const struct expansion *e)
{
    return ex_has(e, "shared") || ex_has(e, "shared::cta");
}

static bool is_predicate(const struct expansion *e, int op)
{
    const char *name = e->op[op];
    const struct atom *a = lex_atom(e->p, name, (int)strlen(name));
    return a->bound && a->bound->kind == B_REG && e->p->fn->regs[a->bound->reg].type == T_PRED;
}

/* ---- cp.async -------------------------------------------------------------------------------- */

/* All bytes at once, or zeros. */
static void move(FILE *o, int words, bool zeros)
{
    static const char *const form[] = { [1] = "b32", [2] = "v2.b32", [4] = "v4.b32" };
    static const char *const regs[] = { [1] = "$v0", [2] = "{$v0, $v1}",
                                        [4] = "{$v0, $v1, $v2, $v3}" };
    for (int k = 0; k < words && zeros; k++) fprintf(o, "mov.b32 $v%d, 0; ", k);
    if (!zeros) fprintf(o, "ld.global.%s %s, [$s]; ", form[words], regs[words]);
    fprintf(o, "st.shared.%s [$d], %s;\n", form[words], regs[words]);
}

/* Of `size` bytes the first `left` are copied, the others are zero. */
static void move_part(const struct expansion *e, int size, const char *left, int wide)
{
    FILE *o = e->out;
    fprintf(o, "setp.ge.u32 $p, %s, %d; @$p bra $whole;\n", left, size);
    move(o, size / 4, true);
    fprintf(o, "mov.u32 $i, %s;\n$next:\nsetp.eq.u32 $p, $i, 0; @$p bra $done;\n"
               "ld.global.u8 $v0, [$s]; st.shared.u8 [$d], $v0;\n"
               "add.s64 $s, $s, 1; add.s%d $d, $d, 1; sub.u32 $i, $i, 1; bra $next;\n$whole:\n",
            left, wide ? 64 : 32);
    move(o, size / 4, false);
    fputs("$done:\n", o);
}

static bool arrive(struct expansion *e);

static bool cp(struct expansion *e)
{
    static const char *const words[] = { "async", "ca", "cg", "shared", "shared::cta", "global",
                                         "L2::cache_hint", "L2::64B", "L2::128B", "L2::256B",
                                         NULL };
    static const char *const waits[] = { "async", "commit_group", "wait_group", "wait_all", NULL };
    static const char *const arrives[] = { "async", "mbarrier", "arrive", "noinc", "shared",
                                           "shared::cta", "b64", NULL };
    FILE *o = e->out;
    if (!ex_has(e, "async")) return false;
    if (only(e, waits) && e->nmods == 2) return e->nops <= 1;
    /* one arrival more, and there it is; noinc: it is one of those that the barrier waits for */
    if (only(e, arrives) && ex_has(e, "arrive"))
        return e->nops == 1 && (!ex_has(e, "noinc") || arrive(e));
    if (!only(e, words) || !shared(e) || !ex_has(e, "global")) return false;
    int nops = e->nops - ex_has(e, "L2::cache_hint"), size = nops >= 3 ? atoi(e->op[2]) : 0;
    if (nops > 4 || (size != 4 && size != 8 && size != 16) || (ex_has(e, "cg") && size != 16))
        return false;
    bool wide = ex_address(e, 0, "$d", true);
    if (!ex_address(e, 1, "$s", false)) return false;
    fputs(".reg .b32 $v<4>, $i; .reg .pred $p;\n", o);
    if (nops == 3) {
        move(o, size / 4, false);
    } else if (is_predicate(e, 3)) {
        fprintf(o, "@%s bra $zeros;\n", e->op[3]);
        move(o, size / 4, false);
        fputs("bra $done;\n$zeros:\n", o);
        move(o, size / 4, true);
        fputs("$done:\n", o);
    } else {
        move_part(e, size, e->op[3], wide);
    }
    return true;
}

/* ---- mbarrier -------------------------------------------------------------------------------- */

static void generic(const struct expansion *e, bool wide)
{
    if (!wide) fputs(".reg .b64 $g; cvt.u64.u32 $g, $a; cvta.shared.u64 $g, $g;\n", e->out);
    else if (shared(e)) fputs(".reg .b64 $g; cvta.shared.u64 $g, $a;\n", e->out);
    else fputs(".reg .b64 $g; mov.b64 $g, $a;\n", e->out);
}

static bool arrive(struct expansion *e)
{
    FILE *o = e->out;
    int gives = e->nops > 1 && *e->op[0] != '[', n = e->nops - 1 - gives;
    if (n < 0 || n > 1) return false;
    bool wide = ex_address(e, gives, "$a", shared(e));
    generic(e, wide);
    parse_routine(e->p, "__hd_mbarrier_arrive", "dww", 8);
    fprintf(o, ".param .b64 $r; .reg .b64 $s;\n"
               "call.uni ($r), __hd_mbarrier_arrive, ($g, %s, %d);\nld.param.b64 $s, [$r];\n",
            n ? e->op[gives + 1] : "1", ex_has(e, "arrive_drop"));
    if (gives && strcmp(e->op[0], "_")) fprintf(o, "mov.b64 %s, $s;\n", e->op[0]);
    return true;
}

/* True: the phase that the state, or the parity, is of has ended. */
static bool test(struct expansion *e)
{
    FILE *o = e->out;
    bool parity = ex_has(e, "parity");
    if (e->nops != 3 && !(e->nops == 4 && ex_has(e, "try_wait"))) return false;
    bool wide = ex_address(e, 1, "$a", shared(e));
    generic(e, wide);
    fputs(".reg .b64 $n, $s; .reg .b32 $x, $y; .reg .pred $p;\n"
          "ld.volatile.b64 $n, [$g]; membar.cta; shr.u64 $n, $n, 40; cvt.u32.u64 $x, $n;\n", o);
    if (parity) fprintf(o, "mov.b32 $y, %s; and.b32 $x, $x, 1; and.b32 $y, $y, 1;\n", e->op[2]);
    else fprintf(o, "shr.u64 $s, %s, 40; cvt.u32.u64 $y, $s;\n", e->op[2]);
    fprintf(o, "setp.ne.u32 %s, $x, $y;\n", e->op[0]);
    return true;
}

static bool mbarrier(struct expansion *e)
{
    static const char *const words[] = { "init", "inval", "arrive", "arrive_drop", "noComplete",
                                         "test_wait", "try_wait", "parity", "pending_count",
                                         "acquire", "release", "relaxed", "cta", "cluster",
                                         "shared", "shared::cta", "b64", NULL };
    FILE *o = e->out;
    if (!only(e, words) || !e->nops) return false;
    if (ex_has(e, "inval")) return true;
    if (ex_has(e, "arrive") || ex_has(e, "arrive_drop")) return arrive(e);
    if (ex_has(e, "test_wait") || ex_has(e, "try_wait")) return test(e);
    if (ex_has(e, "pending_count") && e->nops == 2) {
        fprintf(o, ".reg .b64 $s; and.b64 $s, %s, %d; cvt.u32.u64 %s, $s;\n", e->op[1], PENDING,
                e->op[0]);
        return true;
    }
    if (!ex_has(e, "init") || e->nops != 2) return false;
    generic(e, ex_address(e, 0, "$a", shared(e)));
    fprintf(o, ".reg .b64 $n, $s; cvt.u64.u32 $n, %s; and.b64 $n, $n, %d; shl.b64 $s, $n, %d;\n"
               "or.b64 $n, $n, $s; st.volatile.b64 [$g], $n;\n", e->op[1], PENDING, EXPECTED);
    return true;
}

/* ---- one lane, and hints --------------------------------------------------------------------- */

/* elect.sync d|p, members: the lowest. */
static bool elect(struct expansion *e)
{
    if (e->nmods != 1 || !ex_has(e, "sync") || e->nops != 2) return false;
    char *d = arena_printf(e->p->arena, "%s", e->op[0]), *p = strchr(d, '|');
    if (!p) return false;
    *p++ = 0;
    fprintf(e->out, ".reg .b32 $m, $l, $x; mov.b32 $m, %s; bar.warp.sync $m;\n"
                    "mov.u32 $l, %%laneid; brev.b32 $x, $m; clz.b32 $x, $x;\n", e->op[1]);
    if (strcmp(d, "_")) fprintf(e->out, "mov.b32 %s, $x;\n", d);
    if (strcmp(p, "_")) fprintf(e->out, "setp.eq.u32 %s, $x, $l;\n", p);
    return true;
}

/* What a cache could do better, or how many registers a warp has: nothing changes. */
static bool hint(struct expansion *e) { (void)e; return true; }

static bool policy(struct expansion *e)
{
    if (!e->nops) return false;
    fprintf(e->out, "mov.b64 %s, 0;\n", e->op[0]);
    return true;
}

const struct expander ex_async[] = { { "cp", cp, NULL },
                                     { "mbarrier", mbarrier, NULL },
                                     { "elect", elect, NULL },
                                     { "createpolicy", policy, NULL },
                                     { "applypriority", hint, NULL },
                                     { "griddepcontrol", hint, NULL },
                                     { "setmaxnreg", hint, NULL },
                                     { NULL, NULL, NULL } };
