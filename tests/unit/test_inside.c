/* Executions inside loops: those of the counting run come out; of counts without them, equation
 * (2).
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include "cmodel/bbv.h"
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include "regroup/regroup.h"

enum { GRID = 6, BLOCK = 96, THREADS = GRID * BLOCK };

static struct bbv *counted(const char *path, bool stack_mode, struct hd_image **img)
{
    const struct cc_options cc = { .stack_mode = stack_mode };
    struct hd_err err = { 0 };
    uint32_t in[THREADS];
    uint64_t at = 0;
    uint64_t params[2];
    hd_device *dev;
    struct bbv *b;
    if (!(*img = hd_compile(path, &cc, &err)))
        fail_msg("%s", err.text);
    assert_int_equal(hd_open(&(struct hd_config){ .kind = HD_MODEL }, &dev), HD_OK);
    assert_int_equal(hd_load(dev, *img), HD_OK);
    for (uint32_t t = 0; t < THREADS; t++)
        in[t] = t * 2654435761u;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(hd_malloc(dev, sizeof in, &at), HD_OK);
        params[k] = at;
    }
    assert_int_equal(hd_write(dev, (uint32_t)params[0], in, sizeof in), HD_OK);
    assert_int_equal(hd_count_blocks(dev, true), HD_OK);
    const struct hd_launch l = { .grid = { GRID, 1, 1 }, .block = { BLOCK, 1, 1 }, .params = params,
                                 .params_size = sizeof params };
    assert_int_equal(hd_launch_grid(dev, &l), HD_OK);
    assert_int_equal(hd_block_counts(dev, &b), HD_OK);
    hd_close(dev);
    return b;
}

/* Of every block, by all warps in their own order. */
static double *executions(const struct bbv *b, const struct hd_image *img)
{
    struct inside *in = inside_fit(b, img);
    double *all = calloc(b->nblocks, sizeof *all), *warp = calloc(b->nblocks, sizeof *warp);
    uint32_t order[THREADS];
    assert_true(in && all && warp);
    for (uint32_t t = 0; t < THREADS; t++)
        order[t] = t;
    for (uint32_t t = 0; t < THREADS; t += WARP) {
        inside_warp(in, order + t, WARP, warp);
        for (uint32_t k = 0; k < b->nblocks; k++)
            all[k] += warp[k];
    }
    free(warp);
    inside_free(in);
    return all;
}

static double most(const struct bbv *b, uint32_t column)
{
    double sum = 0;
    for (uint32_t t = 0; t < THREADS; t += WARP) {
        uint32_t warp = 0;
        for (uint32_t l = 0; l < WARP; l++)
            warp = bbv_row(b, t + l)[column] > warp ? bbv_row(b, t + l)[column] : warp;
        sum += warp;
    }
    return sum;
}

static void test_counting_run(void **unused)
{
    (void)unused;
    static const char *const paths[] = { "tests/regroup/loop.cu", "tests/regroup/tenth.cu" };
    for (int k = 0; k < 4; k++) {
        struct hd_image *img;
        struct bbv *b = counted(paths[k / 2], k & 1, &img);
        double *all = executions(b, img);
        for (uint32_t i = 0; i < b->nblocks; i++)
            assert_true(fabs(all[i] - (double)b->blocks[i].executions) < 1e-6 * all[i]);
        free(all);
        for (uint32_t i = 0; i < b->nblocks; i++)
            b->blocks[i].executions = 0;
        all = executions(b, img);
        for (uint32_t i = 0; i < b->nblocks; i++)
            assert_true(fabs(all[i] - most(b, b->blocks[i].column)) < 1e-6 * all[i]);
        free(all);
        bbv_free(b);
        hd_image_free(img);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_counting_run) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
