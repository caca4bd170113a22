/* The claims on a GPU, from what the recipe in tests/paper_b/h200 has measured there.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A line of the file: WORKLOAD,MECHANISM,ORDER,MICROSECONDS,WEIGHTED,SCHEDULED,OURS,RIGHT,HOST_MICROSECONDS; # begins
 * a comment.  MICROSECONDS: median of 30 launches; RIGHT: 1, memory is the host's; HOST: prediction and order. */
#include "tests/paper_b/measure.h"
#include "tests/claims.h"
#include <math.h>
#include <string.h>

enum { ROWS = 128 };
struct row { char workload[16], mechanism[16], order[16]; double time, predicted[3], host; int right; };
struct file { unsigned n; struct row row[ROWS]; };

static bool read_file(struct file *f, FILE *in, const char *path)
{
    char line[256];
    unsigned at = 0;
    while (fgets(line, sizeof line, in)) {
        struct row *r = &f->row[f->n];
        at++;
        if (*line == '#' || *line == '\n')
            continue;
        if (f->n == ROWS || sscanf(line, "%15[^,],%15[^,],%15[^,],%lf,%lf,%lf,%lf,%d,%lf", r->workload, r->mechanism, r->order, &r->time,
                                   &r->predicted[0], &r->predicted[1], &r->predicted[2], &r->right, &r->host) != 9 || r->time <= 0) {
            fprintf(stderr, "%s:%u: no line of nine values, or too many lines\n", path, at);
            return false;
        }
        f->n++;
    }
    return true;
}

static const struct row *find(const struct file *f, const char *workload, const char *mechanism, const char *order)
{
    for (const struct row *r = f->row; r < f->row + f->n; r++)
        if (!strcmp(r->workload, workload) && !strcmp(r->mechanism, mechanism) && !strcmp(r->order, order))
            return r;
    return NULL;
}

/* By the mechanism that is faster. */
static const struct row *fastest(const struct file *f, const char *workload, const char *order)
{
    const struct row *a = find(f, workload, "layout", order), *b = find(f, workload, "redirect", order);
    return !a || (b && b->time < a->time) ? b : a;
}

static const struct row *original(const struct file *f, const char *workload) { return find(f, workload, "none", "original"); }

/* Mean error of a metric over the five or the two, of the speed-up or of what is saved, the greater; -1: rows are missing. */
static double error_of(const struct file *f, unsigned metric, bool memory_bound)
{
    static const char *const orders[] = { "sorting", "greedy", "greedy-max" };
    double speed = 0, saved = 0;
    unsigned n = 0;
    for (unsigned w = 0; w < workload_count; w++)
        for (unsigned k = 0; k < 3 && workloads[w].memory_bound == memory_bound; k++, n++) {
            const struct row *o = original(f, workloads[w].name), *r = fastest(f, workloads[w].name, orders[k]);
            if (!o || !r || r->predicted[metric] <= 0)
                return -1;
            double real = o->time / r->time, guess = o->predicted[metric] / r->predicted[metric];
            speed += 100 * fabs(guess / real - 1);
            saved += 100 * fabs(1 / guess - 1 / real);
        }
    return n ? fmax(speed, saved) / n : -1;
}

/* -1: rows are missing. */
static double mean_speed(const struct file *f, const char *order, double *most)
{
    double sum = 0;
    *most = 0;
    for (unsigned w = 0; w < workload_count; w++) {
        const struct row *o = original(f, workloads[w].name), *r = fastest(f, workloads[w].name, order);
        if (!o || !r)
            return -1;
        sum += o->time / r->time;
        *most = fmax(*most, o->time / r->time);
    }
    return sum / workload_count;
}

static void measured(struct claims *c, const struct file *f)
{
    static const char *const orders[] = { "sorting", "greedy", "greedy-max" }, *const metrics[] = { "weighted", "scheduled", "ours" };
    static const double mean[] = { 1.7, 1.6, 2.2 }, most[] = { 3.5, 2.7, 4.7 }, error[] = { 12.7, 6.2, 6.2 };
    char paper[64], name[32];
    unsigned right = 0;
    double high, share = 0;
    for (unsigned k = 0; k < 3; k++) {
        double e = error_of(f, k, false), s = mean_speed(f, orders[k], &high);
        snprintf(paper, sizeof paper, "paper %.1f%% (Table V)", error[k]);
        snprintf(name, sizeof name, "error-%s", metrics[k]);
        claim(c, "h200", name, paper, e >= 0 && (k < 2 ? e <= error[k] : e < error[k]), "%.1f%%", e);
        snprintf(paper, sizeof paper, "paper %.1f times, at most %.1f (Figure 9)", mean[k], most[k]);
        snprintf(name, sizeof name, "speed-%s", orders[k]);
        claim(c, "h200", name, paper, s >= mean[k] && high >= most[k], "%.2f times, at most %.2f", s, high);
    }
    for (unsigned k = 0; k < f->n; k++) {
        right += f->row[k].right == 1;
        share = fmax(share, !strcmp(f->row[k].order, "sorting") ? 100 * f->row[k].host / f->row[k].time : 0);
    }
    claim(c, "h200", "memory-bound", "paper worse than the five (Figure 10)", error_of(f, 1, true) > error_of(f, 1, false), "%.1f%%", error_of(f, 1, true));
    claim(c, "h200", "overhead", "paper very small (section VI-B)", share < 5, "sorting takes at most %.1f%% of a kernel's time", share);
    claim(c, "h200", "memory", "paper says nothing", f->n && right == f->n, "the host's in %u of %u rows", right, f->n);
}

bool h200_claims(struct claims *c, const char *path)
{
    struct file f = { .n = 0 };
    FILE *in = fopen(path, "r");
    if (!in) {
        printf("paper-b: h200, not measured: there is no %s (tests/paper_b/h200/README.md)\n", path);
        return true;
    }
    bool ok = read_file(&f, in, path);
    fclose(in);
    if (ok)
        measured(c, &f);
    return ok;
}
