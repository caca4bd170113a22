/* The clock of progress lines and rates.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SECONDS_H
#define SECONDS_H
#include <time.h>

/* Seconds since some start, by a clock that is never set. */
static inline double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#endif
