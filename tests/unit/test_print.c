/* Records of printf that a kernel has overwritten: what is whole is printed, the rest is reported
 * and never read.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/heddle.h"
#include "compiler/print.h"

static char *out_text, *err_text;

static bool show(const void *data, size_t bytes, uint32_t used)
{
    size_t n = 0, m = 0;
    free(out_text), free(err_text);
    FILE *out = open_memstream(&out_text, &n), *err = open_memstream(&err_text, &m);
    /* of this size, so that a sanitiser sees what is read beyond */
    unsigned char *exact = malloc(bytes + 1);
    assert_non_null(exact);
    exact = realloc(exact, bytes ? bytes : 1);
    memcpy(exact, data, bytes);
    bool whole = hd_print_records(exact, bytes, used, out, err);
    free(exact);
    fclose(out), fclose(err);
    return whole;
}

/* One record of a format and one value, 32 bytes. */
struct one { struct hd_print_record head; uint64_t value; char text[16]; };
static struct one record(const char *format, uint64_t value)
{
    struct one r = { { sizeof r, PRINT_FORMAT, 1 }, value, "" };
    snprintf(r.text, sizeof r.text, "%s", format);
    return r;
}

static void test_formats(void **state)
{
    static const struct { const char *format; uint64_t value; const char *says; } t[] = {
        { "%d|", 0xabcdef01ffffffff, "-1|" },        { "%5u|", 0x1ffffffff, "4294967295|" },
        { "%hd|", 0x18000, "-32768|" },              { "%hhu|", 0x1ff, "255|" },
        { "%lld|", 1ull << 63, "-9223372036854775808|" }, { "%lx|", ~0ull, "ffffffffffffffff|" },
        { "%c%%|", 'A', "A%|" },                     { "%-4.1f|", 0x3ff8000000000000, "1.5 |" },
        { "%s|", 0, "(null)|" },                     { "%s|", 1, "(no text)|" },
        { "%s|", 99, "(no text)|" },                 { "%n|", 8, "%n|" },
        { "%", 1, "%" },                             { "%d%d|", 3, "30|" },
        { "%*d|", 3, "  0|" },                       { "%k", 1, "%k" },
    };
    (void)state;
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        struct one r = record(t[k].format, t[k].value);
        assert_true(show(&r, sizeof r, sizeof r));
        assert_string_equal(out_text, t[k].says);
    }
}

static void test_spoilt(void **state)
{
    struct one r[2] = { record("first\n", 0), record("second\n", 0) };
    static const struct hd_print_record heads[] = {
        { 0, 0, 0 },      { 4, 0, 0 },  { 33, 0, 1 }, { 40, 0, 1 },           { ~0u, 0, 1 },
        { 32, 0, 65535 }, { 32, 0, 3 }, { 32, 2, 1 }, { 32, PRINT_ASSERT, 1 }
    };
    (void)state;
    assert_true(show(r, sizeof r, sizeof r));
    assert_string_equal(out_text, "first\nsecond\n");
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        r[1].head = heads[k];
        assert_false(show(r, sizeof r, sizeof r));
        assert_string_equal(out_text, "first\n");
        assert_string_equal(
            err_text,
            "heddle: 32 bytes of what the kernel printed are lost: its buffer holds 64\n");
    }
    assert_false(show(r, sizeof *r, 1000));          /* the buffer was full */
    assert_string_equal(
        err_text, "heddle: 968 bytes of what the kernel printed are lost: its buffer holds 32\n");
    r[0].text[6] = 'x';                              /* a text without an end */
    memset(r[0].text, 'x', sizeof r[0].text);
    assert_true(show(r, sizeof *r, sizeof *r));
    assert_string_equal(out_text, "(no text)");
    assert_true(show(r, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_formats),
                                        cmocka_unit_test(test_spoilt) };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(out_text), free(err_text);
    return failed;
}
