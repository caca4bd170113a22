/* Legal instructions without any order: branches anywhere, barriers used wrongly, words with
 * flipped bits.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Such a kernel ends, faults, deadlocks or loops for ever; RTL and model must agree up to
 * there.  Threads race, so there is no third leg.  A bug shows only where programs come near it
 * often: hazards where few registers are used again at once, barriers where lanes differ but
 * seldom get stuck, limits where values lie at the edge.  So each program has a theme. */
#include "harness/fuzz/fuzz_code.h"
#include <string.h>

enum { HOT_REGS = 4 };

struct row { uint8_t op, often; };
struct theme {
    uint8_t unit[UNIT_COUNT];    /* how often: ALU MUL FPU SFU LSU CTL F64 */
    const struct row *rows;      /* instead: these rows alone */
    bool hot;                    /* few registers */
    bool faults;
    bool patterns;               /* addresses: fuzz_pattern.c */
    bool meets;                  /* accesses meet in two sectors: fuzz_pattern.c */
    bool wide;                   /* every bit of PCs, words, masks, barrier numbers */
    bool regs;                   /* four registers and two predicates, but any; a long body */
    bool lone;                   /* lanes alone: groups of one, at any barrier */
    bool rounds;                 /* the body again and again, and no loops within */
};

/* Many barriers, few that no lane can ever leave, predicates that change. */
static const struct row converge[] = {
    { OP_BSSY, 8 }, { OP_BSYNC, 12 }, { OP_BREAK, 9 }, { OP_BRA, 14 }, { OP_BRX, 2 },
    { OP_CALL, 1 }, { OP_CALLR, 1 }, { OP_RET, 2 }, { OP_YIELD, 3 }, { OP_WARPSYNC, 1 },
    { OP_BMOVR, 2 }, { OP_BMOVB, 1 }, { OP_EXIT, 3 }, { OP_BAR, 2 }, { OP_SSY, 6 }, { OP_CAL, 2 },
    { OP_CALR, 2 }, { OP_RETT, 4 }, { OP_ISETP, 16 }, { OP_IMAD, 6 }, { OP_COUNT, 0 } };
/* The same for lanes that go alone. */
static const struct row alone[] = {
    { OP_BSSY, 10 }, { OP_BSYNC, 12 }, { OP_BREAK, 5 }, { OP_BRA, 10 }, { OP_BRX, 5 },
    { OP_CALL, 1 }, { OP_CALLR, 1 }, { OP_RET, 2 }, { OP_YIELD, 4 }, { OP_WARPSYNC, 5 },
    { OP_BMOVR, 6 }, { OP_BMOVB, 3 }, { OP_EXIT, 1 }, { OP_BAR, 1 }, { OP_SSY, 6 }, { OP_CAL, 2 },
    { OP_CALR, 2 }, { OP_RETT, 4 }, { OP_ISETP, 14 }, { OP_IMAD, 6 }, { OP_COUNT, 0 } };
/* Thousands of yields. */
static const struct row yields[] = {
    { OP_YIELD, 24 }, { OP_BSSY, 3 }, { OP_BSYNC, 3 }, { OP_BRA, 8 }, { OP_ISETP, 8 },
    { OP_IMAD, 4 }, { OP_COUNT, 0 } };
/* Memory, and lanes that part a little. */
static const struct row pattern[] = {
    { OP_LDG, 5 }, { OP_STG, 5 }, { OP_LDS, 5 }, { OP_STS, 5 }, { OP_LD, 4 }, { OP_ST, 4 },
    { OP_LDL, 3 }, { OP_STL, 3 }, { OP_LDC, 3 }, { OP_ATOMG, 5 }, { OP_ATOMS, 5 }, { OP_ATOM, 4 },
    { OP_MEMBAR, 1 }, { OP_ISETP, 8 }, { OP_IMAD, 4 }, { OP_BRA, 4 }, { OP_BSSY, 2 },
    { OP_BSYNC, 2 }, { OP_EXIT, 1 }, { OP_COUNT, 0 } };
/* Little but memory: one access right after the other. */
static const struct row meet[] = {
    { OP_LDG, 12 }, { OP_STG, 12 }, { OP_LD, 5 }, { OP_ST, 5 }, { OP_ATOMG, 3 }, { OP_ATOM, 2 },
    { OP_MEMBAR, 1 }, { OP_ISETP, 2 }, { OP_IMAD, 2 }, { OP_BRA, 2 }, { OP_BSSY, 1 },
    { OP_BSYNC, 1 }, { OP_COUNT, 0 } };
/* The first is not wild at all. */
static const struct theme themes[] = {
    [WILD_ALL] = { .unit = { 2, 2, 2, 2, 4, 12 } },
    [WILD_FAULT] = { .unit = { 2, 2, 2, 2, 4, 12 }, .faults = true },
    [WILD_HAZARD] = { .unit = { 8, 8, 8, 8, 0, 1 }, .hot = true },
    [WILD_MEMORY] = { .unit = { 2, 2, 0, 0, 12, 4 } },
    [WILD_CONVERGE] = { .rows = converge },
    [WILD_PATTERN] = { .rows = pattern, .patterns = true },
    [WILD_WIDE] = { .rows = converge, .wide = true },
    [WILD_REGS] = { .unit = { 8, 8, 8, 8, 0, 1 }, .hot = true, .regs = true },
    [WILD_LONE] = { .rows = alone, .lone = true, .rounds = true },
    [WILD_YIELD] = { .rows = yields, .rounds = true },
    [WILD_F64] = { .unit = { 4, 2, 3, 2, 3, 1, 12 }, .hot = true },
    [WILD_MEET] = { .rows = meet, .meets = true },
};

static const struct theme *theme(const struct gen *g) { return &themes[g->c->wild]; }

static uint32_t weight(const struct gen *g, unsigned op)
{
    const struct theme *t = theme(g);
    uint32_t w = g->w->row[op];
    if ((hd_ops[op].flags & (g->stack ? F_BARRIER : F_STACK)) || op == OP_NOP)
        return 0;
    for (const struct row *r = t->rows; r; r++)
        if (r->op == OP_COUNT || r->op == op)
            return w * r->often;
    w *= t->unit[hd_ops[op].unit];
    if (t->regs && strchr(hd_ops[op].operands, 'p'))
        w *= 4;
    switch (op) {
    case OP_BRA: case OP_SSY: return 2 * w;
    case OP_ATOMG: case OP_ATOMS: return 2 * w;
    case OP_EXIT: case OP_BAR: return w / 8;
    case OP_TRAP: return t->faults ? w / 8 : 0;
    default: return w;
    }
}

static unsigned pick(struct gen *g)
{
    uint32_t total = 0, at;
    unsigned op = 0;
    for (unsigned k = 0; k < OP_COUNT; k++)
        total += weight(g, k);
    for (at = rng_below(&g->r, total); at >= weight(g, op); op++)
        at -= weight(g, op);
    return op;
}

/* Addresses that exist, or mostly. */
static void aim(struct gen *g, struct hd_insn *i)
{
    static const uint8_t base[] = { R_IN, R_OUT, R_SUM, R_GSHARED, R_GLOCAL };
    bool wide = strchr(hd_ops[i->op].operands, 'm') != NULL;
    bool generic = i->op == OP_LD || i->op == OP_ST || i->op == OP_ATOM;
    bool shared = i->op == OP_LDS || i->op == OP_STS || i->op == OP_ATOMS;
    if (theme(g)->faults && rng_one_in(&g->r, 40))
        return;
    i->ra = wide ? base[rng_below(&g->r, generic ? 5 : 3)] : shared ? R_SHARED : HD_RZ;
    i->off = (int32_t)(16 * rng_below(&g->r, i->op == OP_LDC ? 1 : wide ? 4 : 3));
    if (wide && (i->ra == R_OUT || i->ra == R_SUM))
        i->off -= 16 * (int32_t)rng_below(&g->r, 4);
    if (theme(g)->faults && rng_one_in(&g->r, 8))
        i->off |= (int32_t)rng_below(&g->r, 4);
}

/* How many lanes a block barrier waits for, 0 for all; for which lanes a WARPSYNC does. */
static uint32_t awaited(struct gen *g, enum hd_op op)
{
    uint32_t some = rng_below(&g->r, 2);
    if (op == OP_BAR)
        return some * 32 * rng_below(&g->r, 3);
    return some ? UINT32_MAX : (uint32_t)rng_next(&g->r);
}

/* The step a branch leads to: mostly ahead. */
static int target(struct gen *g, int at)
{
    bool ahead = theme(g)->rounds || rng_below(&g->r, theme(g)->rows ? 20 : 3);
    return ahead ? at + 1 + (int)rng_below(&g->r, WILD_BODY / 8) : (int)rng_below(&g->r, WILD_BODY);
}

/* beyond: the label of the end of .text. */
static void one(struct gen *g, const int *place, int at, int beyond)
{
    const struct hd_insn *before = &g->insn[g->n - 1];
    struct hd_insn i = fuzz_insn(&g->r, (enum hd_op)pick(g), &g->live, g->stack);
    const char *o = hd_ops[i.op].operands;
    bool guarded = !(hd_ops[i.op].flags & F_NOGUARD);
    int to = -1;
    if (theme(g)->rows && (i.op == OP_ISETP || i.op == OP_IMAD))
        wild_differ(g, &i);
    if (strchr(o, '@'))
        to = place[target(g, at)];
    if (to >= 0 && theme(g)->faults && rng_one_in(&g->r, 8))
        to = beyond;
    if (strpbrk(o, "mn")) {
        if (theme(g)->patterns)
            wild_pattern(g, &i);
        else if (theme(g)->meets)
            wild_meet(g, &i);
        else
            aim(g, &i);
    }
    if (i.op == OP_BRX || i.op == OP_RET || i.op == OP_CALLR || i.op == OP_CALR)
        i.ra = R_T;
    if (hd_ops[i.op].flags & F_DISTINCT && i.rd == i.ra)
        i.rd = HD_RZ;
    if (i.op == OP_WARPSYNC || i.op == OP_BAR) {
        i.bi = 1;
        i.rb = 0;
        i.imm = awaited(g, (enum hd_op)i.op);
        i.bx = rng_below(&g->r, 3) ? 0 : i.bx;       /* barriers at which many meet */
    }
    if (guarded && i.pg == HD_PT && (i.op == OP_EXIT || i.op == OP_BRA) && rng_below(&g->r, 3))
        i.pg = (uint8_t)rng_below(&g->r, LIVE_PREDS);
    if (guarded && strchr(hd_ops[before->op].operands, 'p') &&
        before->pd < (theme(g)->regs ? HD_PT : LIVE_PREDS) && rng_one_in(&g->r, 2))
        i.pg = before->pd;
    if (g->stack && !theme(g)->patterns && hd_ops[i.op].unit != UNIT_CTL &&
        rng_one_in(&g->r, theme(g)->rows ? 4 : 12))
        i.pop = 1;
    if (theme(g)->wide)
        wild_widen(g, &i, &to);
    if (theme(g)->lone)
        wild_part_lanes(g, &i, at);
    code_emit_to(g, i, to);
}

/* R_T: code addresses, a few of them, different between lanes.  R_TT: the lane.  In stack mode
 * often tokens to begin with, so that not the first pop is the last. */
static void targets(struct gen *g, const int *place)
{
    for (unsigned k = g->stack && rng_below(&g->r, 3) ? rng_below(&g->r, 12) : 0; k; k--) {
        bool call = rng_one_in(&g->r, 4);            /* of the next instruction */
        if (theme(g)->wide && rng_one_in(&g->r, 2)) {
            code_emit(g, code_imm(OP_SSY, 0, 0, wild_far(g)));
            continue;
        }
        int to = call ? code_label(g) : place[rng_below(&g->r, WILD_BODY)];
        code_emit_to(g, hd_insn_make(call ? OP_CAL : OP_SSY), to);
        if (call)
            code_here(g, to);
    }
    code_emit(g, code_imm(OP_S2R, R_TT, 0, SREG_LANEID));
    code_emit(g, code_imm(OP_AND, R_T, R_TT, 1 + rng_below(&g->r, 7)));
    code_emit(g, code_imm(OP_SHL, R_T, R_T, 4 + rng_below(&g->r, 3)));
    code_emit_to(g, code_imm(OP_IADD, R_T, R_T, 0), place[rng_below(&g->r, WILD_BODY - 20)]);
    if (theme(g)->wide && rng_one_in(&g->r, 2)) {    /* of a few lanes only: most go on */
        struct hd_insn cmp = code_imm(OP_ISETP, 0, R_TT, rng_below(&g->r, 32)),
                       away = code_imm(OP_XOR, R_T, R_T, wild_far(g));
        cmp.icmp = rng_below(&g->r, 2) ? ICMP_EQ : ICMP_LT;
        away.pg = 0;
        code_emit(g, cmp);
        code_emit(g, away);
    }
    for (unsigned p = 0; p < LIVE_PREDS; p += 2) {
        struct hd_insn i = hd_insn_make(OP_ISETP);
        wild_differ(g, &i);
        i.pd = (uint8_t)p;
        code_emit(g, i);
    }
}

static void barrier(struct gen *g)
{
    struct hd_insn i = code_imm(OP_BAR, 0, 0, rng_below(&g->r, 3) * 32);
    i.bx = (uint8_t)rng_below(&g->r, 3);
    code_emit(g, i);
}

/* Warps part and wait at block barriers, at which few come whole later on. */
static void part(struct gen *g)
{
    struct hd_insn cmp = code_imm(OP_ISETP, 0, R_TID, 32 * rng_below(&g->r, 4));
    struct hd_insn bra = hd_insn_make(OP_BRA);
    int on = code_label(g);
    cmp.icmp = (uint8_t)(rng_below(&g->r, 2) ? ICMP_LT : ICMP_GE);
    code_emit(g, cmp);
    bra.pg = 0;
    code_emit_to(g, bra, on);
    barrier(g);
    code_here(g, on);
    barrier(g);
}

/* Any four registers, with what the usual ones hold, and any two predicates; those with a fixed use
 * are not needed any more. */
static void move(struct gen *g)
{
    uint8_t old = g->live.data, data = (uint8_t)(4 * rng_below(&g->r, fuzz_regs(g->c) / 4));
    g->live = (struct fuzz_pool){ data, HOT_REGS, 2, (uint8_t)rng_below(&g->r, HD_PT - 1),
                                  g->live.constants };
    for (unsigned k = 0; k < HOT_REGS; k++) {
        uint32_t factor = (uint32_t)rng_next(&g->r) | 1;
        struct hd_insn i = code_imm(OP_IMAD, g->live.data + k, old + k, factor);
        i.rc = (uint8_t)(old + HOT_REGS + k);
        code_emit(g, i);
    }
}

/* Round again, n times each lane. */
static void count_rounds(struct gen *g, unsigned n)
{
    struct hd_insn cmp = code_imm(OP_ISETP, 0, R_COUNT, n);
    cmp.pd = P_LOOP;
    cmp.icmp = ICMP_LT;
    code_emit(g, code_imm(OP_IADD, R_COUNT, R_COUNT, 1));
    code_emit(g, cmp);
}

void fuzz_wild(struct fuzz_case *c, const struct fuzz_weights *w)
{
    int place[WILD_BODY + WILD_BODY / 8 + 1], end, beyond;
    if (c->wild == WILD_SPOILT) {
        wild_spoil(c, w);
        return;
    }
    if (c->wild == WILD_STRAIGHT) {
        wild_straight(c, w);
        return;
    }
    struct gen *g = code_begin(c, w);
    struct hd_insn again = hd_insn_make(OP_BRA);
    if (theme(g)->hot)
        g->live.ndata = HOT_REGS;
    g->halves = rng_one_in(&g->r, 4);
    if (theme(g)->lone) {
        g->barriers = 2u << rng_below(&g->r, 4);
        g->barrier0 = rng_below(&g->r, HD_BARRIERS);
        g->apart = 1 + rng_below(&g->r, HD_BARRIERS - 1);
        if (rng_one_in(&g->r, 3))
            code_alone(g, false);
    }
    end = code_label(g);
    beyond = code_label(g);
    for (int k = 0; k < WILD_BODY + WILD_BODY / 8 + 1; k++)
        place[k] = k < WILD_BODY ? code_label(g) : end;
    targets(g, place);
    if (theme(g)->rows && !theme(g)->rounds && rng_below(&g->r, 2))
        part(g);
    if (theme(g)->regs)
        move(g);
    if (theme(g)->meets)
        wild_sectors(g);
    for (int k = 0; k < WILD_BODY; k++) {
        code_here(g, place[k]);
        if (k == 0 && theme(g)->lone && !g->stack && rng_below(&g->r, 2))
            wild_scatter(g, place);
        for (int n = theme(g)->regs ? 4 : 1; n; n--)
            one(g, place, k, beyond);
    }
    again.pg = 3;
    if (theme(g)->rounds) {
        count_rounds(g, 20 + rng_below(&g->r, 60));
        again.pg = P_LOOP;
    }
    if (theme(g)->rows || theme(g)->hot)             /* most lanes go round the body once more */
        code_emit_to(g, again, place[0]);
    code_here(g, end);
    /* What is after the last instruction must not run. */
    code_emit(g, hd_insn_make(theme(g)->faults && rng_one_in(&g->r, 2) ? OP_NOP : OP_EXIT));
    code_here(g, beyond);
    int first = g->label[place[0]];
    bool faults = theme(g)->faults, wide = theme(g)->wide;
    struct rng r = g->r;
    code_end(g);
    if (faults)
        wild_flip(c, &r, first);
    if (wide)
        wild_scramble(c, &r, first);
}
