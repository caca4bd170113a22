/* The launch grammar: what it takes, what it fills in, what it refuses and how.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness/cli/launch_args.h"

static void add(struct launch_args *la, const char *text)
{
    struct hd_err err = { 0 };
    if (!args_add(la, text, &err))
        fail_msg("%s: %s", text, err.text);
}

static void scalars(void **state)
{
    (void)state;
    static const struct { const char *text; unsigned char bytes[8]; unsigned n; } t[] = {
        { "a:i32=-2", { 0xfe, 0xff, 0xff, 0xff }, 4 },
        { "a:u8=255", { 255 }, 1 },
        { "a:i8=-128", { 0x80 }, 1 },
        { "a:u64=0xffffffffffffffff", { 255, 255, 255, 255, 255, 255, 255, 255 }, 8 },
        { "a:f32=1.5", { 0, 0, 0xc0, 0x3f }, 4 },
        { "a:f64=-2", { 0, 0, 0, 0, 0, 0, 0, 0xc0 }, 8 },
        { "a:u16=0x1234", { 0x34, 0x12 }, 2 },
    };
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        struct launch_args la = { 0 };
        add(&la, t[i].text);
        assert_false(la.args[0].array);
        assert_int_equal(la.args[0].width, t[i].n);
        assert_memory_equal(la.args[0].data, t[i].bytes, t[i].n);
        args_free(&la);
    }
}

static void buffers(void **state)
{
    (void)state;
    struct launch_args la = { 0 };
    add(&la, "z:u32[3]");
    add(&la, "i:f32[4]=iota");
    add(&la, "f:i16[3]=fill:-7");
    add(&la, "r:f32[1000]=rand:5");
    add(&la, "s:f32[1000]=rand:5");
    add(&la, "t:u64[4]=rand:1");
    add(&la, "m:u32[4]=mixed:1");
    add(&la, "h:u32[2]=hex:01fF02");
    add(&la, "b:bytes[3]=hex:0a0b0c");
    assert_memory_equal(la.args[7].data, "\1\377\2\0\0\0\0", 8);
    assert_memory_equal(la.args[8].data, "\n\v\f", 3);
    assert_true(la.args[0].array);
    assert_memory_equal(la.args[0].data, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
    assert_memory_equal(la.args[1].data, ((float[]){ 0, 1, 2, 3 }), 16);
    assert_memory_equal(la.args[2].data, ((int16_t[]){ -7, -7, -7 }), 6);
    assert_memory_equal(la.args[3].data, la.args[4].data, 4000);
    const float *r = (const float *)(void *)la.args[3].data;
    for (int i = 0; i < 1000; i++)
        assert_true(r[i] >= 0 && r[i] < 1);
    /* splitmix64 of seed 1, from its reference implementation */
    const uint64_t *t = (const uint64_t *)(void *)la.args[5].data;
    assert_true(t[0] == 0x910a2dec89025cc1u && t[1] == 0xbeeb8da1658eec67u);
    /* of these two: the second says which kind of word the first becomes */
    assert_int_equal(*(const uint32_t *)(void *)la.args[6].data, 0xc0025cc1u);
    args_free(&la);
}

static void files(void **state)
{
    (void)state;
    char path[] = "/tmp/heddle-test-XXXXXX", text[64];
    int fd = mkstemp(path);
    assert_int_equal(write(fd, "abcdefgh", 8), 8);
    struct launch_args la = { 0 };
    struct hd_err err = { 0 };
    snprintf(text, sizeof text, "b:bytes[8]=@%s", path);
    add(&la, text);
    assert_memory_equal(la.args[0].data, "abcdefgh", 8);
    assert_false(la.args[0].array);
    snprintf(text, sizeof text, "c:u32[3]=@%s", path);
    assert_false(args_add(&la, text, &err));
    assert_non_null(strstr(err.text, "fewer than the 12 bytes"));
    err = (struct hd_err){ 0 };
    snprintf(text, sizeof text, "c:u32[1]=@%s", path);
    assert_false(args_add(&la, text, &err));
    assert_non_null(strstr(err.text, "more than the 4 bytes"));
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(pwrite(fd, "--grid 8 # blocks\n  n:i32=1\n", 27, 0), 27);
    char at[64], *argv[] = { (char *)"run", at };
    int n;
    err = (struct hd_err){ 0 };
    snprintf(at, sizeof at, "@%s", path);
    char **v = args_expand(2, argv, &n, &err);
    assert_int_equal(n, 4);
    assert_string_equal(v[1], "--grid");
    assert_string_equal(v[3], "n:i32=1");
    args_free_argv(v);
    args_free(&la);
    close(fd);
    unlink(path);
}

static void refusals(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        { "a", "is not NAME:TYPE" },
        { ":i32=1", "is not NAME:TYPE" },
        { "a:int=1", "is not a type" },
        { "a:i32", "a value is missing" },
        { "a:i32=", "not an integer" },
        { "a:i32=1x", "not an integer" },
        { "a:u8=256", "does not fit 8 bits" },
        { "a:u8=-1", "does not fit" },
        { "a:i8=-129", "does not fit" },
        { "a:f32=one", "not a number" },
        { "a:u32[0]", "from 1" },
        { "a:u32[x]", "from 1" },
        { "a:u32[99999999999]", "from 1" },
        { "a:u32[4]=ones", "none of zero, iota" },
        { "a:u32[4]=rand:x", "not a number" },
        { "a:u32[4]=mixed:x", "not a number" },
        { "a:u64[4]=mixed:1", "elements of 4 bytes" },
        { "a:u32[1]=hex:0g", "pairs of hexadecimal digits" },
        { "a:u32[1]=hex:012", "pairs of hexadecimal digits" },
        { "a:u32[1]=hex:0102030405", "5 bytes, more than the 4" },
        { "a:u32[4]=@/nonexistent", "cannot open" },
        { "a:u32[4", "from 1" },
        { "a:u32[4]x", "expected =" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct launch_args la = { 0 };
        struct hd_err err = { 0 };
        if (args_add(&la, bad[i][0], &err))
            fail_msg("%s was taken", bad[i][0]);
        if (!strstr(err.text, bad[i][1]))
            fail_msg("%s: `%s` lacks `%s`", bad[i][0], err.text, bad[i][1]);
        args_free(&la);
    }
    struct launch_args la = { 0 };
    struct hd_err err = { 0 };
    struct hd_dim3 d;
    add(&la, "a:i32=1");
    assert_false(args_add(&la, "a:i32=1", &err));
    assert_false(args_dim("0", &d, &err) || args_dim("1,", &d, &err) ||
                 args_dim("1,2,3,4", &d, &err) || args_dim("-1", &d, &err) ||
                 args_dim("", &d, &err));
    assert_true(args_dim("3,4", &d, &err) && d.x == 3 && d.y == 4 && d.z == 1);
    assert_false(args_print(&la, "a[3:1]", &err) || args_print(&la, "a[1", &err) ||
                 args_dump(&la, "a", &err));
    args_free(&la);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(scalars), cmocka_unit_test(buffers),
                                        cmocka_unit_test(files), cmocka_unit_test(refusals) };
    return cmocka_run_group_tests_name("launch_args", tests, NULL, NULL);
}
