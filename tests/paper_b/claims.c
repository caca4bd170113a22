/* What paper B's text states, beside what we find: one line a claim.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The paper defines neither its error nor its mean.  An error is that of the speed-up, per cent of
 * the measured one, or that of the time saved, in points of per cent; means are arithmetic and
 * geometric.  The worst of the four decides. */
#include "tests/paper_b/measure.h"
#include "tests/claims.h"
#include <math.h>
#include <string.h>

static const enum order_by theirs[] = { BY_SORTING, BY_GREEDY, BY_GREEDY_MAX };
enum { THEIRS = sizeof theirs / sizeof *theirs };

static unsigned of(const char *name)
{
    unsigned w = 0;
    while (strcmp(workloads[w].name, name))
        w++;
    return w;
}

/* ---- errors ---- */

struct means { double sum[2], log[2]; unsigned n; };

static void note(struct means *m, double speed, double saved)
{
    const double e[2] = { speed, saved };
    for (int k = 0; k < 2; k++) {
        m->sum[k] += e[k];
        m->log[k] += log(e[k] > 0.01 ? e[k] : 0.01);     /* a hundredth is exact enough */
    }
    m->n++;
}

struct error { double mean[2], geometric[2], worst; };

/* Of a metric on the compute-bound workloads, or on the others; of one (workload < workload_count)
 * or of all. */
static struct error error_of(const struct measured *m, enum metric which, bool memory_bound,
                             unsigned workload, bool lockstep)
{
    struct means s = { .n = 0 };
    struct error e = { .worst = 0 };
    for (unsigned w = 0; w < workload_count; w++)
        for (unsigned r = 0; r < RESIDENTS; r++)
            for (unsigned k = 0; k < THEIRS; k++) {
                double real = measured_speed(m, w, r, theirs[k], M_TIME, lockstep);
                if (workloads[w].memory_bound != memory_bound ||
                    (workload < workload_count && w != workload))
                    continue;
                if (real <= 0)
                    return (struct error){ .worst = INFINITY };
                note(&s, 100 * fabs(measured_speed(m, w, r, theirs[k], which, lockstep) / real - 1),
                     fabs(measured_saved(m, w, r, theirs[k], which, lockstep) -
                          measured_saved(m, w, r, theirs[k], M_TIME, lockstep)));
            }
    for (int k = 0; k < 2; k++) {
        e.mean[k] = s.n ? s.sum[k] / s.n : INFINITY;
        e.geometric[k] = s.n ? exp(s.log[k] / s.n) : INFINITY;
        e.worst = fmax(e.worst, fmax(e.mean[k], e.geometric[k]));
    }
    return e;
}

static void error_claim(struct claims *c, const char *name, const char *paper,
                        const struct error *e, bool ok)
{
    claim(c, "error", name, paper, ok,
          "%.1f%% (speed-up %.1f%% arithmetic; %.1f%% geometric; saved %.1f; %.1f points)",
          e->worst, e->mean[0], e->geometric[0], e->mean[1], e->geometric[1]);
}

static void error_claims(const struct measured *m, struct claims *c, bool lockstep)
{
    struct error weighted = error_of(m, M_WEIGHTED, false, workload_count, lockstep);
    struct error scheduled = error_of(m, M_SCHEDULED, false, workload_count, lockstep);
    struct error ours = error_of(m, M_OURS, false, workload_count, lockstep);
    struct error memory = error_of(m, M_SCHEDULED, true, workload_count, lockstep);
    error_claim(c, "weighted", "paper 12.7% (Table V)", &weighted, weighted.worst <= 12.7);
    error_claim(c, "scheduled", "paper 6.2% (Table V)", &scheduled, scheduled.worst <= 6.2);
    error_claim(c, "ours", "paper 6.2% (Table V)", &ours, ours.worst < 6.2);
    error_claim(c, "goal", "paper 6.2% (Table V); the goal is 3%", &ours, ours.worst <= 3);
    error_claim(c, "memory_bound", "paper worse than the five (Figure 10)", &memory,
                memory.worst > scheduled.worst);
}

/* ---- speed-ups ---- */

static double mean_speed(const struct measured *m, unsigned r, enum order_by by, double *geometric,
                         double *most, bool lockstep)
{
    double sum = 0, logs = 0;
    unsigned n = 0;
    *most = 0;
    for (unsigned w = 0; w < workload_count; w++) {
        double s = measured_speed(m, w, r, by, M_TIME, lockstep);
        if (s <= 0)
            return *geometric = 0;
        sum += s;
        logs += log(s);
        *most = fmax(*most, s);
        n++;
    }
    *geometric = exp(logs / n);
    return sum / n;
}

static void speed_claims(const struct measured *m, struct claims *c, bool lockstep)
{
    static const double mean[THEIRS] = { 1.7, 1.6, 2.2 }, most[THEIRS] = { 3.5, 2.7, 4.7 };
    for (unsigned r = 0; r < RESIDENTS; r++) {
        double got[THEIRS], high, geometric;
        char paper[64], name[32];
        for (unsigned k = 0; k < THEIRS; k++) {
            got[k] = mean_speed(m, r, theirs[k], &geometric, &high, lockstep);
            snprintf(name, sizeof name, "%s-%u", order_names[theirs[k]], residents[r]);
            snprintf(paper, sizeof paper, "paper %.1f times (Figure 9)", mean[k]);
            claim(c, "mean", name, paper, fmin(got[k], geometric) >= mean[k],
                  "%.2f times (geometric %.2f)", got[k], geometric);
            snprintf(paper, sizeof paper, "paper %.1f times (Figure 9)", most[k]);
            claim(c, "most", name, paper, high >= most[k], "%.2f times", high);
        }
        snprintf(name, sizeof name, "greedy-max-%u", residents[r]);
        claim(c, "best", name, "paper greedy-max is best (Figure 9)",
              got[2] > 0 && got[2] >= got[0] && got[2] >= got[1], "%.2f times beside %.2f and %.2f",
              got[2], got[0], got[1]);
    }
}

/* The most of both numbers of resident warps and all of the paper's orders. */
static double highest(const struct measured *m, const char *workload,
                      double (*f)(const struct measured *, unsigned, unsigned, enum order_by,
                                  enum metric, bool),
                      enum metric which, bool least, bool lockstep)
{
    double all = least ? INFINITY : -INFINITY;
    for (unsigned r = 0; r < RESIDENTS; r++)
        for (unsigned k = 0; k < THEIRS; k++) {
            double x = f(m, of(workload), r, theirs[k], which, lockstep);
            all = least ? fmin(all, x) : fmax(all, x);
        }
    return all;
}

static void little_claims(const struct measured *m, struct claims *c, bool lockstep)
{
    static const char *const little[] = { "mc", "sl", "sm" };
    for (unsigned k = 0; k < 3; k++) {
        double s = highest(m, little[k], measured_speed, M_TIME, false, lockstep);
        claim(c, little[k], "gain", "paper little (section VII-C)", s > 0 && s < 1.5,
              "%.2f times at most", s);
    }
}

static void prior_claims(const struct measured *m, struct claims *c, bool lockstep)
{
    double low = highest(m, "nw", measured_saved, M_TIME, true, lockstep),
           high = highest(m, "nw", measured_saved, M_TIME, false, lockstep);
    double warps = highest(m, "nw", measured_saved, M_WARPS, false, lockstep);
    claim(c, "nw", "divergent_warps", "paper 0% saved (Figure 7)", warps <= 5,
          "%.1f%% saved at most", warps);
    claim(c, "nw", "time", "paper about 70% saved (Figure 7)", low >= 60 && high <= 80,
          "%.1f%% to %.1f%% saved", low, high);
    low = highest(m, "sl", measured_saved, M_TIME, true, lockstep),
    high = highest(m, "sl", measured_saved, M_TIME, false, lockstep);
    double branches = highest(m, "sl", measured_saved, M_BRANCHES, false, lockstep);
    claim(c, "sl", "divergent_branches", "paper negative (Figure 7)", branches < 0,
          "%.1f%% saved at most", branches);
    claim(c, "sl", "time", "paper about 20% saved (Figure 7)", low >= 10 && high <= 30,
          "%.1f%% to %.1f%% saved", low, high);
}

/* ---- the rest ---- */

enum { FPGA_MHZ = 100 };

static void other_claims(const struct measured *m, struct claims *c)
{
    unsigned right = 0, dearer = 0, missed = 0, apart = 0;
    double host = 0, core = 0;
    for (unsigned w = 0; w < workload_count; w++)
        for (unsigned r = 0; r < RESIDENTS; r++) {
            const struct outcome *best = measured_get(m, w, r, BY_BEST),
                                 *max = measured_get(m, w, r, BY_GREEDY_MAX);
            const struct outcome *sorted = measured_get(m, w, r, BY_SORTING);
            host += sorted ? sorted->seconds : 0;
            core += sorted ? (double)sorted->count.cycles / (FPGA_MHZ * 1e6) : 0;
            dearer += !best || !max || best->p.weighted > max->p.weighted * (1 + 1e-9);
            bool far = max && max->p.weighted > 1.1 * max->bound;
            apart += far;
            missed += far && best && best->p.weighted > 0.95 * max->p.weighted;
        }
    for (unsigned i = 0; i < m->n; i++)
        right += m->run[i].o.right;
    claim(c, "all", "overhead", "paper very small (section VI-B)",
          core > 0 &&
                  host<0.05 * core, "sorting takes %.1f%% of the kernels' time at %d MHz", core> 0
              ? 100 * host / core
              : 0,
          FPGA_MHZ);
    claim(c, "best", "dearer", "paper has no such order", !dearer,
          "in %u of %u cases dearer than greedy-max", dearer, workload_count * RESIDENTS);
    claim(c, "best", "cheaper", "paper has no such order", !missed,
          "5%% cheaper in %u of %u cases where greedy-max is 10%% above the bound", apart - missed,
          apart);
    claim(c, "all", "memory", "paper says nothing", m->n && right == m->n,
          "the host's in %u of %u runs", right, m->n);
}

/* Counts without a run of the kernel.  The paper's blocks are those of the source, so the library's
 * do not count. */
static void count_claims(const struct measured *m, struct claims *c)
{
    const struct sliced *mc = &m->slice[of("mc")];
    unsigned exact = 0, cheap = 0, linear = 0;
    double least = INFINITY, most = 0;
    for (unsigned w = 0; w < workload_count; w++) {
        const struct sliced *s = &m->slice[w];
        exact += s->ran && s->error == 0;
        linear += s->ran && s->fit_own >= 0 && s->fit_own < 0.001;
        cheap += s->ran && s->share <= 0.5;
        least = fmin(least, 100 * s->share);
        most = fmax(most, 100 * s->share);
    }
    claim(
        c, "mc", "regression", "paper below 0.001 (section IV-A)",
        mc->fit_own >= 0 && mc->fit_own < 0.001,
        "mean square error %.4f by %u inputs (%.4f with blocks of the library; by the threads' own "
        "elements %.4f)",
        mc->fit_own, mc->inputs, mc->fit, m->fit);
    claim(
        c, "all", "slice", "paper has no such counts", exact == workload_count,
        "exact in %u of %u workloads (equation (1) by the same inputs: in %u), cheap in %u: "
        "%.1f%% to "
        "%.1f%% of the warp instructions",
        exact, workload_count, linear, cheap, least, most);
}

bool measured_claims(const struct measured *m, bool lockstep)
{
    struct claims c = { .paper = "paper-b", .yes = "ok" };
    error_claims(m, &c, lockstep);
    speed_claims(m, &c, lockstep);
    little_claims(m, &c, lockstep);
    prior_claims(m, &c, lockstep);
    count_claims(m, &c);
    other_claims(m, &c);
    bool known = claims_as_known(&c, PAPER_B_DIFFERS, lockstep ? "core" : "model");
    return h200_known("tests/paper_b/h200.csv") && known;
}
