/* Orders of ten million threads: threads a second of processor time, beside copying an order; one
 * line a figure.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts are made up, as a kernel with a loop of random length and a branch has them: few distinct
 * vectors, and, for the names that end in `.distinct`, a tenth of the threads, each with a vector
 * of its own.  The best of three. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "regroup/regroup.h"

enum { BLOCK = 128, BLOCKS = 80000, THREADS = BLOCK * BLOCKS, VECTORS = 566, COLUMNS = 12,
       ROUNDS = 3 };

static uint32_t next(uint32_t *seed) { return (*seed = *seed * 1664525 + 1013904223) >> 8; }

static struct bbv *counts(uint32_t threads, uint32_t vectors)
{
    struct bbv *b = calloc(1, sizeof *b);
    uint32_t seed = 1;
    if (!b)
        return NULL;
    *b = (struct bbv){ .grid = { threads / BLOCK, 1, 1 },
                       .block = { BLOCK, 1, 1 },
                       .threads = threads,
                       .threads_block = BLOCK,
                       .ncolumns = COLUMNS,
                       .nvectors = vectors };
    b->counts = malloc(sizeof *b->counts * vectors * COLUMNS);
    b->of = malloc(sizeof *b->of * threads);
    for (uint32_t k = 0; b->counts && k < vectors * COLUMNS; k++)
        b->counts[k] = k % COLUMNS ? next(&seed) & 255 : 1 + k / COLUMNS % VECTORS;
    for (uint32_t t = 0; b->of && t < threads; t++)
        b->of[t] = vectors == threads ? t : next(&seed) % vectors;
    return b;
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* BY_ORIGINAL: memcpy of one. */
static bool line(const char *name, const struct bbv *b, enum order_by by)
{
    const uint32_t n = (uint32_t)b->threads;
    double lat[COLUMNS], best = 1e9;
    uint32_t *copy = malloc(sizeof *copy * n);
    for (uint32_t c = 0; c < COLUMNS; c++)
        lat[c] = 10 + c;
    for (int round = 0; copy && round < ROUNDS; round++) {
        struct hd_err err = { 0 };
        double start = seconds();
        uint32_t *order = by == BY_ORIGINAL
                              ? memcpy(copy, b->of, sizeof *copy * n)
                              : order_find(b, lat, &(struct order_how){ .by = by }, &err);
        double t = seconds() - start;
        if (!order || !order_check(order, by == BY_ORIGINAL ? 0 : n, "bench", &err)) {
            fprintf(stderr, "bench_regroup: %s\n", err.text);
            return false;
        }
        if (order != copy)
            free(order);
        best = t < best ? t : best;
    }
    free(copy);
    printf("bench: regroup.%s %.1f Mthread/s\n", name, n / best / 1e6);
    return true;
}

int main(void)
{
    struct bbv *few = counts(THREADS, VECTORS), *many = counts(THREADS / 10, THREADS / 10);
    bool ok = few && few->counts && few->of && many && many->counts && many->of;
    ok = ok && line("sorting", few, BY_SORTING) && line("best", few, BY_BEST) &&
         line("sorting.distinct", many, BY_SORTING) && line("best.distinct", many, BY_BEST) &&
         line("memcpy", few, BY_ORIGINAL);
    bbv_free(few);
    bbv_free(many);
    return ok ? 0 : 4;
}
