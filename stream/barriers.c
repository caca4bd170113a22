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
static uint64_t at_pc(const struct warp *w, uint64_t lanes, uint64_t pc)
{
    uint64_t same = 0;
    for (uint64_t m = lanes; m; m &= m - 1)
        if (w->pc[__builtin_ctzll(m)] == pc)
            same |= m & -m;
    return same;
}

static void say_left(struct hs_monitor *m, unsigned k, char *to, size_t room)
{
    const struct warp *w = &m->warp[k];
    size_t n = (size_t)snprintf(to, room,
                                "warp %u never ends: block %llu, warp %llu of it, lanes %llx run",
                                k, X(w->block), X(w->index), X(w->run));
    for (unsigned t = 0; t < w->ntokens; t++)
        for (uint64_t left = w->token[t].parked, same; left && n < room; left &= ~same) {
            const uint64_t pc = w->pc[__builtin_ctzll(left)];
            same = at_pc(w, left, pc);
            n += (size_t)snprintf(to + n, room - n,
                                  ", lanes %llx are parked at token %llu to go on at %llx",
                                  X(same), X(w->token[t].name), X(pc));
        }
    if (n < room)
        n += (size_t)snprintf(to + n, room - n, ", last instruction at %llx in cycle %llu",
                              X(w->last_pc), X(w->quiet_from));
    const struct barrier *b = w->held ? barrier_of(m, w->held_at, false) : NULL;
    if (b && n < room)
        snprintf(to + n, room - n, "; it waits at barrier %llu, where %llu of %u have arrived",
                 X(b->name), X(b->count), b->need);
}

/* It has lanes that run, or wait where a wake would be reported. */
static bool is_left(const struct hs_monitor *m, unsigned k)
{
    const struct warp *w = &m->warp[k];
    return w->run || (m->reported[HS_K_wake] && hs_lanes_parked(w));
}

/* Every warp that is left, a line each; what has no room is counted. */
static bool say_all_left(struct hs_monitor *m, bool busy)
{
    enum { ONE = 600 };
    char left[sizeof m->broken - 100];
    size_t n = 0;
    unsigned more = 0;
    for (unsigned k = 0; k < m->h->warps; k++) {
        if (!is_left(m, k))
            continue;
        if (n + ONE > sizeof left) {
            more++;
            continue;
        }
        n += (size_t)snprintf(left + n, sizeof left - n, "%s", n ? "\n    " : "");
        say_left(m, k, left + n, ONE - 8);
        n += strlen(left + n);
    }
    return more ? hs_break(m, HS_RULE_ended, "%s\n    and %u more %s%s", left, more,
                           more == 1 ? "warp" : "warps", busy ? "" : "; the core is idle")
                : hs_break(m, HS_RULE_ended, "%s%s", left, busy ? "" : "; the core is idle");
}

bool hs_run_finish(struct hs_monitor *m, const struct hs_event *e)
{
    m->running = false;
    for (unsigned k = 0; k < m->h->warps && !m->faulted && m->reported[HS_K_end]; k++) {
        const struct warp *w = &m->warp[k];
        if (!hs_check(m, HS_RULE_ended, !is_left(m, k) || say_all_left(m, e->busy), "%s", "") ||
            !hs_check(m, HS_RULE_ended, !w->nflight, "warp %u: number %llu at %llx never retires",
                      k, X(w->flight[0].n), X(w->flight[0].pc)))
            return false;
    }
    return true;
}
