/* Regrouping: fits and orders as files, and what of them is refused.
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <unistd.h>
#include "regroup/regroup.h"
#include "made_counts.h"

/* ---- equation (1) ---- */

enum { FIT_BLOCK = 32, FIT_THREADS = 256, FIT_INPUTS = 3 };

/* Counts that are sums of inputs, in two blocks; the third input is the sum of the others, so that
 * one block's samples do not decide the coefficients, but they decide the sums. */
static struct bbv *linear(struct inputs *in, uint32_t n)
{
    uint32_t *rows = malloc((size_t)n * 2 * 4);
    in->n = FIT_INPUTS;
    in->threads = n;
    in->input = calloc(FIT_INPUTS, sizeof *in->input);
    in->value = malloc((size_t)n * FIT_INPUTS * sizeof *in->value);
    for (uint32_t k = 0; k < FIT_INPUTS; k++)
        in->input[k] = (struct input){ (char *)(uintptr_t)(k ? "b" : "a"), 2, k & 1 };
    for (uint32_t t = 0; t < n; t++) {
        double *v = in->value + t * FIT_INPUTS;
        v[0] = below(1000);
        v[1] = below(50);
        v[2] = v[0] + v[1];
        rows[2 * t] = (uint32_t)(3 + 2 * v[0] + 7 * v[1]);
        rows[2 * t + 1] = (uint32_t)(v[1] + 2 * t);
    }
    struct bbv *b = counts(n, FIT_BLOCK, 2, rows);
    b->shape = 0x1234;
    b->nblocks = 2;
    b->blocks = calloc(2, sizeof *b->blocks);
    for (uint32_t k = 0; k < 2; k++)
        b->blocks[k] = (struct bbv_block){ .pc = 64 * k, .insns = 4, .column = k, .executions = 1 };
    free(rows);
    return b;
}

static void test_fit(void **unused)
{
    (void)unused;
    struct hd_err err = { 0 };
    struct inputs in;
    seed = 11;
    struct bbv *b = linear(&in, FIT_THREADS);
    struct fit *f = fit_make(b, &in, FIT_BLOCK, &err), *again;
    struct bbv *by = fit_counts(f, &in, b->grid, b->block, NULL);
    assert_true(fit_error(b, by) == 0);              /* trained on one block of eight */
    assert_int_equal(by->nvectors, b->nvectors);
    b->counts[0] += 10;            /* thread 0, as nobody else: its vector has a count of its own */
    assert_true(near(fit_error(b, by), 100.0 / (2 * FIT_THREADS)));
    char path[] = "./fit-XXXXXX";
    close(mkstemp(path));
    FILE *out = fopen(path, "w");
    fit_put(f, out);
    long size = ftell(out);
    fclose(out);
    assert_non_null(again = fit_read(path, 0x1234, &err));
    assert_memory_equal(again->beta, f->beta, 2 * (FIT_INPUTS + 2) * sizeof *f->beta);
    fit_free(again);
    assert_null(fit_read(path, 0x1235, &err));
    says(&err, "a fit of another source");
    /* cut off; the last number's digits cannot be missed */
    for (long n = size - 2; n > 0; n -= 7) {
        if (n > size - 30)
            continue;
        err.status = 0;
        assert_int_equal(truncate(path, n), 0);
        assert_null(fit_read(path, 0x1234, &err));
        assert_int_equal(err.status, 2);
    }
    unlink(path);
    err.status = 0;
    assert_null(fit_make(b, &in, FIT_INPUTS + 1, &err));
    says(&err, "4 samples of 256 threads for 5 coefficients: there are too few");
    err.status = 0;
    assert_null(fit_make(b, &in, FIT_THREADS + 1, &err));
    says(&err, "too few");
    fit_free(f);
    bbv_free(by);
    bbv_free(b);
    free(in.input);
    free(in.value);
}

static uint32_t rounded(double count)
{
    return !(count > 0.5) ? 0 : count > 4e9 ? 4000000000u : (uint32_t)(count + 0.5);
}

/* Equation (1) as it stands, for every thread and block: columns that are shared, or constant but
 * for noise, counts near a half, counts of 32 bits, and inputs that are no finite numbers,
 * included. */
static void test_fit_counts(void **unused)
{
    (void)unused;
    static const double odd[] = { NAN, INFINITY, -INFINITY };
    static const double noise[] = { 0, 1e-17, -3e-18 };
    for (uint32_t round = 1; round < 60; round++) {
        seed = round;
        struct hd_err err = { 0 };
        struct inputs in;
        const uint32_t terms = FIT_INPUTS + 2, n = FIT_BLOCK * (1 + below(60)),
                       blocks = 1 + below(12);
        struct bbv *b = linear(&in, n);
        struct fit *f = fit_make(b, &in, FIT_BLOCK, &err),
                   many = { .ninputs = FIT_INPUTS, .nblocks = blocks, .input = f->input };
        const double size = below(3) ? 1 : 1e7;
        if (below(3) == 0)
            in.value[below(2) * below(n) * FIT_INPUTS + below(FIT_INPUTS)] = odd[below(3)];
        many.pc = calloc(blocks, sizeof *many.pc);
        many.insns = calloc(blocks, sizeof *many.insns);
        many.beta = calloc((size_t)blocks * terms, sizeof *many.beta);
        for (uint32_t k = 0; k < blocks; k++)
            for (uint32_t i = 0; i < terms; i++)
                many.beta[k * terms + i] = k && below(3) == 0 ? many.beta[(k - 1) * terms + i]
                    : i && below(2) ? noise[below(3)] : size * ((double)below(40) / 8 - 1);
        struct bbv *by = fit_counts(&many, &in, b->grid, b->block, NULL);
        for (uint32_t t = 0; t < n; t++)
            for (uint32_t k = 0; k < blocks; k++) {
                const double *beta = many.beta + k * terms;
                double sum = beta[0];
                for (uint32_t i = 0; i < FIT_INPUTS; i++)
                    sum += beta[i + 1] * in.value[t * FIT_INPUTS + i];
                sum += beta[FIT_INPUTS + 1] * t;
                assert_int_equal(bbv_row(by, t)[by->blocks[k].column], rounded(sum));
            }
        const double lat[12] = { 0 };
        uint32_t *order = order_find(by, lat, &(struct order_how){ .by = BY_SORTING }, &err),
                 *quick = fit_order(&many, &in);
        assert_memory_equal(order, quick, n * sizeof *order);
        free(order);
        free(quick);
        for (uint32_t v = 1; v < by->nvectors; v++)
            for (uint32_t w = v > 20 ? v - 20 : 0; w < v; w++)
                assert_true(memcmp(by->counts + (size_t)v * by->ncolumns,
                                   by->counts + (size_t)w * by->ncolumns, 4 * by->ncolumns));
        free(many.pc);
        free(many.insns);
        free(many.beta);
        fit_free(f);
        bbv_free(by);
        bbv_free(b);
        free(in.input);
        free(in.value);
    }
}

/* ---- refusals ---- */

static void test_refusals(void **unused)
{
    (void)unused;
    uint32_t d[64];
    for (uint32_t t = 0; t < 64; t++)
        d[t] = t;
    struct hd_err err = { 0 };
    assert_true(order_check(d, 64, "D", &err));
    d[40] = 17;
    assert_false(order_check(d, 64, "D", &err));
    says(&err, "D is no order of 64 threads: 17 occurs twice");
    err.status = 0;
    d[40] = 64;
    assert_false(order_check(d, 64, "D", &err));
    says(&err, "64 is none of them");

    seed = 5;
    struct bbv *b = random_counts(96, 48, 2, 9);
    const double lat[2] = { 1, 1 };
    err.status = 0;
    assert_null(order_find(b, lat, &(struct order_how){ .by = BY_SORTING }, &err));
    says(&err, "--scope block");
    char path[] = "./order-XXXXXX";
    close(mkstemp(path));
    for (size_t n = 0; n < 3; n++) {                 /* too short, too long, not even whole words */
        FILE *f = fopen(path, "wb");
        d[40] = 40;
        fwrite(d, 1, n == 0 ? 95 * 4 % sizeof d : n == 1 ? sizeof d : 97, f);
        fwrite(d, 1, n == 1 ? 33 * 4 : 0, f);
        fclose(f);
        err.status = 0;
        assert_null(order_read(path, b, &err));
        says(&err, "wrong length: an order of 96 threads is 384 bytes");
    }
    unlink(path);
    bbv_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_fit_counts),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
