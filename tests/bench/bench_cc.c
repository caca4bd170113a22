/* Speed and memory of the compiler: PTX lines a second, peak memory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage: bench_cc [--lines N] [FILE.ptx ...]
 * Compiles modules of about N lines (default 100000) of each shape of ptx_shapes.c, or the files
 * instead; each in a process of its own, so that its memory is its own.  Time is the process's CPU
 * time, the best of three. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include "tests/bench/ptx_shapes.h"

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* In a child: seconds of one compilation; exits 1 on an error. */
static void child(const char *name, const char *text, int to)
{
    static const struct cc_options options;
    struct hd_err err = { 0 };
    double start = cpu_seconds();
    struct hd_image *image = hd_compile_ptx(name, text, &options, &err);
    double took = cpu_seconds() - start;
    if (!image) fprintf(stderr, "bench_cc: %s\n", err.text);
    _exit(image && write(to, &took, sizeof took) == sizeof took ? 0 : 1);
}

static bool measure(const char *name, const char *text, int lines)
{
    double best = 1e9;
    long kbytes = 0;
    for (int round = 0; round < 3; round++) {
        int ends[2], status = 1;
        double took = 0;
        struct rusage use;
        if (pipe(ends)) return false;
        pid_t pid = fork();
        if (pid < 0) return false;
        if (!pid) child(name, text, ends[1]);
        close(ends[1]);
        bool ok = read(ends[0], &took, sizeof took) == sizeof took;
        close(ends[0]);
        if (wait4(pid, &status, 0, &use) != pid || !ok || status) return false;
        if (took < best) best = took, kbytes = use.ru_maxrss;
    }
    printf("bench: cc.%s %.0f lines/s, %.0f bytes/line (%d lines)\n", name, lines / best,
           (double)kbytes * 1024 / lines, lines);
    fflush(stdout);
    return true;
}

static bool measure_shape(int shape, int want)
{
    int lines, few;
    free(ptx_shape(shape, 100, &few));
    char *text = ptx_shape(shape, (int)((long)want * 100 / few), &lines);
    bool ok = measure(ptx_shape_names[shape], text, lines);
    free(text);
    return ok;
}

static bool measure_file(const char *path)
{
    struct hd_err err = { 0 };
    size_t len;
    int lines = 0;
    char *text = cc_read(path, &len, &err);
    if (!text) {
        fprintf(stderr, "bench_cc: %s\n", err.text);
        return false;
    }
    for (size_t k = 0; k < len; k++) lines += text[k] == '\n';
    const char *slash = strrchr(path, '/');
    bool ok = measure(slash ? slash + 1 : path, text, lines);
    free(text);
    return ok;
}

int main(int argc, char **argv)
{
    int lines = 100000, at = 1;
    if (at < argc && !strcmp(argv[at], "--help")) {
        puts(
            "usage: bench_cc [--lines N] [FILE.ptx ...]\nPTX lines a second and memory of the "
            "compiler.");
        return 0;
    }
    if (at + 1 < argc && !strcmp(argv[at], "--lines")) lines = atoi(argv[at + 1]), at += 2;
    if (lines < 1) {
        fprintf(stderr, "bench_cc: --lines wants a number above 0\n");
        return 2;
    }
    bool ok = true;
    for (int k = at; k < argc; k++) ok &= measure_file(argv[k]);
    for (int s = 0; at == argc && s < PTX_SHAPES; s++) ok &= measure_shape(s, lines);
    return ok ? 0 : 1;
}
