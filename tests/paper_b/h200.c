/* The claims on a GPU, from what the recipe in tests/paper_b/h200 has measured there.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/paper_b/h200_rows.h"
#include "tests/claims.h"
#include <math.h>
#include <string.h>

static const char *const theirs[] = { "sorting", "greedy", "greedy-max" };
enum { THEIRS = sizeof theirs / sizeof *theirs };

struct mean { double sum, logs, most, least; unsigned n; };

static void note(struct mean *m, double x)
{
    m->most = m->n ? fmax(m->most, x) : x;
    m->least = m->n ? fmin(m->least, x) : x;
    m->sum += x;
    m->logs += log(fmax(x, 0.01));               /* a hundredth is exact enough for an error */
    m->n++;
}

static double arithmetic(const struct mean *m) { return m->n ? m->sum / m->n : 0; }
static double geometric(const struct mean *m) { return m->n ? exp(m->logs / m->n) : 0; }

/* Errors of a metric over the five or the two: of the speed-up in per cent of it, and of what is
 * saved in points. */
static void errors_of(const struct file *f, unsigned metric, bool memory_bound, struct mean e[2])
{
    e[0] = e[1] = (struct mean){ .n = 0 };
    for (unsigned w = 0; w < workload_count; w++)
        for (unsigned k = 0; k < THEIRS && workloads[w].memory_bound == memory_bound; k++) {
            const struct row *o = original(f, workloads[w].name),
                             *r = fastest(f, workloads[w].name, theirs[k]);
            if (!o || !r || o->predicted[metric] <= 0 || r->predicted[metric] <= 0)
                continue;
            double real = o->time / r->time, guess = o->predicted[metric] / r->predicted[metric];
            note(&e[0], 100 * fabs(guess / real - 1));
            note(&e[1], 100 * fabs(1 / guess - 1 / real));
        }
}

static double worst(const struct mean e[2])
{
    return fmax(fmax(arithmetic(&e[0]), geometric(&e[0])),
                fmax(arithmetic(&e[1]), geometric(&e[1])));
}

/* Of one workload, or of all where it is NULL. */
static struct mean speeds(const struct file *f, const char *workload, const char *order)
{
    struct mean m = { .n = 0 };
    for (unsigned w = 0; w < workload_count; w++) {
        const struct row *o = original(f, workloads[w].name),
                         *r = fastest(f, workloads[w].name, order);
        if (o && r && (!workload || !strcmp(workload, workloads[w].name)))
            note(&m, o->time / r->time);
    }
    return m;
}

static void error_claims(struct claims *c, const struct file *f)
{
    static const char *const metrics[] = { "weighted", "scheduled", "ours" };
    static const double error[] = { 12.7, 6.2, 6.2 };
    struct mean e[2], memory[2];
    char paper[64], name[32];
    for (unsigned k = 0; k < 3; k++) {
        errors_of(f, k, false, e);
        snprintf(paper, sizeof paper, "paper %.1f%% (Table V)", error[k]);
        snprintf(name, sizeof name, "error-%s", metrics[k]);
        claim(
            c, "h200", name, paper, e->n && (k < 2 ? worst(e) <= error[k] : worst(e) < error[k]),
            "%.1f%% (speed-up %.1f%% arithmetic; %.1f%% geometric; saved %.1f; %.1f points; "
            "%u orders)",
            worst(e), arithmetic(&e[0]), geometric(&e[0]), arithmetic(&e[1]), geometric(&e[1]),
            e->n);
    }
    errors_of(f, 1, false, e);
    errors_of(f, 1, true, memory);
    claim(c, "h200", "memory-bound", "paper worse than the five (Figure 10)",
          e->n && memory->n && worst(memory) > worst(e), "%.1f%%", worst(memory));
}

static void speed_claims(struct claims *c, const struct file *f)
{
    static const double mean[] = { 1.7, 1.6, 2.2 }, most[] = { 3.5, 2.7, 4.7 };
    struct mean m[THEIRS];
    char paper[64], name[32];
    for (unsigned k = 0; k < THEIRS; k++) {
        m[k] = speeds(f, NULL, theirs[k]);
        snprintf(paper, sizeof paper, "paper %.1f times, at most %.1f (Figure 9)", mean[k],
                 most[k]);
        snprintf(name, sizeof name, "speed-%s", theirs[k]);
        claim(c, "h200", name, paper,
              fmin(arithmetic(&m[k]), geometric(&m[k])) >= mean[k] && m[k].most >= most[k],
              "%.2f times (geometric %.2f), at most %.2f, of %u of %u workloads", arithmetic(&m[k]),
              geometric(&m[k]), m[k].most, m[k].n, workload_count);
    }
    claim(c, "h200", "best", "paper greedy-max is best (Figure 9)",
          m[2].n && arithmetic(&m[2]) >= arithmetic(&m[0]) &&
              arithmetic(&m[2]) >= arithmetic(&m[1]),
          "%.2f times beside %.2f and %.2f", arithmetic(&m[2]), arithmetic(&m[0]),
          arithmetic(&m[1]));
    m[0] = speeds(f, NULL, "best");
    claim(c, "h200", "ours", "paper has no such order",
          m[0].n && arithmetic(&m[0]) >= arithmetic(&m[2]),
          "%.2f times (geometric %.2f), at most %.2f", arithmetic(&m[0]), geometric(&m[0]),
          m[0].most);
}

/* The paper's orders on one workload; .n 0: it was not measured. */
static struct mean all_theirs(const struct file *f, const char *workload)
{
    struct mean all = { .n = 0 };
    for (unsigned k = 0; k < THEIRS; k++) {
        struct mean m = speeds(f, workload, theirs[k]);
        if (m.n)
            note(&all, m.most);
    }
    return all;
}

static void workload_claims(struct claims *c, const struct file *f)
{
    static const char *const little[] = { "mc", "sl", "sm" };
    static const struct {
        const char *workload, *paper;
        double low, high;
    } saved[] = { { "nw", "paper about 70% saved (Figure 7)", 60, 80 },
                  { "sl", "paper about 20% saved (Figure 7)", 10, 30 } };
    char name[32];
    for (unsigned k = 0; k < 3; k++) {
        struct mean m = all_theirs(f, little[k]);
        snprintf(name, sizeof name, "%s-gain", little[k]);
        claim(c, "h200", name, "paper little (section VII-C)", m.n && m.most < 1.5,
              "%.2f times at most", m.most);
    }
    for (unsigned k = 0; k < 2; k++) {
        struct mean m = all_theirs(f, saved[k].workload);
        double low = m.n ? 100 * (1 - 1 / m.least) : 0, high = m.n ? 100 * (1 - 1 / m.most) : 0;
        snprintf(name, sizeof name, "%s-time", saved[k].workload);
        claim(c, "h200", name, saved[k].paper, m.n && low >= saved[k].low && high <= saved[k].high,
              "%.1f%% to %.1f%% saved", low, high);
    }
}

/* Of the paper's orders: per cent saved, by our model's counts on the same input, which the GPU was
 * not asked for. */
static struct mean counts_saved(const struct file *f, const char *workload, bool branches)
{
    const struct counts *o = counted(f, workload, "original");
    double was = !o ? 0 : branches ? o->branches : o->warps;
    struct mean m = { .n = 0 };
    for (unsigned k = 0; k < THEIRS; k++) {
        const struct counts *r = counted(f, workload, theirs[k]);
        if (r && was > 0)
            note(&m, 100 * (1 - (branches ? r->branches : r->warps) / was));
    }
    return m;
}

/* Nothing is printed of what was not counted. */
static void count_claims(struct claims *c, const struct file *f)
{
    struct mean warps = counts_saved(f, "nw", false), branches = counts_saved(f, "sl", true);
    if (warps.n)
        claim(c, "h200", "nw-divergent-warps", "paper 0% saved (Figure 7)", warps.most <= 5,
              "%.1f%% saved at most, by our model's counts", warps.most);
    if (branches.n)
        claim(c, "h200", "sl-divergent-branches", "paper negative (Figure 7)", branches.most < 0,
              "%.1f%% saved at most, by our model's counts", branches.most);
}

/* Our order by its weighted cost, and what is possible: a bound is that of all orders. */
static void cost_claims(struct claims *c, const struct file *f)
{
    unsigned cases = 0, dearer = 0, bounds = 0, far = 0, missed = 0;
    for (unsigned w = 0; w < workload_count; w++) {
        const char *name = workloads[w].name;
        const struct row *best = find(f, name, "redirect", "best"),
                         *max = find(f, name, "redirect", "greedy-max");
        const struct counts *k = counted(f, name, "original");
        if (!best || !max || best->predicted[0] <= 0 || max->predicted[0] <= 0)
            continue;
        cases++;
        dearer += best->predicted[0] > max->predicted[0];
        bounds += k != NULL;
        far += k && max->predicted[0] > 1.1 * k->bound;
        missed += k && max->predicted[0] > 1.1 * k->bound &&
                  best->predicted[0] > 0.95 * max->predicted[0];
    }
    claim(c, "h200", "best-dearer", "paper has no such order", cases && !dearer,
          "in %u of %u cases dearer than greedy-max", dearer, cases);
    if (bounds)
        claim(c, "h200", "best-cheaper", "paper has no such order", !missed,
              "5%% cheaper in %u of %u cases where greedy-max is 10%% above the bound, "
              "of %u workloads with one",
              far - missed, far, bounds);
}

/* Prediction and order while the batch before runs: what is gained with them in the time. */
static void pipeline_claim(struct claims *c, const struct file *f)
{
    struct mean m = { .n = 0 }, host = { .n = 0 };
    for (unsigned w = 0; w < workload_count; w++) {
        const char *name = workloads[w].name;
        const struct row *o = find(f, name, "pipe-none", "original"),
                         *a = find(f, name, "pipe-layout", "sorting");
        const struct row *b = find(f, name, "pipe-redirect", "sorting"),
                         *r = !a || (b && b->time < a->time) ? b : a;
        if (!o || !r)
            continue;
        note(&m, o->time / r->time);
        note(&host, 100 * r->host / r->time);
    }
    claim(c, "h200", "pipeline", "paper's times include both (section VI-B)",
          m.n && arithmetic(&m) > 1,
          "%.2f times (%.2f to %.2f), the host busy for %.0f%% of the time, of %u of %u workloads",
          arithmetic(&m), m.least, m.most, arithmetic(&host), m.n, workload_count);
}

/* What `--apply auto' chose for best, where the recipe has asked: as fast as the faster of the
 * choices, or nearly. */
static void auto_claim(struct claims *c, const struct file *f)
{
    static const char *const choices[] = { "auto-none", "auto-redirect", "auto-layout" };
    struct mean gained = { .n = 0 };
    unsigned good = 0, applied = 0;
    for (unsigned w = 0; w < workload_count; w++)
        for (unsigned k = 0; k < 3; k++) {
            const struct row *a = find(f, workloads[w].name, choices[k], "best"),
                             *o = original(f, workloads[w].name);
            const struct row *r = fastest(f, workloads[w].name, "best");
            if (!a || !o || !r)
                continue;
            note(&gained, o->time / a->time);
            good += a->time < 1.05 * fmin(o->time, r->time);
            applied += k > 0;
        }
    if (gained.n)
        claim(c, "h200", "auto", "regrouping is off where it does not pay", good == gained.n,
              "right for %u of %u workloads, applied in %u: %.2f times (geometric %.2f)", good,
              gained.n, applied, arithmetic(&gained), geometric(&gained));
}

/* The same kernels through nvcc, redirected by our pass. */
static void nvcc_claim(struct claims *c, const struct file *f)
{
    struct mean theirs_by = { .n = 0 }, ours_by = { .n = 0 };
    for (unsigned w = 0; w < workload_count; w++) {
        const char *name = workloads[w].name;
        const struct row *from = find(f, name, "nvcc", "original"),
                         *to = find(f, name, "nvcc-redirect", "best");
        const struct row *o = original(f, name), *r = find(f, name, "redirect", "best");
        if (!from || !to || !o || !r)
            continue;
        note(&theirs_by, from->time / to->time);
        note(&ours_by, o->time / r->time);
    }
    claim(
        c, "h200", "nvcc", "paper's compiler",
        theirs_by.n && fabs(arithmetic(&theirs_by) / arithmetic(&ours_by) - 1) < 0.2,
        "best redirected gains %.2f times by nvcc's PTX and %.2f by clang's, of %u of %u workloads",
        arithmetic(&theirs_by), arithmetic(&ours_by), theirs_by.n, workload_count);
}

static void measured(struct claims *c, const struct file *f)
{
    unsigned right = 0;
    double share = 0;
    error_claims(c, f);
    speed_claims(c, f);
    workload_claims(c, f);
    count_claims(c, f);
    cost_claims(c, f);
    auto_claim(c, f);
    pipeline_claim(c, f);
    nvcc_claim(c, f);
    for (unsigned k = 0; k < f->n; k++) {
        right += f->row[k].right == 1;
        share = fmax(share, strncmp(f->row[k].mechanism, "pipe", 4) || f->row[k].host <= 0
                                ? 0
                                : 100 * f->row[k].host / f->row[k].time);
    }
    claim(c, "h200", "overhead", "paper very small (section VI-B)", share < 5,
          "prediction and sorting take at most %.1f%% of a pipeline's time", share);
    claim(c, "h200", "memory", "paper says nothing", f->n && right == f->n,
          "the host's in %u of %u rows", right, f->n);
}

bool h200_claims(struct claims *c, const char *path)
{
    struct file f = { .n = 0 };
    FILE *in = fopen(path, "r");
    if (!in) {
        printf(
            "paper-b: h200, NOT RUN: there is no %s; tests/paper_b/h200/README.md says how to "
            "make it\n",
            path);
        return true;
    }
    bool ok = rows_read(&f, in, path);
    fclose(in);
    if (ok)
        measured(c, &f);
    return ok;
}

bool h200_known(const char *path)
{
    struct claims c = { .paper = "paper-b", .yes = "ok" };
    return h200_claims(&c, path) && (!c.n || claims_as_known(&c, PAPER_B_DIFFERS, "h200"));
}

/* ---- the page's table, and the figure's columns ---------------------------------------------- */

static const char *const all_orders[] = { "sorting", "greedy", "greedy-max", "best" };
enum { ORDERS = sizeof all_orders / sizeof *all_orders };

/* Of the weighted cost that the bound leaves to be saved. */
static void write_share(const struct row *o, const struct row *best, const struct counts *k,
                        FILE *table)
{
    double possible = k ? o->predicted[0] - k->bound : 0;
    if (possible > 0)
        fprintf(table, " %.0f%% |\n", 100 * (o->predicted[0] - best->predicted[0]) / possible);
    else
        fprintf(table, " - |\n");
}

static void write_row(const struct file *f, const char *workload, FILE *table, FILE *columns)
{
    const struct row *o = original(f, workload), *best = fastest(f, workload, "best"),
                     *from = find(f, workload, "nvcc", "original");
    if (!o || !best)
        return;
    fprintf(table, "| %s | %s | %.0f |", workload,
            !strcmp(best->mechanism, "layout") ? "layout" : "redirection", o->time);
    fprintf(columns, "%s", workload);
    for (unsigned k = 0; k < ORDERS; k++) {
        const struct row *r = fastest(f, workload, all_orders[k]);
        fprintf(table, " %.2f |", r ? o->time / r->time : 0);
        fprintf(columns, " %.4f", r ? o->time / r->time : 0);
    }
    for (unsigned k = 0; k < 3; k++)
        fprintf(table, " %.2f |",
                best->predicted[k] > 0 ? o->predicted[k] / best->predicted[k] : 0);
    const struct row *to = find(f, workload, "nvcc-redirect", "best");
    fprintf(table, " %.2f |", from && to ? from->time / to->time : 0);
    write_share(o, best, counted(f, workload, "original"), table);
    fprintf(columns, " %.4f\n", from && to ? from->time / to->time : 0);
}

bool h200_write(const char *path, const char *folder)
{
    char name[2][512];
    struct file f = { .n = 0 };
    snprintf(name[0], sizeof name[0], "%s/h200.md", folder);
    snprintf(name[1], sizeof name[1], "%s/h200.dat", folder);
    FILE *in = fopen(path, "r"), *table = fopen(name[0], "w"), *columns = fopen(name[1], "w");
    if (!in || !table || !columns)
        fprintf(stderr, "%s: cannot be %s\n", !in ? path : folder, !in ? "read" : "written");
    bool ok = in && table && columns && rows_read(&f, in, path);
    if (ok) {
        fprintf(
            table,
            "| workload | best applied by | us | sorting | greedy | greedy-max | best | "
            "predicted: weighted | scheduled | ours | nvcc's best | of what is possible |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
        fprintf(columns, "workload sorting greedy greedy-max best nvcc\n");
    }
    for (unsigned w = 0; ok && w < workload_count; w++)
        write_row(&f, workloads[w].name, table, columns);
    ok = !(in && fclose(in)) && ok;
    ok = !(table && fclose(table)) && ok;
    return !(columns && fclose(columns)) && ok;
}
