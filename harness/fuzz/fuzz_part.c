/* How the lanes of a wild kernel diverge: at which values, for which masks, to which places.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bugs of the convergence unit often concern one lane, one barrier or one bit of a PC.  Whole warps
 * and halves never meet them; nor do programs in which all lanes are soon stuck or gone. */
#include "harness/fuzz/fuzz_code.h"
#include <string.h>

/* The data decide where lanes go; or the lane, often by halves, since rules 1, 2 and 5 ask for
 * equal sizes; or the warp, since in stack mode only whole warps pass block barriers. */
void wild_differ(struct gen *g, struct hd_insn *i)
{
    unsigned by = g->halves ? 0 : rng_below(&g->r, 6);
    unsigned ra = by < 2 ? R_TT : by == 2 ? R_TID : code_live(g);
    if (i->op == OP_ISETP) {
        uint32_t limit;
        if (by < 2)
            limit = g->halves || rng_below(&g->r, 2) ? 16 : rng_below(&g->r, 33);
        else
            limit = by == 2 ? 32 * rng_below(&g->r, 4) : (uint32_t)rng_next(&g->r);
        *i = code_imm(OP_ISETP, 0, ra, limit);
        i->pd = (uint8_t)rng_below(&g->r, LIVE_PREDS);
        i->icmp = (uint8_t)(rng_below(&g->r, 2) ? ICMP_LT : ICMP_GE);
    } else {
        uint32_t factor = (uint32_t)rng_next(&g->r) | 1;
        *i = code_imm(OP_IMAD, code_live(g), ra, factor);
        i->rc = code_live(g);
    }
}

/* A PC far from the program, now and then no multiple of 16.  Who comes there faults; until then
 * it waits on stacks and in tables, where nearer PCs leave most bits alone. */
uint32_t wild_far(struct gen *g)
{
    uint32_t pc = (uint32_t)rng_next(&g->r);
    return pc & (rng_below(&g->r, 4) ? 0xfffffff0u : 0xfffffffcu);
}

/* WARPSYNC masks that many groups fulfil: of one lane, of few, of a half. */
static uint32_t narrow(struct gen *g)
{
    uint32_t some = 1u << rng_below(&g->r, 32);
    switch (rng_below(&g->r, 4)) {
    case 0: return some | 1u << rng_below(&g->r, 32);
    case 1: return rng_below(&g->r, 2) ? 0xffff : 0xffff0000;
    default: return some;
    }
}

/* One lane against all others: a token of its own, a group of its own. */
static void single(struct gen *g, struct hd_insn *i)
{
    uint8_t pd = i->pd;
    *i = code_imm(OP_ISETP, 0, R_TT, rng_below(&g->r, 32));
    i->pd = pd;
    i->icmp = (uint8_t)(rng_below(&g->r, 2) ? ICMP_EQ : ICMP_NE);
}

void wild_widen(struct gen *g, struct hd_insn *i, int *to)
{
    if (i->op == OP_ISETP && rng_one_in(&g->r, 3))
        single(g, i);
    if (*to >= 0 && rng_one_in(&g->r, 10)) {
        *to = -1;
        i->imm = wild_far(g);
    }
    if (strchr(hd_ops[i->op].operands, 'x') && rng_one_in(&g->r, 3))
        i->bx = (uint8_t)rng_below(&g->r, HD_BARRIERS);
    if (i->op == OP_WARPSYNC && rng_below(&g->r, 3))
        i->imm = narrow(g);
}

/* R_T: where the jump after this leads, 8 places ahead.  These and the jump are four, as the steps
 * between the places are; so no lane ever comes into their middle. */
static void jump_ahead(struct gen *g, int at)
{
    while (g->n % 4)
        code_emit(g, hd_insn_make(OP_NOP));
    uint32_t next = g->c->pc_base + (uint32_t)(g->n + 4) * HD_INSN_BYTES;
    code_emit(g, code_imm(OP_AND, R_T, rng_below(&g->r, 2) ? R_TT : code_live(g),
                          at < WILD_BODY / 2 ? 7 : at < WILD_BODY - 8 ? 1 : 0));
    code_emit(g, code_imm(OP_SHL, R_T, R_T, 6));
    code_emit(g, code_imm(OP_IADD, R_T, R_T, next));
}

/* A WARPSYNC mask that is soon fulfilled, or that a single lane holds up: of any two lanes, of
 * some, of all but one. */
static uint32_t sync_mask(struct gen *g)
{
    uint32_t some = 1u << rng_below(&g->r, 32);
    switch (rng_below(&g->r, 4)) {
    case 0: return ~some;
    case 1: return (uint32_t)(rng_next(&g->r) & rng_next(&g->r));
    default: return some | 1u << rng_below(&g->r, 32);
    }
}

/* The kernel's barrier number k. */
static uint8_t barrier(const struct gen *g, unsigned k)
{
    return (uint8_t)((g->barrier0 + k * g->apart) % HD_BARRIERS);
}

static void join(struct gen *g, unsigned k, uint32_t lanes)
{
    struct hd_insn i = code_imm(OP_BMOVB, 0, 0, lanes);
    i.bx = barrier(g, k);
    code_emit(g, i);
}

/* Each lane goes to a place of its own, some to wait at a barrier, the others to yield.  Of these
 * the lowest comes back first, all others below it on STK; it completes the barrier, and those who
 * waited come on top of them.  All lanes take part in some other barriers, so that a lane that
 * waits waits for lanes that wait elsewhere; and few in the rest.  So the order of lanes and of
 * barriers by age decides what runs. */
void wild_scatter(struct gen *g, const int *place)
{
    uint32_t wait = (uint32_t)rng_next(&g->r), swap = rng_below(&g->r, 32);
    uint32_t last = ~wait & (wait + 1);
    for (unsigned b = 1; b < g->barriers; b++) {
        uint32_t few = (uint32_t)(rng_next(&g->r) & rng_next(&g->r) & rng_next(&g->r));
        join(g, b, rng_below(&g->r, 2) ? few : UINT32_MAX);
    }
    join(g, 0, wait | last);
    struct hd_insn jump = hd_insn_make(OP_BRX), sync = hd_insn_make(OP_BSYNC);
    int table = code_label(g);
    jump.ra = R_T;
    sync.bx = barrier(g, 0);
    code_emit(g, code_imm(OP_XOR, R_T, R_TT, swap));
    code_emit(g, code_imm(OP_SHL, R_T, R_T, 6));
    code_emit_to(g, code_imm(OP_IADD, R_T, R_T, 0), table);
    code_emit(g, jump);
    code_here(g, table);
    for (unsigned k = 0; k < 32; k++) {
        uint32_t lane = 1u << (k ^ swap);
        code_emit(g, hd_insn_make(lane & wait ? OP_NOP : OP_YIELD));
        code_emit(g, lane & (wait | last) ? sync : hd_insn_make(OP_NOP));
        code_emit(g, hd_insn_make(OP_NOP));
        code_emit_to(g, hd_insn_make(OP_BRA), place[1 + rng_below(&g->r, WILD_BODY / 2)]);
    }
}

/* Lanes go on at 8 places ahead, leave one by one, and meet again at any barrier: no lane is stuck,
 * so all of the body runs, in ever other groups. */
void wild_part_lanes(struct gen *g, struct hd_insn *i, int at)
{
    if (i->op == OP_ISETP && rng_below(&g->r, 2))
        single(g, i);
    if (i->ra == R_T && !strchr(hd_ops[i->op].operands, '@'))    /* BRX, CALLR, RET and the like */
        jump_ahead(g, at);
    if (strchr(hd_ops[i->op].operands, 'x'))
        i->bx = barrier(g, rng_below(&g->r, g->barriers));
    if (i->op == OP_WARPSYNC)
        i->imm = sync_mask(g);
    if (i->op == OP_BAR) {
        i->imm = 0;
        i->bx = barrier(g, 0);
    }
    if (i->op == OP_EXIT) {
        struct hd_insn leaves = hd_insn_make(OP_ISETP);
        leaves.pd = P_COND;
        single(g, &leaves);
        leaves.icmp = ICMP_EQ;
        code_emit(g, leaves);
        i->pg = P_COND;
        i->pn = 0;
    }
}
