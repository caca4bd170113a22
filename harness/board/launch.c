/* Launches of a device whose RTL is on a board: load, run, compare, and repeat what differs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A digest says that one of some hundred commits differs, not which.  Then the launch is repeated,
 * from the same memory on, and the commits of that window come as whole records. */
#include "harness/board/launch.h"
#include "cmodel/base/counted.h"
#include "harness/board/follow.h"
#include "harness/board/settle.h"
#include "harness/core/csr.h"
#include "harness/lockstep/lockstep.h"
#include "harness/process/seconds.h"
#include <stdlib.h>
#include <string.h>

enum { EVERY = 256, TRIES = 3, QUIET = 2 * QUIET_BUSY, STOPPING = 64 };

/* ---- the launch's beginning, for a repetition ---- */

struct before {
    struct { uint64_t addr; size_t n; uint8_t *bytes; } *area;
    size_t n;                    /* of them */
    uint8_t *shared;
};

static void forget(struct before *b)
{
    for (size_t i = 0; i < b->n; i++)
        free(b->area[i].bytes);
    free(b->area);
    free(b->shared);
}

static bool remember(hd_device *d, struct before *b)
{
    uint64_t addr;
    size_t n, areas = 0;
    while (device_area(d, areas, &addr, &n))
        areas++;
    b->shared = malloc(d->limits.shared_bytes);
    b->area = calloc(areas, sizeof *b->area);
    if (!b->shared || !b->area)
        return false;
    memcpy(b->shared, model_shared(d->model), d->limits.shared_bytes);
    for (size_t i = 0; device_area(d, i, &addr, &n); i++) {
        if (!(b->area[i].bytes = malloc(n + 1)))
            return false;
        b->area[i].addr = addr;
        b->area[i].n = n;
        b->n++;
        memcpy(b->area[i].bytes, model_memory(d->model) + addr, n);
    }
    return true;
}

static void recall(hd_device *d, const struct before *b)
{
    for (size_t i = 0; i < b->n; i++)
        memcpy(model_memory(d->model) + b->area[i].addr, b->area[i].bytes, b->area[i].n);
    memcpy(model_shared(d->model), b->shared, d->limits.shared_bytes);
    model_launch(d->model, &d->launch);
    d->history->n = 0;
    d->has_fault = false;
    d->verdict = (struct verdict){ 0 };
}

/* ---- a run ---- */

static bool start(struct follow *f)
{
    struct csr_value v[CSR_LAUNCH];
    const size_t n = csr_values(&f->d->launch, v);
    struct board *b = f->b;
    bool ok = settle_load(f->d, b) && board_release(b) &&
              board_tell(b, (uint16_t)f->every, f->from, f->to, f->repeat);
    for (size_t i = 0; i < n && ok; i++)
        ok = board_set(b, v[i].offset, v[i].value);
    if (!ok || !board_settle(b))
        return false;
    follow_begin(f);
    fast_watch(f->d->model);
    b->told = follow_told;
    b->user = f;
    return board_set(b, CSR_CTRL, 1);
}

/* Whether it goes on; else *s is what it ends with. */
static bool look(struct follow *f, double *last, enum hd_status *s)
{
    hd_device *d = f->d;
    if (f->cycles - f->newest > QUIET)
        *s = lockstep_no_progress(d);
    else if (fast_spins(d->model))
        *s = HD_DEADLOCK;
    else if (d->cfg.limit && f->cycles >= d->cfg.limit)
        *s = HD_LIMIT;
    else if (f->stop)
        *s = HD_STOPPED;
    else if (d->on_progress && seconds_now() - *last >= 0.25) {
        *last = seconds_now();
        if (!d->on_progress(d->progress_user, &d->count))
            *s = HD_STOPPED;
    }
    return *s == HD_OK;
}

/* The window of a repetition has come, or nothing comes any more. */
static bool repeated(const struct follow *f)
{
    return f->commits >= f->to || f->cycles - f->newest > QUIET;
}

/* By a given schedule, until the two differ or the window is over. */
static bool repeat(struct follow *f)
{
    const struct schedule *s = f->repeat;
    while (!f->ended && !f->differs && !repeated(f)) {
        const size_t n = s->n - f->fed < BOARD_FEED ? s->n - f->fed : BOARD_FEED;
        if (n && !f->b->nasked) {
            if (!board_feed(f->b, s->bytes + f->fed, n))
                return false;
            f->fed += n;
        }
        if (!board_listen(f->b))
            return false;
    }
    return true;
}

/* Until the board says that the grid has ended, or the two differ. */
static bool run(struct follow *f, enum hd_status *s)
{
    double last = seconds_now();
    bool told = false;
    for (unsigned after = 0; !f->ended && !f->differs;) {
        if (!board_listen(f->b))
            return false;
        if (told && after++ > STOPPING) {
            lockstep_trouble(f->d, HD_TROUBLE_HANG, "the core stays busy after it was stopped");
            *s = HD_MISMATCH;
            break;
        }
        if (!told && !f->ended && !f->differs && !look(f, &last, s))
            told = board_set(f->b, CSR_CTRL, 2);
    }
    return f->differs || !f->ended || follow_end(f) || f->differs;
}

/* Once, from the beginning.  False: the link is broken. */
static bool attempt(struct follow *f, enum hd_status *s)
{
    hd_device *d = f->d;
    *s = HD_OK;
    bool ok = start(f) && (f->repeat ? repeat(f) : run(f, s));
    if (ok && !f->repeat && !f->differs && !d->verdict.trouble)
        ok = settle_end(f, s);
    f->b->told = NULL;
    return ok;
}

/* ---- what a difference is ---- */

/* Repeats the launch with whole records of the commits in which it was seen.  The verdict is then
 * that of the record, or what the first run had, if that comes again.  A simulated board first
 * repeats itself, for what hangs on the time that things take; then, as every other, it is given
 * the schedule. */
static bool replay(struct follow *f, const struct before *before, struct board_run *r)
{
    hd_device *d = f->d;
    const struct verdict seen = d->verdict;
    uint64_t lo = f->lo, hi = f->hi;
    for (unsigned n = 0; n < TRIES; n++) {
        struct follow again = { .d = d, .b = f->b, .every = f->every, .from = lo, .to = hi };
        enum hd_status s;
        r->figures.replays++;
        recall(d, before);
        if (d->on_repeat)
            d->on_repeat(d->repeat_user, NULL);
        again.repeat = n || !f->b->link->repeats ? f->keep : NULL;
        again.whole = malloc((size_t)(hi - lo + 1) * sizeof *again.whole);
        const bool ok = again.whole && board_begin(f->b, true) && attempt(&again, &s);
        free(again.whole);
        if (!ok || d->verdict.trouble)
            return ok;
        if (again.differs) {                             /* elsewhere this time */
            lo = again.lo;
            hi = again.hi;
        }
    }
    d->verdict = seen;
    if (!seen.trouble)
        lockstep_trouble(d, HD_TROUBLE_END, "a digest of commits %llu to %llu differs, but the "
                         "difference did not come back in %u replays%s", (unsigned long long)f->lo,
                         (unsigned long long)f->hi - 1, TRIES,
                         board_keep(f->b, "heddle.board") ? " (heddle.board has the stream)" : "");
    return true;
}

static void count(struct follow *f, struct board_run *r)
{
    hd_device *d = f->d;
    const struct hd_counters was = d->count;
    d->count = *model_counters(d->model);
    d->count.cycles = f->cycles;
    d->count.clock_reads = f->clock_reads;
    d->count.memory_compared = was.memory_compared;
    d->count.fields_compared = f->commits * (commit_nfields - BOARD_LEFT_OUT);
    r->figures.bytes = f->bytes;
    r->figures.commits = f->commits;
    r->figures.stalls = f->stalls;
    r->figures.every = (unsigned)f->every;
}

enum hd_status board_launch(hd_device *d)
{
    struct board_run *r = d->board;
    struct before before = { 0 };
    struct schedule schedule = { 0 };
    struct follow f = { .d = d, .b = r->board, .keep = &schedule,
                        .every = d->cfg.board_digest ? d->cfg.board_digest : EVERY };
    enum hd_status s = HD_OK;
    r->figures = (struct board_figures){ 0 };
    r->board->link->mem_seed = d->cfg.mem_seed;
    if (r->board->link->renew)
        model_clear_shared(d->model);
    d->history->n = 0;
    bool ok = (!r->begun++ || board_begin(r->board, false)) && remember(d, &before) &&
              attempt(&f, &s);
    count(&f, r);
    r->board->f.unrecorded = true;                   /* repetitions are no part of it */
    if (ok && d->cfg.board_record && !board_keep(r->board, d->cfg.board_record)) {
        snprintf(r->board->f.error, sizeof r->board->f.error, "%s: it cannot be written",
                 d->cfg.board_record);
        ok = false;
    }
    const bool recorded = r->board->link->recorded;
    if (ok && f.differs && (recorded || r->board->thin) && !d->verdict.trouble)
        lockstep_trouble(d, HD_TROUBLE_END, "a digest of commits %llu to %llu differs; %s",
                         (unsigned long long)f.lo, (unsigned long long)f.hi - 1,
                         recorded ? "a recording cannot be repeated"
                                  : "this board sends no whole records (--board-digest 2 says "
                                    "where)");
    else if (ok && f.differs && !recorded && !r->board->thin)
        ok = replay(&f, &before, r);
    r->board->f.unrecorded = false;
    forget(&before);
    free(schedule.bytes);
    if (!ok) {
        snprintf(d->error, sizeof d->error, "board %s: %s", d->cfg.board,
                 r->board->f.error[0] ? r->board->f.error : "no memory");
        return HD_BAD_ARGUMENT;
    }
    if (s == HD_DEADLOCK && !d->verdict.trouble)
        lockstep_prove_deadlock(d);
    return d->verdict.trouble ? HD_MISMATCH : d->has_fault ? HD_FAULT : s;
}

/* ---- the device ---- */

enum hd_status board_device_open(hd_device *d)
{
    struct board_run *r = calloc(1, sizeof *r);
    static const struct { uint32_t offset, lacks; } parts[] = {
        { CSR_CFG_F64, 1u << UNIT_F64 }, { CSR_CFG_FLOAT, 1u << UNIT_FPU },
        { CSR_CFG_SFU, 1u << UNIT_SFU }, { CSR_CFG_CONST, HD_CONSTANTS } };
    struct launch_limits *l = &d->limits;
    uint32_t barriers = 0, size = 0;
    d->history = calloc(1, sizeof *d->history);
    if (!r || !d->history)
        return free(r), snprintf(d->error, sizeof d->error, "no memory"), HD_NO_MEMORY;
    d->board = r;
    r->board = board_open(d->cfg.board, d->cfg.lanes, d->cfg.mem_seed, d->error, sizeof d->error);
    if (!r->board)
        return HD_NO_RTL;
    struct board *b = r->board;
    bool ok = board_release(b) && board_get(b, CSR_CFG_REGS, &l->regs) &&
              board_get(b, CSR_CFG_SHARED, &l->shared_bytes) &&
              board_get(b, CSR_CFG_STACK, &l->stack_depth) &&
              board_get(b, CSR_CFG_BARRIERS, &barriers);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && ok; i++) {
        ok = board_get(b, parts[i].offset, &size);
        l->no_units |= size ? 0 : parts[i].lacks;
    }
    l->no_barriers = !barriers;
    l->warps = d->cfg.warps ? d->cfg.warps : b->warps;
    l->addr_bits = b->addr_bits;
    d->cfg.lanes = b->lanes;
    const unsigned depth = d->cfg.stack_depth ? d->cfg.stack_depth
                         : l->stack_depth < 16 ? l->stack_depth : 16;
    if (ok && (l->warps > b->warps || depth > l->stack_depth || l->regs > 256 ||
               l->shared_bytes > RTL_SHARED))
        return snprintf(d->error, sizeof d->error, "the board has %u %s and room for %u %s",
                        COUNTED(b->warps, "warp"), COUNTED(l->stack_depth, "token")), HD_TOO_BIG;
    l->stack_depth = depth;
    if (ok && board_hold(b))
        return HD_OK;
    snprintf(d->error, sizeof d->error, "board %s: %s", d->cfg.board, b->f.error);
    return HD_NO_RTL;
}

void board_device_close(hd_device *d)
{
    if (d->board)
        board_close(d->board->board);
    free(d->board);
}
