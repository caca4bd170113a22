/* Orders of many threads: what is only looked at in samples is not overlooked, and ten million are
 * ordered well.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <malloc.h>
#include <sys/resource.h>
#include "regroup/regroup.h"

/* One column, a vector of its own for every row: count(v) of vector v; threads share them at
 * random. */
static struct bbv *counts(uint32_t threads, uint32_t rows, uint32_t (*count)(uint32_t v))
{
    struct bbv *b = calloc(1, sizeof *b);
    assert_non_null(b);
    *b = (struct bbv){ .grid = { threads / WARP, 1, 1 },
                       .block = { WARP, 1, 1 },
                       .threads = threads,
                       .threads_block = WARP,
                       .ncolumns = 1,
                       .nvectors = rows };
    b->counts = malloc(rows * sizeof *b->counts);
    b->of = malloc(threads * sizeof *b->of);
    assert_true(b->counts && b->of);
    for (uint32_t v = 0; v < rows; v++)
        b->counts[v] = count(v);
    for (uint32_t t = 0; t < threads; t++)
        b->of[t] = threads == rows ? t : (t * 2654435761u >> 8) % rows;
    return b;
}

/* The weighted cost of an order, which must be a permutation. */
static double cost(const struct bbv *b, enum order_by by)
{
    const double lat[1] = { 1 };
    struct hd_err err = { 0 };
    uint32_t *order = order_find(b, lat, &(struct order_how){ .by = by }, &err);
    assert_non_null(order);
    assert_true(order_check(order, b->threads, "order", &err));
    double *warp = metric_warps(b, lat, order), sum = 0;
    assert_non_null(warp);
    for (uint64_t w = 0; w < b->threads / WARP; w++)
        sum += warp[w];
    free(warp);
    free(order);
    return sum;
}

static uint32_t odd_is_long(uint32_t v) { return v % 2 ? 100 : 1; }

/* Halving looks at every second of these threads; all that it sees there are alike. */
static void test_beyond_the_sample(void **unused)
{
    (void)unused;
    enum { N = 8192 };
    struct bbv *b = counts(N, N, odd_is_long);
    const double lat[1] = { 1 };
    uint32_t *threads = malloc(N * sizeof *threads), *out = malloc(N * sizeof *out), most;
    struct pool p;
    double sum = 0;
    for (uint32_t t = 0; t < N; t++)
        threads[t] = t;
    assert_true(pool_make(&p, b, lat, threads, N) && order_halving(&p, out));
    for (uint32_t w = 0; w < N; w += WARP)
        sum += metric_warp(b, lat, out + w, WARP, &most);
    assert_true(sum == N / WARP / 2 * (100 + 1));
    pool_free(&p);
    free(threads);
    free(out);
    bbv_free(b);
}

static uint32_t itself(uint32_t v) { return v; }

/* 10,000,000 threads of 500 lengths at random: nearly no warp has two lengths. */
static void test_ten_million(void **unused)
{
    (void)unused;
    enum { N = 10000000, LENGTHS = 500 };
    struct bbv *b = counts(N / WARP * WARP, LENGTHS, itself);
    double ideal = bound_cost(b, (const double[]){ 1 }, false);
    assert_true(ideal > 0 && cost(b, BY_ORIGINAL) > 1.9 * ideal);
    assert_true(cost(b, BY_SORTING) <= ideal * 1.00001);
    assert_true(cost(b, BY_BEST) <= ideal * 1.00001);
    bbv_free(b);
}

/* Sorting is lexicographic where a key of 64 bits holds neither all columns nor, in its highest
 * digits, what tells threads apart: counts of few values in the high bits, any in the low ones. */
static void test_sorting_wide(void **unused)
{
    (void)unused;
    enum { N = 100000 / WARP * WARP, COLUMNS = 4 };
    struct bbv *b = counts(N, N, itself);
    const double lat[COLUMNS] = { 1, 1, 1, 1 };
    struct hd_err err = { 0 };
    uint32_t seed = 1;
    free(b->counts);
    b->ncolumns = COLUMNS;
    b->counts = malloc((size_t)N * COLUMNS * sizeof *b->counts);
    assert_non_null(b->counts);
    for (uint32_t k = 0; k < N * COLUMNS; k++) {
        seed = seed * 1664525 + 1013904223;
        b->counts[k] = k % COLUMNS < 2 ? (seed >> 31) << 31 | (seed >> 20 & 3) : seed >> 28;
    }
    uint32_t *order = order_find(b, lat, &(struct order_how){ .by = BY_SORTING }, &err);
    assert_non_null(order);
    assert_true(order_check(order, N, "order", &err));
    for (uint32_t t = 1; t < N; t++) {
        const uint32_t *x = bbv_row(b, order[t - 1]), *y = bbv_row(b, order[t]);
        uint32_t c = 0;
        while (c < COLUMNS && x[c] == y[c])
            c++;
        assert_true(c == COLUMNS ? order[t - 1] < order[t] : x[c] < y[c]);
    }
    free(order);
    bbv_free(b);
}

/* Bytes of heap and private mappings, as RLIMIT_DATA has them. */
static size_t data_bytes(void)
{
    char line[256];
    size_t kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) && sscanf(line, "VmData: %zu kB", &kib) != 1)
        ;
    fclose(f);
    assert_true(kib > 0);
    return kib << 10;
}

/* The order of a million threads that all differ takes some 50 MB; with 8 MB it is the same, by
 * files, where arrays may take 4 of these, and is not to be had else. */
static void test_within_memory(void **unused)
{
    (void)unused;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* it has memory of its own, and ends where there is none */
#endif
    enum { N = 1 << 20, LIMIT = 4 << 20, ROOM = 8 << 20 };
    static const enum order_by by[] = { BY_SORTING, BY_BEST };
    struct bbv *b = counts(N, N, itself);
    const double lat[1] = { 1 };
    for (uint32_t v = 0; v < N; v++)                   /* not in order */
        b->counts[v] = v * 2654435761u >> 12;
    for (int k = 0; k < 2; k++) {
        const struct order_how how = { .by = by[k] };
        struct hd_err err = { 0 };
        uint32_t *all = order_find(b, lat, &how, &err);
        assert_non_null(all);
        malloc_trim(0);
        struct rlimit was, little;
        assert_int_equal(getrlimit(RLIMIT_DATA, &was), 0);
        little = (struct rlimit){ data_bytes() + ROOM, was.rlim_max };
        assert_int_equal(setrlimit(RLIMIT_DATA, &little), 0);
        uint32_t *none = order_find(b, lat, &how, &err);
        b->within = spill_open(LIMIT);
        uint32_t *some = b->within ? order_find(b, lat, &how, &err) : NULL;
        assert_int_equal(setrlimit(RLIMIT_DATA, &was), 0);
        assert_null(none);
        assert_non_null(some);
        assert_memory_equal(all, some, N * sizeof *all);
        assert_true(spill_bytes(b->within) > N * sizeof *all);
        spill_free(b->within, some);
        spill_close(b->within);
        b->within = NULL;
        free(all);
    }
    bbv_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_beyond_the_sample),
                                        cmocka_unit_test(test_ten_million),
                                        cmocka_unit_test(test_sorting_wide),
                                        cmocka_unit_test(test_within_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
