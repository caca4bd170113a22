/* The monitor: which rule looks at which event.  What each says is in rules.def.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include "stream/monitor_state.h"

const char *const hs_rule_name[HS_RULES] = {
#define RULE(name, needs, sentence) #name,
#include "stream/rules.def"
#undef RULE
};
const char *const hs_rule_sentence[HS_RULES] = {
#define RULE(name, needs, sentence) sentence,
#include "stream/rules.def"
#undef RULE
};
const char *const hs_rule_needs[HS_RULES] = {
#define RULE(name, needs, sentence) needs,
#include "stream/rules.def"
#undef RULE
};

bool hs_break(struct hs_monitor *m, enum hs_rule rule, const char *fmt, ...)
{
    va_list ap;
    if (m->is_broken)
        return false;
    m->is_broken = true;
    m->broken_rule = rule;
    va_start(ap, fmt);
    vsnprintf(m->broken, sizeof m->broken, fmt, ap);
    va_end(ap);
    return false;
}

static void begin(struct hs_monitor *m)
{
    hs_values_forget(m);
    memset(m->warp, 0, m->h->warps * sizeof *m->warp);
    m->nbarriers = 0;
    m->faulted = false;
    m->running = true;
}

/* Every warp that could issue, now and then. */
static bool progress(struct hs_monitor *m, uint64_t cycle)
{
    if (cycle < m->look_at)
        return true;
    m->look_at = cycle + m->quiet / 4 + 1;
    for (unsigned k = 0; k < m->h->warps; k++) {
        const struct warp *w = &m->warp[k];
        if (w->run && !(w->run & w->held) &&
            !hs_check(
                m, HS_RULE_progress, cycle <= w->quiet_from + m->quiet,
                "warp %u has running lanes %llx, and has not issued for %llu cycles (since %llu)",
                k, X(w->run), X(cycle - w->quiet_from), X(w->quiet_from)))
            return false;
    }
    return true;
}

bool hs_monitor_add(struct hs_monitor *m, const struct hs_event *e)
{
    struct warp *w = &m->warp[e->warp < m->h->warps ? e->warp : 0];
    m->event++;
    if (e->kind == HS_RUN)
        return begin(m), true;
    if (!m->running && e->kind != HS_FINISH)
        begin(m);
    if (!progress(m, e->cycle))
        return false;
    switch (e->kind) {
    case HS_K_start: return hs_lanes_start(m, w, e);
    case HS_K_issue: return hs_flight_issue(m, w, e);
    case HS_K_retire: return hs_flight_retire(m, w, e);
    case HS_K_write: return hs_flight_write(m, w, e) && hs_values_write(m, w, e);
    case HS_K_read: return hs_values_read(m, w, e);
    case HS_K_mem: return hs_flight_access(m, w, e) && hs_values_memory(m, w, e);
    case HS_K_next: {
        const uint64_t wrong = e->mask & ~w->run;
        if (!hs_check(m, HS_RULE_place, !wrong,
                      "warp %u: lanes %llx go on at %llx, of which %llx do not run", e->warp,
                      X(e->mask), X(e->pc), X(wrong)))
            return false;
        hs_lanes_set_pc(w, e->mask, e->pc);
        return true;
    }
    case HS_K_end: return hs_lanes_leave(m, w, e, "end");
    case HS_K_park: return hs_lanes_leave(m, w, e, "park") && hs_lanes_park(m, w, e, e->token);
    case HS_K_wake: return hs_lanes_wake(m, w, e);
    case HS_K_move: return hs_lanes_unpark(m, w, e, "leave") && hs_lanes_park(m, w, e, e->to);
    case HS_K_close: return hs_lanes_closed(m, w, e);
    case HS_K_arrive: return hs_barrier_arrive(m, w, e);
    case HS_K_release: return hs_barrier_release(m, e);
    case HS_K_fault: m->faulted = true; return true;
    case HS_K_finish: return hs_run_finish(m, e);
    default: return true;
    }
}

bool hs_monitor_end(struct hs_monitor *m)
{
    return m->is_broken || !m->reported[HS_K_finish] ||
           hs_check(m, HS_RULE_ended, !m->running, "the last run has no end: no event `finish'");
}

/* The name of the next kind in a list of needs, of *n letters; NULL: no more. */
static const char *need(const char **at, size_t *n, bool *any)
{
    const char *s = *at + strspn(*at, " ");
    *any = *s == '+';
    *n = strcspn(s += *any, " ");
    *at = s + *n;
    return *n ? s : NULL;
}

/* Which kind has that name. */
static unsigned kind_of(const char *name, size_t n)
{
    unsigned k = 1;
    while (k < HS_KINDS && (strlen(hs_kind_name(k)) != n || memcmp(hs_kind_name(k), name, n)))
        k++;
    return k;
}

/* Why a rule can say nothing of this core: a kind that it needs is not reported, or two are taken
 * from one place. */
static void find_empty(struct hs_monitor *m, enum hs_rule rule)
{
    char *to = m->empty[rule];
    const size_t room = sizeof m->empty[rule];
    size_t n, used = 0;
    bool any;
    unsigned first = HS_KINDS;
    for (const char *at = hs_rule_needs[rule], *s; (s = need(&at, &n, &any));) {
        const unsigned k = kind_of(s, n);
        if (k == HS_KINDS || m->reported[k])
            continue;
        used += (size_t)snprintf(to + used, room - used, "%s`%s'", m->silent[rule] ? ", " : "",
                                 hs_kind_name(k));
        m->silent[rule] = true;
    }
    if (m->silent[rule]) {
        snprintf(to + used, room - used, " %s not reported", strchr(to, ',') ? "are" : "is");
        return;
    }
    for (const char *at = hs_rule_needs[rule], *s; (s = need(&at, &n, &any));) {
        const unsigned k = any ? HS_KINDS : kind_of(s, n);
        if (k == HS_KINDS)
            continue;
        if (first < HS_KINDS && !strcmp(m->h->place[first], m->h->place[k])) {
            snprintf(to, room, "`%s' and `%s' are both taken from `%s'", hs_kind_name(first),
                     hs_kind_name(k), m->h->place[k]);
            return;
        }
        first = first == HS_KINDS ? k : first;
    }
    if (rule == HS_RULE_loads && !m->h->ordered_memory)
        snprintf(to, room, "memory is not reported in order");
}

struct hs_monitor *hs_monitor_open(const struct hs_header *h, uint64_t quiet)
{
    struct hs_monitor *m = calloc(1, sizeof *m);
    if (!m || !(m->warp = calloc(h->warps, sizeof *m->warp)))
        return free(m), NULL;
    m->h = h;
    m->quiet = quiet;
    for (unsigned k = 0; k < HS_KINDS; k++)
        m->reported[k] = *h->place[k];
    for (unsigned k = 0; k < HS_RULES; k++)
        find_empty(m, k);
    return m;
}

void hs_monitor_close(struct hs_monitor *m)
{
    if (!m)
        return;
    hs_values_forget(m);
    free(m->warp);
    free(m->cell);
    free(m);
}

const char *hs_broken(const struct hs_monitor *m, enum hs_rule *rule)
{
    *rule = m->broken_rule;
    return m->is_broken ? m->broken : NULL;
}
uint64_t hs_instructions(const struct hs_monitor *m) { return m->instructions; }
uint64_t hs_checks(const struct hs_monitor *m, enum hs_rule rule) { return m->checks[rule]; }

const char *hs_empty(const struct hs_monitor *m, enum hs_rule rule)
{
    return *m->empty[rule]             ? m->empty[rule]
           : m->checks[rule]           ? NULL
           : rule == HS_RULE_progress ? "no run is as long as a quarter of --quiet"
                                       : "nothing of it came";
}
