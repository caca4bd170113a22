/* Which lanes RTL and model treat otherwise, as a report says it.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/report/report.h"

static void test_list(void **state)
{
    (void)state;
    char text[120];
    static const struct { uint32_t lanes; const char *want; } x[] = {
        { 1, "lane 0" }, { 0x80000000, "lane 31" }, { 0xffff0000, "lanes 16-31" },
        { 0xffffffff, "lanes 0-31" }, { 0x80000109, "lanes 0, 3, 8, 31" },
        { 0xf00f0003, "lanes 0-1, 16-19, 28-31" },
        { 0x55555555, "lanes 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30" },
    };
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        report_lane_list(x[i].lanes, text, sizeof text);
        assert_string_equal(text, x[i].want);
    }
}

static void is(const struct hd_commit *rtl, const struct hd_commit *model, const char *want)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    assert_non_null(out);
    report_lanes(rtl, model, out);
    fclose(out);
    assert_string_equal(text, want);
    free(text);
}

/* Lanes 16 to 31 execute BSYNC B0: the RTL lets them go on, in the model they wait. */
static void test_words(void **state)
{
    (void)state;
    struct hd_commit rtl = { .pc = 0xa0, .active = 0xffff0000, .exec = 0xffff0000,
                             .live = 0xffffffff, .next_active = 0xffff0000 };
    for (unsigned l = 0; l < HD_LANES; l++) {
        rtl.npc[l] = l < 16 ? 0x70 : 0xb0;
        rtl.wait[l] = l < 16 ? HD_WAIT_READY : HD_WAIT_NONE;
    }
    is(&rtl, &rtl, "");
    struct hd_commit model = rtl;
    model.next_active = 0xffff;
    for (unsigned l = 0; l < HD_LANES; l++) {
        model.npc[l] = l < 16 ? 0x70 : 0xa0;
        model.wait[l] = l < 16 ? HD_WAIT_NONE : HD_WAIT_BARRIER;
    }
    is(&rtl, &model, "lanes 16-31: RTL goes on to 0xb0, model waits at B0\n"
                     "lanes 0-15: RTL is ready at 0x70, model goes on to 0x70\n");
    /* The same but for lane 3, which has ended in the model. */
    model = rtl;
    model.live &= ~8u;
    model.exec &= ~0x00030000u;
    model.val[0][7] = 1;
    is(&rtl, &model, "lane 3: RTL is ready at 0x70, model has exited\n"
                     "exec: lanes 16-17 in the RTL alone\n"
                     "live: lane 3 in the RTL alone\n"
                     "val[0] of lane 7 differs\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
