/* While it runs: one line at a terminal that says how far long work has come, how fast, how long it
 * still takes, and how to stop it.  Into a file or a pipe nothing is ever written.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PROGRESS_H
#define PROGRESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is said.  Parts that are 0 or NULL are left out. */
struct progress_state {
    const char *what;            /* who works */
    /* pieces of the work, by which the time left is estimated; all 0: not known */
    uint64_t done, all;
    const char *pieces;
    uint64_t work;               /* what is counted besides, or the same, for the rate */
    const char *unit;
    double limit;              /* it ends after so many seconds at the latest; 0: when it is done */
    const char *also;            /* more words */
};
/* All zeros before progress_begin: progress_show and progress_end then do nothing. */
struct progress {
    double began, shown;         /* seconds; shown 0: no line stands there */
    uint64_t done, work;         /* what had been done before it began */
};

/* done and work: what an earlier process has done. */
void progress_begin(struct progress *p, uint64_t done, uint64_t work);
/* Shows the line, once the work has taken two seconds, and twice a second at most. */
void progress_show(struct progress *p, const struct progress_state *s);
/* Removes it: before something else is printed, and at the end. */
void progress_end(struct progress *p);
/* The line itself, after so many seconds. */
void progress_line(const struct progress *p, const struct progress_state *s, double seconds,
                   char *buf, size_t n);
#endif
