/* Workers: blocks of a grid at the same time.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fast/inside.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

struct worker {
    struct model m;                 /* the core's but for warps, counters and places in memory */
    struct fast fast;               /* that rides on it */
    struct meet meet;
    struct jobs *jobs;
    pthread_t thread;
    enum hd_status status;          /* why it stopped: HD_OK, there were no more blocks */
};

struct jobs {
    unsigned n, room;               /* workers of this launch; that exist */
    struct worker *worker[HD_JOBS];
    struct meet_pages pages;
    u64 blocks, chunk, limit;       /* blocks that a worker takes at a time */
    _Atomic u64 next, steps, ended;
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t done;
    unsigned at_work;               /* under lock */
};

/* ---- one worker ---- */

static enum hd_status run_block(struct worker *w, u32 linear)
{
    struct jobs *j = w->jobs;
    struct model *m = &w->m;
    struct turns turns = turns_begin();
    const struct fast_run how = { 0 };
    m->next_block = m->blocks_ended = linear;
    w->meet.block++;
    for (bool first = true; (first || m->block[0].used) && !j->stop; first = false) {
        const u64 before = m->seq;
        enum hd_status s = run_turn(&w->fast, &how, &turns, first);
        u64 steps = atomic_fetch_add(&j->steps, m->seq - before) + m->seq - before;
        if (s == HD_OK && j->limit && steps > j->limit)
            s = HD_LIMIT;
        if (s == HD_OK && (w->meet.meeting.what || w->meet.lost))
            s = HD_STOPPED;
        if (s)
            return s;
    }
    return HD_OK;
}

static void *work(void *user)
{
    struct worker *w = user;
    struct jobs *j = w->jobs;
    while (w->status == HD_OK && !j->stop) {
        const u64 first = atomic_fetch_add(&j->next, j->chunk);
        if (first >= j->blocks)
            break;
        for (u64 b = first; b < first + j->chunk && b < j->blocks && !j->stop; b++) {
            if ((w->status = run_block(w, (u32)b)))
                j->stop = true;
            else
                j->ended++;
        }
    }
    pthread_mutex_lock(&j->lock);
    if (!--j->at_work)
        pthread_cond_signal(&j->done);
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

/* ---- all of them ---- */

void jobs_free(struct jobs *j)
{
    if (!j)
        return;
    for (unsigned i = 0; i < j->room; i++) {
        meet_close(&j->worker[i]->meet);
        free(j->worker[i]->m.warp);
        free(j->worker[i]);
    }
    meet_pages_close(&j->pages);
    pthread_mutex_destroy(&j->lock);
    pthread_cond_destroy(&j->done);
    free(j);
}

static struct jobs *jobs_new(struct model *m)
{
    pthread_condattr_t clock;
    struct jobs *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    pthread_mutex_init(&j->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&j->done, &clock);
    pthread_condattr_destroy(&clock);
    if (!meet_pages_open(&j->pages, m->mem, m->limits.addr_bits ? (u64)1 << m->limits.addr_bits
                                                                : HD_ADDR_END)) {
        jobs_free(j);
        return NULL;
    }
    return j;
}

/* One more. */
static bool add_worker(struct jobs *j, struct model *m)
{
    struct worker *w = calloc(1, sizeof *w);
    const size_t bytes = (m->limits.warps + 1) * sizeof *w->m.warp;
    if (!w)
        return false;
    w->jobs = j;
    w->m.warp = aligned_alloc(64, bytes);
    if (!w->m.warp || !meet_open(&w->meet, &j->pages, model_window(&m->limits, j->room))) {
        meet_close(&w->meet);
        free(w->m.warp);
        free(w);
        return false;
    }
    memset(w->m.warp, 0, bytes);
    j->worker[j->room++] = w;
    return true;
}

/* The core's model as a worker has it: one block slot. */
static void begin_worker(struct worker *w, const struct fast *f, bool checked)
{
    struct warp *warp = w->m.warp;
    struct launch l = f->m->launch;
    l.block_slots = 1;
    w->m = *f->m;
    w->m.warp = warp;
    w->m.hooks = (struct hooks){ .user = &w->fast };
    w->m.core.shared_at = w->meet.window;
    w->m.core.local_by = w->meet.window + WINDOW_SHARED - LAUNCH_SPILL;
    w->m.core.together = true;
    w->fast = (struct fast){ .m = &w->m, .code = f->code, .native = f->native, .meet = &w->meet };
    fast_looks(&w->fast);
    model_launch(&w->m, &l);
    meet_begin(&w->meet, checked);
    w->status = HD_OK;
}

static void end_worker(struct worker *w)
{
    repeat_free(w->fast.repeat);
    w->fast.repeat = NULL;
    madvise(w->m.mem + w->meet.window, WINDOW_SIZE, MADV_DONTNEED);
    meet_begin(&w->meet, false);
}

/* Starts them, as many as the host gives; signals stay the caller's. */
static void start(struct jobs *j)
{
    sigset_t all, old;
    unsigned n = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_mutex_lock(&j->lock);
    while (n < j->n && !pthread_create(&j->worker[n]->thread, NULL, work, j->worker[n]))
        n++;
    j->n = j->at_work = n;
    pthread_mutex_unlock(&j->lock);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* Waits for them, and asks meanwhile whether to go on; false: not. */
static bool wait_for_all(struct jobs *j, struct fast *f, const struct fast_run *how)
{
    enum { QUARTER = 250000000, SECOND = 1000000000 };
    bool go_on = true;
    pthread_mutex_lock(&j->lock);
    while (j->at_work) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        t.tv_nsec += QUARTER;
        t.tv_sec += t.tv_nsec / SECOND;
        t.tv_nsec %= SECOND;
        if (pthread_cond_timedwait(&j->done, &j->lock, &t) != ETIMEDOUT)
            continue;
        f->m->seq = j->steps;
        f->m->blocks_ended = j->ended;
        if (go_on && !run_goes_on(f, how)) {
            go_on = false;
            j->stop = true;
        }
    }
    pthread_mutex_unlock(&j->lock);
    for (unsigned i = 0; i < j->n; i++)
        pthread_join(j->worker[i]->thread, NULL);
    return go_on;
}

/* All counters are sums but the deepest stack. */
static void add_counters(struct hd_counters *sum, const struct hd_counters *c)
{
    const u64 deepest = c->deepest > sum->deepest ? c->deepest : sum->deepest;
    u64 to[sizeof *sum / sizeof(u64)], from[sizeof *sum / sizeof(u64)];
    memcpy(to, sum, sizeof to);
    memcpy(from, c, sizeof from);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        to[i] += from[i];
    memcpy(sum, to, sizeof to);
    sum->deepest = deepest;
}

static void add_up(struct jobs *j, struct model *m)
{
    m->seq = j->steps;
    m->next_block = m->blocks_ended = j->ended;
    for (unsigned i = 0; i < j->n; i++)
        add_counters(&m->count, &j->worker[i]->m.count);
}

/* Whether what the workers did stands; else why not. */
static bool stands(const struct jobs *j, struct meeting *why)
{
    const struct meet *meet[HD_JOBS];
    for (unsigned i = 0; i < j->n; i++) {
        const struct worker *w = j->worker[i];
        meet[i] = &w->meet;
        if (w->meet.meeting.what) {
            *why = w->meet.meeting;
            return false;
        }
        if (w->meet.lost || j->pages.lost || w->status) {
            const char *what = w->meet.lost || j->pages.lost ? "no memory for what blocks touch"
                             : w->status == HD_FAULT         ? "a block faulted"
                             : w->status == HD_DEADLOCK      ? "no lane of a block can go on"
                                                             : "the limit was reached";
            *why = (struct meeting){ .what = what };
            return false;
        }
    }
    return meet_apart(meet, j->n, why);
}

/* What of the launch keeps its blocks in turn. */
static const char *refused(const struct fast *f, const struct fast_run *how)
{
    const struct model *const m = f->m;
    return how->on_commit ? "somebody wants commit records"
         : how->timing    ? "a timing profile orders all warps"
         : f->bbv         ? "blocks of code are counted"
         : m->bus.n       ? "addresses answer with errors"
         : launch_blocks(&m->launch) < 2        ? "there is one block"
         : launch_blocks(&m->launch) >= 1 << 30 ? "there are too many blocks"
                                                : NULL;
}

static bool prepare(struct fast *f, const struct fast_run *how)
{
    struct model *const m = f->m;
    u64 n = how->jobs < HD_JOBS ? how->jobs : HD_JOBS, blocks = launch_blocks(&m->launch);
    struct jobs *j = f->jobs ? f->jobs : jobs_new(m);
    f->jobs = j;
    if (!j)
        return false;
    n = n < blocks ? n : blocks;
    while (j->room < n && add_worker(j, m))
        ;
    j->n = j->room < n ? j->room : (unsigned)n;
    j->blocks = blocks;
    j->chunk = blocks / (j->n ? 16 * j->n : 1) + 1;
    j->limit = how->limit;
    j->next = j->steps = j->ended = 0;
    j->stop = false;
    for (unsigned i = 0; i < j->n; i++)
        begin_worker(j->worker[i], f, !how->independent);
    return j->n > 1;
}

bool run_jobs(struct fast *f, const struct fast_run *how, enum hd_status *end)
{
    struct model *const m = f->m;
    struct meeting *why = &f->in_turn;
    *why = (struct meeting){ .what = refused(f, how) };
    if (why->what || (!jobs_scan(f, why) && !how->independent))
        return false;
    if (!prepare(f, how)) {
        *why = (struct meeting){ .what = "no memory for workers" };
        return false;
    }
    struct jobs *j = f->jobs;
    start(j);
    const bool go_on = wait_for_all(j, f, how), ok = go_on && j->n && stands(j, why);
    if (ok || !go_on)
        add_up(j, m);
    *end = ok ? HD_OK : HD_STOPPED;
    f->together = ok ? j->n : 0;
    if (ok)
        *why = (struct meeting){ 0 };
    meet_pages_end(&j->pages, !ok && go_on);
    for (unsigned i = 0; i < j->room; i++)
        end_worker(j->worker[i]);
    if (ok || !go_on)
        return true;
    const struct launch l = m->launch;
    const struct meeting kept = *why;
    model_launch(m, &l);
    *why = kept;
    return false;
}
