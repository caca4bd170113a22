/* The model's own scheduler: blocks in order, warps in turn.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A warp runs for a quantum, so its registers stay in the cache; then the others get their turn, so
 * a warp that spins until another one stores something cannot stop the grid.  With and without a
 * commit callback the order is the same, hence so is every result and every clock value.
 *
 * A grid in which nothing ends, starts or is released is watched now and then, step by step, for a
 * deadlock by repetition: after 64 rounds, 128, 256 and so on, each time for a thousandth of the
 * steps so far, so that it costs a program that goes on nothing that can be measured.  A quantum is
 * as long then as ever: the warps of a block go on by turns that depend on no other block. */
#include "cmodel/machine/sweep.h"
#include <time.h>

enum { WATCH_AFTER = 64, WATCH_STEPS = 1024, WATCH_SHARE = 1024,
       LOOK_EVERY = 1 << 20 };

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
static enum hd_status run_recorded(struct model *m, struct warp *w, u64 quantum, u64 watched,
                                   const struct model_run *how)
{
    struct hd_commit rec;
    for (; quantum && warp_runs(w); quantum--) {
        m->fast.watching = watched > 0;
        watched -= m->fast.watching;
        enum step_status s = model_step(m, w->slot, &rec, NULL);
        if (!how->on_commit(how->commit_user, &rec))
            return HD_STOPPED;
        if (s == STEP_FAULT)
            return HD_FAULT;
    }
    m->fast.watching = false;
    return HD_OK;
}

/* A quantum, of which the first steps may be watched. */
static enum hd_status run_fast(struct model *m, struct warp *w, u64 quantum, u64 watched)
{
    m->fast.watching = watched > 0;
    for (; watched && quantum && warp_runs(w) && !m->fault; watched--, quantum--) {
        step_warp(m, w, 1, NULL);
        repeat_step(m, w);
    }
    m->fast.watching = false;
    if (quantum && warp_runs(w) && !m->fault)
        step_warp(m, w, quantum, NULL);
    if (!m->fault)
        return HD_OK;
    record_fault(m, w, &m->fault_at.record);
    return HD_FAULT;
}

/* Every warp that can run gets a quantum, from where the round stands. */
static enum hd_status run_round(struct model *m, const struct model_run *how, u64 watched,
                                struct stand from, bool *any)
{
    for (u32 s = from.slot; s < m->launch.block_slots * m->launch.warps_block; s++) {
        struct warp *w = &m->warp[s];
        u64 quantum = QUANTUM - from.done;
        from.done = 0;
        if (!quantum || !warp_runs(w))
            continue;
        if (how->limit && m->seq >= how->limit)
            return HD_LIMIT;
        if (how->limit && how->limit - m->seq < quantum)
            quantum = how->limit - m->seq;
        *any = true;
        enum hd_status st = how->on_commit ? run_recorded(m, w, quantum, watched, how)
                                           : run_fast(m, w, quantum, watched);
        if (st)
            return st;
    }
    return HD_OK;
}

struct turns turns_begin(void)
{
    return (struct turns){ .next = WATCH_AFTER };
}

/* Steps of each warp's quantum that are watched in the coming round; 0: none. */
static u64 next_round(struct model *m, struct turns *t)
{
    if (t->changes != m->changes)
        *t = (struct turns){ .changes = m->changes, .next = WATCH_AFTER };
    if (t->rounds++ < t->next)
        return 0;
    t->next *= 2;
    repeat_watch(m);
    u64 steps = t->rounds * QUANTUM / WATCH_SHARE;
    return !m->fast.watching ? 0 : steps < WATCH_STEPS ? WATCH_STEPS : steps;
}

enum hd_status run_turn(struct model *m, const struct model_run *how, struct turns *t, bool place)
{
    const u32 fresh = place ? sweep_blocks(m, how) : 0;
    bool any = fresh || (place && run_place(m));
    m->changes += fresh;
    const u64 watched = next_round(m, t);
    const struct stand from = fresh ? sweep(m, fresh) : (struct stand){ 0 };
    enum hd_status s = run_round(m, how, watched, from, &any);
    return s ? s : !any || (watched && model_spins(m)) ? HD_DEADLOCK : HD_OK;
}

/* About every quarter of a second, as the caller of progress wants it. */
bool run_goes_on(struct model *m, const struct model_run *how)
{
    if (!how->on_progress || seconds() < m->fast.next_progress)
        return true;
    m->fast.next_progress = seconds() + 0.25;
    return how->on_progress(how->progress_user, model_counters(m));
}

void run_mark_regions(struct model *m, bool on)
{
    const struct region_table *t = m->fast.native->table;
    for (u32 i = 0; i < t->n; i++) {
        struct op *op = &m->code.op[t->region[i].first];
        op->region_go = on ? op->go : op->region_go;
        op->go = on ? GO_NATIVE : op->region_go;
        op->region = i;
    }
}

/* From here on the grid runs as the host's code, if there is any now. */
static void look_for_native(struct model *m, const struct model_run *how, u64 *next)
{
    if (!how->translation || m->fast.native || m->seq < *next || model_interprets(m, how))
        return;
    *next = m->seq + LOOK_EVERY;
    m->fast.native = how->translation(how->translation_user, m->seq);
    if (m->fast.native)
        run_mark_regions(m, true);
}

static enum hd_status run_grid(struct model *m, const struct model_run *how)
{
    struct turns turns = turns_begin();
    enum hd_status s;
    u64 look = LOOK_EVERY;
    while (!model_ended(m)) {
        s = run_turn(m, how, &turns, true);
        if (s)
            return s;
        if (!run_goes_on(m, how))
            return HD_STOPPED;
        look_for_native(m, how, &look);
    }
    return HD_OK;
}

const char *model_interprets(const struct model *m, const struct model_run *how)
{
    return how->on_commit ? "every commit is looked at"
         : how->timing    ? "a timing profile counts cycles"
         : m->bus.n       ? "some addresses answer with an error"
                          : NULL;
}

enum hd_status model_run(struct model *m, const struct model_run *how)
{
    const bool native = !model_interprets(m, how);
    enum hd_status s;
    m->fast.next_progress = seconds() + 0.25;
    m->clock = NULL;
    if (native && m->fast.native)
        run_mark_regions(m, true);
    if (how->jobs < 2 || !run_jobs(m, how, &s))
        s = how->timing ? run_timed(m, how) : run_grid(m, how);
    if (native && m->fast.native)
        run_mark_regions(m, false);
    return s;
}
