/* Feeds inputs to afl_one: from AFL++ (persistent mode), or every file of the folders named
 * (replay).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A replay copies each input to a heap block of exactly its size, so a sanitizer sees the first
 * byte read too far. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tests/afl/afl.h"

static void fail(const char *what)
{
    perror(what);
    exit(2);
}

#ifdef __AFL_FUZZ_TESTCASE_LEN
#include <unistd.h>
__AFL_FUZZ_INIT();
int main(void)
{
    __AFL_INIT();
    const unsigned char *shared = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(1000)) {
        size_t n = (size_t)__AFL_FUZZ_TESTCASE_LEN;
        uint8_t *own = malloc(n ? n : 1);
        if (!own) fail("malloc");
        memcpy(own, shared, n);
        afl_one(own, n);
        free(own);
    }
    return 0;
}
#else
static uint8_t *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    long size;
    if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET)) fail(path);
    uint8_t *buf = malloc(size ? (size_t)size : 1);
    *n = (size_t)size;
    if (!buf || fread(buf, 1, *n, f) != *n) fail(path);
    fclose(f);
    return buf;
}

static int visible(const struct dirent *e)
{
    return e->d_name[0] != '.' && strcmp(e->d_name, "README.txt");
}

int main(int argc, char **argv)
{
    long inputs = 0, accepted = 0;
    double slowest = 0;
    char worst[4096] = "none";
    if (argc < 2 || !strcmp(argv[1], "--help")) {
        puts(
            "usage: replay FOLDER...\nFeeds every file of the folders to the parser; "
            "ends when one of them breaks it.");
        return argc < 2 ? 2 : 0;
    }
    for (int a = 1; a < argc; a++) {
        struct dirent **list;
        int n = scandir(argv[a], &list, visible, alphasort);
        if (n < 0) fail(argv[a]);
        for (int k = 0; k < n; k++) {
            char path[4096];
            size_t size;
            snprintf(path, sizeof path, "%s/%s", argv[a], list[k]->d_name);
            free(list[k]);
            uint8_t *buf = read_file(path, &size);
            setenv("AFL_INPUT", path, 1);       /* what a debugger or afl_abort can name */
            clock_t t = clock();
            accepted += afl_one(buf, size) != 0;
            double s = (double)(clock() - t) / CLOCKS_PER_SEC;
            if (s > slowest) slowest = s, snprintf(worst, sizeof worst, "%s", path);
            free(buf);
            inputs++;
        }
        free(list);
    }
    printf("corpus: %ld inputs, %ld accepted, slowest %.2f s (%s)\n", inputs, accepted, slowest,
           worst);
    if (!inputs || !accepted)
        puts("corpus: no input was read, or none accepted");
    return inputs && accepted && slowest < 10 ? 0 : 1;
}
#endif
