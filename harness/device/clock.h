/* The clock as the harness counts it, and what instructions have read but not yet retired with.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The core's counter is not asked.  The probe says in which cycle a warp slot reads which word;
 * what the instruction writes must be that word of the harness's own count in that cycle, in every
 * lane. */
#ifndef CLOCK_H
#define CLOCK_H
#include "harness/core/rtl.h"

enum { CLOCK_READS = 8 };      /* of a warp, between E1 and its commit: a cycle each, six at most */
struct clock_queue {
    unsigned first, n;
    struct clock_read { uint64_t clock; bool high; } read[CLOCK_READS];
};
struct clock_reads { struct clock_queue of[LAUNCH_WARPS]; };

/* Before the first cycle of a grid. */
void clock_begin(struct clock_reads *k);
/* In every cycle.  NULL, or what is wrong with what the probe says. */
const char *clock_look(struct clock_reads *k, const struct rtl *r);
/* An instruction that reads the clock retires: *clock is the clock when it did.  NULL, or what is
 * wrong. */
const char *clock_take(struct clock_reads *k, const struct hd_commit *c, uint64_t *clock);
/* Reads of which no instruction has retired. */
unsigned clock_left(const struct clock_reads *k);
#endif
