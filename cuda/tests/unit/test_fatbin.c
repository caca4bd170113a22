/* Fat binaries: what is written is read again, the newest machine's PTX is taken, compressed or
 * not, and what is damaged is refused.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <cmocka.h>
#include "compiler/all.h"
#include "cuda/code/fatbin.h"

static const char ptx[] = ".version 6.4 // abcabcabcabcabcabcabcabcabcabc\n.target sm_70\n";

/* The container by its bytes, as cuobjdump shows it, apart from the reader's own structs. */
static void le(uint8_t *p, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static size_t entry(uint8_t *p, unsigned kind, unsigned arch, const void *data, size_t n,
                    size_t unpacked)
{
    size_t padded = (n + 7) / 8 * 8;
    memset(p, 0, 64 + padded);
    le(p, kind, 2);
    le(p + 2, 0x101, 2);
    le(p + 4, 64, 4);
    le(p + 8, padded, 8);
    le(p + 16, unpacked ? n : 0, 4);
    le(p + 28, arch, 4);
    le(p + 40, unpacked ? 0x2011 : 0x11, 8);
    le(p + 56, unpacked, 8);
    memcpy(p + 64, data, n);
    return 64 + padded;
}

static void container(uint8_t *p, size_t bytes)
{
    le(p, 0xba55ed50, 4);
    le(p + 4, 1, 2);
    le(p + 6, 16, 2);
    le(p + 8, bytes, 8);
}

/* LZ4 of text: its first `lits` bytes, a match that overlaps itself, the rest as literals. */
static size_t pack(uint8_t *to, const char *text, size_t lits, size_t back, size_t match)
{
    size_t n = strlen(text), i = 0, rest = n - lits - match;
    assert_true(lits >= 15 && match >= 19 && rest >= 15);
    to[i++] = 0xff;
    to[i++] = (uint8_t)(lits - 15);
    memcpy(to + i, text, lits);
    i += lits;
    le(to + i, back, 2);
    i += 2;
    to[i++] = (uint8_t)(match - 19);
    to[i++] = 0xf0;
    to[i++] = (uint8_t)(rest - 15);
    memcpy(to + i, text + lits + match, rest);
    return i + rest;
}

static void written_is_read(void **state)
{
    char *buf, *text;
    size_t n;
    struct hd_err err = { 0 };
    (void)state;
    FILE *f = open_memstream(&buf, &n);
    assert_true(fatbin_write(f, ptx, strlen(ptx), 70, false));
    fclose(f);
    text = fatbin_ptx(buf, &err);
    assert_string_equal(text, ptx);
    free(text);
    free(buf);
    text = fatbin_ptx(ptx, &err);                    /* PTX itself */
    assert_string_equal(text, ptx);
    free(text);
}

static void newest_is_taken(void **state)
{
    _Alignas(8) uint8_t buf[2000], packed[500];
    struct hd_err err = { 0 };
    size_t at = 16, n;
    (void)state;
    const char *run = strstr(ptx, "abcabc");
    size_t lits = (size_t)(run - ptx) + 3;
    n = pack(packed, ptx, lits, 3, 24);
    at += entry(buf + at, 2, 80, "code", 4, 0);
    at += entry(buf + at, 1, 60, ".version 6.0\n", 13, 0);
    at += entry(buf + at, 1, 75, packed, n, strlen(ptx));
    at += entry(buf + at, 1, 70, ".version 6.1\n", 13, 0);
    container(buf, at - 16);
    char *text = fatbin_ptx(buf, &err);
    assert_non_null(text);
    assert_string_equal(text, ptx);
    free(text);
}

static void damaged_is_refused(void **state)
{
    _Alignas(8) uint8_t buf[2000], packed[500];
    struct hd_err err = { 0 };
    (void)state;
    memset(buf, 0x7f, 64);
    assert_null(fatbin_ptx(buf, &err));
    assert_non_null(strstr(err.text, "neither a fat binary nor PTX"));
    err = (struct hd_err){ 0 };
    container(buf, entry(buf + 16, 2, 80, "code", 4, 0));
    assert_null(fatbin_ptx(buf, &err));
    assert_non_null(strstr(err.text, "only machine code"));
    const char *run = strstr(ptx, "abcabc");
    size_t lits = (size_t)(run - ptx) + 3, n = pack(packed, ptx, lits, 3, 24);
    for (int k = 0; k < 3; k++) {
        err = (struct hd_err){ 0 };
        /* no way back, too far back, too short */
        pack(packed, ptx, lits, k == 0 ? 0 : k == 1 ? 400 : 3, 24);
        container(buf, entry(buf + 16, 1, 70, packed, k == 2 ? n - 9 : n, strlen(ptx)));
        assert_null(fatbin_ptx(buf, &err));
        assert_non_null(strstr(err.text, "damaged"));
    }
}

/* As nvcc 13 packs it, padding after the frame; damaged at each byte in turn, where what the frame
 * says of itself shows it (its checksum is asked for here; nvcc's frames have none). */
static void zstd_is_read(void **state)
{
    _Alignas(8) uint8_t buf[2000];
    uint8_t packed[500];
    struct hd_err err = { 0 };
    (void)state;
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    size_t n = ZSTD_compress2(c, packed, sizeof packed, ptx, strlen(ptx));
    ZSTD_freeCCtx(c);
    assert_false(ZSTD_isError(n));
    for (size_t damage = 0; damage <= n; damage++) {
        if (damage < n)
            packed[damage] ^= 0x40;
        size_t bytes = entry(buf + 16, 1, 75, packed, n, strlen(ptx));
        le(buf + 16 + 40, 0x8011, 8);
        container(buf, bytes);
        char *text = fatbin_ptx(buf, &err);
        if (damage < n) {
            packed[damage] ^= 0x40;
            assert_null(text);
            assert_non_null(strstr(err.text, "damaged"));
            err = (struct hd_err){ 0 };
        } else {
            assert_string_equal(text, ptx);
        }
        free(text);
    }
}

/* A function goes and every line stays. */
static void prune_keeps_lines(void **state)
{
    (void)state;
    char text[] =
        ".version 6.4\n.visible .entry a(.param .u64 p)\n{\n ret; // }\n}\n"
        ".func (.param .b32 r) b()\n{\n { .reg .b32 x; }\n ret;\n}\n.extern .func c();\n"
        ".visible .entry d()\n{\nret;\n}\n";
    char *copy = strdup(text), *name = ptx_prune(copy, 8);
    assert_string_equal(name, "b");
    free(name);
    assert_int_equal(strlen(copy), strlen(text));
    assert_null(strstr(copy, ".reg"));
    assert_non_null(strstr(copy, ".entry a("));
    assert_non_null(strstr(copy, ".entry d("));
    assert_null(ptx_prune(copy, 8));
    name = ptx_prune(copy, 4);
    assert_string_equal(name, "a");
    free(name);
    assert_null(ptx_prune(copy, 11));               /* a declaration */
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(written_is_read),
                                        cmocka_unit_test(newest_is_taken),
                                        cmocka_unit_test(damaged_is_refused),
                                        cmocka_unit_test(zstd_is_read),
                                        cmocka_unit_test(prune_keeps_lines) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
