/* Words, decoded instructions and text are three forms of one thing; and exactly the words that
 * isa.def allows are legal.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "cmodel/image/asm.h"
#include "words.h"

enum { PER_ROW = 200 };

/* Every row, random operands: word -> instruction -> word, and word -> text -> word. */
static void round_trip(bool stack)
{
    uint64_t seed = 1 + stack;
    size_t cap = (size_t)OP_COUNT * PER_ROW, n = 0;
    struct hd_word *words = calloc(cap, sizeof *words);
    char *text = malloc(cap * 128), *end = text;
    assert_non_null(words), assert_non_null(text);
    end += sprintf(end, ".mode %s\n", stack ? "stack" : "barrier");
    for (int op = 0; op < OP_COUNT; op++)
        for (int i = 0; i < PER_ROW && !(hd_ops[op].flags & (stack ? F_BARRIER : F_STACK)); i++) {
            struct hd_word w = words[n++] = word_of_row(&seed, op, stack), back;
            struct hd_insn in;
            assert_true(hd_decode(&w, stack, &in));
            assert_int_equal(in.op, op);
            back = hd_encode(&in);
            assert_memory_equal(&back, &w, sizeof w);
            end += hd_dis_insn(end, 128, &w, NULL, NULL);
            *end++ = '\n';
        }
    *end = 0;
    struct hd_image *img;
    struct hd_err err = { 0 };
    if (hd_asm("round trip", text, &img, &err))
        fail_msg("%s", err.text);
    assert_int_equal(img->text_size, n * sizeof *words);
    assert_memory_equal(img->text, words, n * sizeof *words);
    hd_image_free(img), free(words), free(text);
}

static void test_round_trip_barrier(void **state) { (void)state, round_trip(false); }
static void test_round_trip_stack(void **state) { (void)state, round_trip(true); }

/* A million words, half of them near the border: legal if and only if the reference says so. */
static void test_legality(void **state)
{
    (void)state;
    uint64_t seed = 3, legal = 0;
    for (int i = 0; i < 1000000; i++) {
        bool stack = i & 1;
        struct hd_word w = word_any(&seed, stack);
        if (i % 16 < 2)
            stack = !stack;
        struct hd_insn in;
        bool ok = hd_decode(&w, stack, &in);
        if (ok != ref_legal(&w, stack))
            fail_msg("%08x %08x %08x %08x, stack %d: decode says %d", w.w[0], w.w[1], w.w[2],
                     w.w[3], stack, ok);
        legal += ok;
    }
    assert_in_range(legal, 300000, 700000);     /* both answers are frequent */
}

/* Words whose fields are pinned: if one of these changes, so did the encoding. */
static void test_golden(void **state)
{
    (void)state;
    static const struct { const char *text; struct hd_word w; } k[] = {
        { "NOP", { { 0x00000e00, 0, 0, 0 } } },
        { "MOV R1, 0x2a", { { 0x00010e01, 0x2a, 0x00400000, 0 } } },
        { "@!P0 IADD3 R1, R2, 0x10, R4", { { 0x02011013, 0x10, 0x00400004, 0 } } },
        { "FADD.RZ.FTZ R0, -R1, |R2|", { { 0x01000e40, 2, 0x54800000, 0 } } },
        { "LDG.64 R2, [R4+0x10]", { { 0x04020e80, 0x00001000, 0, 0x00000280 } } },
        { "ISETP.LT.S32.AND P0, R1, 0x1f, PT", { { 0x01000e31, 0x1f, 0x0041c000, 0x00000012 } } },
        { "BSYNC B3", { { 0x00000f15, 0, 0x000c0000, 0 } } },
    };
    for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
        struct hd_image *img;
        struct hd_err err = { 0 };
        char text[128];
        if (hd_asm("golden", k[i].text, &img, &err))
            fail_msg("%s", err.text);
        const uint32_t *w = (const uint32_t *)(const void *)img->text;
        if (memcmp(w, &k[i].w, sizeof k[i].w))
            fail_msg("%s is %08x %08x %08x %08x", k[i].text, w[0], w[1], w[2], w[3]);
        hd_dis_insn(text, sizeof text, &k[i].w, NULL, NULL);
        assert_string_equal(text, k[i].text);
        hd_image_free(img);
    }
}

static void test_width(void **state)
{
    (void)state;
    struct hd_insn in = hd_insn_make(OP_LDG);
    in.sz = SZ_128;
    assert_int_equal(hd_insn_width(&in, 0), 4);
    assert_int_equal(hd_insn_width(&in, 1), 2);
    assert_int_equal(hd_insn_width(&in, 2), 0);
    in = hd_insn_make(OP_IADDW);
    assert_int_equal(hd_insn_width(&in, 2), 2);
    in.bi = 1;
    assert_int_equal(hd_insn_width(&in, 2), 0);
    in = hd_insn_make(OP_ATOMS);
    in.aw = AW_64;
    assert_int_equal(hd_insn_width(&in, 2), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip_barrier),
        cmocka_unit_test(test_round_trip_stack),
        cmocka_unit_test(test_legality),
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_width),
    };
    return cmocka_run_group_tests_name("isa", tests, NULL, NULL);
}
