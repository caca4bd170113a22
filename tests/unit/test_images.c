/* Several images on one device, and more buffers than the core has ranges.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "cmodel/image/asm.h"
#include "harness/core/rtl.h"
#include "compiler/all.h"

static const char adds[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".const .align 4 .u32 step = %d;\n"
    ".visible .global .align 4 .u32 sum = %d;\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .b32 %%r<6>;\n.reg .b64 %%rd<3>;\n"
    "ld.param.u64 %%rd1, [p];\n"
    "ld.const.u32 %%r1, [step];\n"
    "ld.global.u32 %%r2, [sum];\n"
    "add.s32 %%r3, %%r1, %%r2;\n"
    "st.global.u32 [sum], %%r3;\n"
    "st.global.u32 [%%rd1], %%r3;\n"
    "ret;\n}\n";

static struct hd_image *image(int step, int sum)
{
    char text[1000];
    struct hd_err err = { 0 };
    static const struct cc_options opt;
    snprintf(text, sizeof text, adds, step, sum);
    struct hd_image *img = hd_compile_ptx("images.ptx", text, &opt, &err);
    if (!img)
        fail_msg("%s", err.text);
    return img;
}

static uint32_t launch(hd_device *d, uint64_t to, enum hd_status want)
{
    uint64_t p = to;
    uint32_t v = 0;
    struct hd_launch l = {
        .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .params = &p, .params_size = sizeof p
    };
    assert_int_equal(hd_launch_grid(d, &l), want);
    if (want == HD_OK)
        assert_int_equal(hd_read(d, to, &v, sizeof v), HD_OK);
    return v;
}

static const struct hd_config configs[] = { { .kind = HD_MODEL },
                                            { .kind = HD_LOCKSTEP, .lanes = 4 } };

/* Each keeps its data and its constants while another is in use. */
static void images_keep_what_they_hold(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        hd_device *d;
        struct hd_image *a = image(1, 100), *b = image(10, 2000);
        uint64_t out, of_a, of_b, step;
        uint32_t five = 5;
        size_t bytes;
        assert_int_equal(hd_open(&configs[k], &d), HD_OK);
        assert_int_equal(hd_malloc(d, 4, &out), HD_OK);
        assert_int_equal(hd_use(d, a), HD_OK);
        assert_int_equal(hd_symbol(d, "sum", &of_a, &bytes), HD_OK);
        assert_int_equal(launch(d, out, HD_OK), 101);
        assert_int_equal(hd_use(d, b), HD_OK);
        assert_int_equal(hd_symbol(d, "sum", &of_b, &bytes), HD_OK);
        assert_int_equal(bytes, 4);
        assert_int_not_equal(of_a, of_b);
        assert_int_equal(launch(d, out, HD_OK), 2010);
        assert_int_equal(hd_symbol(d, "step", &step, &bytes), HD_OK);
        assert_int_equal(hd_write(d, step, &five, sizeof five), HD_OK);
        assert_int_equal(launch(d, out, HD_OK), 2015);
        assert_int_equal(hd_use(d, a), HD_OK);
        assert_int_equal(launch(d, out, HD_OK), 102);
        assert_int_equal(launch(d, of_b, HD_OK), 103);       /* a kernel reaches the other's data */
        assert_int_equal(hd_use(d, b), HD_OK);
        assert_int_equal(launch(d, out, HD_OK), 108);
        assert_int_equal(hd_load(d, a), HD_BAD_ARGUMENT);    /* that is for the first */
        hd_close(d);
        hd_image_free(a);
        hd_image_free(b);
    }
}

/* A write into the gap between two buffers that share a range is found, put right, and blamed on
 * nobody else. */
static void gaps_are_watched(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        for (unsigned n = 15; n <= 40; n += 25) {
            hd_device *d;
            struct hd_image *a = image(1, 100);
            uint64_t at[40];
            assert_int_equal(hd_open(&configs[k], &d), HD_OK);
            assert_int_equal(hd_use(d, a), HD_OK);
            for (unsigned i = 0; i < n; i++)
                assert_int_equal(hd_malloc(d, 16, &at[i]), HD_OK);
            assert_int_equal(launch(d, at[n - 1], HD_OK), 101);
            launch(d, at[n / 2] + 16, HD_FAULT);
            /* with a range for each the core itself says so */
            assert_int_equal(hd_get_fault(d) != NULL, n == 15);
            if (n > 15)
                assert_non_null(strstr(hd_device_error(d), "0 bytes after the end of buffer 20"));
            launch(d, at[n - 1] + 16, HD_FAULT);         /* after the last one: no range holds it */
            assert_non_null(hd_get_fault(d));
            assert_true(launch(d, at[0], HD_OK) >= 102);
            hd_close(d);
            hd_image_free(a);
        }
}

/* A register that no instruction of an image names is 0, whatever the image before left there; and
 * what a warp is like does not depend on what the structure held before. */
static void registers_begin_at_zero(void **state)
{
    (void)state;
    static const char one[] = ".mode barrier\n.text\n.kernel k\n.regs 32\n.barriers 1\n"
                              "MOV R20, 7\n";
    static const char other[] = ".mode barrier\n.text\n.kernel k\n.regs 32\n.barriers 1\n";
    static const char waits[] = "BAR.SYNC 0, 0x40\nEXIT\n";
    const char *const text[2] = { one, other };
    hd_device *d;
    assert_int_equal(hd_open(&configs[0], &d), HD_OK);
    for (int k = 0; k < 2; k++) {
        char all[sizeof one + sizeof waits];
        struct hd_err err = { 0 };
        struct hd_image *img;
        struct hd_warp w[2];
        uint32_t r[HD_LANES];
        struct hd_launch l = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
        snprintf(all, sizeof all, "%s%s", text[k], waits);
        assert_int_equal(hd_asm("waits", all, &img, &err), HD_OK);
        assert_int_equal(hd_reset(d, 0), HD_OK);
        assert_int_equal(hd_load(d, img), HD_OK);
        assert_int_equal(hd_launch_grid(d, &l), HD_DEADLOCK);
        assert_true(hd_get_register(d, 0, 20, r));
        assert_int_equal(r[0], k == 0 ? 7 : 0);
        memset(&w[0], 0, sizeof w[0]);
        memset(&w[1], 0xff, sizeof w[1]);
        for (int i = 0; i < 2; i++)
            assert_true(hd_get_warp(d, 0, &w[i]));
        assert_memory_equal(&w[0], &w[1], sizeof w[0]);
        hd_image_free(img);
    }
    hd_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(images_keep_what_they_hold),
                                        cmocka_unit_test(registers_begin_at_zero),
                                        cmocka_unit_test(gaps_are_watched) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
