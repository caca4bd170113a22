/* Paper B's Greedy (Algorithm 1): the two groups with the largest gain become one, again and again.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where gains are equal, the pair with the lowest thread goes first, and of these the one whose
 * other group has the lowest thread.  Identical threads gain more by each other than by any other,
 * so they are merged before the search begins: N threads become one group a vector, and as many
 * full ones. Every group knows its best partner; a merge costs a look at all groups, and the search
 * of a new partner for those that have lost theirs. */
#include "regroup/gain.h"
#include "regroup/regroup.h"
#include <stdlib.h>
#include <string.h>

struct group {
    uint32_t n, thread[2 * WARP];
    uint32_t low;                   /* lowest thread */
    uint32_t best;                  /* partner with the largest gain; UINT32_MAX: none left */
    double gain;
    double *min, *max;
};
struct greedy {
    const struct pool *p;
    struct group *g;
    uint32_t n, columns;            /* groups that are not full */
    double *rows;
    uint32_t *out, *full;           /* full: where the next full group goes */
};

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Min and Max of a group's threads. */
static void measure(struct greedy *s, struct group *g, double *row)
{
    for (uint32_t t = 0; t < g->n; t++) {
        gain_row(row, bbv_row(s->p->b, g->thread[t]), s->p->lat, s->p->b->ncolumns);
        for (uint32_t c = 0; c < s->columns; c++) {
            g->min[c] = !t || row[c] < g->min[c] ? row[c] : g->min[c];
            g->max[c] = !t || row[c] > g->max[c] ? row[c] : g->max[c];
        }
    }
    g->low = g->thread[0];
    for (uint32_t t = 1; t < g->n; t++)
        g->low = g->thread[t] < g->low ? g->thread[t] : g->low;
}

static double gain_of(const struct greedy *s, const struct group *x, const struct group *y)
{
    return gain(x->min, x->max, y->min, y->max, s->columns);
}

/* Is (gain, partner) better than the group's best? */
static void offer(struct greedy *s, struct group *g, uint32_t partner, double value)
{
    if (g->best != UINT32_MAX &&
        (value < g->gain || (value == g->gain && s->g[partner].low >= s->g[g->best].low)))
        return;
    g->best = partner;
    g->gain = value;
}

/* The group's best partner, among all. */
static void search(struct greedy *s, uint32_t at)
{
    struct group *g = &s->g[at];
    g->best = UINT32_MAX;
    for (uint32_t k = 0; k < s->n; k++)
        if (k != at)
            offer(s, g, k, gain_of(s, g, &s->g[k]));
}

/* The pair with the largest gain: its group with the lower thread. */
static uint32_t best_pair(const struct greedy *s)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < s->n; k++) {
        const struct group *g = &s->g[k], *b = &s->g[best];
        uint32_t low = g->low < s->g[g->best].low ? g->low : s->g[g->best].low;
        uint32_t old = b->low < s->g[b->best].low ? b->low : s->g[b->best].low;
        uint32_t other = g->low < s->g[g->best].low ? s->g[g->best].low : g->low;
        uint32_t old_other = b->low < s->g[b->best].low ? s->g[b->best].low : b->low;
        if (g->gain > b->gain ||
            (g->gain == b->gain && (low < old || (low == old && other < old_other))))
            best = k;
    }
    return s->g[best].low < s->g[s->g[best].best].low ? best : s->g[best].best;
}

/* Group `at` goes; the last one takes its place. */
static void drop(struct greedy *s, uint32_t at)
{
    struct group gone = s->g[at];
    s->g[at] = s->g[--s->n];
    s->g[s->n] = gone;                               /* its rows are used again */
    for (uint32_t k = 0; k < s->n; k++) {
        if (s->g[k].best == at)
            s->g[k].best = UINT32_MAX;
        if (s->g[k].best == s->n)
            s->g[k].best = at;
    }
}

static void emit(struct greedy *s, const uint32_t *thread)
{
    memcpy(s->full, thread, WARP * sizeof *thread);
    qsort(s->full, WARP, sizeof *s->full, by_value);
    s->full += WARP;
}

/* Merges y into x, whose thread is lower; what is beyond 32 threads stays as x. */
static void merge(struct greedy *s, uint32_t x, uint32_t y, double *row)
{
    struct group *g = &s->g[x];
    memcpy(g->thread + g->n, s->g[y].thread, s->g[y].n * sizeof *g->thread);
    g->n += s->g[y].n;
    const uint32_t last = s->n - 1;
    drop(s, y);
    if (x == last)
        x = y;
    g = &s->g[x];
    if (g->n >= WARP) {
        emit(s, g->thread);
        g->n -= WARP;
        memmove(g->thread, g->thread + WARP, g->n * sizeof *g->thread);
    }
    for (uint32_t k = 0; k < s->n; k++)
        if (s->g[k].best == x)
            s->g[k].best = UINT32_MAX;
    if (!g->n) {
        drop(s, x);
        x = UINT32_MAX;
    } else {
        measure(s, g, row);
        g->best = UINT32_MAX;
    }
    for (uint32_t k = 0; k < s->n && x != UINT32_MAX; k++)
        if (k != x) {
            double value = gain_of(s, &s->g[x], &s->g[k]);
            offer(s, &s->g[x], k, value);
            if (s->g[k].best != UINT32_MAX)
                offer(s, &s->g[k], x, value);
        }
    for (uint32_t k = 0; k < s->n && s->n > 1; k++)
        if (s->g[k].best == UINT32_MAX)
            search(s, k);
}

/* One group a vector, its full groups apart. */
static void begin(struct greedy *s, double *row)
{
    const struct pool *p = s->p;
    for (uint32_t v = 0; v < p->n; v++) {
        const uint32_t *at = p->thread + p->start[v], *end = p->thread + p->start[v + 1];
        for (; end - at >= WARP; at += WARP)
            emit(s, at);
        struct group *g = &s->g[s->n];
        *g = (struct group){ .n = (uint32_t)(end - at),
                             .best = UINT32_MAX,
                             .min = s->rows + (size_t)2 * s->n * s->columns,
                             .max = s->rows + ((size_t)2 * s->n + 1) * s->columns };
        if (!g->n)
            continue;
        memcpy(g->thread, at, g->n * sizeof *at);
        measure(s, g, row);
        s->n++;
    }
    for (uint32_t k = 0; k < s->n && s->n > 1; k++)
        search(s, k);
}

static int by_first(const void *a, const void *b) { return by_value(a, b); }

bool order_greedy(const struct pool *p, uint32_t *out)
{
    struct greedy s = { .p = p, .columns = gain_columns(p->b->ncolumns), .out = out, .full = out };
    s.g = calloc((size_t)p->n + 1, sizeof *s.g);
    s.rows = malloc(((size_t)p->n + 1) * 2 * s.columns * sizeof *s.rows);
    double *row = malloc(s.columns * sizeof *row);
    const uint32_t full = pool_size(p) / WARP * WARP;
    bool ok = s.g && s.rows && row;
    if (ok)
        begin(&s, row);
    while (ok && s.full < out + full) {
        uint32_t x = best_pair(&s);
        merge(&s, x, s.g[x].best, row);
    }
    qsort(out, full / WARP, WARP * sizeof *out, by_first);
    for (uint32_t k = 0; ok && k < s.n; k++) {
        memcpy(s.full, s.g[k].thread, s.g[k].n * sizeof *out);
        s.full += s.g[k].n;
    }
    qsort(out + full, pool_size(p) - full, sizeof *out, by_value);
    free(s.g);
    free(s.rows);
    free(row);
    return ok;
}
