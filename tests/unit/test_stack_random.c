/* Random stack-mode machine code: the model against an independent reference with an endless stack,
 * at several depths; what is spilled and filled against an emulator of the chip; the fast path
 * against the recorded one.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "one_insn.h"
#include "stack_naive.h"

enum { CODE = 48, STEPS = 500, WARPS = 2, PROGRAMS = 6000 };

/* How a program is composed: of 100 instructions. */
struct mix { u32 push, branch, call, leave, carrier; };

struct events { u64 spills, fills, faults, unwinds, steps, deepest, pops, ended; };

/* Counts the tokens on chip and in memory as docs/stack.md says. */
struct chip { u32 on_chip, below; };

static u32 target(u64 *seed)
{
    u32 t = rnd(seed) % CODE * 16;
    return rnd(seed) % 200 ? t : t + rnd(seed) % 1000 * 4;
}

static struct hd_insn plain(u64 *seed)
{
    static const enum hd_op ops[] = { OP_IADD, OP_XOR, OP_IMAD, OP_ISETP, OP_ISETP, OP_ISETP,
                                      OP_LDG, OP_STG, OP_NOP };
    struct hd_insn i = hd_insn_make(ops[rnd(seed) % (sizeof ops / sizeof *ops)]);
    const uint8_t *has = hd_ops[i.op].width;
    i.rd = has[0] ? (uint8_t)(rnd(seed) % 9) : i.rd;
    i.ra = has[1] ? (uint8_t)(rnd(seed) % 10) : i.ra;
    i.rb = has[2] ? (uint8_t)(rnd(seed) % 10) : i.rb;
    i.rc = has[3] ? (uint8_t)(rnd(seed) % 10) : i.rc;
    if (i.op == OP_ISETP) {
        i.pd = (uint8_t)(rnd(seed) % 5);
        i.icmp = rnd(seed) % 2 ? ICMP_LT : ICMP_GE;
        i.bi = 1;
        i.rb = 0;
        i.imm = rnd(seed) % 4 ? rnd(seed) : rnd(seed) % 64;
    } else if (i.op == OP_LDG || i.op == OP_STG) {
        i.sz = SZ_32;
        i.ra = 14;
        i.rc = i.op == OP_STG ? i.rc : 0;
        i.off = (s32)(rnd(seed) % 64 * 4);
    }
    return i;
}

static struct hd_insn random_insn(u64 *seed, const struct mix *x)
{
    static const enum hd_op calls[] = { OP_CAL, OP_CALR, OP_RETT, OP_RETT };
    static const enum hd_op leaves[] = { OP_EXIT, OP_EXIT, OP_EXIT, OP_WARPSYNC };
    u32 dice = rnd(seed) % 100;
    struct hd_insn i;
    if (dice < x->push)
        i = hd_insn_make(OP_SSY);
    else if ((dice -= x->push) < x->branch)
        i = hd_insn_make(rnd(seed) % 5 ? OP_BRA : OP_BRX);
    else if ((dice -= x->branch) < x->call)
        i = hd_insn_make(calls[rnd(seed) % 4]);
    else if ((dice -= x->call) < x->leave)
        i = hd_insn_make(leaves[rnd(seed) % 4]);
    else
        i = plain(seed), i.pop = rnd(seed) % 100 < x->carrier;
    if (strchr(hd_ops[i.op].operands, '@'))
        i.imm = target(seed);
    if (i.op == OP_BRX || i.op == OP_CALR)
        i.ra = (uint8_t)(10 + rnd(seed) % 4);
    if (i.op == OP_WARPSYNC)
        i.bi = 1, i.rb = 0, i.imm = rnd(seed) % 3 ? rnd(seed) & rnd(seed) & rnd(seed) : 0;
    if (!(hd_ops[i.op].flags & F_NOGUARD) && (rnd(seed) % (i.op == OP_EXIT ? 8 : 3))) {
        i.pg = (uint8_t)(rnd(seed) % 7);
        i.pn = rnd(seed) % 2;
    }
    return i;
}

/* Half of the programs pile tokens up in a loop and take them down after it: R9 counts, P5 is its
 * condition. */
static void random_code(u64 *seed, u64 number, struct hd_insn code[CODE])
{
    static const struct mix mixes[] = {
        { 14, 22, 2, 3, 30 }, { 16, 26, 1, 6, 50 }, { 12, 14, 4, 8, 50 }, { 24, 12, 1, 6, 20 }
    };
    static const struct mix climb = { 50, 0, 0, 0, 0 }, descend = { 0, 2, 0, 3, 90 };
    u32 loop = number % 2 ? 3 + rnd(seed) % 12 : 0;
    for (u32 i = 0; i < CODE; i++)
        code[i] = random_insn(seed, !(number % 2) ? &mixes[number / 2 % 4]
                                    : i < loop    ? &climb
                                                  : &descend);
    if (!loop)
        return;
    for (u32 i = 0; i < loop; i++)
        if (code[i].op == OP_SSY)
            code[i].imm = (loop + 1 + rnd(seed) % (CODE - loop - 1)) * 16;
    code[0] = hd_insn_make(OP_IADD);
    code[0].rd = code[0].ra = 9, code[0].bi = 1, code[0].rb = 0, code[0].imm = 1;
    code[1] = hd_insn_make(OP_ISETP);
    code[1].pd = 5, code[1].icmp = ICMP_LT, code[1].ra = 9, code[1].bi = 1, code[1].rb = 0,
    code[1].imm = 64;
    code[loop] = hd_insn_make(OP_BRA);
    code[loop].pg = 5;
}

/* Registers: values, targets for BRX and CAL.R, an address; the same in model and reference. */
static void random_warp(u64 *seed, struct model *m, u32 slot, struct naive_warp *ref)
{
    struct warp *w = &m->warp[slot];
    memset(ref, 0, sizeof *ref);
    for (u32 k = 0; k < 10; k++)
        for (u32 l = 0; l < 32; l++)
            ref->r[k][l] = rnd_value(seed);
    for (u32 l = 0; l < 32; l++)
        ref->r[9][l] = 30 + rnd(seed) % 40;
    for (u32 k = 10; k < 14; k++) {
        u32 to[3] = { target(seed), target(seed), target(seed) }, kinds = 1 + rnd(seed) % 3;
        for (u32 l = 0; l < 32; l++)
            ref->r[k][l] = to[rnd(seed) % kinds];
    }
    for (u32 l = 0; l < 32; l++)
        ref->r[14][l] = LAUNCH_HEAP + rnd(seed) % 512 * 4;
    for (u32 k = 0; k < 7; k++) {
        u32 v = rnd(seed) % 3 ? rnd(seed) : rnd(seed) & rnd(seed) & rnd(seed);
        for (u32 l = 0; l < 32; l++)
            ref->p[k][l] = v >> l & 1;
        w->p[k] = v;
    }
    for (u32 l = 0; l < 32; l++)
        ref->active[l] = ref->alive[l] = true;
    memcpy(w->r, ref->r, sizeof ref->r);
}

static void start(struct model *m, const struct launch *k, const struct hd_insn *code)
{
    struct hd_word w[CODE];
    for (u32 i = 0; i < CODE; i++)
        w[i] = hd_encode(&code[i]);
    memcpy(model_memory(m) + LAUNCH_CODE, w, sizeof w);
    memset(model_memory(m) + LAUNCH_HEAP, 0, NAIVE_MEM);
    assert_true(model_load(m, LAUNCH_CODE, sizeof w, true));
    model_launch(m, k);
    assert_null(model_place(m, 0, 0));
}

#define SAME(what, got, want) \
    do { if ((u64)(got) != (u64)(want)) fail_msg("program %llu depth %u step %u warp %u: " \
        "%s is %llx, must be %llx", \
        (unsigned long long)number, depth, step, slot, what, (unsigned long long)(got), \
        (unsigned long long)(want)); } while (0)

static void check_token(u64 number, u32 depth, u32 step, u32 slot, const struct hd_token *t,
                        bool any, const struct naive_token *want)
{
    SAME("token mask", t->mask, any ? want->mask : 0);
    SAME("token pc and kind", t->pc_kind, any ? want->pc | want->kind : 0);
}

/* Which tokens move, and where. */
static void check_moves(u64 number, u32 depth, u32 step, u32 slot, const struct hd_commit *rec,
                        const struct naive_step *s, const struct naive_warp *ref, struct chip *c,
                        struct events *ev)
{
    bool spills = s->pushed && c->on_chip == depth, fills = s->popped && c->on_chip == 0;
    SAME("spilled", rec->spilled, spills ? 4 : 0);
    SAME("filled", rec->filled, fills ? 4 : 0);
    if (fills) {
        c->below -= 4;
        c->on_chip = 4;
    }
    SAME("moved_addr", rec->moved_addr,
         spills || fills ? LAUNCH_SPILL + slot * 4096 + c->below * 8 : 0);
    for (u32 i = 0; i < 4; i++)
        check_token(number, depth, step, slot, &rec->moved[i], spills || fills,
                    &ref->stack[c->below + i]);
    if (spills) {
        c->below += 4;
        c->on_chip -= 4;
    }
    c->on_chip += s->pushed;
    c->on_chip -= s->popped;
    ev->spills += spills;
    ev->fills += fills;
}

static void check_step(u64 number, u32 depth, u32 step, u32 slot, const struct hd_commit *rec,
                       const struct naive_step *s, u32 pc, u32 active, const struct naive_warp *ref)
{
    u32 alive = naive_mask(ref->alive), now = naive_mask(ref->active);
    SAME("fault", rec->fault, s->fault);
    SAME("fault_m", rec->fault_m, s->fault_m);
    SAME("unwind", rec->unwind, s->unwind);
    SAME("pc", rec->pc, pc);
    SAME("active", rec->active, active);
    SAME("exec", rec->exec, s->exec);
    SAME("live", rec->live, alive);
    SAME("next_active", rec->next_active, s->fault || ref->stuck ? 0 : now);
    SAME("pushed", rec->pushed, s->pushed);
    SAME("popped", rec->popped, s->popped);
    SAME("depth", rec->depth, s->fault ? 0 : ref->depth);
    check_token(number, depth, step, slot, &rec->push, s->pushed, &s->push);
    check_token(number, depth, step, slot, &rec->pop, s->popped, &s->pop);
    for (u32 l = 0; l < 32; l++) {
        bool is = now >> l & 1, lives = alive >> l & 1;
        SAME("npc", rec->npc[l], is ? ref->pc : 0);
        SAME("wait", rec->wait[l], !lives ? HD_WAIT_EXITED : !is ? HD_WAIT_STACK :
             ref->stuck ? HD_WAIT_WARPSYNC : HD_WAIT_NONE);
    }
}

static void check_end(u64 number, u32 depth, const struct model *m, u32 slot,
                      const struct naive_warp *ref, const struct chip *c, const uint8_t *mem)
{
    const struct warp *w = &m->warp[slot];
    u32 step = 0;
    for (u32 k = 0; k < NAIVE_REGS; k++)
        for (u32 l = 0; l < 32; l++)
            SAME("register", w->r[k][l], ref->r[k][l]);
    for (u32 k = 0; k < 7; k++)
        SAME("predicate", w->p[k], naive_mask(ref->p[k]));
    for (u32 i = 0; i < ref->depth; i++) {
        struct hd_token t = stack_token(m, w, i);
        check_token(number, depth, step, slot, &t, true, &ref->stack[i]);
    }
    SAME("spilled tokens", w->stack.spilled, c->below);
    assert_memory_equal(m->mem + LAUNCH_HEAP, mem, NAIVE_MEM);
}

/* One program on both; the order in which the two warps step is random. */
static void run_program(struct model *m, struct model *fast, u64 number, u32 depth,
                        struct events *ev)
{
    const struct launch k = { .mode = 1,
                              .code_base = LAUNCH_CODE,
                              .code_size = CODE * 16,
                              .spill_base = LAUNCH_SPILL,
                              .spill_size = 4096,
                              .stack_depth = depth,
                              .grid = { 1, 1, 1 },
                              .block = { 64, 1, 1 },
                              .threads = 64,
                              .warps_block = WARPS,
                              .block_slots = 1,
                              .nranges = 1,
                              .range = { { LAUNCH_HEAP, LAUNCH_HEAP + NAIVE_MEM, true } } };
    struct naive_warp *ref = calloc(WARPS, sizeof *ref);
    struct chip chip[WARPS] = { { 0, 0 } };
    struct hd_insn code[CODE];
    uint8_t mem[NAIVE_MEM] = { 0 }, order[STEPS];
    u64 seed = number * 0x9e3779b97f4a7c15u + 1;
    u32 steps = 0;
    bool faulted = false;
    assert_non_null(ref);
    random_code(&seed, number, code);
    start(m, &k, code);
    start(fast, &k, code);
    for (u32 s = 0; s < WARPS; s++) {
        random_warp(&seed, m, s, &ref[s]);
        memcpy(fast->warp[s].r, ref[s].r, sizeof ref[s].r);
        memcpy(fast->warp[s].p, m->warp[s].p, sizeof m->warp[s].p);
    }
    for (u32 step = 0; step < STEPS && !faulted; step++) {
        u32 slot = rnd(&seed) % WARPS, other = 1 - slot;
        if (!naive_runs(&ref[slot]))
            slot = other;
        struct naive_warp *w = &ref[slot];
        struct hd_commit rec;
        enum step_status st = model_step(m, slot, &rec, NULL);
        if (!naive_runs(w)) {
            SAME("status", st == STEP_OK || st == STEP_FAULT, false);
            ev->ended++;
            break;
        }
        u32 pc = w->pc, active = naive_mask(w->active), was = w->depth;
        struct naive_step s = naive_step(w, code, CODE, mem, LAUNCH_HEAP);
        SAME("status", st, s.fault ? STEP_FAULT : STEP_OK);
        check_step(number, depth, step, slot, &rec, &s, pc, active, w);
        check_moves(number, depth, step, slot, &rec, &s, w, &chip[slot], ev);
        ev->unwinds += s.unwind;
        ev->faults += faulted = s.fault;
        ev->pops += s.popped;
        ev->deepest = was > ev->deepest ? was : ev->deepest;
        ev->steps++;
        order[steps++] = (uint8_t)slot;
    }
    for (u32 s = 0; s < WARPS; s++)
        check_end(number, depth, m, s, &ref[s], &chip[s], mem);
    /* The same order with budgets above one, and no records. */
    for (u32 i = 0; i < steps; ) {
        u32 run = 1;
        while (i + run < steps && order[i + run] == order[i])
            run++;
        struct warp *w = &fast->warp[order[i]];
        u64 did = fast_warp(fast_of(fast), w, run);
        u32 slot = order[i], step = i;
        SAME("steps without records", did, run);
        i += run;
    }
    for (u32 s = 0; s < WARPS; s++)
        check_end(number, depth, fast, s, &ref[s], &chip[s], mem);
    assert_memory_equal(&m->count, &fast->count, sizeof m->count);
    free(ref);
}

static void test_random(void **unused)
{
    static const u32 depths[] = { 4, 5, 16, 64 };
    (void)unused;
    struct model *m = fast_new(&one_insn_core), *fast = fast_new(&one_insn_core);
    assert_non_null(m);
    assert_non_null(fast);
    for (u32 d = 0; d < 4; d++) {
        struct events ev = { 0 };
        for (u64 n = 0; n < PROGRAMS; n++)
            run_program(m, fast, n, depths[d], &ev);
        print_message(
            "depth %u: %llu steps, %llu pops, %llu spills, %llu fills, %llu unwound, %llu faults, "
            "deepest %llu, %llu ended\n",
            depths[d], (unsigned long long)ev.steps, (unsigned long long)ev.pops,
            (unsigned long long)ev.spills, (unsigned long long)ev.fills,
            (unsigned long long)ev.unwinds, (unsigned long long)ev.faults,
            (unsigned long long)ev.deepest, (unsigned long long)ev.ended);
        /* The programs reach what they are for. */
        assert_true(ev.unwinds > 100 && ev.faults > 100 && ev.ended > 50 && ev.pops > 1000);
        assert_true(ev.deepest > 100 && ev.spills > 100 && ev.fills > 200);
    }
    model_free(m);
    model_free(fast);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
