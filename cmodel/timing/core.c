/* The cycles of core.h's model: which unit acts when, and what can be skipped.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/timing/core_state.h"
#include <stdlib.h>

enum { P_FETCH, P_ISSUE, P_UNIT, P_BLOCKS };

/* ---- what is known before it runs ------------------------------------------------------------ */

static void add_sources(struct decoded *d, uint32_t first, int n)
{
    for (; n-- > 0; first++)
        d->source[d->n++] = (uint16_t)first;
}

static uint8_t unit_of(const struct hd_insn *i)
{
    const struct hd_op_info *o = &hd_ops[i->op];
    switch (o->unit) {
    case UNIT_FPU: case UNIT_SFU: return U_FLOAT;
    case UNIT_LSU: return i->op == OP_MEMBAR ? U_INT : U_LSU;
    case UNIT_CTL: return U_CTL;
    case UNIT_F64: return U_F64;
    default: return o->flags & F_LANES ? U_WARP : U_INT;
    }
}

/* Loads, stores and atomics are three groups of rows in isa.def. */
static bool between(unsigned op, unsigned first, unsigned last)
{
    return op >= first && op <= last;
}

void core_code(struct core *c, uint32_t index, const struct hd_insn *i)
{
    struct decoded *d = &c->code[index];
    const struct hd_op_info *o = &hd_ops[i->op];
    const uint8_t reg[4] = { i->rd, i->ra, i->rb, i->rc };
    const uint8_t pred[3] = { i->pg, strchr(o->operands, 's') ? i->ps : HD_PT,
                              strchr(o->operands, 't') ? i->pq : HD_PT };
    bool reads = false;
    memset(d, 0, sizeof *d);
    d->unit = unit_of(i);
    d->carrier = i->pop && d->unit != U_CTL;
    d->stop = d->unit == U_CTL || d->carrier;
    for (int k = 0; k < 3; k++)
        if (pred[k] != HD_PT)
            add_sources(d, REGS + pred[k], 1);
    for (int k = 0; k < 4; k++) {
        reads |= k && o->width[k];
        if (reg[k] == HD_RZ || (k == 2 && i->bi) || !hd_insn_width(i, k))
            continue;
        if (k)
            add_sources(d, reg[k], hd_insn_width(i, k));
        else                                    /* it waits for writes of the whole pair or quad */
            add_sources(d, reg[k] & ~1u, (hd_insn_width(i, k) + 1) & ~1);
    }
    d->rd = i->rd;
    d->nd = (uint8_t)(i->rd == HD_RZ ? 0 : hd_insn_width(i, 0));
    d->npd = strchr(o->operands, 'p') && i->pd != HD_PT;
    d->pd = (uint16_t)(REGS + i->pd);
    if (d->npd)
        add_sources(d, d->pd, 1);
    d->plain = d->unit == U_CTL && !reads && !o->width[0] && i->pg == HD_PT && !i->pn;
    d->pops = d->carrier || i->op == OP_RETT;
    d->wait = i->op == OP_BAR;
    d->exit = i->op == OP_EXIT;
    d->load = between(i->op, OP_LDG, OP_LD);
    d->store = between(i->op, OP_STG, OP_ST);
    d->atom = between(i->op, OP_ATOMG, OP_ATOM);
    d->quad = d->store && hd_insn_width(i, 2) == 4;
    d->beats = d->nd == 4 ? 2 : 1;
    d->operand = i->cb;
    d->constant = i->cb || (i->op == OP_LDC && i->ra == HD_RZ && d->nd < 4);
    d->off = i->cb ? (int32_t)(i->imm & ~7u) : i->off;
    d->bytes = i->cb || i->sz == SZ_64 ? 8
             : i->sz == SZ_32 ? 4 : i->sz == SZ_U16 || i->sz == SZ_S16 ? 2 : 1;
}

struct core *core_new(const struct timing *t, const struct core_grid *g, uint32_t words)
{
    struct core *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    memcpy(c->of, t->core, sizeof c->of);
    c->g = *g;
    c->words = words;
    c->ncached = t->core[CORE_icache] / 64;
    c->nconstant = t->core[CORE_constants] / 64;
    c->code = malloc(((size_t)words + 1) * sizeof *c->code);
    c->cached = calloc(c->ncached, sizeof *c->cached);
    c->constant = calloc(c->nconstant, sizeof *c->constant);
    if (!c->code || !c->cached || !c->constant) {
        core_free(c);
        return NULL;
    }
    c->f1 = -1;
    c->blocks_left = g->blocks;
    c->tids_end = g->threads;
    c->line_end = NEVER;
    c->lsu_slot = 0;
    for (int k = 0; k < 4; k++)
        c->known[k].range = -1;
    return c;
}

void core_free(struct core *c)
{
    if (!c)
        return;
    free(c->code);
    free(c->cached);
    free(c->constant);
    free(c);
}

uint64_t core_now(const struct core *c)
{
    return c->now;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static u64 earlier(u64 a, u64 b)
{
    return a < b ? a : b;
}

/* The first cycle from c->now on in which anything can happen. */
static u64 next_due(const struct core *c)
{
    if (c->any_ready || c->ready_late || !fetch_idle(c) || c->step || c->unwinding || c->pops)
        return c->now;
    u64 due = c->in == c->out ? NEVER : later(c->lsu_next, c->now);
    due = earlier(due, blocks_due(c));
    if (due <= c->now)
        return due;
    if (c->wheel_any) {
        u32 k = c->now % 64;
        u64 turned = k ? c->wheel_any >> k | c->wheel_any << (64 - k) : c->wheel_any;
        due = earlier(due, c->now + (u64)__builtin_ctzll(turned));
    }
    if (c->put != c->get)
        due = earlier(due, later(c->control[c->get % QUEUE].at, c->now));
    if (c->line_busy)
        due = earlier(due, c->line_end);
    if (c->f64_busy)
        due = earlier(due, later(c->f64_done, c->now));
    return due;
}

/* To the next cycle, or the next in which anything happens. */
static bool tick(struct core *c)
{
    c->now++;
    c->write >>= 1;
    c->commits >>= 1;
    u64 due = next_due(c);
    if (due >= NEVER)
        return false;
    if (due > c->now) {
        u64 n = due - c->now;
        c->write = n < 64 ? c->write >> n : 0;
        blocks_skip(c, n);
        c->now = due;
        c->commits = 0;
    }
    return true;
}

enum core_due core_next(struct core *c, uint32_t *slot)
{
    for (;;)
        switch (c->phase) {
        case P_FETCH:
            fetch_cycle(c);
            c->phase = P_ISSUE;
            /* fall through */
        case P_ISSUE:
            c->phase = P_UNIT;
            c->unwound = false;
            if (issue_cycle(c, slot))
                return CORE_ISSUE;
            /* fall through */
        case P_UNIT: {
            bool start = false, placed = !blocks_idle(c) && blocks_cycle(c, &start);
            c->phase = P_BLOCKS;
            u32 at = c->slot;
            if ((start || !unit_idle(c)) && !unit_cycle(c, start, slot)) {
                c->unwound = true;
                return CORE_UNWIND;
            }
            if (placed) {
                *slot = at;
                return CORE_BLOCK;
            }
        }
            /* fall through */
        case P_BLOCKS:
            if (c->in != c->out && c->now >= c->lsu_next)
                lsu_cycle(c);
            c->phase = P_FETCH;
            if (!tick(c))
                return CORE_STUCK;
            if (c->dispatch == D_OVER)
                return CORE_END;
        }
}

void core_did(struct core *c, const struct core_did *d)
{
    if (c->unwound)
        unit_unwound(c, d);
    else
        issue_did(c, d);
}
