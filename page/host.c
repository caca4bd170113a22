/* What emscripten's C library lacks.
 * SPDX-License-Identifier: Apache-2.0 */
#include "page/host.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int order_fn(const void *, const void *, void *);

static void merge(char *a, char *half, size_t n, size_t size, order_fn *by, void *user)
{
    const size_t left = n / 2;
    if (n < 2)
        return;
    merge(a, half, left, size, by, user);
    merge(a + left * size, half, n - left, size, by, user);
    memcpy(half, a, left * size);
    for (size_t i = 0, j = left, k = 0; i < left; k++) {
        const int right = j < n && by(a + j * size, half + i * size, user) < 0;
        memcpy(a + k * size, right ? a + j++ * size : half + i++ * size, size);
    }
}

void qsort_r(void *at, size_t n, size_t size, order_fn *by, void *user)
{
    char *half = malloc(n / 2 * size + 1);
    if (!half)
        abort();
    merge(at, half, n, size, by, user);
    free(half);
}

/* Its name stays: fstat has no other way to a file here. */
int memfd_create(const char *name, unsigned flags)
{
    static unsigned number;
    char path[64];
    (void)name, (void)flags;
    snprintf(path, sizeof path, "/tmp/memory.%u", number++);
    return open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
}

/* Emscripten's takes every right from a new file. */
mode_t umask(mode_t mask)
{
    return (void)mask, 022;
}

/* No processes, and no signals that come from outside. */
int prctl(int what, ...) { return (void)what, errno = ENOSYS, -1; }
int sigaltstack(const stack_t *to, stack_t *was)
{
    return (void)to, (void)was, errno = ENOSYS, -1;
}
int clone(int (*fn)(void *), void *stack, int flags, void *arg, ...)
{
    return (void)fn, (void)stack, (void)flags, (void)arg, errno = ENOSYS, -1;
}
