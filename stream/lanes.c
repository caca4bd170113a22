/* Lanes and the tokens at which they are parked.
 * SPDX-License-Identifier: Apache-2.0 */
#include "stream/monitor_state.h"

/* ---- tokens: names that a core gives, few of a warp at a time */
struct token *hs_token_of(struct warp *w, uint64_t name)
{
    for (unsigned k = 0; k < w->ntokens; k++)
        if (w->token[k].name == name)
            return &w->token[k];
    for (unsigned k = 0; k < w->ntokens; k++) /* one that nobody uses has no name to keep */
        if (!w->token[k].parked)
            return w->token[k].name = name, &w->token[k];
    if (w->ntokens == TOKENS)
        return NULL;
    w->token[w->ntokens].name = name;
    w->token[w->ntokens].parked = 0;
    return &w->token[w->ntokens++];
}

/* Lanes that are parked anywhere. */
uint64_t hs_lanes_parked(const struct warp *w)
{
    uint64_t all = 0;
    for (unsigned k = 0; k < w->ntokens; k++)
        all |= w->token[k].parked;
    return all;
}

void hs_lanes_set_pc(struct warp *w, uint64_t mask, uint64_t pc)
{
    for (uint64_t m = mask; m; m &= m - 1)
        w->pc[__builtin_ctzll(m)] = pc;
    w->pc_known |= mask;
}

/* The first lane of mask whose PC is known and is another one; -1: none. */
int hs_lanes_other_pc(const struct warp *w, uint64_t mask, uint64_t pc)
{
    for (uint64_t m = mask & w->pc_known; m; m &= m - 1)
        if (w->pc[__builtin_ctzll(m)] != pc)
            return __builtin_ctzll(m);
    return -1;
}

bool hs_lanes_start(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    uint64_t here = w->run | hs_lanes_parked(w);
    if (!hs_check(m, HS_RULE_place, !(e->mask & here),
                  "warp %u: lanes %llx start, of which %llx have not ended", e->warp, X(e->mask),
                  X(e->mask & here)))
        return false;
    if (!here) {
        w->block = e->block;
        w->index = e->index;
    }
    w->run |= e->mask;
    hs_lanes_set_pc(w, e->mask, e->pc);
    w->quiet_from = e->cycle;
    return true;
}

/* Running lanes leave the set of those that run. */
bool hs_lanes_leave(struct hs_monitor *m, struct warp *w, const struct hs_event *e,
                    const char *how)
{
    const uint64_t wrong = e->mask & ~w->run;
    if (!hs_check(m, HS_RULE_place, !wrong, "warp %u: lanes %llx %s, of which %llx do not run",
                  e->warp, X(e->mask), how, X(wrong)))
        return false;
    w->run &= ~e->mask;
    return true;
}

bool hs_lanes_park(struct hs_monitor *m, struct warp *w, const struct hs_event *e, uint64_t name)
{
    struct token *t = hs_token_of(w, name);
    if (!t)
        return hs_break(m, HS_RULE_place, "warp %u: lanes are parked at more than %d tokens",
                        e->warp, TOKENS);
    t->parked |= e->mask;
    hs_lanes_set_pc(w, e->mask, e->pc);
    return true;
}

bool hs_lanes_unpark(struct hs_monitor *m, struct warp *w, const struct hs_event *e,
                     const char *how)
{
    struct token *t = hs_token_of(w, e->token);
    const uint64_t wrong = e->mask & ~(t ? t->parked : 0);
    if (!hs_check(m, HS_RULE_place, !wrong,
                  "warp %u: lanes %llx %s token %llu, of which %llx are not parked there", e->warp,
                  X(e->mask), how, X(e->token), X(wrong)))
        return false;
    if (t)
        t->parked &= ~e->mask;
    return true;
}

bool hs_lanes_wake(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    if (!hs_lanes_unpark(m, w, e, "wake at"))
        return false;
    const int lane = hs_lanes_other_pc(w, e->mask, e->pc);
    if (!hs_check(m, HS_RULE_resume, lane < 0,
                  "warp %u, lane %d wakes at %llx, but was parked to go on at %llx", e->warp, lane,
                  X(e->pc), X(w->pc[lane < 0 ? 0 : lane])))
        return false;
    if (!w->run)
        w->quiet_from = e->cycle;
    w->run |= e->mask;
    hs_lanes_set_pc(w, e->mask, e->pc);
    return true;
}

bool hs_lanes_closed(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    const struct token *t = hs_token_of(w, e->token);
    return hs_check(m, HS_RULE_closed, !t || !t->parked,
                    "warp %u: token %llu is closed, but lanes %llx are parked there", e->warp,
                    X(e->token), X(t ? t->parked : 0));
}
