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
#include "cmodel/fast/sweep.h"
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
static enum hd_status run_recorded(struct fast *f, struct warp *w, u64 quantum, u64 watched,
                                   const struct fast_run *how)
{
    struct model *const m = f->m;
    struct hd_commit rec;
    for (; quantum && warp_runs(w); quantum--) {
        fast_watching(f, watched > 0);
        watched -= f->watching;
        if (f->bbv)
            bbv_before_step(f, w);
        enum step_status s = model_step(m, w->slot, &rec, NULL);
        if (!how->on_commit(how->commit_user, &rec))
            return HD_STOPPED;
        if (s == STEP_FAULT)
            return HD_FAULT;
    }
    fast_watching(f, false);
    return HD_OK;
}

/* A quantum, of which the first steps may be watched. */
static enum hd_status run_fast(struct fast *f, struct warp *w, u64 quantum, u64 watched)
{
    struct model *const m = f->m;
    fast_watching(f, watched > 0);
    for (; watched && quantum && warp_runs(w) && !m->fault; watched--, quantum--) {
        fast_warp(f, w, 1);
        repeat_step(f, w);
    }
    fast_watching(f, false);
    if (quantum && warp_runs(w) && !m->fault)
        fast_warp(f, w, quantum);
    if (!m->fault)
        return HD_OK;
    record_fault(m, w, &m->fault_at.record);
    return HD_FAULT;
}

/* Every warp that can run gets a quantum, from where the round stands. */
static enum hd_status run_round(struct fast *f, const struct fast_run *how, u64 watched,
                                struct stand from, bool *any)
{
    struct model *const m = f->m;
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
        enum hd_status st = how->on_commit ? run_recorded(f, w, quantum, watched, how)
                                           : run_fast(f, w, quantum, watched);
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
static u64 next_round(struct fast *f, struct turns *t)
{
    const struct model *const m = f->m;
    if (t->changes != m->changes)
        *t = (struct turns){ .changes = m->changes, .next = WATCH_AFTER };
    if (t->rounds++ < t->next)
        return 0;
    t->next *= 2;
    repeat_watch(f);
    u64 steps = t->rounds * QUANTUM / WATCH_SHARE;
    return !f->watching ? 0 : steps < WATCH_STEPS ? WATCH_STEPS : steps;
}

enum hd_status run_turn(struct fast *f, const struct fast_run *how, struct turns *t, bool place)
{
    struct model *const m = f->m;
    const u32 fresh = place ? sweep_blocks(f, how) : 0;
    bool any = fresh || (place && run_place(m));
    m->changes += fresh;
    const u64 watched = next_round(f, t);
    const struct stand from = fresh ? sweep(f, fresh) : (struct stand){ 0 };
    enum hd_status s = run_round(f, how, watched, from, &any);
    return s ? s : !any || (watched && fast_spins(m)) ? HD_DEADLOCK : HD_OK;
}

/* About every quarter of a second, as the caller of progress wants it. */
bool run_goes_on(struct fast *f, const struct fast_run *how)
{
    if (!how->on_progress || seconds() < f->next_progress)
        return true;
    f->next_progress = seconds() + 0.25;
    return how->on_progress(how->progress_user, model_counters(f->m));
}

void run_mark_regions(struct fast *f, bool on)
{
    const struct region_table *t = f->native->table;
    for (u32 i = 0; i < t->n; i++) {
        struct fast_op *o = &f->code[t->region[i].first];
        o->region_go = on ? o->go : o->region_go;
        o->go = on ? GO_NATIVE : o->region_go;
        o->region = i;
    }
}

/* From here on the grid runs as the host's code, if there is any now. */
static void look_for_native(struct fast *f, const struct fast_run *how, u64 *next)
{
    const struct model *const m = f->m;
    if (!how->translation || f->native || m->seq < *next || fast_interprets(m, how))
        return;
    *next = m->seq + LOOK_EVERY;
    f->native = how->translation(how->translation_user, m->seq);
    if (f->native)
        run_mark_regions(f, true);
}

static enum hd_status run_grid(struct fast *f, const struct fast_run *how)
{
    const struct model *const m = f->m;
    struct turns turns = turns_begin();
    enum hd_status s;
    u64 look = LOOK_EVERY;
    while (!model_ended(m)) {
        s = run_turn(f, how, &turns, true);
        if (s)
            return s;
        if (!run_goes_on(f, how))
            return HD_STOPPED;
        look_for_native(f, how, &look);
    }
    return HD_OK;
}

const char *fast_interprets(const struct model *m, const struct fast_run *how)
{
    return how->on_commit ? "every commit is looked at"
         : how->timing    ? "a timing profile counts cycles"
         : m->bus.n       ? "some addresses answer with an error"
                          : NULL;
}

enum hd_status fast_run(struct model *m, const struct fast_run *how)
{
    struct fast *const f = fast_of(m);
    const bool native = !fast_interprets(m, how);
    enum hd_status s;
    f->next_progress = seconds() + 0.25;
    m->clock = NULL;
    if (native && f->native)
        run_mark_regions(f, true);
    if (how->jobs < 2 || !run_jobs(f, how, &s))
        s = how->timing ? run_timed(f, how) : run_grid(f, how);
    if (native && f->native)
        run_mark_regions(f, false);
    return s;
}
