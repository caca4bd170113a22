/* Images as files: what is written is read again, tools understand it, damage is noticed.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <elf.h>
#include <stdlib.h>
#include <unistd.h>
#include "cmodel/image/asm.h"
#include "words.h"

static const char program[] =
    ".kernel one\n.regs 8\n.param a u64 8\n.param b f32 4\n .loc \"a.cu\" 1\n MOV R0, &data+4\n"
    " EXIT\n"
    ".kernel two\n.regs 255\n.barriers 16\n EXIT\n"
    ".const\n.object c\n .quad data\n .word 5\n"
    ".global\n.object data 16\n .quad data+8\n .zero 8\n";

static struct hd_image *make(void)
{
    struct hd_image *img;
    struct hd_err err = { 0 };
    if (hd_asm("p.s", program, &img, &err))
        fail_msg("%s", err.text);
    return img;
}

static void save(uint8_t **buf, size_t *n)
{
    struct hd_image *img = make();
    hd_image_save(img, buf, n);
    hd_image_free(img);
}

static void test_round_trip(void **state)
{
    (void)state;
    uint8_t *a, *b;
    size_t an, bn;
    struct hd_err err = { 0 };
    save(&a, &an);
    struct hd_image *img = hd_image_parse("p.hx", a, an, &err);
    if (!img)
        fail_msg("%s", err.text);
    const struct hd_kernel *k = hd_image_kernel(img, "one", &err);
    assert_non_null(k);
    assert_string_equal(k->params[1].type, "f32");
    assert_int_equal(k->params[1].off, 8);
    assert_int_equal(img->nrelocs, 3);
    assert_null(hd_image_kernel(img, NULL, &err));
    assert_string_equal(err.text, "the image has 2 kernels, name one: one, two");
    hd_image_save(img, &b, &bn);
    assert_int_equal(an, bn);
    assert_memory_equal(a, b, an);
    hd_image_free(img), free(a), free(b);
}

/* The table's hash is in the note, so images of another ISA are refused by name. */
static void test_other_isa(void **state)
{
    (void)state;
    uint8_t *a;
    size_t n;
    struct hd_err err = { 0 };
    save(&a, &n);
    uint64_t hash = ISA_HASH;
    uint8_t *p = memmem(a, n, &hash, 8);
    assert_non_null(p);
    *p ^= 1;
    assert_null(hd_image_parse("p.hx", a, n, &err));
    assert_non_null(strstr(err.text, "p.hx: made for ISA table"));
    free(a);
}

static void test_truncated(void **state)
{
    (void)state;
    uint8_t *a;
    size_t n;
    save(&a, &n);
    for (size_t i = 0; i < n; i++) {
        struct hd_err err = { 0 };
        assert_null(hd_image_parse("p.hx", a, i, &err));
        assert_int_equal(err.status, 2);
    }
    free(a);
}

/* Whatever the bytes, an image that is accepted passes the gate and can be written and printed. */
static void test_fuzz(void **state)
{
    (void)state;
    uint8_t *a, *b;
    size_t n, bn, accepted = 0;
    uint64_t s = 5;
    save(&a, &n);
    uint8_t *m = malloc(n);
    FILE *null = fopen("/dev/null", "w");
    assert_non_null(m), assert_non_null(null);
    for (int i = 0; i < 50000; i++) {
        struct hd_err err = { 0 };
        memcpy(m, a, n);
        for (uint64_t k = 1 + rng_next(&s) % 3; k > 0; k--) {
            size_t at = rng_next(&s) % n, headers = 64 * 12;
            if (rng_next(&s) & 1)                   /* half of them hit the section headers */
                at = n - headers + at % headers;
            m[at] = rng_next(&s) & 1 ? (uint8_t)rng_next(&s) : m[at] ^ 1u << rng_next(&s) % 8;
        }
        struct hd_image *img = hd_image_parse("p.hx", m, n, &err);
        assert_int_equal(err.status, img ? 0 : 2);
        if (img) {
            accepted++;
            assert_true(hd_image_check(img, &err));
            hd_image_save(img, &b, &bn);
            free(b);
            hd_dis_image(null, img);
        }
        hd_image_free(img);
    }
    assert_in_range(accepted, 1000, 49000);
    fclose(null), free(m), free(a);
}

/* Each byte of the file with other values: accepted, or refused as bad input. */
static void test_every_byte(void **state)
{
    (void)state;
    uint8_t *a;
    size_t n;
    save(&a, &n);
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < 4; k++) {
            const uint8_t was = a[i], other[] = { 0, 0xff, was ^ 1u, was ^ 0x80u };
            struct hd_err err = { 0 };
            a[i] = other[k];
            struct hd_image *img = hd_image_parse("p.hx", a, n, &err);
            assert_int_equal(err.status, img ? 0 : 2);
            hd_image_free(img);
            a[i] = was;
        }
    free(a);
}

/* A line table with an entry more or less than it says. */
static void test_line_count(void **state)
{
    (void)state;
    alarm(60);                                 /* a reader that goes on for ever is a failure too */
    uint8_t *a;
    size_t n;
    save(&a, &n);
    const Elf64_Ehdr *e = (const Elf64_Ehdr *)(void *)a;
    const Elf64_Shdr *h = (const Elf64_Shdr *)(void *)(a + e->e_shoff);
    const char *names = (const char *)a + h[e->e_shstrndx].sh_offset;
    unsigned s = 0;
    while (s < e->e_shnum && strcmp(names + h[s].sh_name, ".heddle.line"))
        s++;
    assert_in_range(s, 1, e->e_shnum - 1);
    for (unsigned by = 1; by <= 2; by++) {
        struct hd_err err = { 0 };
        a[h[s].sh_offset + 4] ^= by;                /* the number of lines, after that of files */
        assert_null(hd_image_parse("p.hx", a, n, &err));
        assert_string_equal(err.text, "p.hx: .heddle.line is broken");
        a[h[s].sh_offset + 4] ^= by;
    }
    alarm(0);
    free(a);
}

static void test_overlap(void **state)
{
    (void)state;
    uint8_t *a;
    size_t n;
    struct hd_err err = { 0 };
    save(&a, &n);
    Elf64_Ehdr *e = (Elf64_Ehdr *)(void *)a;
    Elf64_Shdr *h = (Elf64_Shdr *)(void *)(a + e->e_shoff);
    h[2].sh_offset = h[1].sh_offset;
    assert_null(hd_image_parse("p.hx", a, n, &err));
    assert_string_equal(err.text, "p.hx: sections .const and .text overlap");
    free(a);
}

/* An image whose constants lie elsewhere in the bank would read others. */
static void test_constants_elsewhere(void **state)
{
    (void)state;
    uint8_t *a;
    size_t n;
    struct hd_err err = { 0 };
    save(&a, &n);
    Elf64_Ehdr *e = (Elf64_Ehdr *)(void *)a;
    Elf64_Shdr *h = (Elf64_Shdr *)(void *)(a + e->e_shoff);
    assert_int_equal(h[2].sh_addr, HD_CONST_DATA);
    h[2].sh_addr = 4096;
    assert_null(hd_image_parse("p.hx", a, n, &err));
    assert_string_equal(err.text, "p.hx: made for constants at byte 4096 of the bank, here they "
                                  "begin at 32768: compile again");
    free(a);
}

static void test_missing_file(void **state)
{
    (void)state;
    struct hd_err err = { 0 };
    assert_null(hd_image_read("/nonexistent/x.hx", &err));
    assert_string_equal(err.text, "/nonexistent/x.hx: cannot be read: No such file or directory");
    assert_null(hd_image_parse("text", "hello", 5, &(struct hd_err){ 0 }));
}

/* readelf finds nothing to complain about, and objcopy's copy is still an image. */
static void test_tools(void **state)
{
    (void)state;
    char dir[] = "/tmp/hximageXXXXXX", path[64], copy[64], command[256];
    struct hd_err err = { 0 };
    if (system("objcopy --version > /dev/null 2>&1 && readelf --version > /dev/null 2>&1"))
        skip();
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/a.hx", dir), snprintf(copy, sizeof copy, "%s/b.hx", dir);
    struct hd_image *img = make();
    assert_true(hd_image_write(img, path, &err));
    snprintf(command, sizeof command, "readelf -aW %s 2>&1 | grep -qi 'error\\|warning'", path);
    assert_int_not_equal(system(command), 0);
    snprintf(command, sizeof command, "readelf -sW %s | grep -q 'FUNC.*one'", path);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "objcopy -I elf64-little -O elf64-little %s %s", path, copy);
    assert_int_equal(system(command), 0);
    struct hd_image *again = hd_image_read(copy, &err);
    if (!again)
        fail_msg("%s", err.text);
    uint8_t *a, *b;
    size_t an, bn;
    hd_image_save(img, &a, &an), hd_image_save(again, &b, &bn);
    assert_int_equal(an, bn);
    assert_memory_equal(a, b, an);
    free(a), free(b), hd_image_free(img), hd_image_free(again);
    unlink(path), unlink(copy), rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_other_isa),
        cmocka_unit_test(test_truncated),  cmocka_unit_test(test_fuzz),
        cmocka_unit_test(test_overlap),    cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_constants_elsewhere),
        cmocka_unit_test(test_line_count), cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_tools),
    };
    return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
