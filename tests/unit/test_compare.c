/* The table of fields covers the whole commit record, and comparison sees a change of any element.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "harness/compare.h"

/* No byte of the record but padding lies outside the table, and no two rows overlap. */
static void complete(void **state)
{
    (void)state;
    unsigned char seen[sizeof(struct hd_commit)] = { 0 };
    unsigned gaps = 0;
    for (unsigned f = 0; f < commit_nfields; f++)
        for (size_t i = 0; i < (size_t)commit_fields[f].width * commit_fields[f].count; i++)
            assert_int_equal(seen[commit_fields[f].offset + i]++, 0);
    for (size_t i = 0; i < sizeof seen; i++)
        gaps += !seen[i];
    assert_true(gaps <= 32);
    assert_true(offsetof(struct hd_commit, seq) == 0 && offsetof(struct hd_commit, cycle) == 8 &&
                offsetof(struct hd_commit, block) == 16);     /* what commit_equal relies on */
}

static void every_element(void **state)
{
    (void)state;
    struct hd_commit a, b;
    struct difference d;
    memset(&a, 0x5a, sizeof a);
    for (unsigned f = 0; f < commit_nfields; f++)
        for (unsigned i = 0; i < commit_fields[f].count; i++) {
            memcpy(&b, &a, sizeof b);
            commit_set(&b, &commit_fields[f], i, commit_get(&a, &commit_fields[f], i) ^ 1);
            bool equal = commit_equal(&b, &a, &d);
            assert_int_equal(equal, !commit_fields[f].compared);
            if (!equal) {
                assert_ptr_equal(d.field, &commit_fields[f]);
                assert_int_equal(d.lane, i);
                assert_int_equal(d.rtl ^ d.model, 1);
            }
        }
}

/* Padding decides nothing. */
static void padding(void **state)
{
    (void)state;
    struct hd_commit a, b;
    struct difference d;
    memset(&a, 0, sizeof a);
    memset(&b, 0xff, sizeof b);
    for (unsigned f = 0; f < commit_nfields; f++)
        for (unsigned i = 0; i < commit_fields[f].count; i++)
            commit_set(&b, &commit_fields[f], i, 0);
    assert_true(commit_equal(&a, &b, &d));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(complete), cmocka_unit_test(every_element), cmocka_unit_test(padding) };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
