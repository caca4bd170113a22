/* Paper B's Sorting: vectors in lexicographic order, columns as blocks come in the code.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first columns that differ at all are packed into a key of 64 bits, each with the bits of its
 * range, and keys are sorted digit by digit.  Vectors with the same key, where a key does not hold
 * all columns, are then compared. */
#include "regroup/keyed.h"
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

static int by_row(const void *a, const void *b, void *user)
{
    const struct pool *p = user;
    const struct keyed *k = a, *l = b;
    const uint32_t *x = pool_row(p, k->v), *y = pool_row(p, l->v);
    for (uint32_t c = 0; c < p->b->ncolumns; c++)
        if (x[c] != y[c])
            return x[c] < y[c] ? -1 : 1;
    return 0;
}

/* Of every column the least and the most of the pool's vectors. */
static void ranges(const struct pool *p, uint32_t *restrict low, uint32_t *restrict high)
{
    const uint32_t columns = p->b->ncolumns;
    memcpy(low, pool_row(p, 0), columns * sizeof *low);
    memcpy(high, low, columns * sizeof *high);
    for (uint32_t v = 1; v < p->n; v++) {
        const uint32_t *row = pool_row(p, v);
        for (uint32_t c = 0; c < columns; c++) {
            low[c] = row[c] < low[c] ? row[c] : low[c];
            high[c] = row[c] > high[c] ? row[c] : high[c];
        }
    }
}

/* Makes the keys; returns their bits.  all: a key holds every column that differs. */
static uint32_t make_keys(const struct pool *p, const uint32_t *low, const uint32_t *high,
                          struct keyed *k, bool *all)
{
    uint32_t bits = 0, end = 0;
    for (; end < p->b->ncolumns && bits + keyed_bits(high[end] - low[end]) <= 64; end++)
        bits += keyed_bits(high[end] - low[end]);
    uint32_t shift[64], which[64], n = 0; /* of the columns in the key that differ */
    for (uint32_t c = 0, left = bits; c < end; c++) {
        left -= keyed_bits(high[c] - low[c]);
        if (high[c] != low[c]) {
            which[n] = c;
            shift[n++] = left;
        }
    }
    for (uint32_t v = 0; v < p->n; v++) {
        const uint32_t *row = pool_row(p, v);
        uint64_t key = 0;
        for (uint32_t i = 0; i < n; i++)
            key |= (uint64_t)(row[which[i]] - low[which[i]]) << shift[i];
        k[v] = (struct keyed){ key, v };
    }
    *all = end == p->b->ncolumns;
    return bits;
}

static void compare_equal_keys(const struct pool *p, struct keyed *k)
{
    for (uint32_t from = 0, to; from < p->n; from = to) {
        for (to = from + 1; to < p->n && k[to].key == k[from].key; to++)
            ;
        if (to > from + 1)
            qsort_r(k + from, to - from, sizeof *k, by_row, (void *)p);
    }
}

static uint32_t *put_threads(const struct pool *p, uint32_t v, uint32_t *out)
{
    const uint32_t from = p->start[v], n = p->start[v + 1] - from;
    *out = p->thread[from];                           /* mostly all */
    for (uint32_t k = 1; k < n; k++)
        out[k] = p->thread[from + k];
    return out + n;
}

bool order_sorting(const struct pool *p, uint32_t *out)
{
    struct spill *within = p->b->within;
    struct keyed *k = spill_alloc(within, ((size_t)p->n + 1) * sizeof *k),
                 *other = spill_alloc(within, ((size_t)p->n + 1) * sizeof *other);
    uint32_t *low = malloc(2 * ((size_t)p->b->ncolumns + 1) * sizeof *low);
    bool ok = k && other && low, all = true;
    if (ok && p->n) {
        uint32_t *high = low + p->b->ncolumns;
        ranges(p, low, high);
        uint32_t bits = make_keys(p, low, high, k, &all);
        struct keyed *sorted = keyed_sort(k, other, p->n, bits);
        if (!all)
            compare_equal_keys(p, sorted);
        for (uint32_t v = 0; v < p->n; v++)
            out = put_threads(p, sorted[v].v, out);
    }
    spill_free(within, k);
    spill_free(within, other);
    free(low);
    return ok;
}
