/* Instructions retire through two ports: eight warps keep the core busy, and records of one cycle
 * are of different warps and in order.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "compiler/all.h"
#include "harness/cmd/loops.h"

enum { WARPS = 8 };
/* The commits so far. */
struct seen { uint64_t n, cycle, pairs; unsigned slot; };

static bool look(void *user, const struct hd_commit *c)
{
    struct seen *s = user;
    assert_int_equal(c->seq, s->n);
    if (s->n && c->cycle == s->cycle) {
        s->pairs++;
        assert_int_not_equal(c->slot, s->slot);
    }
    assert_true(!s->n || c->cycle >= s->cycle);
    s->n++;
    s->cycle = c->cycle;
    s->slot = c->slot;
    return true;
}

static struct hd_image *compiled(const char *path)
{
    struct cc_options cc = { 0 };
    struct hd_err err = { 0 };
    struct hd_image *img = hd_compile(path, &cc, &err);
    if (!img)
        fail_msg("%s", err.text);
    return img;
}

/* The loop of multiply-adds on a device in lockstep: what the launch says. */
static enum hd_status fma_loop(hd_device **d, hd_commit_fn *fn, void *user)
{
    struct { uint64_t out; float a, b; unsigned n; } p = { .a = 0.5f, .b = 0.25f, .n = 512 };
    struct hd_config cfg = { .kind = HD_LOCKSTEP };
    struct hd_launch l = {
        .grid = { WARPS, 1, 1 }, .block = { HD_LANES, 1, 1 }, .params = &p, .params_size = 20,
    };
    struct hd_image *img = compiled("tests/bench/fma_loop.cu");
    uint64_t at = 0;
    assert_int_equal(hd_open(&cfg, d), HD_OK);
    assert_int_equal(hd_load(*d, img), HD_OK);
    assert_int_equal(hd_malloc(*d, 4 * WARPS * HD_LANES, &at), HD_OK);
    p.out = at;
    hd_on_commit(*d, fn, user);
    enum hd_status s = hd_launch_grid(*d, &l);
    hd_image_free(img);
    return s;
}

static void test_fma_loop(void **unused)
{
    struct seen s = { 0 };
    hd_device *d;
    (void)unused;
    assert_int_equal(fma_loop(&d, look, &s), HD_OK);
    const struct hd_counters *k = hd_get_counters(d);
    print_message("%llu commits in %llu cycles, %llu times two in one\n",
                  (unsigned long long)k->warp_insns, (unsigned long long)k->cycles,
                  (unsigned long long)s.pairs);
    assert_true(s.pairs > k->warp_insns / 100);
    assert_true((double)k->warp_insns >= 0.97 * (double)k->cycles);
    hd_close(d);
}

/* Stopped after the first commit of a cycle with two: the second is followed all the same, and told
 * to nobody. */
static bool count_down(void *user, const struct hd_commit *c)
{
    unsigned *left = user;
    (void)c;
    assert_true(*left > 0);
    return --*left > 0;
}

static void test_stopped_between_two(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 16; i++) {
        unsigned left = 2000 + i;
        hd_device *d;
        assert_int_equal(fma_loop(&d, count_down, &left), HD_STOPPED);
        hd_close(d);
    }
}

/* Paper C's double loop, in which lanes leave one by one. */
static void test_divergent_loop(void **unused)
{
    struct loop_run r = { .kernel = LOOP_SINGLE, .image = compiled("tests/bench/int_loop.cu"),
                          .cfg = { .kind = HD_LOCKSTEP }, .n = 31, .warps = WARPS };
    (void)unused;
    assert_true(loop_measure(&r));
    print_message("%llu commits in %llu cycles\n", (unsigned long long)r.count.warp_insns,
                  (unsigned long long)r.count.cycles);
    assert_true((double)r.count.warp_insns >= 0.97 * (double)r.count.cycles);
    hd_image_free((struct hd_image *)r.image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fma_loop),
        cmocka_unit_test(test_stopped_between_two),
        cmocka_unit_test(test_divergent_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
