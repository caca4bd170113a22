/* Orders of threads: which algorithm, in which scope; checks; files.
 * SPDX-License-Identifier: Apache-2.0 */
#include "regroup/regroup.h"
#include "cmodel/base/infile.h"
#include <stdlib.h>
#include <string.h>

const char *const order_names[BY_COUNT + 1] = { "original",   "sorting", "greedy",
                                                "greedy-max", "best",    NULL };

static bool no_memory(const struct bbv *b, struct hd_err *err)
{
    const char *why = spill_why(b->within);
    hd_err_set(err, why ? 2 : 4, "%s", why ? why : "no memory");
    return false;
}

bool order_check(const uint32_t *order, uint64_t n, const char *name, struct hd_err *err)
{
    uint8_t *seen = calloc((size_t)n / 8 + 1, 1);
    uint64_t i = 0;
    for (; seen && i < n && order[i] < n && !(seen[order[i] / 8] >> order[i] % 8 & 1); i++)
        seen[order[i] / 8] |= (uint8_t)(1 << order[i] % 8);
    if (!seen)
        hd_err_set(err, 4, "no memory");
    else if (i < n && order[i] >= n)
        hd_err_set(err, 2, "%s is no order of %llu threads: %u is none of them", name,
                   (unsigned long long)n, order[i]);
    else if (i < n)
        hd_err_set(err, 2, "%s is no order of %llu threads: %u occurs twice", name,
                   (unsigned long long)n, order[i]);
    free(seen);
    return seen && i == n;
}

uint32_t *order_read(const char *path, const struct bbv *b, struct hd_err *err)
{
    FILE *f = infile_open(path, err);
    uint32_t *order = spill_alloc(b->within, (size_t)b->threads * sizeof *order);
    if (f && !order)
        no_memory(b, err);
    size_t got = f && order ? fread(order, sizeof *order, (size_t)b->threads, f) : 0;
    bool more = f && order && fgetc(f) != EOF;
    if (f)
        fclose(f);
    if (f && order && (got != b->threads || more))
        hd_err_set(err, 2, "%s: wrong length: an order of %llu threads is %llu bytes", path,
                   (unsigned long long)b->threads, (unsigned long long)b->threads * sizeof *order);
    if (!err->status && order_check(order, b->threads, path, err))
        return order;
    spill_free(b->within, order);
    return NULL;
}

/* ---- finding one ----------------------------------------------------------------------------- */

/* Seconds of a greedy search on one core, about: 1.5 ns for every pair of vectors and column;
 * Greedy looks at a pair more than once. */
static double search_seconds(double vectors, const struct bbv *b, enum order_by by)
{
    return vectors * vectors * b->ncolumns * 1.5e-9 * (by == BY_GREEDY ? 15 : 1);
}

enum { PATIENCE = 60 };                              /* seconds that a search may take unasked */

static bool one_window(const struct bbv *b, const double *lat, enum order_by by,
                       const uint32_t *threads, uint32_t n, uint32_t *out, struct hd_err *err)
{
    static order_fn *const find[BY_COUNT] = { [BY_SORTING] = order_sorting,
                                              [BY_GREEDY] = order_greedy,
                                              [BY_GREEDY_MAX] = order_greedy_max,
                                              [BY_BEST] = order_halving };
    struct pool p;
    if (!pool_make(&p, b, lat, threads, n))
        return no_memory(b, err);
    double s = by == BY_GREEDY || by == BY_GREEDY_MAX ? search_seconds(p.n, b, by) : 0;
    bool ok = s <= PATIENCE;
    if (!ok)
        hd_err_set(
            err, 2,
            "%s of %u distinct vectors would take about %.0f s: give --window, of the sorted "
            "order, "
            "or another order",
            order_names[by], p.n, s);
    else if (!(ok = find[by](&p, out)))
        no_memory(b, err);
    pool_free(&p);
    return ok;
}

/* Windows of the sorted order, one after the other; each holds whole warps. */
static bool windows(const struct bbv *b, const double *lat, const struct order_how *how,
                    const uint32_t *threads, uint32_t n, uint32_t *out, struct hd_err *err)
{
    uint32_t *sorted = spill_alloc(b->within, (size_t)n * sizeof *sorted), from = 0;
    bool ok = sorted && one_window(b, lat, BY_SORTING, threads, n, sorted, err);
    if (!sorted)
        no_memory(b, err);
    while (ok && from < n) {
        uint32_t to = from, distinct = 0;
        for (; to < n && (distinct < how->window || to % WARP); to++)
            distinct += to + 1 == n || b->of[sorted[to]] != b->of[sorted[to + 1]];
        ok = one_window(b, lat, how->by, sorted + from, to - from, out + from, err);
        from = to;
    }
    spill_free(b->within, sorted);
    return ok;
}

static double total(const struct bbv *b, const double *lat, const uint32_t *out, uint32_t n,
                    uint32_t *most)
{
    double sum = 0;
    for (uint32_t w = 0; w < n; w += WARP)
        sum += metric_warp(b, lat, out + w, n - w < WARP ? n - w : WARP, most);
    return sum;
}

struct warp_cost { double cost; uint32_t at; };

static int by_cost(const void *a, const void *b)
{
    const struct warp_cost *x = a, *y = b;
    return x->cost > y->cost ? -1 : x->cost < y->cost ? 1 : (x->at > y->at) - (x->at < y->at);
}

/* Full warps in falling cost, so that the long ones start first and blocks hold warps of one
 * length. */
static bool longest_first(const struct bbv *b, const double *lat, uint32_t *out, uint32_t n,
                          uint32_t *most)
{
    uint32_t warps = n / WARP, *copy = spill_alloc(b->within, (size_t)n * sizeof *copy);
    struct warp_cost *w = spill_alloc(b->within, ((size_t)warps + 1) * sizeof *w);
    bool ok = copy && w;
    for (uint32_t k = 0; ok && k < warps; k++)
        w[k] = (struct warp_cost){ metric_warp(b, lat, out + k * WARP, WARP, most), k };
    if (ok) {
        memcpy(copy, out, (size_t)n * sizeof *copy);
        qsort(w, warps, sizeof *w, by_cost);
    }
    for (uint32_t k = 0; ok && k < warps; k++)
        memcpy(out + k * WARP, copy + w[k].at * WARP, WARP * sizeof *out);
    spill_free(b->within, copy);
    spill_free(b->within, w);
    return ok;
}

/* The cheapest of all candidates, then exchanges.  Greedy-Max is one where it takes less than the
 * exchanges may. */
static bool best(const struct bbv *b, const double *lat, const struct order_how *how,
                 const uint32_t *threads, uint32_t n, uint32_t *out, struct hd_err *err)
{
    uint32_t *other = spill_alloc(b->within, (size_t)n * sizeof *other),
             *most = malloc(b->ncolumns * sizeof *most);
    double cost = 0, s = search_seconds(b->nvectors < n ? b->nvectors : n, b, BY_GREEDY_MAX);
    const enum order_by by[] = { BY_BEST, BY_SORTING, BY_GREEDY_MAX };
    bool ok = other && most;
    if (!ok)
        no_memory(b, err);
    for (unsigned k = 0; ok && k < 3 - (s > 1 + how->seconds); k++) {
        ok = one_window(b, lat, by[k], threads, n, other, err);
        double now = ok ? total(b, lat, other, n, most) : 0;
        if (ok && (!k || now < cost)) {
            memcpy(out, other, (size_t)n * sizeof *out);
            cost = now;
        }
    }
    if (ok && (!order_swaps(b, lat, out, n, how->seconds * n / (double)b->threads, how->rounds) ||
               !longest_first(b, lat, out, n, most)))
        ok = no_memory(b, err);
    spill_free(b->within, other);
    free(most);
    return ok;
}

uint32_t *order_find(const struct bbv *b, const double *lat, const struct order_how *how,
                     struct hd_err *err)
{
    const uint64_t step = how->block_scope ? b->threads_block : b->threads;
    uint32_t *out = spill_alloc(b->within, (size_t)b->threads * sizeof *out),
             *threads = spill_alloc(b->within, (size_t)b->threads * sizeof *threads);
    bool ok = out && threads;
    if (!ok)
        no_memory(b, err);
    if (ok && !how->block_scope && how->by != BY_ORIGINAL && b->threads_block % WARP) {
        hd_err_set(
            err, 2,
            "blocks of %u threads are no whole warps: threads can change places within blocks "
            "(--scope block)",
            b->threads_block);
        ok = false;
    }
    for (uint64_t t = 0; ok && t < b->threads; t++)
        out[t] = threads[t] = (uint32_t)t;
    for (uint64_t t = 0; ok && how->by != BY_ORIGINAL && t < b->threads; t += step) {
        bool window = how->window && (how->by == BY_GREEDY || how->by == BY_GREEDY_MAX);
        ok = how->by == BY_BEST ? best(b, lat, how, threads + t, (uint32_t)step, out + t, err)
           : window ? windows(b, lat, how, threads + t, (uint32_t)step, out + t, err)
                    : one_window(b, lat, how->by, threads + t, (uint32_t)step, out + t, err);
    }
    spill_free(b->within, threads);
    if (!ok) {
        spill_free(b->within, out);
        out = NULL;
    }
    return out;
}
