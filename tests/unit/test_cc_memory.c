/* The compiler's memory grows with its input and no faster.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each shape of tests/bench/ptx_shapes.c once and twice as long, each in a process of its own,
 * whose peak the system knows.  A matrix of blocks times registers, or an analysis repeated for
 * each edit and kept, takes four times the memory for twice the input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include "tests/bench/ptx_shapes.h"

/* of the memory for half the input; linear: 200 and some rounding */
enum { LINES = 12000, PERCENT = 270 };

static long peak_kbytes(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss;
}

/* Kilobytes by which compiling `text` raises the peak. */
static long growth(const char *text, bool stack_mode)
{
    const struct cc_options options = { .stack_mode = stack_mode };
    long kbytes = 0;
    int ends[2], status = 1;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        struct hd_err err = { 0 };
        long before = peak_kbytes();
        struct hd_image *image = hd_compile_ptx("shape", text, &options, &err);
        kbytes = peak_kbytes() - before;
        hd_image_free(image);
        _exit(image && write(ends[1], &kbytes, sizeof kbytes) == sizeof kbytes ? 0 : 1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &kbytes, sizeof kbytes), sizeof kbytes);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    return kbytes;
}

static void test_linear(void **state)
{
    (void)state;
    for (int shape = 0; shape < PTX_SHAPES; shape++) {
        int lines;
        free(ptx_shape(shape, 100, &lines));
        int n = LINES * 100 / lines;
        char *once = ptx_shape(shape, n, &lines), *twice = ptx_shape(shape, 2 * n, &lines);
        for (int stack_mode = 0; stack_mode < 2; stack_mode++) {
            long small = growth(once, stack_mode), big = growth(twice, stack_mode);
            print_message("%-10s %ld kB, twice the input %ld kB\n", ptx_shape_names[shape], small,
                          big);
            assert_true(small > 0 && big * 100 < small * PERCENT);
        }
        free(once);
        free(twice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_linear) };
    return cmocka_run_group_tests_name("cc_memory", tests, NULL, NULL);
}
