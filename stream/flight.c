/* Instructions under way: they issue, write, access memory and retire.
 * SPDX-License-Identifier: Apache-2.0 */
#include "stream/monitor_state.h"

struct flight *hs_flight_of(struct warp *w, uint64_t n)
{
    for (unsigned k = 0; k < w->nflight; k++)
        if (w->flight[k].n == n && !w->flight[k].done)
            return &w->flight[k];
    return NULL;
}

/* An instruction has ended; what it wrote is remembered until all older ones have, too. */
static void done(struct warp *w, struct flight *f)
{
    unsigned k = 0;
    f->done = true;
    while (k < w->nflight && w->flight[k].done)
        k++;
    memmove(w->flight, w->flight + k, (w->nflight -= k) * sizeof *w->flight);
}

bool hs_flight_issue(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    const uint64_t idle = e->active & ~w->run, lost = w->run & ~e->active;
    const int lane = hs_lanes_other_pc(w, e->active, e->pc);
    if (!hs_check(m, HS_RULE_running, e->active, "warp %u issues at %llx without a lane", e->warp,
                  X(e->pc)) ||
        !hs_check(m, HS_RULE_running, !idle, "warp %u: lanes %llx issue at %llx, but do not run",
                  e->warp, X(idle), X(e->pc)) ||
        !hs_check(m, HS_RULE_running, !lost, "warp %u: lanes %llx run, but do not issue at %llx",
                  e->warp, X(lost), X(e->pc)) ||
        !hs_check(m, HS_RULE_running, !(e->exec & ~e->active),
                  "warp %u: lanes %llx execute at %llx, but do not issue", e->warp,
                  X(e->exec & ~e->active), X(e->pc)) ||
        !hs_check(m, HS_RULE_held, !(e->active & w->held),
                  "warp %u: lanes %llx issue at %llx, but wait at barrier %llu", e->warp,
                  X(e->active & w->held), X(e->pc), X(w->held_at)) ||
        !hs_check(m, HS_RULE_flow, lane < 0, "warp %u, lane %d issues at %llx, but goes on at %llx",
                  e->warp, lane, X(e->pc), X(w->pc[lane < 0 ? 0 : lane])) ||
        (w->numbered &&
         !hs_check(m, HS_RULE_order, e->n == w->next, "warp %u issues number %llu after %llu",
                   e->warp, X(e->n), X(w->next - 1))))
        return false;
    if (m->h->step)
        hs_lanes_set_pc(w, e->active, e->pc + m->h->step);
    else
        w->pc_known &= ~e->active;
    w->numbered = true;
    w->next = e->n + 1;
    w->quiet_from = e->cycle;
    w->last_pc = e->pc;
    m->instructions++;
    if (w->nflight == FLIGHT)
        return hs_break(
            m, HS_RULE_retire,
            "warp %u: %d instructions have not retired, the first is number %llu at %llx", e->warp,
            FLIGHT, X(w->flight[0].n), X(w->flight[0].pc));
    if (m->reported[HS_K_retire])
        w->flight[w->nflight++] = (struct flight){ .n = e->n, .pc = e->pc, .exec = e->exec };
    return true;
}

bool hs_flight_retire(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    struct flight *f = hs_flight_of(w, e->n);
    if (!hs_check(m, HS_RULE_retire, f != NULL,
                  "warp %u: number %llu retires, but is not under way", e->warp, X(e->n)) ||
        !hs_check(m, HS_RULE_retire, !(e->mask & f->got),
                  "warp %u: number %llu retires lanes %llx twice", e->warp, X(e->n),
                  X(e->mask & f->got)) ||
        !hs_check(m, HS_RULE_retire, !(e->mask & ~f->exec),
                  "warp %u: number %llu retires lanes %llx, which did not execute it", e->warp,
                  X(e->n), X(e->mask & ~f->exec)))
        return false;
    if (!f)
        return true; /* issues are not reported */
    f->got |= e->mask;
    if (!e->last)
        return true;
    if (!hs_check(m, HS_RULE_retire, f->got == f->exec,
                  "warp %u: number %llu at %llx ends without lanes %llx", e->warp, X(e->n),
                  X(f->pc), X(f->exec & ~f->got)) ||
        (f->accessed &&
         !hs_check(m, HS_RULE_access, f->touched == f->exec,
                   "warp %u: number %llu at %llx: lanes %llx execute it, %llx access memory",
                   e->warp, X(e->n), X(f->pc), X(f->exec), X(f->touched))))
        return false;
    done(w, f);
    return true;
}

/* Not after a younger instruction has written the same register in the same lanes. */
bool hs_flight_write(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    struct flight *f = hs_flight_of(w, e->n);
    if (!f)
        return true; /* retirement is not reported */
    if (!hs_check(m, HS_RULE_writes, !(e->mask & ~f->exec),
                  "warp %u: number %llu writes register %u in lanes %llx, which do not execute it",
                  e->warp, X(e->n), e->reg, X(e->mask & ~f->exec)))
        return false;
    for (const struct flight *y = f + 1; y < w->flight + w->nflight; y++)
        for (unsigned k = 0; k < y->nregs; k++)
            if (y->reg[k] == e->reg && (y->wrote[k] & e->mask))
                return hs_break(m, HS_RULE_writes,
                                "warp %u: number %llu writes register %u after number %llu has",
                                e->warp, X(e->n), e->reg, X(y->n));
    hs_count(m, HS_RULE_writes);
    for (unsigned k = 0; k < f->nregs; k++)
        if (f->reg[k] == e->reg)
            return f->wrote[k] |= e->mask, true;
    if (f->nregs < REGS) {
        f->reg[f->nregs] = e->reg;
        f->wrote[f->nregs++] = e->mask;
    }
    return true;
}

bool hs_flight_access(struct hs_monitor *m, struct warp *w, const struct hs_event *e)
{
    struct flight *f = hs_flight_of(w, e->n);
    if (!m->reported[HS_K_retire])
        return true;
    if (!hs_check(m, HS_RULE_access, f != NULL,
                  "warp %u: number %llu accesses memory, but is not under way", e->warp, X(e->n)) ||
        !hs_check(m, HS_RULE_access, !(e->mask & ~f->exec),
                  "warp %u: number %llu: lanes %llx access memory, but do not execute it", e->warp,
                  X(e->n), X(e->mask & ~f->exec)) ||
        !hs_check(m, HS_RULE_access, !(e->mask & f->touched),
                  "warp %u: number %llu: lanes %llx access memory twice", e->warp, X(e->n),
                  X(e->mask & f->touched)))
        return false;
    if (!f)
        return true;
    f->touched |= e->mask;
    f->accessed = true;
    return true;
}
