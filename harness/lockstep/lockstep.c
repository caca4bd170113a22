/* Lockstep: the RTL runs, the model follows every commit and compares.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The RTL's own choices are which warp issues, where blocks are placed and when the clock is read;
 * the model takes them after checking that they are legal.  Everything else must be equal.
 * Nothing is overridden: the count exists so that it can be printed, and is zero. */
#include "harness/lockstep/lockstep.h"
#include "harness/lockstep/order.h"
#include "harness/lockstep/race.h"
#include "harness/lockstep/selftest.h"
#include "harness/wave/story.h"
#include "harness/process/seconds.h"
#include <inttypes.h>
#include <string.h>

void lockstep_trouble(hd_device *d, enum hd_trouble t, const char *fmt, ...)
{
    struct verdict *v = &d->verdict;
    if (v->trouble)
        return;                                      /* the first one counts */
    v->trouble = t;
    v->cycle = !d->rtl ? d->count.cycles
             : d->rtl->cycle - d->rtl->start < RTL_START_CYCLES ? 0 : rtl_grid_cycle(d->rtl);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(v->why, sizeof v->why, fmt, ap);
    va_end(ap);
    if (d->story)
        story_differs(d->story, v->why, -1);
}

/* The waveform names the field, too. */
static void show_difference(hd_device *d, const struct hd_commit *c, const struct difference *x)
{
    char lane[24] = "", text[160];
    if (x->field->count > 1)
        snprintf(lane, sizeof lane, " of lane %u", x->lane);
    snprintf(text, sizeof text, "%s%s: RTL 0x%llx, model 0x%llx", x->field->name, lane,
             (unsigned long long)x->rtl, (unsigned long long)x->model);
    story_differs(d->story, text, c->slot);
}

static void show_byte(hd_device *d, unsigned slot)
{
    const struct guard *g = &d->guard;
    char text[280];
    snprintf(text, sizeof text, "%s at 0x%08" PRIx64 ": RTL 0x%02x, model 0x%02x", g->error,
             g->addr, d->rtl->bytes[g->addr], model_memory(d->model)[g->addr]);
    if (d->story)
        story_differs(d->story, text, (int)slot);
}

bool lockstep_known(hd_device *d)
{
    const char *unknown = rtl_unknown(d->rtl);
    if (unknown)
        lockstep_trouble(d, HD_TROUBLE_UNKNOWN, "%s", unknown);
    return !unknown;
}

/* What an instruction that reads the clock must have read. */
static uint64_t read_clock(hd_device *d, const struct hd_commit *c)
{
    uint64_t clock = 0;
    const char *why = clock_take(&d->clocks, c, &clock);
    if (why)
        lockstep_trouble(d, HD_TROUBLE_CLOCK, "warp slot %u, PC 0x%x: %s", c->slot, c->pc, why);
    return clock;
}

/* What the instruction wrote, against the model's memory.  False: it differs. */
static bool check_writes(hd_device *d, const struct hd_commit *ref)
{
    struct guard *g = &d->guard;
    const uint8_t *rtl = d->rtl->bytes, *model = model_memory(d->model);
    guard_commit(g, ref, *d->rtl->p.writes, rtl, model);
    if (!g->differs)
        return true;
    show_byte(d, ref->slot);
    lockstep_trouble(d, HD_TROUBLE_MEMORY, "%s", g->error);
    d->verdict.addr = g->addr;
    d->verdict.rtl_byte = rtl[g->addr];
    d->verdict.model_byte = model[g->addr];
    return false;
}

/* The model's step, with several cores on what the core has seen of memory. */
static enum step_status step(hd_device *d, unsigned port, const struct hd_commit *c,
                             struct hd_commit *ref, const uint64_t *clock)
{
    const struct rtl *r = d->rtl;
    if (!d->order)
        return model_step(d->model, c->slot, ref, clock);
    order_before(d->order, r->number, c->slot, port ? *r->p.reads : 0, port ? *r->p.writes : 0);
    enum step_status s = model_step(d->model, c->slot, ref, clock);
    struct order_core *o = &d->order->core[r->number];
    if (!order_after(d->order, r->number)) {
        lockstep_trouble(d, HD_TROUBLE_MEMORY, "%s", o->why);
        d->verdict.addr = o->addr;
        d->verdict.rtl_byte = o->rtl_byte;
        d->verdict.model_byte = o->model_byte;
    }
    return s;
}

/* A slot of core n is 32 n more to those outside. */
static bool hand_out(hd_device *d, const struct hd_commit *c)
{
    static _Thread_local struct hd_commit of;
    if (!d->rtl->number)
        return d->on_commit(d->commit_user, c);
    of = *c;
    of.slot += LAUNCH_WARPS * d->rtl->number;
    return d->on_commit(d->commit_user, &of);
}

/* Compares one record; false when the run must end. */
static bool follow(hd_device *d, unsigned port, struct hd_commit *c, enum hd_status *end)
{
    struct hd_commit *ref = &d->verdict.model;
    struct difference diff;
    if (d->tamper)
        d->tamper(d->tamper_user, c);
    uint64_t clock = c->is_clock ? read_clock(d, c) : 0;
    if (c->slot >= d->limits.warps) {
        lockstep_trouble(d, HD_TROUBLE_SCHEDULE,
                         "warp slot %u retires an instruction: there is no such slot", c->slot);
        return false;
    }
    race_commit(d->race, d, c);
    enum step_status did = step(d, port, c, ref, &clock);
    ref->cycle = rtl_grid_cycle(d->rtl);
    const bool followed = did == STEP_OK || did == STEP_FAULT;
    const bool equal = followed && commit_equal(c, ref, &diff);
    if (d->story)
        story_commit(d->story, c, followed ? ref : NULL, equal);
    switch (did) {
    case STEP_EMPTY:
        lockstep_trouble(d, HD_TROUBLE_SCHEDULE,
                "warp slot %u retires an instruction, but holds no warp that lives", c->slot);
        d->verdict.rtl = *c;
        return false;
    case STEP_WAITS:
        lockstep_trouble(d, HD_TROUBLE_SCHEDULE,
                         "warp slot %u retires an instruction, but all its lanes wait", c->slot);
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
    d->carried[commit_parts(ref)]++;
    if (!equal) {
        if (!d->verdict.differing++) {
            d->verdict.rtl = *c;
            d->verdict.diff = diff;
            if (d->story)
                show_difference(d, c, &diff);
            lockstep_trouble(d, HD_TROUBLE_FIELD, "a field differs");
            return d->cfg.keep_going > 0;
        }
    }
    if (!d->verdict.trouble && !check_writes(d, ref))
        return d->cfg.keep_going > 0;
    if (!d->settling && *end != HD_STOPPED && d->on_commit && !hand_out(d, c)) {
        *end = HD_STOPPED;
        return false;
    }
    return *end != HD_FAULT;
}

/* ---- while it runs ---- */

void lockstep_counters(hd_device *d)
{
    struct hd_counters lock = d->count;
    d->count = *model_counters(d->model);
    d->count.cycles = (d->settling ? d->settling : d->rtl->cycle) - d->rtl->start;
    d->count.fields_compared = lock.fields_compared;
    d->count.overridden = lock.overridden;
    d->count.clock_reads = lock.clock_reads;
    d->count.memory_compared = lock.memory_compared;
    d->count.memory_left_out = lock.memory_left_out;
    d->count.mem_transactions = rtl_transactions(d->rtl);
}

/* A unit has waited for longer than the core's own bounds allow. */
static void late(hd_device *d)
{
    static const struct { const char *what; bool warp; } bound[] = {
#define BOUND(what, warp) { what, warp },
#include "harness/lockstep/progress.def"
    };
    unsigned i = *d->rtl->p.late - 1u;
    if (i >= sizeof bound / sizeof bound[0])
        lockstep_trouble(d, HD_TROUBLE_HANG, "bound %u of the core is broken, but has no name", i);
    else if (bound[i].warp)
        lockstep_trouble(d, HD_TROUBLE_HANG, "starvation: warp slot %u waits too long for %s",
                         *d->rtl->p.late_slot, bound[i].what);
    else
        lockstep_trouble(d, HD_TROUBLE_HANG, "starvation: %s", bound[i].what);
}

/* What this cycle shows besides a commit. */
void lockstep_see(hd_device *d)
{
    struct rtl *r = d->rtl;
    const char *why = !*r->p.place_valid ? NULL
                    : model_place(d->model, *r->p.place_slot, *r->p.place_block);
    const char *clock = clock_look(&d->clocks, r);
    if (*r->p.place_valid && d->story)
        story_place(d->story, *r->p.place_slot, *r->p.place_block);
    if (clock)
        lockstep_trouble(d, HD_TROUBLE_CLOCK, "%s", clock);
    if (why)
        lockstep_trouble(d, HD_TROUBLE_SCHEDULE, "block %u starts in block slot %u, but %s",
                         *r->p.place_block, *r->p.place_slot, why);
    if (*axi_error(r->mem))
        lockstep_trouble(d, HD_TROUBLE_PROTOCOL, "%s", axi_error(r->mem));
    if (d->guard.error[0])
        lockstep_trouble(d, HD_TROUBLE_STRAY, "%s", d->guard.error);
    if (*r->p.late)
        late(d);
}

/* The instructions that retire in this cycle: all of them, also when the first one's callback stops
 * the run. */
bool lockstep_commit(hd_device *d, enum hd_status *end)
{
    struct rtl *r = d->rtl;
    struct history *h = d->history;
    /* what else is seen of this cycle means nothing */
    if (!lockstep_known(d))
        return false;
    for (unsigned port = 0; port < RTL_RETIRES; port++)
        if (r->p.commits[port]) {
            struct hd_commit *c = &h->rec[h->n++ % HISTORY];
            rtl_record(r, port, c);
            d->last_commit[c->slot % LAUNCH_WARPS] = d->newest_commit = r->cycle;
            if (!follow(d, port, c, end) && *end != HD_STOPPED)
                return false;
        }
    return *end != HD_STOPPED;
}

bool lockstep_follow(hd_device *d)
{
    enum hd_status end = HD_OK;
    lockstep_commit(d, &end);
    lockstep_see(d);
    return !d->verdict.trouble;
}

/* A start while the grid runs is ignored.  A warp that lives in the model keeps the core busy until
 * the write is there: busy falls two cycles after the last EXIT, or fault, retires. */
static void start_again(hd_device *d)
{
    struct warp_view v;
    if (d->rtl->cycle - d->rtl->start < d->start_again)
        return;
    for (unsigned s = 0; s < d->limits.warps; s++) {
        model_view(d->model, s, &v);
        if (v.used && rtl_offer(d->rtl, 1)) {
            d->start_again = 0;
            return;
        }
    }
}

/* Everything of one cycle but the commit and the clock edge; true: the run ends with *s. */
static bool between(hd_device *d, double *last_time, enum hd_status *s)
{
    bool before = d->verdict.trouble;                /* with keep_going */
    lockstep_see(d);
    if (!before && d->verdict.trouble) {
        *s = HD_MISMATCH;
        return true;
    }
    return lockstep_ends(d, last_time, s);
}

/* ---- snapshots ---- */

/* At intervals.  A child that is woken continues from here with the waveform on, and calls
 * no callback. */
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

/* The LSU may write what a store may: everything but code, constants and spilled tokens. */
static bool set_guard(hd_device *d)
{
    uint64_t addr;
    size_t bytes;
    bool ok = true;
    guard_clear(&d->guard);
    if (!d->order) {
        d->rtl->mem->on_write = guard_write;
        d->rtl->mem->write_user = &d->guard;
    }
    if (device_area(d, AREA_LOCAL, &addr, &bytes))
        ok = guard_allow(&d->guard, addr, bytes);
    for (uint32_t i = 0; ok && i < d->launch.nranges; i++)
        ok = guard_allow(&d->guard, d->launch.range[i].base,
                         d->launch.range[i].limit - d->launch.range[i].base);
    return ok;
}

bool lockstep_ready(hd_device *d)
{
    clock_begin(&d->clocks);
    memset(d->carried, 0, sizeof d->carried);
    d->history->n = 0;
    d->settling = d->limit_met = 0;
    return checker_selftest(commit_equal, d->error, sizeof d->error) && set_guard(d);
}

void lockstep_started(hd_device *d)
{
    for (unsigned i = 0; i < LAUNCH_WARPS; i++)
        d->last_commit[i] = d->rtl->cycle;
    d->newest_commit = d->rtl->cycle;
}

static bool begin(hd_device *d)
{
    struct rtl *r = d->rtl;
    if (!lockstep_ready(d))
        return false;
    fast_watch(d->model);
    race_begin(&d->race, d);
    if (d->story)
        story_begin(d->story, r, d->image, &d->launch, d->limits.warps, d->model);
    if (!rtl_start(r, &d->launch))
        lockstep_trouble(d, HD_TROUBLE_HANG, "the launch port does not answer");
    lockstep_started(d);
    return true;
}

enum hd_status lockstep_run(hd_device *d)
{
    if (d->cores)
        return cores_run(d);
    struct rtl *r = d->rtl;
    double last_time = seconds_now();
    enum hd_status s = HD_OK, end = HD_OK;
    if (!begin(d))
        return HD_INTERNAL;
    if (d->verdict.trouble)
        return HD_MISMATCH;
    for (uint64_t until = 0;; rtl_step(r)) {
        if (d->cfg.snapshots)
            snapshot(d);
        device_cycle(d);
        if (!lockstep_commit(d, &end)) {
            s = end;
            lockstep_see(d);
            break;
        }
        if (between(d, &last_time, &s))
            break;
        if (d->verdict.trouble && !until)
            until = r->cycle + d->cfg.keep_going;
        if (until && r->cycle >= until)
            break;
        if (d->start_again)
            start_again(d);
    }
    if (!d->verdict.trouble)
        lockstep_settle(d, s);
    for (int i = 0; r->wave && i < HD_WAVE_AFTER; i++) {     /* what follows */
        static _Thread_local struct hd_commit c;
        rtl_step(r);
        for (unsigned port = 0; d->verdict.trouble && port < RTL_RETIRES; port++)
            if (r->p.commits[port]) {
                rtl_record(r, port, &c);
                story_commit(d->story, &c, NULL, false);
            }
    }
    if (d->snapshots.child)
        snapshot_done(&d->snapshots, rtl_trace_end(r, d->error, sizeof d->error));
    lockstep_counters(d);                                /* the proof makes the model's go on */
    if (s == HD_DEADLOCK && !d->verdict.trouble)
        lockstep_prove_deadlock(d);
    return d->verdict.trouble ? HD_MISMATCH : d->has_fault ? HD_FAULT : s;
}
