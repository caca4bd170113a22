/* Whether a lockstep run goes on: the grid's end, silence, a warp that starves, the limit, a wish
 * to stop.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Silence is the program's deadlock only where the model has no warp or block that can go on
 * either; else the RTL hangs, and the first such warp is named. */
#include "harness/core/cores.h"
#include "harness/lockstep/lockstep.h"
#include "harness/process/seconds.h"

/* Several cores wait for each other's atomics. */
static uint64_t patience(const hd_device *d)
{
    return (uint64_t)QUIET_BUSY * (d->cores ? d->cores->n : 1);
}

static enum hd_status hang(hd_device *d, unsigned slot, const struct warp_view *v)
{
    lockstep_trouble(d, HD_TROUBLE_HANG,
                     "the RTL stands still: warp slot %u can run at PC 0x%x, but does not", slot,
                     v->pc);
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
enum hd_status lockstep_no_progress(hd_device *d)
{
    struct warp_view v;
    for (unsigned s = 0; s < d->limits.warps; s++) {
        model_view(d->model, s, &v);
        if (v.used && v.runs)
            return hang(d, s, &v);
    }
    if (model_ended(d->model))
        lockstep_trouble(d, HD_TROUBLE_HANG, "every block has ended, but the RTL stays busy");
    else if (could_start(d))
        lockstep_trouble(d, HD_TROUBLE_HANG,
                "the RTL stands still: there is room for the next block, but it does not start");
    else if (d->rtl && !axi_idle(d->rtl->mem))
        lockstep_trouble(d, HD_TROUBLE_HANG,
                         "the RTL stands still: no warp can run, but its memory port does not "
                         "come to rest");
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
        else if (now - d->last_commit[s] > patience(d))
            return hang(d, s, &v);
    }
    if (!fast_spins(d->model))
        return HD_OK;
    if (!could_start(d))
        return HD_DEADLOCK;
    lockstep_trouble(d, HD_TROUBLE_HANG, "there is room for the next block, but it does not start; "
            "the others go round for ever");
    return HD_MISMATCH;
}

static enum hd_status ended(hd_device *d)
{
    if (!model_ended(d->model))
        lockstep_trouble(d, HD_TROUBLE_END,
                         "the RTL says that the grid has ended, but the model's has not");
    if (clock_left(&d->clocks))
        lockstep_trouble(d, HD_TROUBLE_CLOCK, "instructions read the clock that never retired");
    return d->verdict.trouble ? HD_MISMATCH : HD_OK;
}

/* At the limit: a warp could have continued, or a block started, and did not.  A warp that has
 * retired nothing for long gets the time to show that it does not hang, as starvation() judges. */
static bool owes(hd_device *d)
{
    struct warp_view v;
    uint64_t now = d->rtl->cycle;
    if (!d->limit_met)
        d->limit_met = now;
    if (could_start(d)) {
        if (now - d->limit_met > QUIET_BUSY)
            lockstep_trouble(d, HD_TROUBLE_HANG,
                             "there is room for the next block, but it does not start");
        return !d->verdict.trouble;
    }
    for (unsigned s = 0; s < d->limits.warps; s++) {
        model_view(d->model, s, &v);
        if (v.used && v.runs && d->last_commit[s] + CHECK_EVERY < d->limit_met)
            return true;
    }
    return false;
}

static bool limit_or_stop(hd_device *d, double *last, enum hd_status *s)
{
    uint64_t now = d->rtl->cycle - d->rtl->start;
    if (d->cfg.limit && now >= d->cfg.limit && !owes(d)) {
        *s = d->verdict.trouble ? HD_MISMATCH : HD_LIMIT;
        return true;
    }
    if (!d->on_progress || seconds_now() - *last < 0.25)
        return false;
    *last = seconds_now();
    lockstep_counters(d);
    *s = HD_STOPPED;
    return !d->on_progress(d->progress_user, &d->count);
}

bool lockstep_ends(hd_device *d, double *last_time, enum hd_status *s)
{
    struct rtl *r = d->rtl;
    if (rtl_ended(r)) {
        *s = ended(d);
        return true;
    }
    if (d->cfg.limit && r->cycle - r->start == d->cfg.limit)
        return limit_or_stop(d, last_time, s);
    if (r->cycle % CHECK_EVERY)
        return false;
    uint64_t quiet = r->cycle - d->newest_commit;
    if (quiet > patience(d) || (quiet > QUIET_IDLE && axi_idle(r->mem))) {
        *s = lockstep_no_progress(d);
        return true;
    }
    if ((*s = starvation(d)) != HD_OK)
        return true;
    return limit_or_stop(d, last_time, s);
}
