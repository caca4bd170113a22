/* Our order, in O(N log N): the threads are halved by the column in which they differ most, then
 * each half.
 * SPDX-License-Identifier: Apache-2.0
 *
 * 32 threads with one vector are a warp without a loss, so only what is left of a vector is halved.
 * How much threads differ in a column is its lat times its standard deviation over them.  Halves
 * meet at a multiple of 32, the higher counts first; of equal counts those that stood first, so
 * that the threads of a vector stay together and rows are read in the order of memory.  Once few
 * are left, their rows are copied to where the cache holds them. */
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE = 1024,              /* items that say in which column many differ most */
    LOCAL = 4096,               /* items whose rows are copied */
    BUCKETS = 256
};

struct item { uint32_t row, thread; };
struct halving {
    const struct pool *p;
    uint32_t columns;
    double *sum, *square;
    struct item *item, *other;
    uint32_t *key, *local, *out;
};

/* The column with the largest lat^2 * variance over every step-th item; UINT32_MAX: these are
 * alike. */
static uint32_t widest_of(const struct halving *h, const uint32_t *counts, const struct item *at,
                          uint32_t n, uint32_t step)
{
    const uint32_t columns = h->columns, *first = counts + (size_t)at[0].row * columns;
    const uint32_t seen = (n + step - 1) / step;
    double *restrict sum = h->sum, *restrict square = h->square, most = 0;
    uint32_t best = UINT32_MAX;
    memset(sum, 0, columns * sizeof *sum);
    memset(square, 0, columns * sizeof *square);
    /* about the first one, so that equal counts give zero */
    for (uint32_t k = step; k < n; k += step) {
        const uint32_t *row = counts + (size_t)at[k].row * columns;
        for (uint32_t c = 0; c < columns; c++) {
            double d = (double)((int64_t)row[c] - first[c]);
            sum[c] += d;
            square[c] += d * d;
        }
    }
    for (uint32_t c = 0; c < columns; c++) {
        double spread = h->p->lat[c] * h->p->lat[c] * (square[c] - sum[c] * sum[c] / seen);
        if (spread > most) {
            most = spread;
            best = c;
        }
    }
    return best;
}

static uint32_t widest(const struct halving *h, const uint32_t *counts, const struct item *at,
                       uint32_t n)
{
    uint32_t c = widest_of(h, counts, at, n, (n + SAMPLE - 1) / SAMPLE);
    return c == UINT32_MAX && n > SAMPLE ? widest_of(h, counts, at, n, 1) : c;
}

/* The k-th largest of n keys, by their digits from the highest; ties: how many that are equal to it
 * are among the k largest. */
static uint32_t largest(const uint32_t *key, uint32_t n, uint32_t k, uint32_t *ties)
{
    uint32_t any = 0, cut = 0, known = 0;         /* known: the bits of cut that have been found */
    for (uint32_t i = 0; i < n; i++)
        any |= key[i];
    uint32_t shift = any ? (31 - (uint32_t)__builtin_clz(any)) / 8 * 8 : 0;
    for (;; shift -= 8) {
        uint32_t many[BUCKETS] = { 0 }, d = BUCKETS - 1;
        for (uint32_t i = 0; i < n; i++)
            many[key[i] >> shift & (BUCKETS - 1)] += (key[i] & known) == cut;
        for (; many[d] < k; d--)
            k -= many[d];
        cut |= d << shift;
        known |= (uint32_t)(BUCKETS - 1) << shift;
        if (!shift)
            break;
    }
    *ties = k;
    return cut;
}

/* The `half` items with the largest counts of a column come first. */
static void part(struct halving *h, const uint32_t *counts, struct item *at, uint32_t n,
                 uint32_t half, uint32_t column)
{
    uint32_t ties, *key = h->key, first = 0, second = 0;
    for (uint32_t k = 0; k < n; k++)
        key[k] = counts[(size_t)at[k].row * h->columns + column];
    const uint32_t cut = largest(key, n, half, &ties);
    for (uint32_t k = 0; k < n; k++) {
        const bool equal = key[k] == cut, goes_first = key[k] > cut || (equal && ties);
        const struct item i = at[k];
        ties -= equal && ties;
        at[first] = i;                                /* first <= k: nothing unread is lost */
        h->other[second] = i;
        first += goes_first;
        second += !goes_first;
    }
    memcpy(at + half, h->other, (size_t)(n - half) * sizeof *at);
}

static void copy_rows(struct halving *h, const uint32_t *counts, struct item *at, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t ahead = k + 16 < n ? k + 16 : k;
        __builtin_prefetch(counts + (size_t)at[ahead].row * h->columns);
        memcpy(h->local + (size_t)k * h->columns, counts + (size_t)at[k].row * h->columns,
               h->columns * sizeof *h->local);
        at[k].row = k;
    }
}

static void halve(struct halving *h, const uint32_t *counts, struct item *at, uint32_t n)
{
    if (n > WARP && n <= LOCAL && counts != h->local) {
        copy_rows(h, counts, at, n);
        counts = h->local;
    }
    uint32_t c = n > WARP ? widest(h, counts, at, n) : UINT32_MAX;
    if (c == UINT32_MAX) {
        for (uint32_t k = 0; k < n; k++)
            *h->out++ = at[k].thread;
        return;
    }
    uint32_t half = (n / 2 + WARP - 1) / WARP * WARP;
    half = half < n ? half : half - WARP;
    part(h, counts, at, n, half, c);
    halve(h, counts, at, half);
    halve(h, counts, at + half, n - half);
}

bool order_halving(const struct pool *p, uint32_t *out)
{
    const uint32_t columns = p->b->ncolumns, size = pool_size(p) + 1;
    struct halving h = { .p = p,
                         .columns = columns,
                         .out = out,
                         .sum = malloc(columns * sizeof *h.sum),
                         .square = malloc(columns * sizeof *h.square),
                         .local = malloc((size_t)LOCAL * columns * sizeof *h.local),
                         .item = spill_alloc(p->b->within, (size_t)size * sizeof *h.item),
                         .other = spill_alloc(p->b->within, (size_t)size * sizeof *h.other),
                         .key = spill_alloc(p->b->within, (size_t)size * sizeof *h.key) };
    uint32_t n = 0;
    bool ok = h.sum && h.square && h.local && h.item && h.other && h.key;
    for (uint32_t v = 0; ok && v < p->n; v++) {
        uint32_t at = p->start[v], end = p->start[v + 1];
        for (; end - at >= WARP; at += WARP, h.out += WARP)
            memcpy(h.out, p->thread + at, WARP * sizeof *out);
        for (; at < end; at++)
            h.item[n++] = (struct item){ p->vector[v], p->thread[at] };
    }
    if (ok && n)
        halve(&h, p->b->counts, h.item, n);
    free(h.sum);
    free(h.square);
    free(h.local);
    spill_free(p->b->within, h.item);
    spill_free(p->b->within, h.other);
    spill_free(p->b->within, h.key);
    return ok;
}
