/* The model's own scheduler: blocks in order, warps in turn.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A warp runs for a quantum, so its registers stay in the cache; then the others get their turn, so
 * a warp that spins until another one stores something cannot stop the grid.  With and without a
 * commit callback the order is the same, hence so is every result and every clock value.
 *
 * A grid in which nothing ends, starts or is released is watched now and then, step by step, for a
 * deadlock by repetition: after 64 rounds, 128, 256 and so on, each time for a thousandth of the
 * steps so far, so that it costs a program that goes on nothing that can be measured. */
#include "cmodel/machine/machine.h"
#include <time.h>

enum { QUANTUM = 4096, WATCH_AFTER = 64, WATCH_STEPS = 1024, WATCH_SHARE = 1024 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool run_place(struct model *m)
{
    bool any = false;
    for (u32 s = 0; s < m->launch.block_slots && m->next_block < launch_blocks(&m->launch); s++)
        if (!m->block[s].used)
            any |= !model_place(m, s, (u32)m->next_block);
    return any;
}

/* One by one, with records. */
static enum hd_status run_recorded(struct model *m, struct warp *w, u64 quantum,
                                   const struct model_run *how)
{
    struct hd_commit rec;
    while (quantum-- && warp_runs(w)) {
        enum step_status s = model_step(m, w->slot, &rec, NULL);
        if (!how->on_commit(how->commit_user, &rec))
            return HD_STOPPED;
        if (s == STEP_FAULT)
            return HD_FAULT;
    }
    return HD_OK;
}

static enum hd_status run_fast(struct model *m, struct warp *w, u64 quantum)
{
    if (!m->watching)
        step_warp(m, w, quantum, NULL);
    for (; m->watching && quantum-- && warp_runs(w) && !m->fault; repeat_step(m, w))
        step_warp(m, w, 1, NULL);
    if (!m->fault)
        return HD_OK;
    record_fault(m, w, &m->fault_record);
    return HD_FAULT;
}

/* Every warp that can run gets a quantum. */
static enum hd_status run_round(struct model *m, const struct model_run *how, u64 most, bool *any)
{
    for (u32 s = 0; s < m->launch.block_slots * m->launch.warps_block; s++) {
        struct warp *w = &m->warp[s];
        u64 quantum = most;
        if (!warp_runs(w))
            continue;
        if (how->limit && m->seq >= how->limit)
            return HD_LIMIT;
        if (how->limit && how->limit - m->seq < quantum)
            quantum = how->limit - m->seq;
        *any = true;
        enum hd_status st = how->on_commit ? run_recorded(m, w, quantum, how)
                                           : run_fast(m, w, quantum);
        if (st)
            return st;
    }
    return HD_OK;
}

/* How long nothing has happened that one warp can see of another, memory apart. */
struct quiet { u64 changes, rounds, next; };

/* Steps of a warp in the coming round; this may be a watched one. */
static u64 next_round(struct model *m, struct quiet *q)
{
    m->watching = false;
    if (q->changes != m->changes)
        *q = (struct quiet){ .changes = m->changes, .next = WATCH_AFTER };
    if (q->rounds++ < q->next)
        return QUANTUM;
    q->next *= 2;
    repeat_watch(m);
    u64 steps = q->rounds * QUANTUM / WATCH_SHARE;
    return steps < WATCH_STEPS ? WATCH_STEPS : steps;
}

/* About every quarter of a second, as the caller of progress wants it. */
bool run_goes_on(struct model *m, const struct model_run *how)
{
    if (!how->on_progress || seconds() < m->next_progress)
        return true;
    m->next_progress = seconds() + 0.25;
    return how->on_progress(how->progress_user, model_counters(m));
}

/* Regions begin with the host's code, or with their first instruction's handler. */
static void mark_regions(struct model *m, bool on)
{
    const struct region_table *t = m->native->table;
    for (u32 i = 0; i < t->n; i++) {
        struct op *op = &m->code[t->region[i].first];
        op->entry_go = on ? op->go : op->entry_go;
        op->go = on ? GO_NATIVE : op->entry_go;
        op->entry = i;
    }
}

static enum hd_status run_grid(struct model *m, const struct model_run *how)
{
    struct quiet quiet = { .next = WATCH_AFTER };
    while (!model_ended(m)) {
        bool any = run_place(m);
        enum hd_status st = run_round(m, how, next_round(m, &quiet), &any);
        if (st)
            return st;
        if (!any || (m->watching && model_spins(m)))
            return HD_DEADLOCK;
        if (!run_goes_on(m, how))
            return HD_STOPPED;
    }
    return HD_OK;
}

enum hd_status model_run(struct model *m, const struct model_run *how)
{
    const bool native = m->native && !how->on_commit && !m->bbv && !m->bus.n;
    m->next_progress = seconds() + 0.25;
    m->clock = NULL;
    if (how->timing)
        return run_timed(m, how);
    if (native)
        mark_regions(m, true);
    enum hd_status st = run_grid(m, how);
    if (native)
        mark_regions(m, false);
    return st;
}
