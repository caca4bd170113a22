/* What of equation (1) is to be computed for some threads, and how.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Blocks with the same coefficients share a column.  A column whose count is the same at both ends
 * of what the inputs can make of it is the same for all threads. */
#include "regroup/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t whole(double count)
{
    return !(count > 0.5) ? 0 : count > FIT_MOST ? FIT_MOST : (uint32_t)(count + 0.5);
}

/* Columns in the order of the code. */
static void share_columns(const struct fit *f, struct plan *p)
{
    for (uint32_t k = 0; k < f->nblocks; k++) {
        const double *beta = f->beta + (size_t)k * p->terms;
        uint32_t c = 0;
        while (c < p->columns && memcmp(p->beta[c], beta, p->terms * sizeof *beta))
            c++;
        p->beta[c] = beta;
        p->columns += c == p->columns;
        p->column[k] = c;
    }
}

/* Of every term the least and the most that it is; infinite where an input is no finite number. */
static void term_ranges(const struct inputs *in, uint32_t terms, double *low, double *high)
{
    for (uint32_t i = 0; i < terms; i++)
        low[i] = high[i] = fit_term(in->value, in->n, 0, i);
    for (uint64_t t = 0; t < in->threads; t++)
        for (uint32_t i = 0; i < in->n; i++) {
            const double x = in->value[t * in->n + i];
            low[i + 1] = !isfinite(x) ? -INFINITY : x < low[i + 1] ? x : low[i + 1];
            high[i + 1] = !isfinite(x) ? INFINITY : x > high[i + 1] ? x : high[i + 1];
        }
    high[terms - 1] = (double)(in->threads - 1);
}

static void find_varying(struct plan *p, const double *low, const double *high)
{
    for (uint32_t c = 0; c < p->columns; c++) {
        double least = 0, most = 0, size = 0;
        for (uint32_t i = 0; i < p->terms; i++) {
            const double x = p->beta[c][i] * low[i], y = p->beta[c][i] * high[i];
            least += fmin(x, y);
            most += fmax(x, y);
            size += fmax(fabs(x), fabs(y));
        }
        size *= 1e-12;                               /* more than rounding can add to a sum */
        p->least[c] = whole(least - size);
        /* 0 * infinity: a thread's count may be any */
        p->most[c] = whole(isnan(most) ? INFINITY : most + size);
        if (p->least[c] != p->most[c])
            p->of[p->varying++] = c;
    }
}

bool plan_make(struct plan *p, const struct fit *f, const struct inputs *in)
{
    *p = (struct plan){ .terms = fit_terms(f->ninputs),
                        .column = calloc(f->nblocks, sizeof *p->column),
                        .of = calloc(f->nblocks, sizeof *p->of),
                        .least = calloc(f->nblocks, sizeof *p->least),
                        .most = calloc(f->nblocks, sizeof *p->most),
                        .beta = calloc(f->nblocks, sizeof *p->beta) };
    double *range = malloc(2 * p->terms * sizeof *range);
    bool ok = p->column && p->of && p->least && p->most && p->beta && range;
    if (ok) {
        share_columns(f, p);
        term_ranges(in, p->terms, range, range + p->terms);
        find_varying(p, range, range + p->terms);
    } else {
        plan_free(p);
    }
    free(range);
    return ok;
}

void plan_free(struct plan *p)
{
    free(p->column);
    free(p->of);
    free(p->least);
    free(p->most);
    free(p->beta);
}

void plan_counts(const struct plan *p, const struct inputs *in, uint32_t column, uint64_t first,
                 uint32_t n, uint32_t *to)
{
    const double *beta = p->beta[column];
    double sum[FIT_CHUNK];
    for (uint32_t t = 0; t < n; t++)
        sum[t] = beta[0];
    for (uint32_t i = 0; i < in->n; i++)
        for (uint32_t t = 0; t < n; t++)
            sum[t] += beta[i + 1] * in->value[(first + t) * in->n + i];
    for (uint32_t t = 0; t < n; t++)
        to[t] = whole(sum[t] + beta[in->n + 1] * (double)(first + t));
}
