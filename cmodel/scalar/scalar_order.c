/* Which accesses block barriers order.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Time is the number of times that a block barrier let threads of the block go.  One of all
 * threads orders everything before it.  One of some orders what each of these did, and what each
 * came after: of every thread is kept up to when it comes after every other one. */
#include "cmodel/scalar/scalar_core.h"
#include <stdlib.h>
#include <string.h>

static u32 *row(const struct scalar *s, u32 thread)
{
    return s->after + (size_t)thread * s->launch.threads;
}

bool scalar_comes_after(const struct scalar *s, const struct thread *t, u32 thread, u32 phase)
{
    return phase < s->full || (s->parted && phase < row(s, t->index)[thread]);
}

bool scalar_comes_after_warps(const struct scalar *s, const struct thread *t, u32 warps, u32 phase)
{
    if (phase < s->full)
        return true;
    for (u32 i = 0; i < s->launch.threads; i++)
        if (i != t->index && warps >> i / HD_LANES & 1 && !scalar_comes_after(s, t, i, phase))
            return false;
    return true;
}

static bool waits(const struct thread *t, u32 n) { return t->state == THREAD_BAR && t->bar == n; }

/* Lets those of threads first to end - 1 go that wait at barrier n, as one meeting. */
static void let_go(struct scalar *s, u32 n, u32 first, u32 end)
{
    const u32 threads = s->launch.threads;
    if (!s->parted)
        memset(s->after, 0, (size_t)threads * threads * sizeof *s->after);
    s->parted = true;
    s->phase++;
    u32 *all = s->meeting;
    memset(all, 0, threads * sizeof *all);
    for (u32 k = first; k < end; k++)
        for (u32 i = 0; waits(&s->thread[k], n) && i < threads; i++)
            all[i] = row(s, k)[i] > all[i] ? row(s, k)[i] : all[i];
    for (u32 k = first; k < end; k++)
        if (waits(&s->thread[k], n))
            all[k] = s->phase;
    for (u32 k = first; k < end; k++)
        if (waits(&s->thread[k], n)) {
            memcpy(row(s, k), all, threads * sizeof *all);
            s->thread[k].state = THREAD_RUNS;
        }
}

/* Barrier n takes a warp's threads, and whole warps wait: each is let go by itself. */
static bool by_warps(struct scalar *s, u32 n)
{
    const u32 threads = s->launch.threads;
    for (u32 k = 0; k < threads; k++)
        if (waits(&s->thread[k], n) != waits(&s->thread[k & ~(HD_LANES - 1u)], n))
            return false;
    if (s->need[n] != HD_LANES || (threads % HD_LANES && waits(&s->thread[threads - 1], n)))
        return false;
    for (u32 k = 0; k < threads; k += HD_LANES)
        if (waits(&s->thread[k], n))
            let_go(s, n, k, k + HD_LANES);
    return true;
}

bool scalar_release(struct scalar *s)
{
    for (u32 n = 0; n < HD_BARRIERS; n++) {
        const u32 threads = s->launch.threads;
        u32 waiting = 0, live = 0;
        for (u32 k = 0; k < threads; k++) {
            waiting += waits(&s->thread[k], n);
            live += s->thread[k].state != THREAD_ENDED;
        }
        u32 need = s->need[n] ? s->need[n] : live;
        if (!waiting || waiting < need)
            continue;
        if (waiting > need && !by_warps(s, n))
            scalar_stop(s, SCALAR_ORDER, NULL,
                        "block %u: %u threads wait at block barrier %u, which takes %u: who goes "
                        "on with whom depends on the schedule",
                        s->block, waiting, n, need);
        else if (waiting == need)
            let_go(s, n, 0, threads);
        if (waiting == need && waiting == live) {
            s->full = s->phase;
            s->parted = false;
        }
        return true;
    }
    return false;
}
