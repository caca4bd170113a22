/* The RTL alone: no model, nothing compared; records feed the counters and the commit callback.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/device/counters.h"
#include "harness/lockstep/lockstep.h"
#include "harness/process/seconds.h"
#include "harness/wave/story.h"

/* Looks at limit, progress and silence now and then; true: the run ends with *s. */
static bool look(hd_device *d, uint64_t last_commit, double *last, enum hd_status *s)
{
    struct rtl *r = d->rtl;
    uint64_t quiet = r->cycle - last_commit;
    if (r->cycle % CHECK_EVERY)
        return false;
    if (quiet > QUIET_BUSY || (quiet > QUIET_IDLE && axi_idle(r->mem))) {
        *s = HD_DEADLOCK;
        return true;
    }
    if (d->cfg.limit && d->count.cycles >= d->cfg.limit) {
        *s = HD_LIMIT;
        return true;
    }
    if (!d->on_progress || seconds_now() - *last < 0.25)
        return false;
    *last = seconds_now();
    if (d->on_progress(d->progress_user, &d->count))
        return false;            /* *s stays what the run ends with */
    *s = HD_STOPPED;
    return true;
}

/* What retires in this cycle; false: the run ends with *s. */
static bool commit(hd_device *d, struct tally *t, enum hd_status *s)
{
    struct rtl *r = d->rtl;
    struct history *h = d->history;
    for (unsigned port = 0; port < RTL_RETIRES; port++) {
        if (!r->p.commits[port])
            continue;
        struct hd_commit *c = &h->rec[h->n++ % HISTORY];
        rtl_record(r, port, c);
        if (d->story)
            story_commit(d->story, c, NULL, true);
        tally_add(t, c);
        if (d->on_commit && !d->on_commit(d->commit_user, c)) {
            *s = HD_STOPPED;
            return false;
        }
        if (c->fault) {
            d->has_fault = true;
            d->fault = *c;
            *s = HD_FAULT;
            return false;
        }
    }
    return true;
}

enum hd_status bare_run(hd_device *d)
{
    struct rtl *r = d->rtl;
    struct tally t = { .count = &d->count, .stack_mode = d->image->stack_mode };
    double last = seconds_now();
    enum hd_status s = HD_OK;
    uint64_t last_commit = r->cycle;
    d->history->n = 0;
    if (d->story)
        story_begin(d->story, r, d->image, &d->launch, d->limits.warps, NULL);
    if (!rtl_start(r, &d->launch))
        return HD_INTERNAL;
    for (;;) {
        d->count.cycles = r->cycle - r->start;
        device_cycle(d);
        if (d->story && *r->p.place_valid)
            story_place(d->story, *r->p.place_slot, *r->p.place_block);
        if (rtl_retires(r))
            last_commit = r->cycle;
        if (!commit(d, &t, &s) || rtl_ended(r) || look(d, last_commit, &last, &s))
            break;
        rtl_step(r);
    }
    d->count.mem_transactions = rtl_transactions(r);
    if (s != HD_OK)
        d->lost = !rtl_stop(r);
    return s;
}
