/* From commit records to coverage bins.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Most of what a bin needs is in the record.  Where it is not - which barrier a lane was
 * released from, how many barriers surround a branch, which tokens lie in memory - a shadow of
 * each warp is kept, and that too is built from records alone.  A release by another warp of the
 * block is in no record, so a shadow may hold a lane at a block barrier that it has left:
 * such lanes count as ready. */
#include "harness/coverage/coverage_bins.h"
#include "cmodel/isa/waits.h"
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 64, NEAR = 64 };          /* warp slots; cycles */
enum { SECTOR = 32, BANKS = 32, WORD = 4 };

struct shadow {
    bool used;
    uint32_t block;
    uint16_t warp;
    uint8_t wait[HD_LANES];              /* after the last record */
    uint32_t barrier[HD_BARRIERS];
    unsigned spilled;                    /* tokens in memory */
};

struct coverage {
    uint64_t *count[COV_GROUPS];
    bool stack_mode;
    struct shadow shadow[SLOTS];
    struct { uint64_t cycle; unsigned slot; bool any; } spill, fill;     /* the last of each */
};

struct coverage *coverage_new(void)
{
    struct coverage *v = calloc(1, sizeof *v);
    for (unsigned g = 0; v && g < COV_GROUPS; g++)
        if (!(v->count[g] = calloc(coverage_bins(g), sizeof *v->count[g]))) {
            coverage_free(v);
            return NULL;
        }
    return v;
}

void coverage_free(struct coverage *v)
{
    for (unsigned g = 0; v && g < COV_GROUPS; g++)
        free(v->count[g]);
    free(v);
}

void coverage_clear(struct coverage *v)
{
    for (unsigned g = 0; g < COV_GROUPS; g++)
        memset(v->count[g], 0, coverage_bins(g) * sizeof *v->count[g]);
}

void coverage_launch(struct coverage *v, bool stack_mode)
{
    v->stack_mode = stack_mode;
    memset(v->shadow, 0, sizeof v->shadow);
    v->spill.any = v->fill.any = false;
}

uint64_t coverage_count(const struct coverage *v, enum coverage_id g, unsigned bin)
{
    return v->count[g][bin];
}

void coverage_add(struct coverage *v, enum coverage_id g, unsigned bin, uint64_t n)
{
    v->count[g][bin] += n;
}

static void hit(struct coverage *v, enum coverage_id g, unsigned a, unsigned b, unsigned c)
{
    v->count[g][coverage_index(g, (const unsigned[COV_AXES]){ a, b, c })]++;
}

/* ---- classes ---- */

static unsigned count(uint32_t m) { return (unsigned)__builtin_popcount(m); }

static unsigned mask_class(uint32_t m)
{
    unsigned n = count(m);
    return n == HD_LANES       ? MASK_ALL
           : n == 1            ? MASK_ONE
           : n == HD_LANES / 2 ? MASK_HALF
                               : MASK_OTHER;
}

static unsigned guard_class(const struct hd_insn *in, const struct hd_commit *c)
{
    return in->pg == HD_PT && !in->pn ? GUARD_ALWAYS
           : c->exec == c->active     ? GUARD_TRUE
           : c->exec                  ? GUARD_MIXED
                                      : GUARD_FALSE;
}

static unsigned lanes_class(uint32_t m, uint32_t of)
{
    return m == of ? LANES_EVERY : count(m) == 1 ? LANES_ONE : LANES_SOME;
}

static unsigned outcome_class(uint32_t taken, uint32_t active)
{
    const uint32_t even = 0x55555555;
    unsigned n = count(taken), all = count(active);
    if (taken == active || !taken)
        return taken ? OUT_ALL : OUT_NONE;
    if (all > 3 && (taken == (active & even) || taken == (active & ~even)))
        return OUT_ALTERNATING;
    return 2 * n == all ? OUT_HALF : n == 1 ? OUT_ONE : n == all - 1 ? OUT_BUT_ONE : OUT_OTHER;
}

static unsigned others_class(const struct hd_commit *c)
{
    unsigned seen = 0, which = OTHERS_NONE;
    for (uint32_t m = c->live & ~c->active; m; m &= m - 1) {
        unsigned w = c->wait[__builtin_ctz(m)];
        unsigned k = w == HD_WAIT_YIELD ? OTHERS_YIELDED : wait_in_token(w) ? OTHERS_TOKEN
                   : w == HD_WAIT_WARPSYNC || (w & 0x30) == HD_WAIT_BLOCK ? OTHERS_ELSEWHERE
                   : (w & 0x30) == HD_WAIT_BARRIER ? OTHERS_BLOCKED : OTHERS_READY;
        seen |= 1u << k;
        which = k;
    }
    return count(seen) > 1 ? OTHERS_SEVERAL : which;
}

/* Barrier registers that hold the lowest active lane, or tokens below it. */
static unsigned depth_class(const struct shadow *s, const struct hd_commit *c, bool stack_mode)
{
    unsigned n = c->depth - c->pushed;
    if (!stack_mode) {
        n = 0;
        for (unsigned b = 0; c->active && b < HD_BARRIERS; b++)
            n += s->barrier[b] >> __builtin_ctz(c->active) & 1;
    }
    return n < 4 ? DEPTH_0 + n : n < 8 ? DEPTH_4 : DEPTH_8;
}

/* ---- control ---- */

/* The lanes with another target than the lowest stay at the instruction (rule 2), or go into a
 * token.  (A lane alone may also jump to where it is.) */
static unsigned split_class(const struct hd_commit *c, bool stack_mode)
{
    unsigned n = 0, all = count(c->active);
    if (all == 1)
        return SPLIT_ALL;
    for (uint32_t m = c->active; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        n += stack_mode ? !wait_in_token(c->wait[l]) : c->npc[l] != c->pc;
    }
    return n == all       ? SPLIT_ALL
           : 2 * n == all ? SPLIT_HALF
           : 2 * n < all  ? SPLIT_FEWER
                          : SPLIT_MORE;
}

/* What a barrier instruction led to; EVENTS: nothing worth a bin. */
static unsigned event_of(const struct hd_insn *in, const struct hd_commit *c)
{
    unsigned first = c->active ? (unsigned)__builtin_ctz(c->active) : 0;
    uint32_t mine = c->active & c->bbefore;
    switch (in->op) {
    case OP_BSSY: return !c->exec ? EVENTS : c->bbefore ? EV_BSSY_JOINS : EV_BSSY_FIRST;
    case OP_BSYNC:
        return !mine ? EV_BSYNC_PASSES : c->bafter ? EV_BSYNC_WAITS : EV_BSYNC_COMPLETES;
    case OP_BREAK:
        return !(c->exec & c->bbefore) ? EV_BREAK_NOBODY
               : c->released           ? EV_BREAK_COMPLETES
                                       : EV_BREAK_LEAVES;
    case OP_BMOVR: return c->bbefore ? EV_BMOV_READS : EV_BMOV_EMPTY;
    case OP_BMOVB: return !c->exec ? EVENTS : c->bafter ? EV_BMOV_SETS : EV_BMOV_CLEARS;
    case OP_YIELD: return c->next_active & c->active ? EV_YIELD_ALONE : EV_YIELD_OTHERS;
    case OP_WARPSYNC:
        return c->wait[first] == HD_WAIT_WARPSYNC ? EV_WARPSYNC_WAITS : EV_WARPSYNC_COMPLETES;
    case OP_BAR: return (c->wait[first] & 0x30) == HD_WAIT_BLOCK ? EV_BAR_WAITS : EV_BAR_COMPLETES;
    default: return EVENTS;
    }
}

static unsigned trigger_of(unsigned op)
{
    switch (op) {
    case OP_BSYNC: return BY_BSYNC;
    case OP_BREAK: return BY_BREAK;
    case OP_EXIT: return BY_EXIT;
    case OP_WARPSYNC: return BY_WARPSYNC;
    case OP_YIELD: return BY_YIELD;
    case OP_BAR: return BY_BAR;
    default: return TRIGGERS;
    }
}

/* Where a released lane had waited: in the shadow, or at this very instruction. */
static unsigned from_of(const struct shadow *s, const struct hd_commit *c, unsigned by,
                        unsigned lane)
{
    unsigned w = s->wait[lane];
    if (c->active >> lane & 1)
        return by == BY_WARPSYNC ? FROM_WARPSYNC
               : by == BY_YIELD  ? FROM_YIELD
               : by == BY_BAR    ? FROM_BLOCK
                                 : FROM_BARRIER;
    if ((w & 0x30) == HD_WAIT_BARRIER)
        return c->gaveway ? FROM_GAVE_WAY : FROM_BARRIER;
    return (w & 0x30) == HD_WAIT_BLOCK ? FROM_BLOCK
           : w == HD_WAIT_WARPSYNC     ? FROM_WARPSYNC
                                       : FROM_YIELD;
}

static void release(struct coverage *v, const struct shadow *s, const struct hd_commit *c,
                    unsigned op)
{
    uint32_t from[FROMS] = { 0 };
    unsigned by = trigger_of(op);
    for (uint32_t m = c->released; by < TRIGGERS && m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        from[from_of(s, c, by, l)] |= 1u << l;
    }
    for (unsigned f = 0; f < FROMS; f++)
        if (from[f])
            hit(v, COV_RELEASE, by, f, lanes_class(from[f], c->live));
}

static void control(struct coverage *v, const struct shadow *s, const struct hd_commit *c,
                    const struct hd_insn *in)
{
    static const struct { uint16_t op; uint8_t jump; } jumps[] = {
        { OP_BRX, JUMP_BRX }, { OP_CALLR, JUMP_CALLR }, { OP_RET, JUMP_RET }, { OP_CALR, JUMP_CALR }
    };
    static const struct { uint16_t op; uint8_t bop; } bops[] = { { OP_BSSY, BOP_BSSY },
                 { OP_BSYNC, BOP_BSYNC },
                 { OP_BREAK, BOP_BREAK },
                 { OP_BMOVR, BOP_BMOVR },
                 { OP_BMOVB, BOP_BMOVB } };
    unsigned e = event_of(in, c), active = mask_class(c->active);
    if (in->op == OP_BRA)
        hit(v, COV_BRANCH, outcome_class(c->exec, c->active), depth_class(s, c, v->stack_mode),
            others_class(c));
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++)
        if (jumps[i].op == in->op)
            hit(v, COV_INDIRECT, jumps[i].jump, split_class(c, v->stack_mode), active);
    for (size_t i = 0; i < sizeof bops / sizeof bops[0]; i++)
        if (bops[i].op == in->op)
            hit(v, COV_REGISTER, bops[i].bop, in->bx, 0);
    if (e < EVENTS)
        hit(v, COV_BARRIER, e, active, 0);
    release(v, s, c, in->op);
}

/* ---- memory ---- */

static unsigned pattern_of(const struct hd_commit *c)
{
    uint32_t m = c->exec;
    unsigned first = (unsigned)__builtin_ctz(m), last = first;
    bool steady = true;
    uint64_t step = 0;
    for (m &= m - 1; m; m &= m - 1) {    /* the step is per executing lane, not per lane number */
        unsigned l = (unsigned)__builtin_ctz(m);
        if (last == first)
            step = c->addr[l] - c->addr[last];
        steady &= c->addr[l] - c->addr[last] == step;
        last = l;
    }
    if (first == last)
        return PAT_ONE;
    if (!steady)
        return PAT_SCATTERED;
    return !step                  ? PAT_SAME
           : step == c->size      ? (c->addr[first] % SECTOR ? PAT_OFFSET : PAT_COALESCED)
           : step == 0ull - c->size ? PAT_BACKWARDS
                                  : PAT_STRIDED;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The executing lanes' addresses in units of `unit` bytes, sorted; how many lanes. */
static unsigned sorted(const struct hd_commit *c, unsigned unit, uint64_t out[HD_LANES])
{
    unsigned n = 0;
    for (uint32_t m = c->exec; m; m &= m - 1)
        out[n++] = c->addr[__builtin_ctz(m)] / unit;
    qsort(out, n, sizeof *out, by_value);
    return n;
}

static unsigned distinct(const uint64_t *x, unsigned n)
{
    unsigned d = n != 0;
    for (unsigned i = 1; i < n; i++)
        d += x[i] != x[i - 1];
    return d;
}

static unsigned share_class(unsigned different, unsigned lanes)
{
    return different == lanes ? SHARE_NO : different == 1 ? SHARE_ALL : SHARE_SOME;
}

static void sectors(struct coverage *v, const struct hd_commit *c)
{
    uint64_t at[HD_LANES] = { 0 };
    unsigned lanes = sorted(c, SECTOR, at), n = distinct(at, lanes);
    hit(v, COV_SECTORS, c->mem - 1u,
        n == 1 ? SECTORS_1 : n < 5 ? SECTORS_2 : n < 9 ? SECTORS_5 : n < 17 ? SECTORS_9
                                   : n < 32 ? SECTORS_17 : SECTORS_32, 0);
}

/* Different words in the busiest of 32 banks; of wide accesses, their first words. */
static void banks(struct coverage *v, const struct hd_commit *c)
{
    uint64_t at[HD_LANES] = { 0 };
    unsigned n = sorted(c, WORD, at), load[BANKS] = { 0 }, worst = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned *b = &load[at[i] % BANKS];
        *b += !i || at[i] != at[i - 1];
        worst = *b > worst ? *b : worst;
    }
    hit(v, COV_BANKS, c->mem - 1u,
        worst < 3 ? BANKS_1 + worst - 1 : worst < 5 ? BANKS_3 : worst < 9 ? BANKS_5
                                 : worst < 17 ? BANKS_9 : BANKS_17, share_class(distinct(at, n),
                                         n));
}

static void memory(struct coverage *v, const struct hd_commit *c, const struct hd_insn *in)
{
    unsigned size = (unsigned)__builtin_ctz(c->size);
    uint32_t elsewhere = c->shared_m | c->local_m;
    bool generic = in->op == OP_LD || in->op == OP_ST || in->op == OP_ATOM;
    hit(v, COV_MEMORY, in->op, SIZE_1 + size, pattern_of(c));
    if (generic)
        hit(v, COV_GENERIC, c->mem - 1u,
            !elsewhere ? GEN_GLOBAL : c->shared_m == c->exec ? GEN_SHARED
                                       : c->local_m == c->exec ? GEN_LOCAL : GEN_MIXED, 0);
    if (c->mem == 3) {
        uint64_t at[HD_LANES] = { 0 };
        unsigned n = sorted(c, c->size, at);
        hit(v, COV_ATOMIC,
            in->op == OP_ATOMG   ? ATOM_GLOBAL
            : in->op == OP_ATOMS ? ATOM_SHARED
                                 : ATOM_GENERIC,
            in->aop, share_class(distinct(at, n), n));
    }
    if (c->space == SPACE_GLOBAL && !elsewhere)
        sectors(v, c);
    if (c->space == SPACE_SHARED && (!generic || c->shared_m == c->exec))
        banks(v, c);
}

/* ---- stack mode ---- */

static void stack(struct coverage *v, struct shadow *s, const struct hd_commit *c,
                  const struct hd_insn *in)
{
    const uint32_t kind = 15;
    unsigned n = c->depth;
    bool near_spill = v->spill.any && v->spill.slot != c->slot && c->cycle - v->spill.cycle <= NEAR;
    bool near_fill = v->fill.any && v->fill.slot != c->slot && c->cycle - v->fill.cycle <= NEAR;
    if (c->pushed && (c->push.pc_kind & kind) - 1 < TOKENS)
        hit(v, COV_PUSH, (c->push.pc_kind & kind) - 1, c->spilled ? PUSH_SPILLS : PUSH_ROOM, 0);
    if (c->popped && (c->pop.pc_kind & kind) - 1 < TOKENS)
        hit(v, COV_POP, (c->pop.pc_kind & kind) - 1, c->filled ? POP_FILLS : POP_ON_CHIP,
            c->unwind ? HOW_UNWIND : c->pop.mask & c->live ? HOW_LANES : HOW_DEAD);
    hit(v, COV_DEPTH,
        !n        ? TOKENS_0
        : n < 5   ? TOKENS_1
        : n < 9   ? TOKENS_5
        : n < 16  ? TOKENS_9
        : n == 16 ? TOKENS_16
        : n < 33  ? TOKENS_17
        : n < 65  ? TOKENS_33
                  : TOKENS_65,
        0, 0);
    if (c->spilled && near_spill)
        hit(v, COV_STACK, STK_SPILL_NEAR_SPILL, 0, 0);
    if (c->spilled && near_fill)
        hit(v, COV_STACK, STK_SPILL_NEAR_FILL, 0, 0);
    if (c->filled && near_spill)
        hit(v, COV_STACK, STK_FILL_NEAR_SPILL, 0, 0);
    if (c->filled && near_fill)
        hit(v, COV_STACK, STK_FILL_NEAR_FILL, 0, 0);
    if (in && in->op == OP_EXIT && c->exec == c->active && c->popped)
        hit(v, COV_STACK, s->spilled ? STK_EXIT_SPILLED : STK_EXIT_TOKENS, 0, 0);
    if (in && in->pop && c->popped)
        hit(v, COV_STACK, STK_CARRIER, 0, 0);
    s->spilled += c->spilled;
    s->spilled -= c->filled;
    if (c->spilled)
        v->spill.any = true, v->spill.slot = c->slot, v->spill.cycle = c->cycle;
    if (c->filled)
        v->fill.any = true, v->fill.slot = c->slot, v->fill.cycle = c->cycle;
}

/* ---- records ---- */

static struct shadow *shadow_of(struct coverage *v, const struct hd_commit *c)
{
    struct shadow *s = &v->shadow[c->slot % SLOTS];
    if (!s->used || s->block != c->block || s->warp != c->warp)
        *s = (struct shadow){ .used = true, .block = c->block, .warp = c->warp };
    return s;
}

/* Updates the shadow by the record: registers that were touched, then those that lost their
 * lanes. */
static void follow(struct shadow *s, const struct hd_commit *c, const struct hd_insn *in)
{
    if (c->conv)
        s->barrier[c->bx] = c->bafter;
    for (uint32_t m = c->released; m; m &= m - 1) {
        unsigned w = s->wait[__builtin_ctz(m)];
        if ((w & 0x30) == HD_WAIT_BARRIER && !(c->conv && c->bx == (w & 15)))
            s->barrier[w & 15] = 0;
    }
    for (unsigned b = 0; in && in->op == OP_EXIT && b < HD_BARRIERS; b++)
        s->barrier[b] &= ~c->exec;
    memcpy(s->wait, c->wait, sizeof s->wait);
    s->used = c->live != 0;
}

static void fault(struct coverage *v, const struct hd_commit *c, const struct hd_insn *in)
{
    unsigned source = SRC_OTHER;
    if (in && hd_ops[in->op].unit == UNIT_CTL)
        source = SRC_CONTROL;
    else if (in && hd_ops[in->op].unit == UNIT_LSU)
        source = strchr(hd_ops[in->op].operands, 'V')   ? SRC_ATOMIC
                 : strchr(hd_ops[in->op].operands, 'S') ? SRC_STORE
                                                        : SRC_LOAD;
    hit(v, COV_FAULT, c->fault - 1u,
        c->fault == HD_FAULT_ILLEGAL || c->fault == HD_FAULT_PC ? SRC_OTHER : source,
        lanes_class(c->fault_m, c->active));
}

void coverage_commit(struct coverage *v, const struct hd_commit *c)
{
    struct hd_word w;
    struct hd_insn decoded;
    memcpy(w.w, c->insn, sizeof w.w);
    const bool fetched = c->fault != HD_FAULT_PC &&
                         (c->fault != HD_FAULT_BUS || w.w[0] || w.w[1] || w.w[2] || w.w[3]);
    const struct hd_insn *in = !c->unwind && fetched && hd_decode(&w, v->stack_mode, &decoded)
                                   ? &decoded
                                   : NULL;
    struct shadow *s = shadow_of(v, c);
    if (c->fault) {
        fault(v, c, in);
        return;
    }
    if (in) {
        hit(v, COV_INSN, in->op, guard_class(in, c), mask_class(c->active));
        if (hd_ops[in->op].unit == UNIT_CTL)
            control(v, s, c, in);
        if (c->mem && c->exec)
            memory(v, c, in);
    }
    if (v->stack_mode)
        stack(v, s, c, in);
    follow(s, c, in);
}
