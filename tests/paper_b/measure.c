/* Runs the list of measurements.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/measure.h"
#include "harness/silicon/silicon.h"
#include <stdlib.h>
#include <string.h>

const unsigned residents[RESIDENTS] = { 32, 8 };
const float sigmas[SIGMAS] = { 0.0f, 0.2f, 0.4f, 0.6f, 0.8f, 1.0f };
const char *const metric_names[METRICS] = { "time", "weighted",        "scheduled",
                                            "ours", "divergent-warps", "divergent-branches" };
static const char swept[] = "nw";

struct work { struct measured *m; bool lockstep; };

static void job(void *user, unsigned i)
{
    const struct work *k = user;
    struct measurement *run = &k->m->run[i];
    const struct workload *w = &workloads[run->workload];
    struct problem p = { 0 };
    if (run->sigma >= 0)
        nw_with(&p, SIZE_RTL, sigmas[run->sigma]);
    else
        w->make(&p, SIZE_RTL);
    run->o = workload_run(w, &p, run->by, residents[run->resident], k->lockstep && run->sigma < 0);
    problem_free(&p);
}

static void add(struct measured *m, unsigned workload, unsigned resident, int sigma,
                enum order_by by)
{
    m->run[m->n++] = (struct measurement){
        .workload = workload, .resident = resident, .sigma = sigma, .by = by
    };
}

/* Counts without a run: of every workload, and of mc by its threads' own elements.  32 threads are
 * mc's first block. */
static void predict_counts(struct measured *m)
{
    for (unsigned w = 0; w < workload_count && w < MOST_WORKLOADS; w++) {
        struct problem p = { 0 };
        workloads[w].make(&p, SIZE_RTL);
        m->slice[w] = workload_slice(&workloads[w], &p, 32);
        if (!strcmp(workloads[w].name, "mc"))
            m->fit = workload_fit(&workloads[w], &p, 32);
        problem_free(&p);
    }
}

struct measured *measure_all(bool lockstep)
{
    struct work k = { shared_alloc(sizeof(struct measured)), lockstep };
    if (!k.m)
        return NULL;
    for (unsigned w = 0; w < workload_count; w++) {
        for (unsigned r = 0; r < RESIDENTS; r++)
            for (unsigned by = 0; by < BY_COUNT; by++)
                add(k.m, w, r, -1, (enum order_by)by);
        for (int s = 0; !strcmp(workloads[w].name, swept) && s < SIGMAS; s++)
            for (unsigned by = 0; by < BY_COUNT; by++)
                add(k.m, w, 0, s, (enum order_by)by);
    }
    jobs_run("paper_b", k.m->n, job, &k);
    predict_counts(k.m);
    return k.m;
}

void measured_free(struct measured *m) { shared_free(m, sizeof *m); }

static const struct outcome *get(const struct measured *m, int workload, unsigned resident,
                                 int sigma, enum order_by by)
{
    for (const struct measurement *r = m->run; r < m->run + m->n; r++)
        if (r->by == by && r->sigma == sigma && r->resident == resident &&
            (workload < 0 || r->workload == (unsigned)workload))
            return r->o.ran ? &r->o : NULL;
    return NULL;
}

const struct outcome *measured_get(const struct measured *m, unsigned workload, unsigned resident,
                                   enum order_by by)
{
    return get(m, (int)workload, resident, -1, by);
}

const struct outcome *measured_sigma(const struct measured *m, int sigma, enum order_by by)
{
    return get(m, -1, 0, sigma, by);
}

double outcome_metric(const struct outcome *o, enum metric which, bool lockstep)
{
    switch (which) {
    case M_TIME: return (double)o->count.cycles;
    case M_WEIGHTED: return o->p.weighted;
    case M_SCHEDULED: return o->p.scheduled;
    case M_OURS: return lockstep ? o->p.units : o->p.inside;      /* the model's units never wait */
    case M_WARPS: return o->p.divergent_warps;
    default: return (double)o->count.divergent_branches;
    }
}

double measured_speed(const struct measured *m, unsigned workload, unsigned resident,
                      enum order_by by, enum metric which, bool lockstep)
{
    const struct outcome *o = measured_get(m, workload, resident, by),
                         *first = measured_get(m, workload, resident, BY_ORIGINAL);
    double now = o ? outcome_metric(o, which, lockstep) : 0;
    return now > 0 && first ? outcome_metric(first, which, lockstep) / now : 0;
}

double measured_saved(const struct measured *m, unsigned workload, unsigned resident,
                      enum order_by by, enum metric which, bool lockstep)
{
    const struct outcome *o = measured_get(m, workload, resident, by),
                         *first = measured_get(m, workload, resident, BY_ORIGINAL);
    double was = first ? outcome_metric(first, which, lockstep) : 0;
    return was > 0 && o ? 100 * (1 - outcome_metric(o, which, lockstep) / was) : 0;
}
