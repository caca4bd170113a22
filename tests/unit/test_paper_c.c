/* Paper C's loops in stack mode against its formulas, its emulator and its fitted costs.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "harness/cmd/loops.h"
#include "tests/paper_c/emulator.h"

static struct hd_image *compiled(enum loop_kernel k)
{
    struct hd_image *img = loop_compile(k, true);
    assert_non_null(img);
    return img;
}

/* Depths of the stack in the order in which it has them. */
struct depths { unsigned n; uint8_t depth[EMU_HISTORY]; };

static bool note(void *user, const struct hd_commit *c)
{
    struct depths *d = user;
    if (c->pushed || c->popped)
        d->depth[d->n++ % EMU_HISTORY] = (uint8_t)c->depth;
    return true;
}

static void same_depths(const struct depths *d, const struct emulation *e)
{
    unsigned k = 0, before = 0;
    for (unsigned i = 0; i < e->insns; i++) {
        if (e->depth[i] == before)
            continue;
        before = e->depth[i];
        assert_true(k < d->n);
        assert_int_equal(d->depth[k++], before);
    }
    assert_int_equal(k, d->n);
}

/* Every n: the paper's formulas, and token for token what the emulator does, also on smaller
 * stacks. */
static void check_stack(enum loop_kernel k, enum hd_kind kind, unsigned every)
{
    static const unsigned chips[] = { 16, 8, 4 };
    struct hd_image *img = compiled(k);
    for (unsigned n = 0; n < LOOP_POINTS; n += every)
        for (int c = 0; c < 3; c++) {
            struct emulation e;
            struct depths d;
            d.n = 0;
            struct loop_run r = { .kernel = k,
                                  .image = img,
                                  .cfg = { .kind = kind, .stack_depth = chips[c] },
                                  .n = n,
                                  .warps = 1,
                                  .on_commit = note,
                                  .user = &d };
            emulate(k == LOOP_DOUBLE, n, chips[c], &e);
            assert_true(loop_measure(&r));
            assert_int_equal(r.loop.pushes, k == LOOP_DOUBLE ? n * (65 - n) / 2 + 33 : n + 1);
            assert_int_equal(r.loop.deepest, k == LOOP_DOUBLE ? n + 2 : n + 1);
            assert_int_equal(r.loop.pops, r.loop.pushes);
            assert_int_equal(r.loop.spills, e.spills);
            assert_int_equal(r.loop.fills, e.fills);
            if (chips[c] == 16 && n <= (k == LOOP_DOUBLE ? 14 : 15))
                assert_int_equal(r.loop.spills, 0);
            same_depths(&d, &e);
        }
    hd_image_free(img);
}

static void test_single(void **unused) { (void)unused; check_stack(LOOP_SINGLE, HD_MODEL, 1); }
static void test_double(void **unused) { (void)unused; check_stack(LOOP_DOUBLE, HD_MODEL, 1); }
static void test_single_lockstep(void **unused)
{
    (void)unused;
    check_stack(LOOP_SINGLE, HD_LOCKSTEP, 10);
}
static void test_double_lockstep(void **unused)
{
    (void)unused;
    check_stack(LOOP_DOUBLE, HD_LOCKSTEP, 31);
}

/* Cycles above those of n = 0 are what the paper fits: so much a divergence, so much a chunk there
 * and back. */
static void check_profile(const char *name, uint64_t divergence, uint64_t chunk)
{
    for (int k = LOOP_SINGLE; k <= LOOP_DOUBLE; k++) {
        struct hd_image *img = compiled((enum loop_kernel)k);
        uint64_t base = 0;
        for (unsigned n = 0; n < LOOP_POINTS; n++) {
            struct loop_run r = { .kernel = (enum loop_kernel)k, .image = img, .n = n, .warps = 1,
                                  .cfg = { .kind = HD_MODEL, .timing = name } };
            struct emulation e, none;
            assert_true(loop_measure(&r));
            emulate(k, n, EMU_CHIP, &e);
            emulate(k, 0, EMU_CHIP, &none);
            base = n ? base : r.cycles;
            assert_int_equal(r.cycles - base,
                             divergence * (e.pushes - none.pushes) + chunk * e.spills);
        }
        hd_image_free(img);
    }
}

static void test_kepler(void **unused) { (void)unused; check_profile("kepler", 32, 84); }
static void test_maxwell(void **unused) { (void)unused; check_profile("maxwell", 26, 176); }

/* The last of the 32 lanes of Listing 5 sees the whole cost; without spills all of it in the
 * unwinding. */
static void test_precise(void **unused)
{
    struct hd_image *img = compiled(LOOP_PRECISE);
    int64_t turns = 0, behind = 0;
    (void)unused;
    for (unsigned n = 0; n < LOOP_POINTS; n++) {
        struct loop_run r = { .kernel = LOOP_PRECISE, .image = img, .n = n, .warps = 1,
                              .cfg = { .kind = HD_MODEL, .timing = "kepler" } };
        unsigned chunks = n < 16 ? 0 : (n - 12) / 4;
        assert_true(loop_measure(&r));
        int64_t t = r.timer[32 * HD_LANES] - r.timer[0],
                b = r.timer[33 * HD_LANES] - r.timer[32 * HD_LANES];
        turns = n ? turns : t;
        behind = n ? behind : b;
        assert_int_equal(t - turns, 41 * chunks);
        assert_int_equal(b - behind, 32 * n + 43 * chunks);
    }
    hd_image_free(img);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single), cmocka_unit_test(test_double), cmocka_unit_test(test_kepler),
        cmocka_unit_test(test_maxwell), cmocka_unit_test(test_precise),
        cmocka_unit_test(test_single_lockstep), cmocka_unit_test(test_double_lockstep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
