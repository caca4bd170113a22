/* Our order, in O(N log N): the threads are halved by the column in which they differ most, then
 * each half.
 * SPDX-License-Identifier: Apache-2.0
 *
 * 32 threads with one vector are a warp without a loss, so only what is left of a vector is halved.
 *  How much threads differ in a column is its lat times its standard deviation over them.  Halves
 * meet at a multiple of 32, the higher counts first. */
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 4096 };              /* items that say in which column many differ most */

struct item { uint32_t v, thread; double key; };
struct halving { const struct pool *p; double *sum, *square; uint32_t *out; };

/* The column with the largest lat^2 * variance over every step-th item; UINT32_MAX: these are
 * alike. */
static uint32_t widest_of(const struct halving *h, const struct item *at, uint32_t n, uint32_t step)
{
    const uint32_t columns = h->p->b->ncolumns;
    uint32_t best = UINT32_MAX;
    double most = 0;
    memset(h->sum, 0, columns * sizeof *h->sum);
    memset(h->square, 0, columns * sizeof *h->square);
    const uint32_t *first = pool_row(h->p, at[0].v);
    const uint32_t seen = (n + step - 1) / step;
    /* about the first one, so that equal counts give zero */
    for (uint32_t k = step; k < n; k += step) {
        const uint32_t *row = pool_row(h->p, at[k].v);
        for (uint32_t c = 0; c < columns; c++) {
            double d = (double)row[c] - first[c];
            h->sum[c] += d;
            h->square[c] += d * d;
        }
    }
    for (uint32_t c = 0; c < columns; c++) {
        double spread = h->p->lat[c] * h->p->lat[c] * (h->square[c] - h->sum[c] * h->sum[c] / seen);
        if (spread > most) {
            most = spread;
            best = c;
        }
    }
    return best;
}

static uint32_t widest(const struct halving *h, const struct item *at, uint32_t n)
{
    uint32_t c = widest_of(h, at, n, (n + SAMPLE - 1) / SAMPLE);
    return c == UINT32_MAX && n > SAMPLE ? widest_of(h, at, n, 1) : c;
}

/* Higher keys first; where they are equal the vectors stay together, then lower threads first. */
static int by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->v != y->v)
        return x->v < y->v ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* The first k of n items become those that come first in their order (Hoare's selection; no two are
 * equal). */
static void part(struct item *at, uint32_t n, uint32_t k)
{
    int64_t lo = 0, hi = (int64_t)n - 1;
    while (lo < hi) {
        const struct item pivot = at[lo + (hi - lo) / 2];
        int64_t i = lo, j = hi;
        while (i <= j) {
            while (by_key(&at[i], &pivot) < 0)
                i++;
            while (by_key(&at[j], &pivot) > 0)
                j--;
            if (i > j)
                break;
            struct item t = at[i];
            at[i++] = at[j];
            at[j--] = t;
        }
        if (k <= j)
            hi = j;
        else if (k >= i)
            lo = i;
        else
            return;
    }
}

static void halve(struct halving *h, struct item *at, uint32_t n)
{
    uint32_t c = n > WARP ? widest(h, at, n) : UINT32_MAX;
    if (c == UINT32_MAX) {
        for (uint32_t k = 0; k < n; k++)
            *h->out++ = at[k].thread;
        return;
    }
    for (uint32_t k = 0; k < n; k++)
        at[k].key = pool_row(h->p, at[k].v)[c];
    uint32_t half = (n / 2 + WARP - 1) / WARP * WARP;
    half = half < n ? half : half - WARP;
    part(at, n, half);
    halve(h, at, half);
    halve(h, at + half, n - half);
}

bool order_halving(const struct pool *p, uint32_t *out)
{
    struct halving h = { .p = p, .out = out, .sum = malloc(p->b->ncolumns * sizeof *h.sum),
                         .square = malloc(p->b->ncolumns * sizeof *h.square) };
    struct item *item = malloc(((size_t)pool_size(p) + 1) * sizeof *item);
    uint32_t n = 0;
    bool ok = h.sum && h.square && item;
    for (uint32_t v = 0; ok && v < p->n; v++) {
        uint32_t at = p->start[v], end = p->start[v + 1];
        for (; end - at >= WARP; at += WARP, h.out += WARP)
            memcpy(h.out, p->thread + at, WARP * sizeof *out);
        for (; at < end; at++)
            item[n++] = (struct item){ v, p->thread[at], 0 };
    }
    if (ok && n)
        halve(&h, item, n);
    free(h.sum);
    free(h.square);
    free(item);
    return ok;
}
