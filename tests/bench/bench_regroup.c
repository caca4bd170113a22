/* Orders of ten million threads: threads a second, beside copying an order; one line a figure.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts are made up: VECTORS distinct ones, as a kernel with a loop of random length and a branch has.  The best of
 * three counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "regroup/regroup.h"

enum { BLOCK = 128, BLOCKS = 80000, THREADS = BLOCK * BLOCKS, VECTORS = 566, COLUMNS = 12, ROUNDS = 3 };

static struct bbv *counts(void)
{
    struct bbv *b = calloc(1, sizeof *b);
    uint32_t seed = 1;
    if (!b)
        return NULL;
    *b = (struct bbv){ .grid = { BLOCKS, 1, 1 }, .block = { BLOCK, 1, 1 }, .threads = THREADS, .threads_block = BLOCK,
                       .ncolumns = COLUMNS, .nvectors = VECTORS };
    b->counts = malloc(sizeof *b->counts * VECTORS * COLUMNS);
    b->of = malloc(sizeof *b->of * THREADS);
    for (uint32_t k = 0; b->counts && k < VECTORS * COLUMNS; k++)
        b->counts[k] = k % COLUMNS ? (seed = seed * 1664525 + 1013904223) >> 8 & 255 : 1 + k / COLUMNS;   /* all differ */
    for (uint32_t t = 0; b->of && t < THREADS; t++)
        b->of[t] = ((seed = seed * 1664525 + 1013904223) >> 8) % VECTORS;
    return b;
}

static void print(const char *name, double seconds) { printf("bench: regroup.%s %.1f Mthread/s\n", name, THREADS / seconds / 1e6); }

int main(void)
{
    static const struct { const char *name; enum order_by by; } orders[] = { { "sorting", BY_SORTING }, { "best", BY_BEST } };
    struct bbv *b = counts();
    uint32_t *copy = malloc(sizeof *copy * THREADS);
    double lat[COLUMNS], best[3] = { 1e9, 1e9, 1e9 };
    if (!b || !b->counts || !b->of || !copy)
        return 4;
    for (uint32_t c = 0; c < COLUMNS; c++)
        lat[c] = 10 + c;
    for (int round = 0; round < ROUNDS; round++)
        for (unsigned k = 0; k <= sizeof orders / sizeof *orders; k++) {
            struct hd_err err = { 0 };
            bool copies = k == sizeof orders / sizeof *orders;
            struct order_how how = { .by = copies ? BY_ORIGINAL : orders[k].by };
            double start = regroup_seconds();
            uint32_t *order = copies ? memcpy(copy, b->of, sizeof *copy * THREADS) : order_find(b, lat, &how, &err);
            double t = regroup_seconds() - start;
            if (!order || !order_check(order, copies ? 0 : THREADS, "bench", &err)) {
                fprintf(stderr, "bench_regroup: %s\n", err.text);
                return 4;
            }
            if (!copies)
                free(order);
            best[k] = t < best[k] ? t : best[k];
        }
    print("sorting", best[0]);
    print("best", best[1]);
    print("memcpy", best[2]);
    free(copy);
    bbv_free(b);
    return 0;
}
