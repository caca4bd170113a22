/* The table of fields covers the whole commit record, and comparison sees a change of any element.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include <stdio.h>
#include "cmodel/isa/compare.h"
#include "harness/lockstep/selftest.h"

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
            assert_false(commit_equal(&b, &a, &d));
            assert_ptr_equal(d.field, &commit_fields[f]);
            assert_int_equal(d.lane, i);
            assert_int_equal(d.rtl ^ d.model, 1);
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

/* ---- the self-test sees a comparison that misses a field ---- */

static const struct commit_field *missed;        /* what `blind` does not look at; this is a test */

static bool blind(const struct hd_commit *rtl, const struct hd_commit *model, struct difference *d)
{
    struct difference all[8];
    unsigned n = commit_differences(rtl, model, all, 8);
    for (unsigned i = 0; i < n && i < 8; i++)
        if (all[i].field != missed) {
            *d = all[i];
            return false;
        }
    return true;
}

static bool only_lane_0(const struct hd_commit *rtl, const struct hd_commit *model,
                        struct difference *d)
{
    return commit_differences(rtl, model, d, 1) == 0 || d->lane > 0;
}

static bool wrong_name(const struct hd_commit *rtl, const struct hd_commit *model,
                       struct difference *d)
{
    bool equal = commit_equal(rtl, model, d);
    d->field = commit_fields;
    return equal;
}

static bool never_equal(const struct hd_commit *rtl, const struct hd_commit *model,
                        struct difference *d)
{
    commit_differences(rtl, model, d, 1);
    return false;
}

static void selftest(void **state)
{
    (void)state;
    char why[200], want[200];
    if (!checker_selftest(commit_equal, why, sizeof why))
        fail_msg("%s", why);
    for (unsigned f = 0; f < commit_nfields; f++) {
        missed = &commit_fields[f];
        snprintf(want, sizeof want, "checker self-test failed: field %s", missed->name);
        assert_false(checker_selftest(blind, why, sizeof why));
        assert_string_equal(why, want);
    }
    assert_false(checker_selftest(only_lane_0, why, sizeof why));
    assert_false(checker_selftest(wrong_name, why, sizeof why));
    assert_false(checker_selftest(never_equal, why, sizeof why));
}

/* Every row belongs to a part, and every part has rows. */
static void parts(void **state)
{
    (void)state;
    unsigned n = 0;
    struct hd_commit c;
    for (unsigned p = 0; p < COMMIT_PARTS; p++) {
        assert_true(commit_part_fields(p) && commit_part_names[p]);
        n += commit_part_fields(p);
    }
    assert_int_equal(n, commit_nfields);
    memset(&c, 0, sizeof c);
    assert_int_equal(commit_parts(&c), 0);
    c.nd = c.depth = 1;
    assert_int_equal(commit_parts(&c), 1u << PART_REGISTERS | 1u << PART_STACK);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(complete), cmocka_unit_test(every_element),
                                        cmocka_unit_test(padding), cmocka_unit_test(selftest),
                                        cmocka_unit_test(parts) };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
