/* The assembler's messages, names and directives; images survive being written as text.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include "cmodel/image/asm.h"
#include "words.h"

static const char program[] =
    ".mode barrier\n"
    ".kernel saxpy          // a comment\n"
    ".regs 16\n.barriers 1\n.shared 128\n.local 32\n.maxthreads 256\n"
    ".param n u32 4\n"
    ".param x u64 8\n"
    "    .loc \"dir/a \\\"b\\\".cu\" 3\n"
    "    S2R R0, SR_TID_X ;\n"
    "    MOV R1, &table+8\n"
    "    MOV R2, f\n"
    "    LDC R3, [RZ+0x8000]\n"
    "    BSSY B0, done\n"
    "    .loc \"\" 0\n"
    "again: @P0 BRA again    # another\n"
    "done: BSYNC B0\n"
    "    .insn 0xffffffff, 1, 2, 3\n"
    "    CALL R4, f\n"
    "    EXIT\n"
    ".func f\n"
    "    FADD R0, R1, -(1.5)\n"
    "    FADD R0, R1, -1.5\n"
    "    RET R3\n"
    ".const\n"
    ".object tab\n .word 1, -2, 3.5\n .quad table-4, 0xffffffffffffffff\n .quad f\n"
    " .byte 1, 2, 255\n"
    ".global\n"
    ".align 64\n"
    ".object table 40\n .zero 32\n .quad tail\n"
    ".object tail\n .word table, f\n .byte 7\n";

static struct hd_image *assemble(const char *text)
{
    struct hd_image *img;
    struct hd_err err = { 0 };
    if (hd_asm("t.s", text, &img, &err))
        fail_msg("%s", err.text);
    return img;
}

static uint32_t immediate(const struct hd_image *img, uint32_t pc)
{
    uint32_t v;
    memcpy(&v, img->text + pc + 4, 4);
    return v;
}

static void test_program(void **state)
{
    (void)state;
    struct hd_image *img = assemble(program);
    const struct hd_kernel *k = hd_image_kernel(img, NULL, NULL);
    const char *file;
    unsigned line;
    uint32_t off;
    assert_string_equal(k->name, "saxpy");
    assert_int_equal(k->regs, 16);
    assert_int_equal(k->params[1].off, 8);
    assert_int_equal(k->params_size, 16);
    assert_int_equal(immediate(img, 0x20), 0xa0);              /* f is a place in .text */
    assert_int_equal(immediate(img, 0x40), 0x60);              /* done */
    assert_int_equal(immediate(img, 0xa0), 0x3fc00000);        /* nb does the rest */
    assert_int_equal(immediate(img, 0xb0), 0xbfc00000);
    hd_image_line(img, 0x10, &file, &line);
    assert_string_equal(file, "dir/a \"b\".cu");
    assert_int_equal(line, 3);
    hd_image_line(img, 0x50, &file, &line);
    assert_int_equal(line, 0);
    assert_string_equal(hd_image_func(img, 0xb0, &off), "f");
    assert_int_equal(off, 0x10);
    assert_int_equal(img->nrelocs, 4);
    assert_int_equal(img->galign, 64);
    hd_image_free(img);
}

/* image -> text -> image gives the same file. */
static void assert_text_round_trip(const struct hd_image *img)
{
    char *text;
    size_t n, an, bn;
    uint8_t *a, *b;
    FILE *f = open_memstream(&text, &n);
    hd_dis_image(f, img);
    fclose(f);
    struct hd_image *again = assemble(text);
    hd_image_save(img, &a, &an), hd_image_save(again, &b, &bn);
    assert_int_equal(an, bn);
    assert_memory_equal(a, b, an);
    hd_image_free(again), free(a), free(b), free(text);
}

static void test_text_round_trip(void **state)
{
    (void)state;
    struct hd_image *img = assemble(program);
    assert_text_round_trip(img);
    hd_image_free(img);
}

/* Random images: code, branches, data, symbols and relocations anywhere, in no order. */
static void test_random_images(void **state)
{
    (void)state;
    uint64_t s = 7;
    for (int round = 0; round < 100; round++) {
        struct hd_image *img = hd_image_new();
        struct hd_err err = { 0 };
        char name[32];
        img->stack_mode = rng_next(&s) & 1;
        img->galign = 1u << rng_next(&s) % 9;
        img->text_size = 16 * (20 + (uint32_t)(rng_next(&s) % 50));
        img->text = malloc(img->text_size);
        img->gdata_size = 400 + (uint32_t)(rng_next(&s) % 100);
        img->gdata = calloc(1, img->gdata_size);
        for (uint32_t pc = 0; pc < img->text_size; pc += 16) {
            struct hd_word w = word_any(&s, img->stack_mode);
            struct hd_insn in;
            if (hd_decode(&w, img->stack_mode, &in) && strchr(hd_ops[in.op].operands, '@'))
                w.w[1] %= 1200;
            memcpy(img->text + pc, &w, 16);
        }
        for (uint32_t i = 0; i < img->gdata_size; i++)
            img->gdata[i] = rng_next(&s) % 3 ? 0 : (uint8_t)rng_next(&s);
        for (int i = 8; i-- > 0; ) {
            snprintf(name, sizeof name, "f%d", i);
            hd_image_add_sym(img, name, HD_SEC_TEXT, true, 16 * (uint32_t)(rng_next(&s) % 20), 0);
            snprintf(name, sizeof name, "g$%d", i);
            uint32_t g = hd_image_add_sym(img, name, HD_SEC_GLOBAL, false, (uint32_t)i * 40, 24);
            memset(img->gdata + i * 40 + 8, 0, 8);
            hd_image_add_reloc(img, HD_SEC_GLOBAL, i & 1 ? HD_REL_ABS32 : HD_REL_ABS64,
                               (uint32_t)i * 40 + 8, g, (int64_t)(rng_next(&s) % 100) - 50);
        }
        struct hd_kernel *k = hd_image_add_kernel(img, "f3");
        for (uint32_t i = 0; i < img->nsyms; i++)
            if (!strcmp(img->syms[i].name, "f3"))
                k->entry = img->syms[i].value;
        hd_kernel_add_param(k, "p", "b8", 12, 4);
        if (!hd_image_check(img, &err))
            fail_msg("%s", err.text);
        assert_text_round_trip(img);
        hd_image_free(img);
    }
}

static void test_messages(void **state)
{
    (void)state;
    static const struct { const char *text, *message; } k[] = {
        { "NOP\n FROB R1", "t.s:2:2: there is no instruction FROB\n FROB R1\n ^" },
        { "\tIADD R0, R1", "t.s:1:13: ',' is missing here\n\tIADD R0, R1\n\t           ^" },
        { "IADD R0, R1, R2 R3", "t.s:1:17: IADD ends before this" },
        { "IADD R0, R255, R2", "t.s:1:10: the last register is R254" },
        { "IADD R0, -R1, R2", "t.s:1:10: this source cannot be negated" },
        { "FFMA R0, R1, |R2|, R3", "t.s:1:14: this source has no absolute value" },
        { "IADD.FTZ R0, R1, R2", "t.s:1:5: IADD has no modifier .FTZ here" },
        { "FADD.FTZ.FTZ R0, R1, R2", "t.s:1:9: FADD has no modifier .FTZ here" },
        { "ISETP.LT P0, R1, R2, PT", "t.s:1:1: ISETP needs one of .U32 .S32 ... (SG)" },
        { "LDG.64 R3, [R4]", "t.s:1:1: LDG: a pair starts at an even register" },
        { "LDG R3, [R5]", "a pair starts at an even register" },
        { "LDG R3, [R4+0x800000]", "is not within -8388608 to 8388607" },
        { "@P1 BSYNC B0", "t.s:1:1: BSYNC: carries no guard" },
        { "SSY 0x0", "SSY: exists in stack mode only" },
        { ".mode stack\nBSYNC B0", "t.s:2:1: BSYNC: exists in barrier mode only" },
        { "NOP.S", ".S exists in stack mode only" },
        { "BRA nowhere", "t.s:1:5: nowhere is not defined" },
        { "a: NOP\na: NOP", "t.s:2:1: a is defined twice" },
        { "MOV R0, 0x1ffffffff", "t.s:1:9: 0x1ffffffff is not within" },
        { "MOV R0, 12ab", "this is no number" },
        { "MOV R0, 0f12", "0f takes eight" },
        { "S2R R0, SR_FOO", "there is no special register SR_FOO" },
        { "CALLR R2, R2", "the destination must differ" },
        { "IADD.64 R2, R4, 0x80000000", "is not within" },
        { "ATOMG.ADD R0, [R2], R3, R4", "only CAS has a third source" },
        { "ATOMG.CAS R0, [R2], R3", "',' is missing here" },
        { ".regs 4", "stands before the first .kernel" },
        { ".kernel k", "entry 0x0 is no instruction" },
        { ".frob", "there is no directive .frob" },
        { ".const\nNOP", "instructions belong into .text" },
        { ".loc \"abc 3", "the string has no end" },
        { ".global\nx: .word 1\n.text\nMOV R0, x", "relocations need an .object" },
        { ".global\n.object x\n.word 1\n.text\nBRA x", "x is no place in .text" },
        { ".zero 1", "there is no directive .zero" },
    };
    for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
        struct hd_image *img;
        struct hd_err err = { 0 };
        assert_int_equal(hd_asm("t.s", k[i].text, &img, &err), 2);
        assert_null(img);
        assert_int_equal(err.status, 2);
        if (!strstr(err.text, k[i].message))
            fail_msg("\"%s\" gives \"%s\"", k[i].text, err.text);
    }
}

/* Damaged text is refused or assembles, and never does harm (run with SAN=1). */
static void test_fuzz(void **state)
{
    (void)state;
    static const char alphabet[] = " \n\t,;:.@!|-+()[]&\"\\#/09afxRPBTZSMOV";
    uint64_t s = 11;
    for (int i = 0; i < 20000; i++) {
        char text[sizeof program];
        memcpy(text, program, sizeof text);
        for (uint64_t n = 1 + rng_next(&s) % 4; n > 0; n--)
            text[rng_next(&s) % (sizeof text - 1)] = alphabet[rng_next(&s) % (sizeof alphabet - 1)];
        if (rng_next(&s) % 4 == 0)
            text[rng_next(&s) % sizeof text] = 0;
        struct hd_image *img;
        struct hd_err err = { 0 };
        int status = hd_asm("t.s", text, &img, &err);
        assert_int_equal(status, err.status);
        hd_image_free(img);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program), cmocka_unit_test(test_text_round_trip),
        cmocka_unit_test(test_random_images), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_fuzz),
    };
    return cmocka_run_group_tests_name("asm", tests, NULL, NULL);
}
