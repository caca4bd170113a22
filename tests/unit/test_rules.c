/* Barrier mode: each rule of docs/convergence.md as programs with the group sequence that it gives
 * (rule_cases.h); then random programs against a second reading of the rules.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "rule_cases.h"
#include "rule_run.h"
#include "rules_naive.h"
#include "cmodel/machine/machine.h"

static void test_cases(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[2000];
        char text[4000];
        snprintf(text, sizeof text, "%s\n", cases[i].text);
        rule_run(text, cases[i].threads, got, sizeof got);
        if (strcmp(got, cases[i].want)) {
            print_error("%s:\n  want %s\n  got  %s\n", cases[i].name, cases[i].want, got);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

/* ---- random programs ------------------------------------------------------------------------- */

enum { WORDS = 48, WARPS = 2, STEPS = 400, BARRIERS = 3 };      /* barrier registers in use */
struct trial {
    struct model *m;
    struct naive n[WARPS];
    uint32_t need[16];
    struct hd_word text[WORDS];
    uint64_t seed;
    unsigned number, hot[4];    /* where branches often lead: BSSY, BREAK and two BSYNC of B0 */
};

static uint32_t rnd(struct trial *t, uint32_t below)
{
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((t->seed >> 33) % below);
}

/* R1 holds PCs, R2 masks; both differ between lanes now and then.  P1..P3 come from bits of R3. */
static struct hd_insn random_insn(struct trial *t, unsigned at)
{
    static const uint16_t ops[] = {
        OP_BRA,   OP_BRA,   OP_BRA,      OP_BRA,      OP_BRA,   OP_BRX,   OP_CALL,  OP_RET,
        OP_BSSY,  OP_BSSY,  OP_BSSY,     OP_BSYNC,    OP_BSYNC, OP_BSYNC, OP_BREAK, OP_BREAK,
        OP_BMOVR, OP_BMOVB, OP_WARPSYNC, OP_WARPSYNC, OP_YIELD, OP_YIELD, OP_BAR,   OP_EXIT,
        OP_SHFRW, OP_SHFRW, OP_SHFRW,    OP_ISETP,    OP_ISETP, OP_ISETP, OP_NOP,
    };
    const bool hot = at == t->hot[0] || at == t->hot[1] || at == t->hot[2] || at == t->hot[3];
    struct hd_insn i = hd_insn_make(at == t->hot[0]   ? OP_BSSY
                                    : at == t->hot[1] ? OP_BREAK
                                    : hot             ? OP_BSYNC
                                                      : ops[rnd(t, sizeof ops / sizeof *ops)]);
    const char *o = hd_ops[i.op].operands;
    if (!(hd_ops[i.op].flags & F_NOGUARD) && i.op != OP_SHFRW && !hot && rnd(t, 2)) {
        i.pg = (uint8_t)(1 + rnd(t, 3));
        i.pn = (uint8_t)rnd(t, 2);
    }
    if (strchr(o, '@'))
        i.imm = 16 * (rnd(t, 2) ? t->hot[rnd(t, 4)] : rnd(t, at > WORDS - 4 ? at : WORDS));
    if (strchr(o, 'x'))
        i.bx = hot ? 0 : (uint8_t)rnd(t, BARRIERS);
    switch (i.op) {
    case OP_BRX: case OP_RET: i.ra = 1; break;
    case OP_CALL: i.rd = 1; break;
    case OP_BMOVR: i.rd = 4; break;
    case OP_BMOVB: i.rb = 2; break;
    case OP_WARPSYNC:
        i.bi = 1, i.rb = 0, i.imm = rnd(t, 2) ? 0xffffffff : rnd(t, 2) ? 0xffff : 0xff0000ff;
        break;
    case OP_BAR: i.bi = 1, i.rb = 0, i.imm = rnd(t, 4) ? 0 : 20; break;
    case OP_SHFRW: i.rd = i.ra = i.rc = 3, i.bi = 1, i.rb = 0, i.imm = 1 + rnd(t, 7); break;
    case OP_ISETP:
        i.pd = (uint8_t)(1 + rnd(t, 3)), i.ra = 3, i.bi = 1, i.rb = 0, i.imm = rnd(t, 0x7fffffff),
        i.icmp = ICMP_LT, i.sg = SG_S32;
        break;
    default: break;
    }
    if (i.op == OP_EXIT && i.pg == HD_PT && rnd(t, 3))
        i = hd_insn_make(OP_YIELD);
    return i;
}

/* Lanes get their own R1, R2 and R3 by multiplying the thread number. */
static void random_program(struct trial *t)
{
    struct hd_insn i = hd_insn_make(OP_S2R);
    unsigned n = 0;
    for (unsigned k = 0; k < 4; k++)
        t->hot[k] = 8 + rnd(t, WORDS - 8);
    i.rd = 0, i.imm = SREG_TID_X;
    t->text[n++] = hd_encode(&i);
    for (uint8_t r = 1; r <= 3; r++) {
        i = hd_insn_make(OP_IMAD);
        i.rd = r, i.ra = 0, i.bi = 1, i.rb = 0, i.rc = HD_RZ,
        i.imm = 2654435761u * (r + rnd(t, 1000));
        t->text[n++] = hd_encode(&i);
    }
    i = hd_insn_make(OP_SHRU); /* R1 = 16 * (hash >> 26): a few targets, some outside the program */
    i.rd = i.ra = 1, i.bi = 1, i.rb = 0, i.imm = 27 + rnd(t, 3);
    t->text[n++] = hd_encode(&i);
    i = hd_insn_make(OP_SHL);
    i.rd = i.ra = 1, i.bi = 1, i.rb = 0, i.imm = 4;
    t->text[n++] = hd_encode(&i);
    for (; n < WORDS - 1; n++) {
        i = random_insn(t, n);
        t->text[n] = hd_encode(&i);
    }
    i = hd_insn_make(OP_EXIT);
    t->text[n] = hd_encode(&i);
}

static bool block_barrier_complete(const struct trial *t, int x)
{
    unsigned waiting = 0, live = 0;
    for (int w = 0; w < WARPS; w++)
        for (int l = 0; l < 32; l++) {
            waiting += t->n[w].lane[l].state == AT_BLOCK_BARRIER && t->n[w].lane[l].barrier == x;
            live += t->n[w].lane[l].state != EXITED;
        }
    return waiting && waiting >= (t->need[x] ? t->need[x] : live);
}

/* Barriers of the block after warp `at` executed a BAR (x) or an EXIT (x < 0: any). */
static void block_part(struct trial *t, int at, int x)
{
    for (int b = 0; b < 16; b++) {
        if ((x >= 0 && b != x) || !block_barrier_complete(t, b))
            continue;
        for (int w = 0; w < WARPS; w++) {
            bool waited = false;
            for (int l = 0; l < 32; l++)
                waited |= t->n[w].lane[l].state == AT_BLOCK_BARRIER && t->n[w].lane[l].barrier == b;
            naive_block_release(&t->n[w], b);
            if (waited && w != at && !naive_runs(&t->n[w]))
                naive_next(&t->n[w]);
        }
    }
    if (naive_runs(&t->n[at]))
        return;
    if (x < 0)
        naive_exited(&t->n[at]);
    else
        naive_next(&t->n[at]);
}

static uint8_t naive_wait(const struct naive *n, int l)
{
    switch (n->lane[l].state) {
    case RUNS: return HD_WAIT_NONE;
    case READY: return HD_WAIT_READY;
    case YIELDED: return HD_WAIT_YIELD;
    case AT_WARPSYNC: return HD_WAIT_WARPSYNC;
    case BLOCKED: return (uint8_t)(HD_WAIT_BARRIER + n->lane[l].barrier);
    case AT_BLOCK_BARRIER: return (uint8_t)(HD_WAIT_BLOCK + n->lane[l].barrier);
    default: return HD_WAIT_EXITED;
    }
}

/* The state that records do not show; a lane's PC while it runs or has exited is no state. */
static bool same_state(const struct trial *t, unsigned slot)
{
    const struct naive *n = &t->n[slot];
    const struct conv *c = &t->m->warp[slot].conv;
    uint32_t away = c->live & ~c->active;
    bool same = c->active == naive_state(n, RUNS) && c->live == ~naive_state(n, EXITED) &&
                c->rdy == naive_state(n, READY) && c->yld == naive_state(n, YIELDED) &&
                c->wsync == naive_state(n, AT_WARPSYNC) &&
                c->bar == naive_state(n, AT_BLOCK_BARRIER) && c->again == n->again &&
                c->alt == (n->has_alt ? naive_mask(&n->alt) : 0) && c->nstk == n->nstk;
    if (c->live)
        same &= c->ptr == n->ptr;
    for (int i = 0; i < n->nstk && same; i++)
        same &= c->stk[i] == n->stk[i];
    for (int b = 0; b < BARRIERS; b++)
        same &= c->b[b] == naive_mask(&n->b[b]) && c->arrived[b] == naive_arrived(n, b);
    for (int l = 0; l < 32; l++) {
        same &= (c->active >> l & 1 ? c->pc : away >> l & 1 ? c->at[l] : n->lane[l].pc) ==
                n->lane[l].pc;
        same &= !(c->wsync >> l & 1) || c->sync[l] == n->lane[l].mask;
        same &= !c->alt || !(c->alt >> l & 1) || c->alt_pc == n->lane[l].pc;
    }
    return same;
}

static void show_mask(const char *name, uint32_t got, uint32_t want)
{
    if (got || want)
        print_error("  %-10s %08x want %08x%s\n", name, got, want, got == want ? "" : " *");
}

static void show_state(const struct trial *t, unsigned slot)
{
    const struct naive *n = &t->n[slot];
    const struct conv *c = &t->m->warp[slot].conv;
    char name[24];
    print_error("warp %u: ptr %u want %d, alt_pc 0x%x, again %u want %u, stk:", slot, c->ptr,
                n->ptr, c->alt_pc, c->again, n->again);
    for (int i = 0; i < c->nstk; i++)
        print_error(" %u", c->stk[i]);
    print_error(" want:");
    for (int i = 0; i < n->nstk; i++)
        print_error(" %d", n->stk[i]);
    print_error("\n");
    show_mask("active", c->active, naive_state(n, RUNS));
    show_mask("rdy", c->rdy, naive_state(n, READY));
    show_mask("yld", c->yld, naive_state(n, YIELDED));
    show_mask("wsync", c->wsync, naive_state(n, AT_WARPSYNC));
    show_mask("bar", c->bar, naive_state(n, AT_BLOCK_BARRIER));
    show_mask("alt", c->alt, n->has_alt ? naive_mask(&n->alt) : 0);
    for (int b = 0; b < BARRIERS; b++) {
        snprintf(name, sizeof name, "B%d", b);
        show_mask(name, c->b[b], naive_mask(&n->b[b]));
        snprintf(name, sizeof name, "arrived[%d]", b);
        show_mask(name, c->arrived[b], naive_arrived(n, b));
    }
    for (int l = 0; l < 32; l++) {
        uint32_t at = c->active >> l & 1 ? c->pc : c->at[l];
        if (c->live >> l & 1 && at != n->lane[l].pc)
            print_error("  lane %d at 0x%x want 0x%x\n", l, at, n->lane[l].pc);
    }
}

/* of_block: the instruction may change other warps, too. */
static void compare(const struct trial *t, const struct hd_commit *c, bool of_block, const char *op)
{
    const struct naive *n = &t->n[c->warp];
    uint32_t runs = naive_state(n, RUNS);
    bool same = runs == c->next_active && naive_mask(&n->released) == c->released &&
                n->gave_way == c->gaveway && c->live == ~naive_state(n, EXITED);
    for (int l = 0; l < 32; l++)
        same &= c->wait[l] == naive_wait(n, l) &&
                (n->lane[l].state == EXITED || c->npc[l] == n->lane[l].pc);
    same &= !c->conv || c->bafter == naive_mask(&n->b[c->bx]);
    for (unsigned w = 0; w < WARPS; w++)
        same &= !(w == c->slot || of_block) || same_state(t, w);
    if (same)
        return;
    for (unsigned w = 0; w < WARPS; w++)
        show_state(t, w);
    show_mask("released", c->released, naive_mask(&n->released));
    fail_msg("trial %u seq %u warp %u pc 0x%x %s exec %08x, gaveway %u want %u", t->number,
             (unsigned)c->seq, c->warp, c->pc, op, c->exec, c->gaveway, n->gave_way);
}

/* One instruction in the model and in the naive reading. */
static enum step_status step_both(struct trial *t, unsigned slot, uint32_t *ops_seen)
{
    uint32_t value[32];
    struct hd_commit c;
    struct hd_insn i;
    struct warp_view v;
    model_view(t->m, slot, &v);
    uint32_t pc = v.pc / 16 < WORDS && v.pc % 16 == 0 ? v.pc / 16 : WORDS - 1;
    assert_true(hd_decode(&t->text[pc], false, &i));
    for (unsigned l = 0; l < 32; l++)
        value[l] = i.bi ? i.imm : model_register(t->m, slot, i.op == OP_BMOVB ? 2 : 1, l);
    assert_int_equal(v.used ? v.active : 0, v.used ? naive_state(&t->n[slot], RUNS) : 0);
    enum step_status s = model_step(t->m, slot, &c, NULL);
    if (s != STEP_OK)
        return s;
    naive_step(&t->n[slot], &i, c.exec, value);
    if (i.op == OP_BAR) {
        t->need[i.bx] = value[0];
        block_part(t, (int)slot, i.bx);
    } else if (i.op == OP_EXIT) {
        block_part(t, (int)slot, -1);
    }
    compare(t, &c, i.op == OP_BAR || i.op == OP_EXIT, hd_ops[i.op].mnemonic);
    ops_seen[i.op] += 1;
    return s;
}

static void test_random(void **state)
{
    static const struct launch_limits limits = {
        .warps = WARPS, .regs = 256, .shared_bytes = 4096, .stack_depth = 0
    };
    const char *count = getenv("RULES_COUNT"), *seed = getenv("RULES_SEED");
    unsigned trials = count ? (unsigned)atoi(count) : 3000, first = seed ? (unsigned)atoi(seed) : 1;
    uint32_t seen[OP_COUNT] = { 0 };
    struct trial *t = calloc(1, sizeof *t);
    (void)state;
    t->m = model_new(&limits);
    for (unsigned k = first; k < first + trials; k++) {
        t->seed = k * 0x9e3779b97f4a7c15u;
        t->number = k;
        random_program(t);
        uint32_t threads = 33 + rnd(t, 32);
        struct launch l = { .code_base = LAUNCH_CODE,
                            .code_size = sizeof t->text,
                            .grid = { 1, 1, 1 },
                            .block = { threads, 1, 1 },
                            .threads = threads,
                            .warps_block = WARPS,
                            .block_slots = 1 };
        memcpy(model_memory(t->m) + LAUNCH_CODE, t->text, sizeof t->text);
        assert_true(model_load(t->m, LAUNCH_CODE, sizeof t->text, false));
        model_launch(t->m, &l);
        assert_null(model_place(t->m, 0, 0));
        memset(t->need, 0, sizeof t->need);
        naive_start(&t->n[0], ~0u, 0);
        naive_start(&t->n[1], threads == 64 ? ~0u : (1u << (threads - 32)) - 1, 0);
        for (unsigned s = 0, idle = 0; s < STEPS && idle < 20; s++) {
            enum step_status st = step_both(t, rnd(t, WARPS), seen);
            idle = st == STEP_OK ? 0 : idle + 1;
            if (st == STEP_FAULT)
                break;
        }
    }
    for (unsigned op = OP_BRA; op <= OP_YIELD; op++)
        if (op != OP_TRAP && op != OP_CALLR)
            assert_true(count || seen[op] > 1000);
    model_free(t->m);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases),
                                        cmocka_unit_test(test_random) };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
