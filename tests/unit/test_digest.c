/* Digests of commit records: the sums against slow ones, and which errors they miss.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A digest is linear: two records have one digest where that of their difference is zero.  So what
 * one bit of a record adds, its column, says all: an error in one bit shows if no column is zero,
 * in two bits of a record if no two are equal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include "cmodel/isa/compare.h"
#include "cmodel/isa/digest.h"

enum { TRIES = 1000000, RECORDS = 20000, WORDS = 1024, FAR = 65536 };

static uint64_t state = 88172645463325252u;
static uint64_t chance(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* The words of a record that go in. */
static unsigned words(const struct hd_commit *c, uint32_t out[WORDS])
{
    unsigned n = 0;
    memset(out, 0, WORDS * sizeof *out);
#define MEMBER(type, name, dimensions)                                                             \
    if (!digest_leaves_out(#name)) {                                                               \
        memcpy(&out[n], &c->name, sizeof c->name);                                                 \
        n += (sizeof c->name + 3) / 4;                                                             \
    }
#include "cmodel/isa/commit.def"
    assert_true(n < WORDS);
    return n;
}

/* A bit at a time. */
static uint32_t times_x(uint32_t a)
{
    uint32_t product = 0;
    for (unsigned i = 0; i < 31; i++)
        product |= (a >> i & 1) << (i + 1);
    for (unsigned i = 0; i < 32; i++)
        product ^= (a >> 31 & (uint32_t)0x00400007 >> i & 1) << i;
    return product;
}

static uint64_t step(uint64_t d)
{
    d ^= d << 13;
    d ^= d >> 7;
    return d ^ d << 17;
}

static uint64_t slow(uint64_t digest, const uint32_t *w, unsigned n)
{
    uint32_t parity = 0, weighed = 0;
    for (unsigned i = 0; i < n; i++) {
        parity ^= w[i];
        weighed = times_x(weighed) ^ w[i];
    }
    return step(digest) ^ ((uint64_t)weighed << 32 | parity);
}

/* Random bits, but zero where a field does not apply. */
static void make(struct hd_commit *c)
{
    const struct commit_field *f;
    for (size_t i = 0; i < sizeof *c; i += 8) {
        const uint64_t r = chance();
        memcpy((char *)c + i, &r, sizeof *c - i < 8 ? sizeof *c - i : 8);
    }
    c->fault = (uint8_t)(chance() % 8 == 0);
    c->mem = (uint8_t)(chance() % 4);
    c->nd = (uint8_t)(chance() % 5);
    c->spilled = c->filled = (uint8_t)(chance() % 2);
    while ((f = commit_misfit(c)))
        for (unsigned i = 0; i < f->count; i++)
            commit_set(c, f, i, 0);
}

static void test_sums(void **unused)
{
    static struct hd_commit c;
    uint32_t w[WORDS];
    uint64_t quick = 0, other = 0;
    (void)unused;
    for (int i = 0; i < RECORDS; i++) {
        make(&c);
        const unsigned n = words(&c, w);
        quick = digest_add(quick, &c);
        other = slow(other, w, n);
        assert_int_equal(quick, other);
    }
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static unsigned columns(uint64_t **out)
{
    static struct hd_commit c;
    static uint32_t w[WORDS];
    const unsigned n = words(&c, w);
    uint64_t *column = malloc(32 * n * sizeof *column);
    for (unsigned i = 0; i < 32 * n; i++) {
        w[i / 32] = (uint32_t)1 << i % 32;
        column[i] = slow(0, w, n);
        w[i / 32] = 0;
    }
    *out = column;
    return 32 * n;
}

static void test_bits_of_a_record(void **unused)
{
    uint64_t *column;
    const unsigned n = columns(&column);
    (void)unused;
    qsort(column, n, sizeof *column, by_value);
    assert_true(n > 10000 && column[0]);
    for (unsigned i = 1; i < n; i++)
        assert_true(column[i] != column[i - 1]);
    free(column);
}

/* One bit in each of two records. */
static void test_bits_of_two(void **unused)
{
    uint64_t *column, far = 1;
    const unsigned n = columns(&column);
    (void)unused;
    for (int t = 0; t < TRIES; t++) {
        uint64_t first = column[chance() % n];
        for (unsigned k = 1 + (unsigned)(chance() % 64); k; k--)
            first = step(first);
        assert_true(first != column[chance() % n]);
    }
    for (unsigned k = 0; k < FAR; k++) {                 /* the same bit, as far apart as may be */
        far = step(far);
        assert_true(far != 1);
    }
    free(column);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sums),
                                        cmocka_unit_test(test_bits_of_a_record),
                                        cmocka_unit_test(test_bits_of_two) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
