/* Lockstep of several cores: each core against a model of its own, all in one memory (order.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * They start in one cycle.  The grid has ended when every core says so, is deadlocked when every
 * core has ended or stands still, and faults when the first core does: that stops the others
 * (rtl/cores/share.v), whose commits are followed until all are quiet.  The first core that still
 * goes on calls on_progress, with its own counts. */
#include "harness/core/cores.h"
#include "harness/lockstep/lockstep.h"
#include "harness/lockstep/order.h"
#include <string.h>

enum core_state { RUNS, ENDED, STUCK };
struct run {
    hd_device *d, *core[AXI_CORES];
    unsigned n;
    enum core_state state[AXI_CORES];
    enum hd_status end;
    double last_time;
};

static bool trouble(const struct run *r)
{
    for (unsigned k = 0; k < r->n; k++)
        if (r->core[k]->verdict.trouble)
            return true;
    return false;
}

static bool begin(struct run *r)
{
    bool ok = true;
    order_begin(r->d->order);
    for (unsigned k = 0; k < r->n; k++) {
        hd_device *c = r->core[k];
        if (!lockstep_ready(c))
            return false;
        ok = ok && rtl_set(c->rtl, &c->launch);
    }
    if (!ok)
        lockstep_trouble(r->d, HD_TROUBLE_HANG, "a launch port does not answer");
    for (unsigned k = 0; k < r->n; k++) {
        if (ok)
            rtl_go(r->core[k]->rtl, &r->core[k]->launch);
        lockstep_started(r->core[k]);
    }
    return true;
}

/* A block that one core has started is none of the others'. */
static void skip(struct run *r, unsigned k)
{
    const struct rtl_ports *p = &r->core[k]->rtl->p;
    for (unsigned o = 0; *p->place_valid && o < r->n; o++)
        if (o != k && !model_skip(r->core[o]->model, *p->place_block))
            lockstep_trouble(r->core[k], HD_TROUBLE_SCHEDULE,
                             "block %u starts out of turn", *p->place_block);
}

/* What this cycle shows of all cores; false: the run ends with r->end, or trouble. */
static bool look(struct run *r)
{
    bool goes_on = true;
    for (unsigned k = 0; k < r->n; k++) {
        enum hd_status end = HD_OK;
        bool more = lockstep_commit(r->core[k], &end);
        lockstep_see(r->core[k]);
        skip(r, k);
        goes_on = goes_on && more;
        r->end = r->end ? r->end : end;
    }
    return goes_on && !trouble(r);
}

/* Whether each core goes on; false: the run ends. */
static bool judge(struct run *r)
{
    unsigned going = 0, stuck = 0;
    uint64_t newest = 0;                             /* a core may wait for another one's atomics */
    for (unsigned k = 0; k < r->n; k++)
        newest = r->core[k]->newest_commit > newest ? r->core[k]->newest_commit : newest;
    for (unsigned k = 0; k < r->n; k++) {
        r->core[k]->newest_commit = newest;
        enum hd_status s = HD_OK;
        if (r->state[k] == RUNS && lockstep_ends(r->core[k], &r->last_time, &s)) {
            if (s != HD_OK && s != HD_DEADLOCK) {
                r->end = s;
                return false;
            }
            r->state[k] = s ? STUCK : ENDED;
        }
        going += r->state[k] == RUNS;
        stuck += r->state[k] == STUCK;
    }
    r->end = stuck ? HD_DEADLOCK : HD_OK;
    return going;
}

/* ---- the end ---- */

/* Until all are quiet; cores without a fault get a stop. */
static bool quiet_down(struct run *r)
{
    bool told[AXI_CORES] = { false }, done[AXI_CORES] = { false };
    const uint64_t from = r->d->rtl->cycle;
    for (unsigned left = r->n; left; rtl_step(r->d->rtl))
        for (unsigned k = 0; k < r->n; k++) {
            hd_device *c = r->core[k];
            if (c->has_fault ? !lockstep_silent(c, "its fault") : !lockstep_follow(c))
                return false;
            skip(r, k);
            if (done[k])
                continue;
            const bool ended = rtl_ended(c->rtl);
            done[k] = told[k] && ended;
            left -= done[k];
            if (!told[k])
                told[k] = c->has_fault || rtl_offer(c->rtl, 2);
            if (c->rtl->cycle - from > QUIET_BUSY) {
                lockstep_trouble(c, HD_TROUBLE_HANG, "the core stays busy after it was stopped");
                return false;
            }
        }
    return true;
}

static void settle(struct run *r)
{
    enum { SILENCE = 64 };
    for (unsigned k = 0; k < r->n; k++)
        r->core[k]->settling = r->d->rtl->cycle;
    rtl_step(r->d->rtl);                             /* the run has looked at this cycle */
    if (r->end != HD_OK && !quiet_down(r))
        return;
    if (!axi_idle(r->d->rtl->mem))
        lockstep_trouble(r->d, HD_TROUBLE_END,
                         "the cores say that they are done, but memory is still at work");
    for (unsigned k = 0; k < r->n && !trouble(r); k++)
        lockstep_compare(r->core[k], r->end == HD_OK ? HD_OK : HD_STOPPED);
    for (unsigned i = 0; i < SILENCE && !trouble(r); i++, rtl_step(r->d->rtl))
        for (unsigned k = 0; k < r->n; k++)
            lockstep_silent(r->core[k], "the end");
}

static void add(struct hd_counters *to, const struct hd_counters *more)
{
    const uint64_t cycles = to->cycles, deepest = to->deepest;
    uint64_t *a = (uint64_t *)to;
    const uint64_t *b = (const uint64_t *)more;
    _Static_assert(sizeof *to % sizeof *a == 0, "counters are 64 bits each");
    for (size_t i = 0; i < sizeof *to / sizeof *a; i++)
        a[i] += b[i];
    to->cycles = cycles > more->cycles ? cycles : more->cycles;
    to->deepest = deepest > more->deepest ? deepest : more->deepest;
}

static void count(struct run *r)
{
    struct hd_counters all = { 0 };
    uint64_t transactions = 0;
    for (unsigned k = 0; k < r->n; k++) {
        lockstep_counters(r->core[k]);
        transactions = r->core[k]->count.mem_transactions;       /* of the port, which is one */
        add(&all, &r->core[k]->count);
    }
    all.mem_transactions = transactions;
    r->d->count = all;
}

enum hd_status cores_run(hd_device *d)
{
    struct run r = { .d = d, .n = d->cores->n };
    for (unsigned k = 0; k < r.n; k++)
        r.core[k] = k ? d->peer[k - 1] : d;
    if (!begin(&r))
        return HD_INTERNAL;
    bool goes_on = !trouble(&r);
    for (; goes_on; goes_on && (rtl_step(d->rtl), true))
        goes_on = look(&r) && judge(&r);
    if (!trouble(&r))
        settle(&r);
    count(&r);
    for (unsigned k = 0; k < r.n; k++)
        if (r.state[k] == STUCK && !trouble(&r))
            lockstep_prove_deadlock(r.core[k]);
    return trouble(&r) ? HD_MISMATCH : r.end;
}
