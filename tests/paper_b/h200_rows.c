/* Reads the rows of a GPU's measurements.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A line of the file:
 * WORKLOAD,MECHANISM,ORDER,MICROSECONDS,WEIGHTED,SCHEDULED,OURS,RIGHT,HOST_MICROSECONDS; # begins a
 * comment.  MICROSECONDS: median of 30 launches; RIGHT: 1, memory is the host's; HOST: to find the
 * order.  MECHANISM auto-NAME repeats the row that `--apply auto' would choose.  In rows of a
 * pipeline MICROSECONDS are all of its eight batches and HOST is until the last order was found.
 * counts,WORKLOAD,ORDER,WARPS,BRANCHES,BOUND: what our model's counts say of an order.  WARPS: per
 * cent of them divergent; BRANCHES: executed by warps whose lanes part there; BOUND: no order's
 * WEIGHTED is lower.  Rows may be missing. */
#include "tests/paper_b/h200_rows.h"
#include <math.h>
#include <string.h>

static bool read_row(struct row *r, const char *line)
{
    double *p = r->predicted;
    char rest;
    bool ok = sscanf(line, "%15[^,],%15[^,],%15[^,],%lf,%lf,%lf,%lf,%d,%lf %c", r->workload,
                     r->mechanism, r->order, &r->time, &p[0], &p[1], &p[2], &r->right, &r->host,
                     &rest) == 9;
    for (unsigned k = 0; ok && k < 3; k++)
        ok = isfinite(p[k]) && p[k] >= 0;
    return ok && isfinite(r->time) && r->time > 0 && isfinite(r->host) && r->host >= 0;
}

static bool read_counts(struct counts *k, const char *line)
{
    char rest;
    return sscanf(line, "counts,%15[^,],%15[^,],%lf,%lf,%lf %c", k->workload, k->order, &k->warps,
                  &k->branches, &k->bound, &rest) == 5 &&
           k->warps >= 0 && k->warps <= 100 && isfinite(k->branches) && k->branches >= 0 &&
           isfinite(k->bound) && k->bound > 0;
}

bool rows_read(struct file *f, FILE *in, const char *path)
{
    char line[256];
    for (unsigned at = 1; fgets(line, sizeof line, in); at++) {
        if (*line == '#' || *line == '\n')
            continue;
        if (!strncmp(line, "counts,", 7)) {
            if (f->ncounts == ROWS || !read_counts(&f->counts[f->ncounts], line)) {
                fprintf(stderr, "%s:%u: no counts of six values, or too many lines\n", path, at);
                return false;
            }
            f->ncounts++;
            continue;
        }
        if (f->n == ROWS || !read_row(&f->row[f->n], line)) {
            fprintf(stderr, "%s:%u: no line of nine values, or too many lines\n", path, at);
            return false;
        }
        f->n++;
    }
    if (!f->n)
        fprintf(stderr, "%s: nothing was measured\n", path);
    return f->n;
}

const struct row *find(const struct file *f, const char *workload, const char *mechanism,
                       const char *order)
{
    for (const struct row *r = f->row; r < f->row + f->n; r++)
        if (!strcmp(r->workload, workload) && !strcmp(r->mechanism, mechanism) &&
            !strcmp(r->order, order))
            return r;
    return NULL;
}

const struct row *fastest(const struct file *f, const char *workload, const char *order)
{
    const struct row *a = find(f, workload, "layout", order),
                     *b = find(f, workload, "redirect", order);
    return !a || (b && b->time < a->time) ? b : a;
}

const struct row *original(const struct file *f, const char *workload)
{
    return find(f, workload, "none", "original");
}

const struct counts *counted(const struct file *f, const char *workload, const char *order)
{
    for (const struct counts *k = f->counts; k < f->counts + f->ncounts; k++)
        if (!strcmp(k->workload, workload) && !strcmp(k->order, order))
            return k;
    return NULL;
}
