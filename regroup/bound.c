/* What no order can cost less than.
 * SPDX-License-Identifier: Apache-2.0
 *
 * K warps of at most 32 threads: of a column's counts, sorted, the k-th largest maximum of a warp
 * is at least the one at place 32 k, for only k warps hold the 32 k before it. */
#include "regroup/regroup.h"
#include <stdlib.h>

struct counted { uint32_t count, threads; };

static int by_count(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    return x->count > y->count ? -1 : x->count < y->count;
}

static double column_bound(const struct pool *p, uint32_t c, struct counted *k)
{
    uint64_t next = 0, at = 0;
    double sum = 0;
    for (uint32_t v = 0; v < p->n; v++)
        k[v] = (struct counted){ pool_row(p, v)[c], p->start[v + 1] - p->start[v] };
    qsort(k, p->n, sizeof *k, by_count);
    for (uint32_t v = 0; v < p->n; v++)
        for (at += k[v].threads; next < at; next += WARP)
            sum += k[v].count;
    return p->lat[c] * sum;
}

double bound_cost(const struct bbv *b, const double *lat, bool block_scope)
{
    const uint64_t step = block_scope ? b->threads_block : b->threads;
    uint32_t *thread = spill_alloc(b->within, (size_t)step * sizeof *thread);
    struct counted *k = spill_alloc(b->within, (size_t)step * sizeof *k);
    double sum = 0;
    for (uint64_t first = 0; thread && k && first < b->threads; first += step) {
        struct pool p;
        for (uint32_t t = 0; t < step; t++)
            thread[t] = (uint32_t)first + t;
        if (!pool_make(&p, b, lat, thread, (uint32_t)step)) {
            sum = -1;
            break;
        }
        for (uint32_t c = 0; c < b->ncolumns; c++)
            sum += column_bound(&p, c, k);
        pool_free(&p);
    }
    if (!thread || !k)
        sum = -1;
    spill_free(b->within, thread);
    spill_free(b->within, k);
    return sum;
}
