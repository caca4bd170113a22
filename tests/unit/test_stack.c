/* docs/stack.md, sentence by sentence, as short programs whose every record is known.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/asm.h"
#include "one_insn.h"

enum { MOST = 4000, PRELUDE = 3 };

struct ran {
    struct model *m;
    struct hd_image *img;
    enum hd_status status;
    u32 n;
    struct hd_commit rec[MOST];
};

static bool keep(void *user, const struct hd_commit *c)
{
    struct ran *r = user;
    assert_true(r->n < MOST);
    r->rec[r->n++] = *c;
    return true;
}

/* After the prelude R0 is the thread, P0: thread < 12, P1: thread < 16. */
static struct ran *run_core(const char *text, u32 depth, u32 spill_size, u32 threads)
{
    static const char prelude[] = ".mode stack\n.kernel k\n.regs 32\nS2R R0, SR_TID_X\n"
        "ISETP.LT.U32 P0, R0, 12, PT\nISETP.LT.U32 P1, R0, 16, PT\n";
    const struct launch_limits core = {
        .warps = 32, .regs = 256, .shared_bytes = 16384, .stack_depth = depth
    };
    const struct hd_launch l = { .grid = { 1, 1, 1 }, .block = { threads, 1, 1 } };
    struct ran *r = calloc(1, sizeof *r);
    const struct fast_run how = { .limit = MOST - 1, .on_commit = keep, .commit_user = r };
    struct hd_err err = { 0 };
    struct launch k;
    char why[256] = "", whole[4096];
    assert_non_null(r);
    snprintf(whole, sizeof whole, "%s%s", prelude, text);
    if (hd_asm("test", whole, &r->img, &err))
        fail_msg("%s", err.text);
    r->m = fast_new(&core);
    assert_non_null(r->m);
    if (launch_load(model_memory(r->m), r->img, why, sizeof why) ||
        launch_prepare(&k, model_memory(r->m), r->img, &l, &core, why, sizeof why))
        fail_msg("%s", why);
    k.spill_size = spill_size ? spill_size : k.spill_size;
    assert_true(launch_add_range(&k, LAUNCH_HEAP, 4096, true));
    assert_true(model_load(r->m, k.code_base, k.code_size, true));
    model_launch(r->m, &k);
    r->status = fast_run(r->m, &how);
    return r;
}

static struct ran *run(const char *text)
{
    return run_core(text, 16, 0, 32);
}

static void done(struct ran *r)
{
    hd_image_free(r->img);
    model_free(r->m);
    free(r);
}

/* The record of step i after the prelude. */
static const struct hd_commit *at(const struct ran *r, u32 i)
{
    assert_true(PRELUDE + i < r->n);
    return &r->rec[PRELUDE + i];
}

static u32 pc(u32 line)
{
    return (PRELUDE + line) * 16;
}

/* Step i is the instruction of a line (from 0) for these lanes; then these run on at that line. */
static void check(const struct ran *r, u32 i, u32 line, u32 active, u32 next, u32 next_line)
{
    const struct hd_commit *c = at(r, i);
    if (c->pc != pc(line) || c->active != active || c->next_active != next ||
        (next && c->npc[__builtin_ctz(next)] != pc(next_line)))
        fail_msg(
            "step %u: line %d, lanes %08x, then %08x at 0x%x; "
            "must be line %u, lanes %08x, then %08x at 0x%x",
            i, (int)(c->pc / 16) - PRELUDE, c->active, c->next_active,
            next ? c->npc[__builtin_ctz(next)] : 0, line, active, next, next ? pc(next_line) : 0);
}

static void check_push(const struct ran *r, u32 i, u32 mask, enum hd_token_kind kind, u32 line,
                       u32 depth)
{
    const struct hd_commit *c = at(r, i);
    assert_int_equal(c->pushed, 1);
    assert_int_equal(c->popped, 0);
    assert_int_equal(c->push.mask, mask);
    assert_int_equal(c->push.pc_kind, pc(line) | kind);
    assert_int_equal(c->depth, depth);
}

static void check_pop(const struct ran *r, u32 i, u32 mask, enum hd_token_kind kind, u32 line,
                      u32 depth)
{
    const struct hd_commit *c = at(r, i);
    assert_int_equal(c->popped, 1);
    assert_int_equal(c->pushed, 0);
    assert_int_equal(c->pop.mask, mask);
    assert_int_equal(c->pop.pc_kind, pc(line) | kind);
    assert_int_equal(c->depth, depth);
}

static void check_plain(const struct ran *r, u32 i, u32 depth)
{
    const struct hd_commit *c = at(r, i);
    assert_int_equal(c->pushed | c->popped | c->spilled | c->filled | c->unwind, 0);
    assert_int_equal(c->depth, depth);
}

/* The last record is a fault that changed nothing. */
static void check_fault(const struct ran *r, enum hd_fault f, u32 line, u32 exec, u32 active,
                        u32 lanes)
{
    const struct hd_commit *c = &r->rec[r->n - 1];
    assert_int_equal(r->status, HD_FAULT);
    assert_int_equal(c->fault, f);
    assert_int_equal(c->pc, pc(line));
    assert_int_equal(c->exec, exec);
    assert_int_equal(c->active, active);
    assert_int_equal(c->fault_m, lanes);
    assert_int_equal(c->next_active, 0);
    assert_int_equal(c->pushed | c->popped | c->spilled | c->filled | c->depth | c->moved_addr |
                         c->nd | c->mem,
                     0);
    for (u32 l = 0; l < 32; l++)
        if (c->wait[l] == HD_WAIT_NONE)
            assert_int_equal(c->npc[l], c->pc);
    assert_memory_equal(c, model_fault(r->m), sizeof *c);
}

/* ---- the paper's Figure 3: n = 2, M = 32, in the words of Listing 3 -------------------------- */

static void test_figure3(void **unused)
{
    static const char text[] =
        "MOV R5, 32\nISUB R6, R0, 29\nIMAX.S32 R6, R6, 0\nISUB R5, R5, R6\n"
            /* M - max(0, lane - 29) */
        "MOV R7, 0\nISETP.LT.S32 P0, R5, 1, PT\n"
        "SSY past\n@P0 BRA out\nNOP\nNOP\n"
        "loop: IADD R7, R7, 1\nFADD R8, R8, 1.333\nISETP.LT.S32 P0, R7, R5, PT\n@P0 BRA loop\n"
        "out: NOP.S\n"
        "past: EXIT\n";
    (void)unused;
    struct ran *r = run(text);
    u32 i = 6, loop = 10, behind = 14, past = 15;
    assert_int_equal(r->status, HD_OK);
    check_push(r, i, ~0u, HD_TOKEN_SYNC, past, 1);                          /* 2. */
    check(r, i + 1, 7, ~0u, ~0u, 8);                                        /* no lane takes it */
    check_plain(r, i + 1, 1);
    i += 4;
    for (u32 turn = 1; turn < 30; turn++, i += 4) {
        check(r, i + 3, 13, ~0u, ~0u, loop);
        check_plain(r, i + 3, 1);
    }
    check(r, i + 3, 13, ~0u, 0x7fffffff, loop);                             /* 3. */
    check_push(r, i + 3, 0x80000000, HD_TOKEN_DIV, behind, 2);
    check(r, i + 7, 13, 0x7fffffff, 0x3fffffff, loop);                      /* 4. */
    check_push(r, i + 7, 0x40000000, HD_TOKEN_DIV, behind, 3);
    check(r, i + 11, 13, 0x3fffffff, 0x3fffffff, behind);
    check(r, i + 12, 14, 0x3fffffff, 0x40000000, behind);                   /* 5. */
    check_pop(r, i + 12, 0x40000000, HD_TOKEN_DIV, behind, 2);
    check(r, i + 13, 14, 0x40000000, 0x80000000, behind);                   /* 6. */
    check_pop(r, i + 13, 0x80000000, HD_TOKEN_DIV, behind, 1);
    check(r, i + 14, 14, 0x80000000, ~0u, past);                            /* 7. */
    check_pop(r, i + 14, ~0u, HD_TOKEN_SYNC, past, 0);
    assert_int_equal(model_counters(r->m)->pushes, 3);
    assert_int_equal(model_counters(r->m)->pops, 3);
    assert_int_equal(model_counters(r->m)->deepest, 3);
    assert_int_equal(model_counters(r->m)->spills, 0);
    done(r);
}

/* The paper: n + 1 pushes, n + 1 deep; no spill with 16 tokens on chip up to n = 15. */
static void test_single_loop(void **unused)
{
    (void)unused;
    for (u32 n = 0; n < 32; n++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "ISUB R6, R0, %u\nIMAX.S32 R6, R6, 0\nIRSUB R5, R6, 40\nMOV R7, 0\nSSY past\n"
            "loop: IADD R7, R7, 1\nISETP.LT.S32 P0, R7, R5, PT\n@P0 BRA loop\nNOP.S\npast: EXIT\n",
            31 - n);
        struct ran *r = run(text);
        const struct hd_counters *c = model_counters(r->m);
        u32 more = n + 1 > 16 ? (n + 1 - 16 + 3) / 4 : 0;
        assert_int_equal(r->status, HD_OK);
        assert_int_equal(c->pushes, n + 1);
        assert_int_equal(c->pops, n + 1);
        assert_int_equal(c->deepest, n + 1);
        assert_int_equal(c->spills, more);
        assert_int_equal(c->fills, more);
        done(r);
    }
}

/* ---- push, spill, fill ----------------------------------------------------------------------- */

static void test_spill_and_fill(void **unused)
{
    static const char text[] = "SSY a\nSSY b\nSSY c\nSSY d\nSSY e\nSSY f\n"
        "f: NOP.S\ne: NOP.S\nd: NOP.S\nc: NOP.S\nb: NOP.S\na: NOP.S\nend: EXIT\n";
    (void)unused;
    struct ran *r = run_core(text, 4, 0, 32);
    const struct hd_commit *c = at(r, 4);
    assert_int_equal(c->spilled, 4);
    assert_int_equal(c->moved_addr, LAUNCH_SPILL);
    for (u32 i = 0; i < 4; i++) {
        assert_int_equal(c->moved[i].mask, ~0u);
        assert_int_equal(c->moved[i].pc_kind, pc(11 - i) | HD_TOKEN_SYNC);
    }
    check_push(r, 4, ~0u, HD_TOKEN_SYNC, 7, 5);
    assert_int_equal(at(r, 3)->spilled | at(r, 5)->spilled, 0);
    /* f, e from the chip; d needs the chunk. */
    check_pop(r, 6, ~0u, HD_TOKEN_SYNC, 6, 5);
    check_pop(r, 7, ~0u, HD_TOKEN_SYNC, 7, 4);
    assert_int_equal(at(r, 6)->filled | at(r, 7)->filled, 0);
    check(r, 7, 6, ~0u, ~0u, 7);
    check_pop(r, 8, ~0u, HD_TOKEN_SYNC, 8, 3);
    assert_int_equal(at(r, 8)->filled, 4);
    assert_int_equal(at(r, 8)->moved_addr, LAUNCH_SPILL);
    assert_memory_equal(at(r, 8)->moved, c->moved, sizeof c->moved);
    assert_int_equal(model_counters(r->m)->spills, 1);
    assert_int_equal(model_counters(r->m)->fills, 1);
    done(r);
}

/* A warp's area is its slot's, and what lies there is mask, then pc | kind. */
static void test_spill_area(void **unused)
{
    (void)unused;
    struct ran *r =
        run_core("more: SSY more\nIADD R1, R1, 1\nISETP.LT.U32 P2, R1, 9, PT\n@P2 BRA more\nEXIT\n",
                 4, 96, 64);
    u32 word[2];
    assert_int_equal(r->status, HD_OK);
    for (u32 slot = 0; slot < 2; slot++)
        for (u32 i = 0; i < 8; i++) {
            memcpy(word, r->m->mem + LAUNCH_SPILL + 96 * slot + 8 * i, sizeof word);
            assert_int_equal(word[0], ~0u);
            assert_int_equal(word[1], pc(0) | HD_TOKEN_SYNC);
        }
    memcpy(word, r->m->mem + LAUNCH_SPILL + 64, sizeof word);
    assert_int_equal(word[0] | word[1], 0);
    /* The warp ends with its tokens: no pop, and they are still counted. */
    assert_int_equal(r->rec[r->n - 1].depth, 9);
    assert_int_equal(r->rec[r->n - 1].popped, 0);
    done(r);
}

static void test_spill_fault(void **unused)
{
    (void)unused;
    /* Room for eight in memory and four on chip: the thirteenth faults, and has moved nothing. */
    struct ran *r = run_core("more: SSY more\nBRA more\n", 4, 64, 32);
    check_fault(r, HD_FAULT_SPILL, 0, ~0u, ~0u, ~0u);
    assert_int_equal(r->m->warp[0].stack.n, 4);
    assert_int_equal(r->m->warp[0].stack.spilled, 8);
    assert_int_equal(r->n, PRELUDE + 2 * 12 + 1);
    done(r);
    /* A branch that cannot push does not branch. */
    r = run_core("SSY x\nSSY x\nSSY x\nSSY x\n@P0 BRA x\nx: EXIT\n", 4, 24, 32);
    check_fault(r, HD_FAULT_SPILL, 4, 0xfff, ~0u, ~0u);
    assert_int_equal(r->m->warp[0].conv.active, ~0u);
    done(r);
    /* At depth 64 nothing is spilled before the 65th. */
    r = run_core("more: SSY more\nBRA more\n", 64, 16, 32);
    check_fault(r, HD_FAULT_SPILL, 0, ~0u, ~0u, ~0u);
    assert_int_equal(r->m->warp[0].stack.n, 64);
    done(r);
}

/* ---- branches -------------------------------------------------------------------------------- */

static void test_branch(void **unused)
{
    (void)unused;
    struct ran *r = run(
        "SSY j\n@!PT BRA j\n@P0 BRA a\nIADD R1, R1, 1\nBRA j2\na: IADD R1, R1, 2\nj2: NOP.S\n"
        "j: EXIT\n");
    check(r, 1, 1, ~0u, ~0u, 2);                            /* no lane */
    check(r, 2, 2, ~0u, 0xfff, 5);                          /* those that branch run first */
    check_push(r, 2, 0xfffff000, HD_TOKEN_DIV, 3, 2);
    assert_int_equal(at(r, 2)->exec, 0xfff);
    for (u32 l = 0; l < 32; l++) {
        assert_int_equal(at(r, 2)->wait[l], l < 12 ? HD_WAIT_NONE : HD_WAIT_STACK);
        assert_int_equal(at(r, 2)->npc[l], l < 12 ? pc(5) : 0);
    }
    check(r, 3, 5, 0xfff, 0xfff, 6);
    check(r, 4, 6, 0xfff, 0xfffff000, 3);
    check_pop(r, 4, 0xfffff000, HD_TOKEN_DIV, 3, 1);
    check(r, 6, 4, 0xfffff000, 0xfffff000, 6);              /* all take it */
    check_plain(r, 6, 1);
    check(r, 7, 6, 0xfffff000, ~0u, 7);
    assert_int_equal(model_counters(r->m)->branches, 3);
    assert_int_equal(model_counters(r->m)->divergent_branches, 1);
    assert_int_equal(model_counters(r->m)->reconvergences, 1);
    done(r);
}

/* Three targets and a guard: the lowest lane's first, the others come back to the BRX. */
static void test_brx(void **unused)
{
    (void)unused;
    /* Lines 5 (even lanes) and 6 (odd lanes); lanes from 16 continue after it, at line 5. */
    struct ran *r = run(
        "LOP.AND R1, R0, 1\nSHL R1, R1, 4\nIADD R1, R1, 128\nSSY j\n@P1 BRX R1\nIADD R2, R2, 1\n"
        "NOP.S\nj: EXIT\n");
    assert_int_equal(r->status, HD_OK);
    check(r, 4, 4, ~0u, 0xffff5555, 5);
    check_push(r, 4, 0xaaaa, HD_TOKEN_DIV, 4, 2);
    check(r, 5, 5, 0xffff5555, 0xffff5555, 6);
    check(r, 6, 6, 0xffff5555, 0xaaaa, 4);
    check_pop(r, 6, 0xaaaa, HD_TOKEN_DIV, 4, 1);
    check(r, 7, 4, 0xaaaa, 0xaaaa, 6);                      /* one target now: no token */
    check_plain(r, 7, 1);
    check(r, 8, 6, 0xaaaa, ~0u, 7);
    done(r);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void test_cal(void **unused)
{
    (void)unused;
    struct ran *r = run("CAL f\nEXIT\nf: @P0 EXIT\nRET.T\n");
    check(r, 0, 0, ~0u, ~0u, 2);
    check_push(r, 0, ~0u, HD_TOKEN_CALL, 1, 1);
    check(r, 1, 2, ~0u, 0xfffff000, 3);                     /* some are left: no pop */
    check_plain(r, 1, 1);
    check(r, 2, 3, 0xfffff000, 0xfffff000, 1);              /* mask & live */
    check_pop(r, 2, ~0u, HD_TOKEN_CALL, 1, 0);
    done(r);
}

static void test_cal_r(void **unused)
{
    (void)unused;
    /* Lanes below 12 call line 5, the others line 6. */
    struct ran *r = run(
        "MOV R1, 144\n@P0 MOV R1, 128\nSSY j\nCAL.R R1\nNOP.S\nRET.T\nRET.T\nj: EXIT\n");
    assert_int_equal(r->status, HD_OK);
    check(r, 3, 3, ~0u, 0xfff, 3);                          /* runs again, for T alone */
    check_push(r, 3, 0xfffff000, HD_TOKEN_DIV, 3, 2);
    check(r, 4, 3, 0xfff, 0xfff, 5);
    check_push(r, 4, 0xfff, HD_TOKEN_CALL, 4, 3);
    check(r, 5, 5, 0xfff, 0xfff, 4);
    check_pop(r, 5, 0xfff, HD_TOKEN_CALL, 4, 2);
    check(r, 6, 4, 0xfff, 0xfffff000, 3);
    check(r, 7, 3, 0xfffff000, 0xfffff000, 6);
    check_push(r, 7, 0xfffff000, HD_TOKEN_CALL, 4, 2);
    check(r, 8, 6, 0xfffff000, 0xfffff000, 4);
    check(r, 9, 4, 0xfffff000, ~0u, 7);
    check_pop(r, 9, ~0u, HD_TOKEN_SYNC, 7, 0);
    done(r);
}

/* ---- `.S` ------------------------------------------------------------------------------------ */

static void test_carrier(void **unused)
{
    (void)unused;
    /* It executes before the pop, for the lanes of its branch; its guard does not guard the pop. */
    struct ran *r = run("SSY j\n@P0 BRA a\nMOV.S R1, 7\na: @!P1 MOV.S R1, 9\nj: EXIT\n");
    check(r, 2, 3, 0xfff, 0xfffff000, 2);
    assert_int_equal(at(r, 2)->exec, 0);
    check_pop(r, 2, 0xfffff000, HD_TOKEN_DIV, 2, 1);
    check(r, 3, 2, 0xfffff000, ~0u, 4);
    assert_int_equal(at(r, 3)->exec, 0xfffff000);
    assert_int_equal(at(r, 3)->nd, 1);
    for (u32 l = 0; l < 32; l++) {
        assert_int_equal(at(r, 3)->val[0][l], l < 12 ? 0 : 7);
        assert_int_equal(model_register(r->m, 0, 1, l), l < 12 ? 0 : 7);
    }
    done(r);
    /* A load and a store carry too; a clock counts the steps. */
    r = run(
        "MOV R4, 0x10000000\nMOV R5, 0\nSHL R6, R0, 2\nIADD R4, R4, R6\nSSY a\nSTG.S [R4], R0\n"
        "a: SSY b\n"
        "LDG.S R7, [R4]\nb: SSY c\nS2R.S R8, SR_CLOCKLO\nc: S2R R9, SR_CLOCKLO\nEXIT\n");
    assert_int_equal(r->status, HD_OK);
    for (u32 l = 0; l < 32; l++) {
        assert_int_equal(model_register(r->m, 0, 7, l), l);
        assert_int_equal(model_register(r->m, 0, 8, l), PRELUDE + 9);
        assert_int_equal(model_register(r->m, 0, 9, l), PRELUDE + 10);
    }
    done(r);
}

static void test_token_faults(void **unused)
{
    static const struct {
        const char *text;
        u32 line, exec, active, lanes;
        enum hd_fault f;
    } cases[] = {
        { "RET.T\n", 0, ~0u, ~0u, ~0u, HD_FAULT_TOKEN }, /* empty */
        { "NOP.S\n", 0, ~0u, ~0u, ~0u, HD_FAULT_TOKEN },
        { "SSY j\nRET.T\nj: EXIT\n", 1, ~0u, ~0u, ~0u, HD_FAULT_TOKEN }, /* no CALL token */
        { "@P0 BRA x\nEXIT\nx: RET.T\n", 2, 0xfff, 0xfff, 0xfff, HD_FAULT_TOKEN },
        { "CAL f\nf: MOV.S R0, 5\n", 1, ~0u, ~0u, ~0u, HD_FAULT_TOKEN }, /* a CALL token */
        { "CAL f\nf: @P1 MEMBAR.CTA.S\n", 1, 0xffff, ~0u, ~0u, HD_FAULT_TOKEN },
        { "MOV R4, 0x10000000\nMOV R5, 0\nSTG.S [R4], R0\n", 2, ~0u, ~0u, ~0u, HD_FAULT_TOKEN },
        { "MOV R4, 0x10000000\nMOV R5, 0\nLDG.S R0, [R4]\n", 2, ~0u, ~0u, ~0u, HD_FAULT_TOKEN },
        { "MOV R4, 0x10000000\nMOV R5, 0\n@!PT ATOMG.ADD.S R0, [R4], R0\n", 2, 0, ~0u, ~0u,
          HD_FAULT_TOKEN },
        /* lanes that a pop dropped, and no lane is left */
        { "@P0 BRA a\nEXIT\na: NOP.S\n", 1, 0xfffff000, 0xfffff000, 0xfff, HD_FAULT_TOKEN },
        { "@P0 BRA a\nSSY j\nEXIT\na: NOP.S\nj: EXIT\n", 2, 0xfffff000, 0xfffff000, 0xfff,
          HD_FAULT_TOKEN },
        /* the access faults first */
        { "STG.S [RZ], R0\n", 0, ~0u, ~0u, ~0u, HD_FAULT_RANGE },
        { "@P0 LDS.S R0, [RZ+2]\n", 0, 0xfff, ~0u, 0xfff, HD_FAULT_MISALIGNED },
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ran *r = run(cases[i].text);
        check_fault(r, cases[i].f, cases[i].line, cases[i].exec, cases[i].active, cases[i].lanes);
        assert_int_equal(model_register(r->m, 0, 0, 3), 3);
        assert_int_equal(r->m->mem[LAUNCH_HEAP], 0);
        done(r);
    }
}

/* ---- EXIT and unwinding ---------------------------------------------------------------------- */

static void test_unwinding(void **unused)
{
    static const char text[] = "SSY j\n@P0 BRA a\nIADD R1, R1, 1\nNOP.S\n"
        "a: SSY j\nCAL f\nf: SSY j\nEXIT\nj: EXIT\n";
    (void)unused;
    struct ran *r = run(text);
    assert_int_equal(r->status, HD_OK);
    /* Lanes below 12 end with tokens SYNC, CALL, SYNC of their own on the stack. */
    check(r, 5, 7, 0xfff, 0, 0);
    check_pop(r, 5, 0xfff, HD_TOKEN_SYNC, 8, 4);
    assert_int_equal(at(r, 5)->live, 0xfffff000);
    assert_int_equal(at(r, 5)->unwind, 0);
    for (u32 l = 0; l < 32; l++)
        assert_int_equal(at(r, 5)->wait[l], l < 12 ? HD_WAIT_EXITED : HD_WAIT_STACK);
    const u32 from[2] = { pc(8), pc(6) };
    for (u32 i = 0; i < 2; i++) {
        const struct hd_commit *c = at(r, 6 + i);
        assert_int_equal(c->unwind, 1);
        assert_int_equal(c->exec | c->active | c->next_active | c->nd | c->mem, 0);
        assert_int_equal(c->insn[0] | c->insn[1] | c->insn[2] | c->insn[3], 0);
        assert_int_equal(c->pc, from[i]);               /* of the token before */
        assert_int_equal(c->live, 0xfffff000);
        assert_int_equal(c->seq, at(r, 5)->seq + 1 + i);
    }
    check_pop(r, 6, 0xfff, HD_TOKEN_CALL, 6, 3);
    check_pop(r, 7, 0xfff, HD_TOKEN_SYNC, 8, 2);
    assert_int_equal(at(r, 8)->unwind, 1);
    assert_int_equal(at(r, 8)->next_active, 0xfffff000);
    assert_int_equal(at(r, 8)->npc[31], pc(2));
    check_pop(r, 8, 0xfffff000, HD_TOKEN_DIV, 2, 1);
    check(r, 10, 3, 0xfffff000, 0xfffff000, 8);             /* SYNC: mask & live */
    check_pop(r, 10, ~0u, HD_TOKEN_SYNC, 8, 0);
    assert_int_equal(model_counters(r->m)->warp_insns, r->n);
    done(r);
    /* Lanes below 12 are dropped; then the last token has no lane that lives. */
    r = run("@P0 BRA a\nSSY j\nSSY j\nEXIT\na: NOP.S\nj: EXIT\n");
    const struct hd_commit *c = &r->rec[r->n - 1];
    assert_int_equal(c->unwind, 1);
    assert_int_equal(c->insn[0], 0);
    check_fault(r, HD_FAULT_TOKEN, 5, 0, 0, 0xfff);
    done(r);
}

/* An unwinding across spilled chunks. */
static void test_unwinding_fills(void **unused)
{
    (void)unused;
    struct ran *r = run_core(
        "SSY j\n@P0 BRA a\nNOP.S\na: SSY j\nIADD R1, R1, 1\nISETP.LT.U32 P2, R1, 9, PT\n@P2 BRA a\n"
        "EXIT\nj: EXIT\n",
        4, 0, 32);
    u32 unwound = 0, filled = 0;
    assert_int_equal(r->status, HD_OK);
    for (u32 i = 0; i < r->n; i++) {
        unwound += r->rec[i].unwind;
        filled += r->rec[i].filled / 4;
    }
    assert_int_equal(unwound, 9);                /* nine SYNC tokens, the first by EXIT; then DIV */
    assert_int_equal(filled, 2);
    assert_int_equal(model_counters(r->m)->deepest, 11);
    done(r);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void test_block_barrier(void **unused)
{
    (void)unused;
    /* Lanes in tokens do not arrive: 12 lanes of two warps meet, and the others later. */
    struct ran *r = run_core(
        "LOP.AND R0, R0, 31\nISETP.LT.U32 P0, R0, 12, PT\nSSY j\n@P0 BRA a\nBAR.SYNC 1, 40\nNOP.S\n"
        "a: BAR.SYNC 0, 24\nNOP.S\nj: EXIT\n",
        16, 0, 64);
    u32 waits = 0, passes = 0;
    assert_int_equal(r->status, HD_OK);
    for (u32 i = 0; i < r->n; i++) {
        const struct hd_commit *c = &r->rec[i];
        if (c->pc != pc(6))
            continue;
        assert_int_equal(c->active, 0xfff);
        waits += c->next_active == 0 && c->wait[3] == HD_WAIT_BLOCK && c->npc[3] == pc(7) &&
                 c->wait[12] == HD_WAIT_STACK;
        passes += c->next_active == 0xfff && c->released == 0xfff;
    }
    assert_int_equal(waits, 1);
    assert_int_equal(passes, 1);
    done(r);
    r = run_core("SSY j\n@P0 BRA a\nNOP.S\na: BAR.SYNC 0, 0\nNOP.S\nj: EXIT\n", 16, 0, 32);
    assert_int_equal(r->status, HD_DEADLOCK);
    done(r);
}

static void test_warpsync(void **unused)
{
    (void)unused;
    struct ran *r = run(
        "WARPSYNC -1\nSSY j\n@P0 BRA a\nNOP.S\na: WARPSYNC 0xff\nWARPSYNC 0x1000\nj: EXIT\n");
    struct warp_view v;
    char text[2000] = "";
    assert_int_equal(r->status, HD_DEADLOCK);
    check(r, 0, 0, ~0u, ~0u, 1);
    assert_int_equal(at(r, 0)->released, ~0u);
    check(r, 3, 4, 0xfff, 0xfff, 5);
    check(r, 4, 5, 0xfff, 0, 0);
    assert_int_equal(at(r, 4)->wait[0], HD_WAIT_WARPSYNC);
    assert_int_equal(at(r, 4)->npc[0], pc(6));
    assert_int_equal(at(r, 4)->released, 0);
    model_view(r->m, 0, &v);
    assert_true(v.deadlocked && !v.runs && v.depth == 2);
    assert_int_equal(v.token[12], HD_TOKEN_DIV);
    assert_int_equal(v.npc[12], pc(3));
    FILE *f = fmemopen(text, sizeof text, "w");
    model_explain(r->m, f);
    fclose(f);
    assert_non_null(strstr(text, "in a DIV token"));
    done(r);
}

/* What belongs to barrier mode is illegal here. */
static void test_other_mode(void **unused)
{
    (void)unused;
    struct hd_insn i = hd_insn_make(OP_BSYNC), pop = hd_insn_make(OP_NOP),
                   both = hd_insn_make(OP_BRA);
    pop.pop = both.pop = 1;
    assert_non_null(hd_insn_fault(&i, true));
    assert_null(hd_insn_fault(&pop, true));
    assert_non_null(hd_insn_fault(&pop, false));
    assert_non_null(hd_insn_fault(&both, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure3),
        cmocka_unit_test(test_single_loop),
        cmocka_unit_test(test_spill_and_fill),
        cmocka_unit_test(test_spill_area),
        cmocka_unit_test(test_spill_fault),
        cmocka_unit_test(test_branch),
        cmocka_unit_test(test_brx),
        cmocka_unit_test(test_cal),
        cmocka_unit_test(test_cal_r),
        cmocka_unit_test(test_carrier),
        cmocka_unit_test(test_token_faults),
        cmocka_unit_test(test_unwinding),
        cmocka_unit_test(test_unwinding_fills),
        cmocka_unit_test(test_block_barrier),
        cmocka_unit_test(test_warpsync),
        cmocka_unit_test(test_other_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
