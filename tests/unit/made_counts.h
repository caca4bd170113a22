/* Counts made up, for the tests of regrouping.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MADE_COUNTS_H
#define MADE_COUNTS_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "regroup/regroup.h"

static uint32_t seed;
static inline uint32_t below(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* Threads with these rows, one vector for equal ones. */
static inline struct bbv *counts(uint64_t threads, uint32_t block, uint32_t columns,
                                 const uint32_t *rows)
{
    struct bbv *b = calloc(1, sizeof *b);
    *b = (struct bbv){ .grid = { (uint32_t)(threads / block), 1, 1 },
                       .block = { block, 1, 1 },
                       .threads = threads,
                       .threads_block = block,
                       .ncolumns = columns };
    b->counts = malloc(threads * columns * sizeof *b->counts);
    b->of = malloc(threads * sizeof *b->of);
    for (uint64_t t = 0; t < threads; t++) {
        uint32_t v = 0;
        while (v < b->nvectors && memcmp(b->counts + v * columns, rows + t * columns, columns * 4))
            v++;
        memcpy(b->counts + v * columns, rows + t * columns, columns * 4);
        b->nvectors += v == b->nvectors;
        b->of[t] = v;
    }
    return b;
}

static inline struct bbv *random_counts(uint32_t threads, uint32_t block, uint32_t columns,
                                        uint32_t most)
{
    uint32_t *rows = malloc((size_t)threads * columns * sizeof *rows);
    for (uint32_t k = 0; k < threads * columns; k++)
        rows[k] = below(most);
    struct bbv *b = counts(threads, block, columns, rows);
    free(rows);
    return b;
}

static inline double *random_lat(uint32_t columns)
{
    double *lat = malloc(columns * sizeof *lat);
    for (uint32_t c = 0; c < columns; c++)
        lat[c] = 1 + below(20);
    return lat;
}

static inline double cost(const struct bbv *b, const double *lat, const uint32_t *order)
{
    double *w = metric_warps(b, lat, order), sum = 0;
    for (uint64_t k = 0; k < b->threads / b->threads_block * metric_warps_block(b); k++)
        sum += w[k];
    free(w);
    return sum;
}

static inline uint32_t *found(const struct bbv *b, const double *lat, struct order_how how)
{
    struct hd_err err = { 0 };
    uint32_t *order = order_find(b, lat, &how, &err);
    if (!order || !order_check(order, b->threads, "D", &err))
        fail_msg("%s", err.text);
    return order;
}

static inline bool near(double x, double y) { return fabs(x - y) < 1e-9 * (fabs(x) + 1); }

/* What is refused is bad input. */
static inline void says(const struct hd_err *err, const char *why)
{
    assert_int_equal(err->status, 2);
    if (!strstr(err->text, why))
        fail_msg("`%s` has no `%s`", err->text, why);
}
#endif
