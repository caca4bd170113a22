/* A play of a kernel's counts beside the model's run: tokens, spills and divergences of paper C's
 * loops, in both modes; paths that count what threads count, of kernels with calls, switches and
 * loops in loops. SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/bbv.h"
#include "compiler/all.h"
#include "harness/cmd/loops.h"
#include "regroup/play.h"

struct counted {
    struct hd_image *img;
    struct bbv *b;
    struct hd_counters n;
};

static uint64_t buffer(hd_device *dev, const void *data, size_t bytes)
{
    uint64_t at = 0;
    assert_int_equal(hd_malloc(dev, bytes, &at), HD_OK);
    if (data)
        assert_int_equal(hd_write(dev, at, data, bytes), HD_OK);
    return at;
}

static void count(struct counted *c, hd_device *dev, uint32_t grid, uint32_t block,
                  const uint64_t *params, uint32_t n)
{
    const struct hd_launch l = { .kernel = c->img->kernels[0].name,
                                 .grid = { grid, 1, 1 },
                                 .block = { block, 1, 1 },
                                 .params = params,
                                 .params_size = n };
    assert_int_equal(hd_count_blocks(dev, true), HD_OK);
    assert_int_equal(hd_launch_grid(dev, &l), HD_OK);
    assert_int_equal(hd_block_counts(dev, &c->b), HD_OK);
    c->n = *hd_get_counters(dev);
    hd_close(dev);
}

static void count_loop(struct counted *c, enum loop_kernel k, unsigned n, unsigned chip)
{
    int32_t limits[2 * WARP];
    hd_device *dev;
    for (unsigned i = 0; i < 2 * WARP; i++)
        limits[i] = loop_bound(k == LOOP_DOUBLE ? i / 2 : i % WARP, n);
    assert_int_equal(hd_open(&(struct hd_config){ .kind = HD_MODEL, .stack_depth = chip }, &dev),
                     HD_OK);
    assert_int_equal(hd_load(dev, c->img), HD_OK);
    uint64_t p[] = { buffer(dev, limits, sizeof limits), buffer(dev, NULL, 4 * WARP),
                     buffer(dev, NULL, 16 * WARP) };
    count(c, dev, 1, WARP, p, sizeof p);
}

static void compare(const struct counted *c, enum loop_kernel k, unsigned n, unsigned chip)
{
    struct play *p = play_new(c->b, c->img, chip);
    struct played got;
    assert_non_null(p);
    assert_true(play_order(p, NULL, &got, NULL, NULL));
    const double is[] = {
        got.divergences, got.pushes, got.pops, got.spills, got.fills, got.deepest
    };
    const uint64_t was[] = {
        c->n.divergent_branches, c->n.pushes, c->n.pops, c->n.spills, c->n.fills, c->n.deepest
    };
    for (unsigned i = 0; i < sizeof was / sizeof *was; i++)
        if (is[i] != (double)was[i])
            fail_msg("%s loop, n %u, %u tokens, number %u: %.0f played, %llu of the model",
                     loop_names[k], n, chip, i, is[i], (unsigned long long)was[i]);
    play_free(p);
    bbv_free(c->b);
}

/* Pushes, pops, spills, fills, depth and divergences at all 32 points, with 16 tokens on chip and
 * with 4; divergences by barriers. */
static void test_paper_c(void **unused)
{
    (void)unused;
    for (unsigned k = 0; k < 4; k++) {
        const enum loop_kernel kernel = k / 2 ? LOOP_DOUBLE : LOOP_SINGLE;
        struct counted c = { .img = loop_compile(kernel, k & 1) };
        assert_non_null(c.img);
        for (unsigned n = 0; n < LOOP_POINTS; n++)
            for (unsigned chip = 16; chip; chip = chip == 16 && k & 1 ? 4 : 0) {
                count_loop(&c, kernel, n, chip);
                compare(&c, kernel, n, chip);
            }
        hd_image_free(c.img);
    }
}

/* ---- paths
 * ---------------------------------------------------------------------------- */

enum { GRID = 3, BLOCK = 96, THREADS = GRID * BLOCK };

static void count_file(struct counted *c, const char *path, bool stack_mode)
{
    const struct cc_options cc = { .stack_mode = stack_mode };
    struct hd_err err = { 0 };
    uint32_t in[THREADS];
    hd_device *dev;
    if (!(c->img = hd_compile(path, &cc, &err)))
        fail_msg("%s", err.text);
    for (uint32_t t = 0; t < THREADS; t++)
        in[t] = t * 2654435761u;
    assert_int_equal(hd_open(&(struct hd_config){ .kind = HD_MODEL }, &dev), HD_OK);
    assert_int_equal(hd_load(dev, c->img), HD_OK);
    uint64_t p[] = { buffer(dev, in, sizeof in), buffer(dev, NULL, sizeof in), THREADS };
    count(c, dev, GRID, BLOCK, p, c->img->kernels[0].params_size);
}

/* Every thread leaves every block as often as it was counted. */
static void compare_paths(const struct counted *c, const struct play *p)
{
    struct game *g = game_new(p);
    assert_non_null(g);
    for (uint32_t t = 0; t < THREADS; t += WARP) {
        struct played out = { 0 };
        uint64_t steps = 0;
        assert_true(game_play(g, NULL, t, WARP, NULL, &out, &steps));
        for (uint32_t l = 0; l < WARP; l++)
            for (uint32_t i = 0; i < c->b->nblocks; i++)
                assert_int_equal(game_visits(g, l)[i],
                                 bbv_row(c->b, t + l)[c->b->blocks[i].column]);
    }
    game_free(g);
}

/* Whichever order ways are taken in. */
static void test_paths(void **unused)
{
    (void)unused;
    static const char *const paths[] = { "tests/regroup/loop.cu", "tests/regroup/tenth.cu",
                                         "tests/regroup/play.cu", "tests/regroup/counts.cu",
                                         "tests/regroup/pointers.cu",
                                         "tests/kernels/divergent.cu" };
    for (unsigned k = 0; k < 2 * sizeof paths / sizeof *paths; k++) {
        struct counted c;
        count_file(&c, paths[k / 2], k & 1);
        struct play *p = play_new(c.b, c.img, 0);
        if (!p)
            fail_msg("%s cannot be played", paths[k / 2]);
        for (uint8_t how = 0; how < HOWS; how++) {
            memset(p->how, how, c.b->nblocks);
            p->apart = how > TOGETHER;
            compare_paths(&c, p);
        }
        play_free(p);
        bbv_free(c.b);
        hd_image_free(c.img);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_paper_c),
                                        cmocka_unit_test(test_paths) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
