/* The scheduler under a timing profile: the warp that can start first goes first.  docs/timing.md.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The core issues one warp instruction every `port` cycles.  A warp's next one starts when the cost
 * of the last is over and its operands are there; warps hide each other's cost, nothing else is
 * shared.  Time only grows, so a warp that spins ends up later than the warp that it waits for.
 *
 * Only who asks for commit records gets whole ones.  Otherwise one record serves all instructions
 * and has what timing_events reads, and where lanes neither part nor touch memory nor change the
 * stack not even that: the one event there can be is `taken`.  What warps do to other warps counts
 * in m->changes, so between two changes only the warp that ran is looked at. */
#include "cmodel/fast/timed.h"
#include <stdlib.h>
#include <string.h>

enum { REGS = 256, READY = REGS + 8, SOURCES = 20 };
enum { LINE_INSNS = 4 };                /* instructions of a line of the instruction cache */
static const u64 NEVER = UINT64_MAX;

/* What an instruction waits for and what it gives: indices of warp_time.ready. */
struct uses { uint8_t n, nd, npd; uint16_t source[SOURCES], rd, pd; };

struct warp_time {
    u64 ready[READY];               /* when registers are there, then predicates */
    u64 start;                      /* when its next instruction can, also while it sleeps */
};

struct core_time {
    u64 port, now;
    u64 start[LAUNCH_WARPS];        /* of a warp; NEVER: no lane can run; who wakes it says when */
    u32 warps;                      /* slots of the launch */
    u64 changes;                    /* m->changes when all warps were last looked at */
    bool waits;                     /* results can be later than the warp's next instruction */
    struct hd_commit rec;
    struct warp_time warp[LAUNCH_WARPS];
    struct uses *uses;              /* of the code's words, and of the one after them */
    uint8_t lines[];                /* of the code: which were fetched */
};

enum { WATCH_AFTER = 4 };               /* looks without a change, and the grid is watched */

static u64 later(u64 a, u64 b)
{
    return a > b ? a : b;
}

/* RZ and PT are always there: nothing writes them. */
static struct uses uses_of(const struct hd_insn *i)
{
    const char *has = hd_ops[i->op].operands;
    const uint8_t reg[4] = { i->rd, i->ra, i->rb, i->rc };
    const uint8_t pred[3] = { i->pg, strchr(has, 's') ? i->ps : HD_PT,
                              strchr(has, 't') ? i->pq : HD_PT };
    struct uses u = { .rd = i->rd, .pd = (uint16_t)(REGS + i->pd) };
    for (int k = 0; k < 3; k++)
        if (pred[k] != HD_PT)
            u.source[u.n++] = (uint16_t)(REGS + pred[k]);
    for (int k = 0; k < 4; k++)
        for (int n = reg[k] == HD_RZ || (k == 2 && i->bi) ? 0 : hd_insn_width(i, k); n-- > 0; )
            u.source[u.n++] = (uint16_t)(reg[k] + n);
    u.nd = (uint8_t)(i->rd == HD_RZ ? 0 : hd_insn_width(i, 0));
    u.npd = strchr(has, 'p') && i->pd != HD_PT;
    return u;
}

static struct core_time *core_new(const struct model *m, const struct timing *t)
{
    struct core_time *c = calloc(1, sizeof *c + m->code.words / LINE_INSNS + 1);
    if (!c || !(c->uses = malloc(((size_t)m->code.words + 1) * sizeof *c->uses))) {
        free(c);
        return NULL;
    }
    for (u32 i = 0; i <= m->code.words; i++)
        c->uses[i] = uses_of(&m->code.op[i].i);
    for (unsigned op = 0; op < OP_COUNT; op++)
        c->waits |= t->result[op] > t->next[op];
    for (u32 s = 0; s < LAUNCH_WARPS; s++)
        c->start[s] = NEVER;
    c->changes = m->changes - 1;
    c->warps = m->launch.block_slots * m->launch.warps_block;
    return c;
}

static void core_free(struct core_time *c)
{
    if (c)
        free(c->uses);
    free(c);
}

/* The first execution of a line of code waits for it. */
static u64 fetch(const struct model *m, const struct timing *t, struct core_time *c, u32 pc)
{
    u32 line = pc / CONV_INSN / LINE_INSNS;
    if (line > m->code.words / LINE_INSNS || c->lines[line])
        return 0;
    c->lines[line] = 1;
    return t->event[TIMING_line];
}

/* The instruction that started at `at` has cost so many cycles: says when the warp's next one can.
 * u: its own uses, where it has written. */
static void charge(const struct model *m, const struct timing *t, struct core_time *c,
                   const struct warp *w, const struct op *op, const struct uses *u, u64 at,
                   u64 cost)
{
    struct warp_time *wt = &c->warp[w->slot];
    u64 start = at + cost;
    if (c->waits && u) {
        for (unsigned k = 0; k < u->nd; k++)
            wt->ready[u->rd + k] = at + t->result[op->i.op];
        if (u->npd)
            wt->ready[u->pd] = at + t->result[op->i.op];
    }
    if (w->block && w->conv.active) {
        const struct uses *next = &c->uses[index_at(m, w->conv.pc)];
        for (unsigned k = 0; c->waits && k < next->n; k++)
            start = later(start, wt->ready[next->source[k]]);
        start += fetch(m, t, c, w->conv.pc);
    }
    wt->start = start;
    c->start[w->slot] = warp_runs(w) ? start : NEVER;
}

/* Who has been woken, or has stopped, since the last look. */
static void look(const struct model *m, struct core_time *c)
{
    c->changes = m->changes;
    for (u32 s = 0; s < c->warps; s++)
        if (!warp_runs(&m->warp[s])) {
            c->start[s] = NEVER;
        } else if (c->start[s] == NEVER) {
            c->warp[s].start = later(c->warp[s].start, c->now);
            c->start[s] = c->warp[s].start;
        }
}

/* The slot of the warp that starts first, of two the lower one. */
static u32 first_warp(const struct core_time *c)
{
    u64 first = NEVER;
    u32 best = LAUNCH_WARPS;
    for (u32 s = 0; s < c->warps; s++) {
        best = c->start[s] < first ? s : best;
        first = c->start[s] < first ? c->start[s] : first;
    }
    return best;
}

bool timed_step(struct fast *f, struct warp *w, const struct op *op, struct hd_commit *rec)
{
    struct model *const m = f->m;
    struct conv *v = &w->conv;
    rec->pc = v->pc;
    rec->active = v->active;
    rec->unwind = !v->active;
    rec->exec = v->active & (w->p[op->i.pg] ^ op->pn);
    rec->mem = rec->pushed = rec->popped = rec->spilled = rec->filled = 0;
    if (f->bbv)
        bbv_before_step(f, w);
    step_warp(m, w, rec);
    if (f->watching)
        repeat_step(f, w);
    if (m->fault) {
        record_fault(m, w, rec);
        m->fault_at.record = *rec;
    }
    return !m->fault;
}

void timed_describe(const struct warp *w, struct hd_commit *rec)
{
    const struct conv *v = &w->conv;
    rec->live = v->live;
    rec->released = v->released;
    rec->next_active = v->active;
    conv_describe(v, rec->npc, rec->wait);
}

/* The same, and what it costs. */
static u64 step_plain(struct fast *f, const struct timing *t, struct warp *w, const struct op *op,
                      struct hd_commit *rec)
{
    const struct conv *v = &w->conv;
    if (timed_step(f, w, op, rec)) {
        if (rec->active && rec->active == v->active && !rec->mem && !rec->pushed && !rec->popped)
            return t->next[op->i.op] + (v->pc == rec->pc + CONV_INSN ? 0 : t->event[TIMING_taken]);
        timed_describe(w, rec);
    }
    return timing_cost(t, op->i.op, rec);
}

/* One instruction of the warp in a slot. */
static enum hd_status step(struct fast *f, struct core_time *c, u32 slot,
                           const struct fast_run *how)
{
    struct model *const m = f->m;
    const struct timing *t = how->timing;
    struct warp *w = &m->warp[slot];
    const u32 index = index_at(m, w->conv.pc);
    const struct op *op = &m->code.op[index];
    struct hd_commit *rec = &c->rec;
    const u64 at = later(c->port, c->start[slot]), clock = m->launch.clock + at;
    u64 cost;
    if (how->on_commit) {
        if (f->bbv)
            bbv_before_step(f, w);
        model_step(m, slot, rec, &clock);
        rec->cycle = at;
        cost = timing_cost(t, op->i.op, rec);
    } else {
        m->clock = &clock;
        cost = step_plain(f, t, w, op, rec);
        m->clock = NULL;
    }
    c->port = at + t->port;
    charge(m, t, c, w, op, m->fault || rec->unwind ? NULL : &c->uses[index], at, cost);
    c->now = c->warp[slot].start;
    m->time = later(m->time, c->now);
    if (how->on_commit && !how->on_commit(how->commit_user, rec))
        return HD_STOPPED;
    return m->fault ? HD_FAULT : HD_OK;
}

struct quiet quiet_begin(const struct model *m)
{
    return (struct quiet){ .changes = m->changes, .next = WATCH_AFTER };
}

/* A grid in which nothing changes is watched as in run.c, for a sixteenth of its time, and every
 * grid at its start. */
enum hd_status timed_look(struct fast *f, const struct fast_run *how, struct quiet *q)
{
    const struct model *const m = f->m;
    if (q->changes != m->changes)
        *q = (struct quiet){ .changes = m->changes, .next = WATCH_AFTER };
    q->looks++;
    if (f->watching && fast_spins(m))
        return HD_DEADLOCK;
    if (q->looks >= q->until)
        fast_watching(f, false);
    if (q->looks >= q->next) {
        repeat_watch(f);
        q->until = q->looks + q->looks / 16 + 2;
        q->next = 2 * q->looks;
    }
    return run_goes_on(f, how) ? HD_OK : HD_STOPPED;
}

enum hd_status run_timed(struct fast *f, const struct fast_run *how)
{
    struct model *const m = f->m;
    if (how->timing->core[CORE_memory])
        return run_core(f, how);
    struct core_time *c = core_new(m, how->timing);
    struct quiet quiet = quiet_begin(m);
    enum hd_status s = c ? HD_OK : HD_NO_MEMORY;
    repeat_watch(f);
    for (u64 n = 1; s == HD_OK && !model_ended(m); n++) {
        if (c->changes != m->changes) {
            run_place(m);
            look(m, c);
        }
        u32 slot = first_warp(c);
        s = slot == LAUNCH_WARPS                 ? HD_DEADLOCK
            : how->limit && m->seq >= how->limit ? HD_LIMIT
                                                 : step(f, c, slot, how);
        if (s == HD_OK && n % TIMED_LOOK == 0)
            s = timed_look(f, how, &quiet);
    }
    core_free(c);
    return s;
}
