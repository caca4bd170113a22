/* Every reason to wait has a letter, a mark and texts of its own, and the views show these.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "cmodel/isa/waits.h"
#include "harness/report/report.h"
#include "harness/view/lanes.h"

static void test_own(void **state)
{
    (void)state;
    assert_true(wait_nforms > 7);
    for (unsigned i = 0; i < wait_nforms; i++)
        for (unsigned k = 0; k < i; k++) {
            const struct wait_form *a = &wait_forms[i], *b = &wait_forms[k];
            assert_int_not_equal(a->letter, b->letter);
            assert_true(a->mark != b->mark || a->mark == ' ');
            assert_string_not_equal(a->brief, b->brief);
            assert_string_not_equal(a->where, b->where);
            assert_string_not_equal(a->words, b->words);
        }
}

static void test_shown(void **state)
{
    (void)state;
    static struct lanes w;
    static struct hd_commit c;
    char state_is[LANES_STATE], want[80];
    for (unsigned i = 0; i < wait_nforms; i++) {
        const struct wait_form *f = &wait_forms[i];
        const unsigned code = f->code | (strstr(f->brief, "%u") ? 13 : 0);
        c.wait[5] = w.wait[5] = (uint8_t)code;
        w.live = code == HD_WAIT_EXITED ? 0 : 1u << 5;
        assert_ptr_equal(wait_form(code), f);
        assert_int_equal(report_lane(&c, 5), f->letter);
        wait_text(f->brief, code, want, sizeof want);
        assert_true(strlen(want) < LANES_STATE && !strchr(want, '%'));
        lanes_state(&w, 5, state_is);
        assert_string_equal(state_is, code == HD_WAIT_READY ? "" : want);
    }
    wait_text(wait_form(HD_WAIT_BARRIER + 3)->brief, HD_WAIT_BARRIER + 3, want, sizeof want);
    assert_string_equal(want, "wait B3");
    assert_int_equal(wait_form(0x0f)->code, HD_WAIT_READY);
}

static void test_in_token(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 256; code++)
        assert_int_equal(wait_in_token(code), code >= 4 && code < 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_own), cmocka_unit_test(test_shown),
                                        cmocka_unit_test(test_in_token) };
    return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}
