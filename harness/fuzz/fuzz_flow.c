/* Statements that branch, in both modes: regions that reconverge, loops, switches, calls.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Barrier mode: BSSY before a region, BSYNC after it; lanes that jump past the BSYNC leave with
 * BREAK.  Which barrier register, whether one is spilled, and whether a region has one at all is
 * chance.
 * Stack mode: SSY before, every path ends with `.S`, and lanes leave only by that or
 * EXIT (docs/stack.md). */
#include "harness/fuzz/fuzz_code.h"

struct region { int join; int b; bool spilled; };

/* Barrier registers of the levels are disjoint, since a callee runs inside its caller's
 * regions.  Beside block barriers nests use them in one order: then no lanes wait in a circle. */
static int pick_barrier(struct gen *g, bool *spill)
{
    int first = (int)g->level * 5, b = first + (int)rng_below(&g->r, g->barriers);
    *spill = false;
    if (g->bars)
        return first + (int)g->depth;
    for (unsigned k = 0; k < g->barriers; k++) {
        int try = first + (b - first + (int)k) % (int)g->barriers;
        if (!(g->open >> try & 1))
            return try;
    }
    *spill = true;
    return b;
}

static struct hd_insn with_barrier(enum hd_op op, int b)
{
    struct hd_insn i = hd_insn_make(op);
    i.bx = (uint8_t)b;
    return i;
}

static unsigned saved(const struct gen *g)
{
    return R_SAVED + g->level * PER_LEVEL + g->depth % PER_LEVEL;
}

static struct region region_open(struct gen *g)
{
    struct region e = { code_label(g), -1, false };
    if (g->stack) {
        code_emit_to(g, hd_insn_make(OP_SSY), e.join);
    } else if (!rng_one_in(&g->r, 8)) {
        e.b = pick_barrier(g, &e.spilled);
        if (e.spilled) {
            struct hd_insn save = with_barrier(OP_BMOVR, e.b);
            save.rd = (uint8_t)saved(g);
            code_emit(g, save);
            code_emit(g, code_imm(OP_MOV, R_T, 0, 0));
            struct hd_insn clear = with_barrier(OP_BMOVB, e.b);
            clear.rb = R_T;
            code_emit(g, clear);
        } else {
            g->open |= 1u << e.b;
        }
        code_emit_to(g, with_barrier(OP_BSSY, e.b), e.join);
    }
    g->depth++;
    return e;
}

/* The end of a path through the region.  `last`: the join comes right after it. */
static void region_leave(struct gen *g, const struct region *e, int first, bool last)
{
    if (g->stack) {
        struct hd_insn *before = g->n > first ? &g->insn[g->n - 1] : NULL;
        bool labelled = false;
        for (int k = 0; k < g->nlabels; k++)
            labelled |= g->label[k] == g->n;
        if (before && !labelled && hd_ops[before->op].unit != UNIT_CTL && !before->pop &&
            rng_one_in(&g->r, 2)) {
            before->pop = 1;
        } else {
            struct hd_insn nop = hd_insn_make(OP_NOP);
            nop.pop = 1;
            code_emit(g, nop);
        }
    } else if (!last) {
        code_emit_to(g, hd_insn_make(OP_BRA), e->join);
    }
}

static void region_close(struct gen *g, const struct region *e)
{
    g->depth--;
    code_here(g, e->join);
    if (e->b < 0)
        return;
    code_emit(g, with_barrier(OP_BSYNC, e->b));
    if (e->spilled) {
        struct hd_insn load = with_barrier(OP_BMOVB, e->b);
        load.rb = (uint8_t)saved(g);
        code_emit(g, load);
    } else {
        g->open &= ~(1u << e->b);
    }
}

static bool too_deep(const struct gen *g) { return g->depth >= 5 || g->budget < 8; }

/* A body below the top: not every lane comes here. */
static void inside(struct gen *g, unsigned n)
{
    bool top = g->top;
    g->top = false;
    code_statements(g, n);
    g->top = top;
}

void flow_if(struct gen *g)
{
    struct hd_insn bra = hd_insn_make(OP_BRA);
    int taken = code_label(g);
    bool both = rng_below(&g->r, 3);
    if (too_deep(g)) {
        code_plain(g);
        return;
    }
    struct region e = region_open(g);
    code_condition(g, &bra);
    code_emit_to(g, bra, taken);
    int first = g->n;
    inside(g, 1 + rng_below(&g->r, 3));
    if (both) {
        region_leave(g, &e, first, false);
        code_here(g, taken);
        first = g->n;
        inside(g, 1 + rng_below(&g->r, 3));
        region_leave(g, &e, first, true);
    } else {
        code_here(g, taken);
        region_leave(g, &e, g->n, true);
    }
    region_close(g, &e);
}

/* Lanes leave the loop early: past the BSYNC in barrier mode, to the `.S` in stack mode. */
static void leave_early(struct gen *g, const struct region *e, int out)
{
    struct hd_insn bra = hd_insn_make(OP_BRA), brk;
    code_condition(g, &bra);
    if (e->b >= 0) {
        brk = with_barrier(OP_BREAK, e->b);
        brk.pg = bra.pg;
        brk.pn = bra.pn;
        if (!g->odd || rng_below(&g->r, 4))
            code_emit(g, brk);
    }
    code_emit_to(g, bra, out);
}

static void loop_control(struct gen *g, unsigned counter, int head)
{
    struct hd_insn test = code_imm(OP_ISETP, 0, counter, 1), bra = hd_insn_make(OP_BRA);
    code_emit(g, code_imm(OP_IADD, counter, counter, UINT32_MAX));
    test.pd = P_LOOP;
    test.icmp = ICMP_GE;
    test.sg = SG_S32;
    code_emit(g, test);
    bra.pg = P_LOOP;
    code_emit_to(g, bra, head);
}

void flow_loop(struct gen *g)
{
    unsigned counter = R_COUNT + g->level * PER_LEVEL + g->loops;
    bool uniform = g->top && rng_one_in(&g->r, 3), breaks = !uniform && rng_one_in(&g->r, 2);
    int head = code_label(g), out = code_label(g), next = code_label(g);
    struct hd_insn skip = hd_insn_make(OP_BRA);
    if (too_deep(g) || g->loops == (g->level ? 1 : 2)) {
        code_plain(g);
        return;
    }
    uint32_t trips = uniform ? 1 + rng_below(&g->r, 3) : rng_one_in(&g->r, 4) ? 7 : 3;
    code_emit(g, uniform ? code_imm(OP_MOV, counter, 0, trips)
                         : code_imm(OP_AND, counter, code_live(g), trips));
    struct region e = region_open(g);
    g->loops++;
    code_here(g, head);
    bool top = g->top;
    g->top = uniform;
    code_statements(g, 1 + rng_below(&g->r, 3));
    if (breaks) {
        g->top = false;
        leave_early(g, &e, out);
        code_statements(g, 1 + rng_below(&g->r, 2));
        if (rng_one_in(&g->r, 3)) {
            code_condition(g, &skip);
            code_emit_to(g, skip, next);
            code_plain(g);
        }
    }
    g->top = top;
    g->held |= breaks && e.b >= 0;
    code_here(g, next);
    if (!g->stack && rng_one_in(&g->r, 8))
        code_emit(g, hd_insn_make(OP_YIELD));
    loop_control(g, counter, head);
    g->loops--;
    if (g->stack)
        code_here(g, out);
    region_leave(g, &e, g->n, true);
    region_close(g, &e);
    if (!g->stack)
        code_here(g, out);
}

void flow_switch(struct gen *g)
{
    unsigned ways = 2u << rng_below(&g->r, 2);
    int table = code_label(g), way[4];
    struct hd_insn brx = hd_insn_make(OP_BRX);
    if (too_deep(g)) {
        code_plain(g);
        return;
    }
    struct region e = region_open(g);
    code_emit(g, code_imm(OP_AND, R_T, code_live(g), ways - 1));
    code_emit(g, code_imm(OP_SHL, R_T, R_T, 4));
    code_emit_to(g, code_imm(OP_IADD, R_T, R_T, 0), table);
    brx.ra = R_T;
    code_emit(g, brx);
    code_here(g, table);
    for (unsigned k = 0; k < ways; k++)
        code_emit_to(g, hd_insn_make(OP_BRA), way[k] = code_label(g));
    for (unsigned k = 0; k < ways; k++) {
        code_here(g, way[k]);
        int first = g->n;
        inside(g, 1 + rng_below(&g->r, 2));
        region_leave(g, &e, first, k + 1 == ways);
    }
    region_close(g, &e);
}

/* Directly, or to one of two functions that lanes choose; in stack mode lanes with another
 * target come together again at the end of a region. */
void flow_call(struct gen *g)
{
    unsigned callee = g->level + 1, which = rng_below(&g->r, 2);
    if (callee == LEVELS || too_deep(g)) {
        code_plain(g);
        return;
    }
    if (rng_one_in(&g->r, 2)) {
        struct hd_insn call = hd_insn_make(g->stack ? OP_CAL : OP_CALL);
        if (!g->stack)
            call.rd = (uint8_t)(R_LINK + callee);
        code_emit_to(g, call, g->function[callee][which]);
        g->called[callee][which] = true;
        return;
    }
    struct hd_insn choose = code_imm(OP_MOV, R_T, 0, 0);
    struct hd_insn call = hd_insn_make(g->stack ? OP_CALR : OP_CALLR);
    struct region e = region_open(g);
    code_condition(g, &choose);
    code_emit_to(g, code_imm(OP_MOV, R_T, 0, 0), g->function[callee][0]);
    code_emit_to(g, choose, g->function[callee][1]);
    call.ra = R_T;
    if (!g->stack)
        call.rd = (uint8_t)(R_LINK + callee);
    code_emit(g, call);
    g->called[callee][0] = g->called[callee][1] = true;
    region_leave(g, &e, g->n, true);
    region_close(g, &e);
}

void flow_functions(struct gen *g)
{
    for (g->level = 1; g->level < LEVELS; g->level++)
        for (int k = 0; k < 2; k++) {
            struct hd_insn ret = hd_insn_make(g->stack ? OP_RETT : OP_RET);
            code_here(g, g->function[g->level][k]);
            if (!g->called[g->level][k])
                continue;
            if (!g->stack)
                ret.ra = (uint8_t)(R_LINK + g->level);
            g->top = false;
            g->depth = g->loops = 0;
            g->budget = 10 + (int)rng_below(&g->r, 30);
            code_statements(g, 1 + rng_below(&g->r, 3));
            if (!g->stack && rng_one_in(&g->r, 3)) {
                struct hd_insn early = ret;
                code_condition(g, &early);
                code_emit(g, early);
                code_plain(g);
            }
            code_emit(g, ret);
        }
}

void flow_exit(struct gen *g)
{
    struct hd_insn i = hd_insn_make(OP_EXIT), test = code_imm(OP_ISETP, 0, R_T,
            rng_below(&g->r, 8));
    /* all that are here; others wait elsewhere, and find them gone */
    if (!g->top && rng_one_in(&g->r, 3)) {
        code_emit(g, i);
        return;
    }
    code_emit(g, code_imm(OP_AND, R_T, code_live(g), 7));
    test.pd = P_COND;
    test.icmp = ICMP_EQ;
    code_emit(g, test);
    i.pg = P_COND;
    code_emit(g, i);
}

void flow_yield(struct gen *g) { code_emit(g, hd_insn_make(OP_YIELD)); }

/* Any barrier instruction anywhere: the order of lanes changes, the memory must not. */
void flow_odd(struct gen *g)
{
    static const enum hd_op ops[] = { OP_BSSY, OP_BSYNC, OP_BREAK, OP_BMOVR, OP_BMOVB, OP_YIELD };
    enum hd_op op = ops[rng_below(&g->r, sizeof ops / sizeof ops[0])];
    struct hd_insn i = fuzz_insn(&g->r, op, &g->live, false);
    int here = code_label(g);
    if (op == OP_BMOVR)
        i.rd = (uint8_t)(R_DEAD + rng_below(&g->r, DEAD_REGS));
    if (op == OP_BSSY)
        code_emit_to(g, i, here);
    else
        code_emit(g, i);
    code_here(g, here);
}

/* One instruction that some lanes must not execute. */
void flow_fault(struct gen *g)
{
    struct hd_insn i = hd_insn_make(OP_LDG), odd;
    code_condition(g, &i);
    odd = i;
    i.rd = R_DEAD;
    i.ra = R_OUT;
    switch (rng_below(&g->r, 7)) {
    case 0: i.off = 2; break;                        /* misaligned */
    case 1: i.off = 1 << 20; break;                  /* after the buffer */
    case 2: i.ra = HD_RZ; break;                     /* null */
    case 3: i = hd_insn_make(OP_LDS); i.rd = R_DEAD; i.off = 1 << 17; break;
    case 4: i = hd_insn_make(OP_ATOM); i.ra = R_GLOCAL; break;
    case 5: i = hd_insn_make(OP_TRAP); break;
    /* SPACE_SHARED: no PC, misaligned */
    default: i = hd_insn_make(OP_BRX); i.ra = R_GSHARED + 1; break;
    }
    /* On a stack, lanes that branch apart wait in a token, and lanes that are late may need them at
     * a block barrier. */
    if (!(g->stack && i.op == OP_BRX)) {
        i.pg = odd.pg;
        i.pn = odd.pn;
    }
    code_emit(g, i);
    g->faulty = false;
}
