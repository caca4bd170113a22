/* The scheduler under a timing profile: the warp that can start first goes first.  docs/timing.md.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The core issues one warp instruction every `port` cycles.  A warp's next one starts when the cost
 * of the last is over and its operands are there; warps hide each other's cost, nothing else is
 * shared.  Time only grows, so a warp that spins ends up later than the warp that it waits for. */
#include "cmodel/machine/machine.h"
#include "cmodel/timing/timing.h"
#include <stdlib.h>
#include <string.h>

struct warp_time {
    u64 start;                      /* when its next instruction can */
    u64 reg[256], pred[8];          /* when results are there */
    bool asleep;                   /* no lane could run: the warp that wakes it gives it its time */
};

struct core_time {
    u64 port, now;
    struct warp_time warp[LAUNCH_WARPS];
    uint8_t lines[];                /* of the code: which were fetched */
};

enum { LINE_INSNS = 4 };                /* instructions of a line of the instruction cache */

static const struct op *op_at(const struct model *m, u32 pc)
{
    return &m->code[pc % CONV_INSN == 0 && pc / CONV_INSN < m->words ? pc / CONV_INSN : m->words];
}

static u64 later(u64 a, u64 b)
{
    return a > b ? a : b;
}

/* When every operand of an instruction is there. */
static u64 operands_ready(const struct warp_time *t, const struct hd_insn *i)
{
    const uint8_t reg[4] = { i->rd, i->ra, i->rb, i->rc };
    u64 at = later(t->pred[i->pg], later(t->pred[i->ps], t->pred[i->pq]));
    for (int k = 0; k < 4; k++)
        for (int n = reg[k] == HD_RZ || (k == 2 && i->bi) ? 0 : hd_insn_width(i, k); n-- > 0; )
            at = later(at, t->reg[reg[k] + n]);
    return at;
}

/* The first execution of a line of code waits for it. */
static void fetch(const struct model *m, const struct timing *t, struct core_time *c,
                  struct warp_time *wt, u32 pc)
{
    u32 line = pc / CONV_INSN / LINE_INSNS;
    if (line > m->words / LINE_INSNS || c->lines[line])
        return;
    c->lines[line] = 1;
    wt->start += t->event[TIMING_line];
}

/* Takes the cost of the instruction that started at `at` and says when the next one can. */
static void charge(const struct model *m, const struct timing *t, struct core_time *c,
                   const struct warp *w, const struct hd_commit *rec, const struct op *op, u64 at)
{
    struct warp_time *wt = &c->warp[w->slot];
    wt->start = at + timing_cost(t, op->i.op, rec);
    for (unsigned k = 0; k < rec->nd; k++)
        wt->reg[rec->rd + k] = at + t->result[op->i.op];
    if (rec->npd)
        wt->pred[rec->pd] = at + t->result[op->i.op];
    wt->asleep = !warp_runs(w);
    if (wt->asleep || !w->conv.active)
        return;
    wt->start = later(wt->start, operands_ready(wt, &op_at(m, w->conv.pc)->i));
    fetch(m, t, c, wt, w->conv.pc);
}

/* Wakes what the last instruction released or placed; the slot of the warp that starts first. */
static u32 first_warp(const struct model *m, struct core_time *c, u64 now)
{
    u32 best = LAUNCH_WARPS;
    for (u32 s = 0; s < m->launch.block_slots * m->launch.warps_block; s++) {
        struct warp_time *t = &c->warp[s];
        if (!warp_runs(&m->warp[s])) {
            t->asleep = true;
            continue;
        }
        if (t->asleep) {
            t->asleep = false;
            t->start = later(t->start, now);
        }
        if (best == LAUNCH_WARPS || t->start < c->warp[best].start)
            best = s;
    }
    return best;
}

static enum hd_status step(struct model *m, struct core_time *c, u32 slot,
                           const struct model_run *how)
{
    struct warp *w = &m->warp[slot];
    const struct op *op = op_at(m, w->conv.pc);
    struct hd_commit rec;
    u64 at = later(c->port, c->warp[slot].start);
    u64 clock = m->launch.clock + at;
    enum step_status s = model_step(m, slot, &rec, &clock);
    rec.cycle = at;
    c->port = at + how->timing->port;
    charge(m, how->timing, c, w, &rec, op, at);
    c->now = c->warp[slot].start;
    m->time = later(m->time, c->now);
    if (how->on_commit && !how->on_commit(how->commit_user, &rec))
        return HD_STOPPED;
    return s == STEP_FAULT ? HD_FAULT : HD_OK;
}

enum hd_status run_timed(struct model *m, const struct model_run *how)
{
    enum { LOOK = 4096 };            /* instructions between looks at spinning and the wall clock */
    struct core_time *c = calloc(1, sizeof *c + m->words / LINE_INSNS + 1);
    enum hd_status s = c ? HD_OK : HD_NO_MEMORY;
    model_watch(m);
    for (u64 n = 0; s == HD_OK && !model_ended(m); n++) {
        run_place(m);
        u32 slot = first_warp(m, c, c->now);
        s = slot == LAUNCH_WARPS                 ? HD_DEADLOCK
            : how->limit && m->seq >= how->limit ? HD_LIMIT
                                                 : step(m, c, slot, how);
        if (s == HD_OK && n % LOOK == LOOK - 1)
            s = model_spins(m) ? HD_DEADLOCK : run_goes_on(m, how) ? HD_OK : HD_STOPPED;
    }
    free(c);
    return s;
}
