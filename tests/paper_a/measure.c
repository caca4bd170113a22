/* Runs the list of measurements.
 * SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"
#include "harness/silicon/silicon.h"
#include <stdlib.h>
#include <string.h>

const struct placement placements[PLACEMENTS] = {
    [AS_OFF] = { "off", (const char *const[]){ "--predict", "off", NULL } },
    [AS_USER] = { "user",
                  (const char *const[]){ "--predict", "user", "--deconflict", "dynamic", NULL } },
    [AS_STATIC] = { "static",
                    (const char *const[]){ "--predict", "user", "--deconflict", "static", NULL } },
    [AS_PROFILE] = { "profile", (const char *const[]){ "-D", "PA_UNMARKED", "--profile",
                                                       NULL } }, /* and its path */
    [AS_AUTO] = { "auto", (const char *const[]){ "--predict", "auto", "-D", "PA_UNMARKED", NULL } },
};
const unsigned thresholds[THRESHOLDS] = { 2, 4, 8, 16, 24, 32 };
static const char *const swept[] = { "pathtracer", "xsbench" };          /* Figure 9 */

struct work { struct measured *m; const char *folder; bool lockstep; };

static struct outcome run_soft(const struct workload *w, const struct problem *p,
                               unsigned threshold, bool lockstep)
{
    char value[12], name[32];
    const char *const soft[] = { "--predict", "user", "--deconflict", "dynamic", "--soft",
                                 value,       NULL };
    snprintf(value, sizeof value, "%u", threshold);
    snprintf(name, sizeof name, "threshold %u", threshold);
    return workload_run(w, p, &(struct placement){ name, soft }, lockstep);
}

static void job(void *user, unsigned i)
{
    const struct work *k = user;
    struct measurement *run = &k->m->run[i];
    const struct workload *w = &workloads[run->workload];
    struct problem p = { 0 };
    char path[512];
    const char *const *o = placements[AS_PROFILE].options, *const by_profile[] = { o[0], o[1], o[2],
                                                                                   path, NULL };
    snprintf(path, sizeof path, "%s/%s.json", k->folder, w->name);
    w->make(&p, SIZE_RTL);
    if (run->placement >= PLACEMENTS)
        run->o = run_soft(w, &p, thresholds[run->placement - PLACEMENTS], k->lockstep);
    else if (run->placement == AS_PROFILE)
        run->o = workload_run(w, &p, &(struct placement){ placements[AS_PROFILE].name, by_profile },
                              k->lockstep);
    else
        run->o = workload_run(w, &p, &placements[run->placement], k->lockstep);
    problem_free(&p);
}

static void add(struct measured *m, unsigned workload, unsigned placement)
{
    m->run[m->n++] = (struct measurement){ .workload = workload, .placement = placement };
}

struct measured *measure_all(const char *folder, bool lockstep)
{
    struct work k = { shared_alloc(sizeof(struct measured)), folder, lockstep };
    if (!k.m)
        return NULL;
    for (unsigned w = 0; w < workload_count; w++) {
        for (unsigned p = 0; p < PLACEMENTS; p++)
            add(k.m, w, p);
        for (unsigned s = 0; s < sizeof swept / sizeof *swept; s++)
            for (unsigned t = 0; !strcmp(workloads[w].name, swept[s]) && t < THRESHOLDS; t++)
                add(k.m, w, PLACEMENTS + t);
    }
    jobs_run("paper_a", k.m->n, job, &k);
    return k.m;
}

unsigned measure_fastest(const char *workload)
{
    unsigned best = 0;
    uint64_t least = UINT64_MAX;
    for (const struct workload *w = workloads; w < workloads + workload_count; w++) {
        if (strcmp(w->name, workload))
            continue;
        struct problem p = { 0 };
        w->make(&p, SIZE_MODEL);
        for (unsigned t = 0; t < THRESHOLDS; t++) {
            struct outcome o = run_soft(w, &p, thresholds[t], false);
            if (o.right && o.count.cycles <= least)
                best = thresholds[t], least = o.count.cycles;
        }
        problem_free(&p);
    }
    return best;
}

void measured_free(struct measured *m)
{
    shared_free(m, sizeof *m);
}

const struct outcome *measured_get(const struct measured *m, const char *workload,
                                   unsigned placement)
{
    for (const struct measurement *r = m->run; r < m->run + m->n; r++)
        if (r->placement == placement && !strcmp(workloads[r->workload].name, workload))
            return r->o.ran ? &r->o : NULL;
    return NULL;
}

double measured_efficiency(const struct measured *m, const char *workload, unsigned placement)
{
    const struct outcome *with = measured_get(m, workload, placement),
                         *off = measured_get(m, workload, AS_OFF);
    return with && off ? outcome_efficiency(with) / outcome_efficiency(off) : 0;
}

double measured_speed(const struct measured *m, const char *workload, unsigned placement)
{
    const struct outcome *with = measured_get(m, workload, placement),
                         *off = measured_get(m, workload, AS_OFF);
    return with && off ? (double)off->count.cycles / (double)with->count.cycles : 0;
}
