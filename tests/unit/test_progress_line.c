/* The progress line: its figures, and what is left out where it is not known.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "harness/process/progress.h"

static void says(const struct progress *p, const struct progress_state *s, double seconds,
                 const char *want)
{
    char line[200];
    progress_line(p, s, seconds, line, sizeof line);
    assert_string_equal(line, want);
}

static const struct progress begun = { .began = 1 };

static void rate_and_time_left(void **unused)
{
    (void)unused;
    says(&begun,
         &(struct progress_state){ "lockstep", 25, 100, "blocks", 2500000, "cycles", 0, NULL }, 10,
         "lockstep: 25 of 100 blocks, 10 s, 250000 cycles/s, 30 s left; Ctrl-C stops");
    says(
        &begun,
        &(struct progress_state){ "run", 1, 1000, "blocks", 50000000, "warp instructions", 0,
                                  "more" },
        10,
        "run: 1 of 1000 blocks, 10 s, 5.00 million warp instructions/s, 2.8 h left, more; "
        "Ctrl-C stops");
    says(&begun, &(struct progress_state){ "x", 10, 100, "files", 0, NULL, 0, NULL }, 60,
         "x: 10 of 100 files, 60 s, 9 min left; Ctrl-C stops");
}

/* The first piece is not done, or nobody knows how many there are: no time left is said. */
static void nothing_known(void **unused)
{
    (void)unused;
    says(&begun, &(struct progress_state){ "lockstep", 0, 4, "blocks", 30, "cycles", 0, NULL }, 10,
         "lockstep: 0 of 4 blocks, 10 s, 3 cycles/s; Ctrl-C stops");
    says(&begun, &(struct progress_state){ .what = "fuzz", .work = 5, .unit = "kernels" }, 10,
         "fuzz: 10 s, 0.5 kernels/s; Ctrl-C stops");
}

/* What an earlier process has done says nothing about the speed of this one. */
static void what_was_done_before(void **unused)
{
    (void)unused;
    const struct progress resumed = { .began = 1, .done = 900, .work = 900 };
    says(&resumed,
         &(struct progress_state){ "fuzz", 950, 1000, "kernels", 950, "kernels", 0, NULL }, 10,
         "fuzz: 950 of 1000 kernels, 10 s, 5 kernels/s, 10 s left; Ctrl-C stops");
}

static void a_limit_ends_it_sooner(void **unused)
{
    (void)unused;
    struct progress_state s = { "fuzz", 10, 1000, "kernels", 10, "kernels", 15, NULL };
    says(&begun, &s, 10, "fuzz: 10 of 1000 kernels, 10 s, 1 kernels/s, 5 s left; Ctrl-C stops");
    says(&begun, &s, 20, "fuzz: 10 of 1000 kernels, 20 s, 0.5 kernels/s, 0 s left; Ctrl-C stops");
    s.limit = 100000;
    says(&begun, &s, 10, "fuzz: 10 of 1000 kernels, 10 s, 1 kernels/s, 16 min left; Ctrl-C stops");
}

static void a_short_buffer(void **unused)
{
    (void)unused;
    char line[12];
    progress_line(&begun,
                  &(struct progress_state){ "lockstep", 25, 100, "blocks", 9, "cycles", 0, NULL },
                  10, line, sizeof line);
    assert_string_equal(line, "lockstep: 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_and_time_left),   cmocka_unit_test(nothing_known),
        cmocka_unit_test(what_was_done_before), cmocka_unit_test(a_limit_ends_it_sooner),
        cmocka_unit_test(a_short_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
