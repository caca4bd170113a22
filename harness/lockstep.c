/* Lockstep: the RTL runs, the model follows every commit and compares.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The RTL's own choices are which warp issues, where blocks are placed and when the clock is read;
 * the model takes them after checking that they are legal.  Everything else must be equal.
 * Nothing is overridden: the count exists so that it can be printed, and is zero. */
#include "device.h"
#include "selftest.h"
#include <string.h>

static void trouble(hd_device *d, enum trouble t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void trouble(hd_device *d, enum trouble t, const char *fmt, ...)
{
    struct verdict *v = &d->verdict;
    if (v->trouble)
        return;                                      /* the first one counts */
    v->trouble = t;
    v->cycle = d->rtl->cycle - d->rtl->start;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(v->why, sizeof v->why, fmt, ap);
    va_end(ap);
}

/* What an instruction that reads the clock must have read. */
static uint64_t read_clock(hd_device *d, const struct hd_commit *c)
{
    uint64_t clock = 0;
    const char *why = clock_take(&d->clocks, c, &clock);
    if (why)
        trouble(d, TROUBLE_CLOCK, "warp slot %u, PC 0x%x: %s", c->slot, c->pc, why);
    return clock;
}

/* Compares one record; false when the run must end. */
static bool follow(hd_device *d, struct hd_commit *c, enum hd_status *end)
{
    struct hd_commit *ref = &d->verdict.model;
    struct difference diff;
    if (d->tamper)
        d->tamper(d->tamper_user, c);
    uint64_t clock = c->is_clock ? read_clock(d, c) : 0;
    if (c->slot >= d->limits.warps) {
        trouble(d, TROUBLE_SCHEDULE, "warp slot %u retires an instruction: there is no such slot",
                c->slot);
        return false;
    }
    enum step_status step = model_step(d->model, c->slot, ref, &clock);
    ref->cycle = rtl_grid_cycle(d->rtl);
    switch (step) {
    case STEP_EMPTY:
        trouble(d, TROUBLE_SCHEDULE,
                "warp slot %u retires an instruction, but holds no warp that lives", c->slot);
        d->verdict.rtl = *c;
        return false;
    case STEP_WAITS:
        trouble(d, TROUBLE_SCHEDULE, "warp slot %u retires an instruction, but all its lanes wait",
                c->slot);
        d->verdict.rtl = *c;
        return false;
    case STEP_FAULT:
        d->has_fault = true;
        d->fault = *ref;
        *end = HD_FAULT;
        break;
    case STEP_OK:
        break;
    }
    d->count.fields_compared += commit_nfields;
    d->count.clock_reads += ref->is_clock;
    for (unsigned m = commit_parts(ref); m; m &= m - 1)
        d->carried[__builtin_ctz(m)]++;
    if (!commit_equal(c, ref, &diff)) {
        if (!d->verdict.differing++) {
            d->verdict.rtl = *c;
            d->verdict.diff = diff;
            trouble(d, TROUBLE_FIELD, "a field differs");
            return d->cfg.keep_going > 0;
        }
    }
    if (d->on_commit && !d->on_commit(d->commit_user, c)) {
        *end = HD_STOPPED;
        return false;
    }
    return *end != HD_FAULT;
}

/* ---- after the last commit ---- */

static void compare_area(hd_device *d, uint32_t addr, size_t bytes)
{
    const uint8_t *r = d->rtl->bytes + addr, *m = model_memory(d->model) + addr;
    if (d->verdict.trouble)
        return;
    d->count.memory_compared += bytes;
    if (!memcmp(r, m, bytes))
        return;
    size_t i = 0;
    while (r[i] == m[i])
        i++;
    trouble(d, TROUBLE_MEMORY, "memory differs");
    d->verdict.addr = addr + (uint32_t)i;
    d->verdict.rtl_byte = r[i];
    d->verdict.model_byte = m[i];
}

static void compare_memory(hd_device *d)
{
    uint32_t addr;
    size_t bytes;
    for (size_t i = 0; device_area(d, i, &addr, &bytes); i++)
        compare_area(d, addr, bytes);
}

static void take_counters(hd_device *d)
{
    struct hd_counters lock = d->count;
    d->count = *model_counters(d->model);
    d->count.cycles = d->rtl->cycle - d->rtl->start;
    d->count.fields_compared = lock.fields_compared;
    d->count.overridden = lock.overridden;
    d->count.clock_reads = lock.clock_reads;
    d->count.memory_compared = lock.memory_compared;
    d->count.mem_transactions = rtl_transactions(d->rtl);
}

static enum hd_status hang(hd_device *d, unsigned slot, const struct warp_view *v)
{
    trouble(d, TROUBLE_HANG, "the RTL stands still: warp slot %u can run at PC 0x%x, but does not",
            slot, v->pc);
    return HD_MISMATCH;
}

/* Blocks are left, and there is room for the next one. */
static bool could_start(const hd_device *d)
{
    int slot;
    return model_unstarted(d->model, &slot) && slot >= 0;
}

/* Nothing retires any more: the program's deadlock if the model has no warp or block either that
 * can go on. */
static enum hd_status no_progress(hd_device *d)
{
    struct warp_view v;
    for (unsigned s = 0; s < d->limits.warps; s++) {
        model_view(d->model, s, &v);
        if (v.used && v.runs)
            return hang(d, s, &v);
    }
    if (model_ended(d->model))
        trouble(d, TROUBLE_HANG, "every block has ended, but the RTL stays busy");
    else if (could_start(d))
        trouble(d, TROUBLE_HANG,
                "the RTL stands still: there is room for the next block, but it does not start");
    return d->verdict.trouble ? HD_MISMATCH : HD_DEADLOCK; /* the program's own: the model agrees */
}

/* While some warps retire, does one that could run stand still?  Looked at now and then; a warp
 * that cannot run counts as one that just did something. */
static enum hd_status starvation(hd_device *d)
{
    struct warp_view v;
    uint64_t now = d->rtl->cycle;
    for (unsigned s = 0; s < d->limits.warps; s++) {
        model_view(d->model, s, &v);
        if (!v.used || !v.runs)
            d->last_commit[s] = now;
        else if (now - d->last_commit[s] > QUIET_BUSY)
            return hang(d, s, &v);
    }
    if (!model_spins(d->model))
        return HD_OK;
    if (!could_start(d))
        return HD_DEADLOCK;
    trouble(d, TROUBLE_HANG, "there is room for the next block, but it does not start; "
            "the others go round for ever");
    return HD_MISMATCH;
}

static enum hd_status ended(hd_device *d)
{
    if (!model_ended(d->model))
        trouble(d, TROUBLE_END, "the RTL says that the grid has ended, but the model's has not");
    if (clock_left(&d->clocks))
        trouble(d, TROUBLE_CLOCK, "instructions read the clock that never retired");
    compare_memory(d);
    return d->verdict.trouble ? HD_MISMATCH : HD_OK;
}

static bool limit_or_stop(hd_device *d, double *last, enum hd_status *s)
{
    uint64_t now = d->rtl->cycle - d->rtl->start;
    if (d->cfg.limit && now >= d->cfg.limit) {
        *s = HD_LIMIT;
        return true;
    }
    if (!d->on_progress || device_seconds() - *last < 0.25)
        return false;
    *last = device_seconds();
    take_counters(d);
    *s = HD_STOPPED;
    return !d->on_progress(d->progress_user, &d->count);
}

/* Everything of one cycle but the commit and the clock edge; true: the run ends with *s. */
static bool between(hd_device *d, uint64_t last_commit, double *last_time, enum hd_status *s)
{
    struct rtl *r = d->rtl;
    const char *clock = clock_look(&d->clocks, r);
    if (clock) {
        trouble(d, TROUBLE_CLOCK, "%s", clock);
        *s = HD_MISMATCH;
        return true;
    }
    if (*r->p.place_valid) {
        const char *why = model_place(d->model, *r->p.place_slot, *r->p.place_block);
        if (why) {
            trouble(d, TROUBLE_SCHEDULE, "block %u starts in block slot %u, but %s",
                    *r->p.place_block,
                    *r->p.place_slot, why);
            *s = HD_MISMATCH;
            return true;
        }
    }
    if (rtl_ended(r)) {
        *s = ended(d);
        return true;
    }
    if (*axi_error(&r->mem)) {
        trouble(d, TROUBLE_PROTOCOL, "%s", axi_error(&r->mem));
        *s = HD_MISMATCH;
        return true;
    }
    if (r->cycle % CHECK_EVERY)
        return false;
    uint64_t quiet = r->cycle - last_commit;
    if (quiet > QUIET_BUSY || (quiet > QUIET_IDLE && axi_idle(&r->mem))) {
        *s = no_progress(d);
        return true;
    }
    if ((*s = starvation(d)) != HD_OK)
        return true;
    return limit_or_stop(d, last_time, s);
}

/* ---- snapshots ---- */

/* Every so often.  A child that is woken goes on from here with the waveform on, and asks
 * nobody. */
static void snapshot(hd_device *d)
{
    struct rtl *r = d->rtl;
    uint64_t now = r->cycle - r->start;
    if (!now || now % d->cfg.snapshots || !snapshot_take(&d->snapshots, now))
        return;
    d->on_commit = NULL;
    d->on_progress = NULL;
    d->cfg.keep_going = 0;
    r->wave = d->snapshots.order.wave;
    r->wave_from = d->snapshots.order.from;
    r->wave_to = d->snapshots.order.to;
}

uint64_t lockstep_replay(hd_device *d, const char *wave, uint64_t from, uint64_t to)
{
    struct snapshot_order o = { .from = from, .to = to };
    snprintf(o.wave, sizeof o.wave, "%s", wave);
    uint64_t began = snapshot_wake(&d->snapshots, &o);
    snapshot_drop(&d->snapshots);
    return began;
}

enum hd_status lockstep_run(hd_device *d)
{
    struct rtl *r = d->rtl;
    struct history *h = d->history;
    double last_time = device_seconds();
    enum hd_status s = HD_OK, end = HD_OK;
    clock_begin(&d->clocks);
    memset(d->carried, 0, sizeof d->carried);
    h->n = 0;
    if (!checker_selftest(commit_equal, d->error, sizeof d->error))
        return HD_INTERNAL;
    model_watch(d->model);
    if (!rtl_start(r, &d->launch)) {
        trouble(d, TROUBLE_HANG, "the launch port does not answer");
        return HD_MISMATCH;
    }
    for (unsigned i = 0; i < LAUNCH_WARPS; i++)
        d->last_commit[i] = r->cycle;
    for (uint64_t last_commit = r->cycle, until = 0;;) {
        if (d->cfg.snapshots)
            snapshot(d);
        if (*r->p.commit_valid) {
            struct hd_commit *c = &h->rec[h->n++ % HISTORY];
            rtl_record(r, c);
            last_commit = r->cycle;
            d->last_commit[c->slot % LAUNCH_WARPS] = r->cycle;
            if (!follow(d, c, &end)) {
                s = d->verdict.trouble ? HD_MISMATCH : end;
                break;
            }
        }
        if (between(d, last_commit, &last_time, &s))
            break;
        if (d->verdict.trouble && !until)
            until = r->cycle + d->cfg.keep_going;
        if (until && r->cycle >= until)
            break;
        rtl_step(r);
    }
    for (int i = 0; r->wave && i < 16; i++)          /* show a little of what follows */
        rtl_step(r);
    if (d->snapshots.child)
        snapshot_done(&d->snapshots, rtl_trace_end(r, d->error, sizeof d->error));
    take_counters(d);
    if (s != HD_OK)
        rtl_stop(r);
    return d->verdict.trouble ? HD_MISMATCH : s;
}
