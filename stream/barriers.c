/* Block barriers, and what is left at the end of a run.
 * SPDX-License-Identifier: Apache-2.0 */
#include "stream/monitor_state.h"

/* ---- block barriers */
static struct barrier *barrier_of(struct hs_monitor *m, uint64_t name, bool make)
{
    struct barrier *old = NULL;
    for (unsigned k = 0; k < m->nbarriers; k++) {
        if (m->barrier[k].name == name)
            return &m->barrier[k];
        if (!m->barrier[k].count)
            old = &m->barrier[k];
    }
    if (!make)
        return NULL;
    if (m->nbarriers < BARRIERS)
        old = &m->barrier[m->nbarriers++];
    if (!old)
        return NULL;
    memset(old, 0, sizeof *old);
    old->name = name;
    return old;
}

bool hs_barrier_arrive(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    struct barrier *b = barrier_of(m, e->barrier, true);
    if (!b)
        return hs_break(m, HS_RULE_barrier, "more than %d block barriers at which somebody waits",
                        BARRIERS);
    if (!b->count) {
        b->need = e->need;
        if (!b->used)
            b->generation = e->generation;
        b->used = true;
    }
    if (!hs_check(m, HS_RULE_barrier, e->generation == b->generation,
                  "warp %u arrives at barrier %llu in generation %llu; it is in %llu", e->warp,
                  X(e->barrier), X(e->generation), X(b->generation)) ||
        !hs_check(m, HS_RULE_barrier, !(e->mask & w->held),
                  "warp %u: lanes %llx arrive at barrier %llu, but wait at %llu", e->warp,
                  X(e->mask & w->held), X(e->barrier), X(w->held_at)))
        return false;
    b->need = e->need;
    b->count += e->count;
    b->warps[e->warp / 64] |= 1ull << e->warp % 64;
    w->held |= e->mask;
    w->held_at = e->barrier;
    return true;
}

bool hs_barrier_release(struct hs_monitor *m, const struct hs_event *e)
{
    struct barrier *b = barrier_of(m, e->barrier, false);
    const uint32_t need = e->need ? e->need : b ? b->need : 0;
    if (!hs_check(m, HS_RULE_barrier, b && b->count, "barrier %llu lets go, but nobody has arrived",
                  X(e->barrier)) ||
        !hs_check(m, HS_RULE_barrier, b->generation == e->generation,
                  "barrier %llu lets go generation %llu; it is in %llu", X(e->barrier),
                  X(e->generation), X(b->generation)) ||
        !hs_check(m, HS_RULE_barrier, b->count >= need,
                  "barrier %llu lets go: %llu of %u have arrived", X(e->barrier), X(b->count),
                  need))
        return false;
    if (!b)
        return true; /* arrivals are not reported */
    for (unsigned k = 0; k < HS_WARPS / 64; k++) {
        const uint64_t odd = e->warps[k] ^ b->warps[k];
        const unsigned warp = 64 * k + (odd ? (unsigned)__builtin_ctzll(odd) : 0);
        if (!hs_check(m, HS_RULE_barrier, !odd, "barrier %llu lets go: warp %u %s", X(e->barrier),
                      warp,
                      b->warps[k] >> warp % 64 & 1 ? "has arrived and is left"
                                                   : "is let go and has not arrived"))
            return false;
        for (uint64_t let = e->warps[k]; let; let &= let - 1) {
            struct warp *w = &m->warp[64 * k + (unsigned)__builtin_ctzll(let)];
            w->held = 0;
            w->quiet_from = e->cycle;
        }
    }
    memset(b->warps, 0, sizeof b->warps);
    b->count = 0;
    b->generation++;
    return true;
}

/* ---- the end of a run */
static void say_left(struct hs_monitor *m, unsigned k, char *to, size_t room)
{
    const struct warp *w = &m->warp[k];
    size_t n = (size_t)snprintf(to, room,
                                "warp %u never ends: block %llu, warp %llu of it, lanes %llx run",
                                k, X(w->block), X(w->index), X(w->run));
    for (unsigned t = 0; t < w->ntokens && n < room; t++)
        if (w->token[t].parked)
            n += (size_t)snprintf(to + n, room - n,
                                  ", lanes %llx are parked at token %llu to go on at %llx",
                                  X(w->token[t].parked), X(w->token[t].name),
                                  X(w->pc[__builtin_ctzll(w->token[t].parked)]));
    if (n < room)
        n += (size_t)snprintf(to + n, room - n, ", last instruction at %llx in cycle %llu",
                              X(w->last_pc), X(w->quiet_from));
    const struct barrier *b = w->held ? barrier_of(m, w->held_at, false) : NULL;
    if (b && n < room)
        snprintf(to + n, room - n, "; it waits at barrier %llu, where %llu of %u have arrived",
                 X(b->name), X(b->count), b->need);
}

bool hs_run_finish(struct hs_monitor *m, const struct hs_event *e)
{
    char left[600];
    m->running = false;
    for (unsigned k = 0; k < m->h->warps && !m->faulted && m->reported[HS_K_end]; k++) {
        const struct warp *w = &m->warp[k];
        const bool ended = !w->run && !(m->reported[HS_K_wake] && hs_lanes_parked(w));
        if (!ended)
            say_left(m, k, left, sizeof left);
        if (!hs_check(m, HS_RULE_ended, ended, "%s%s", left, e->busy ? "" : "; the core is idle") ||
            !hs_check(m, HS_RULE_ended, !w->nflight, "warp %u: number %llu at %llx never retires",
                      k, X(w->flight[0].n), X(w->flight[0].pc)))
            return false;
    }
    return true;
}
