/* Blocks of a grid at the same time, on several processors of the host.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each worker, a thread, runs one block after another, alone, in a model of its own that shares the
 * core's memory.  If every block ended and no two met (meet.h), memory and counters are those of
 * blocks that run in turn.  In every other case, a fault, a deadlock, a limit, memory is put back
 * and the blocks run in turn, so that each such end is the one it always was. */
#ifndef HD_JOBS_H
#define HD_JOBS_H
#include "cmodel/fast/fast.h"
#include "cmodel/fast/meet.h"

struct jobs;
struct fast;
/* alone.c: whether the launch's code lets blocks run at the same time; else why not.  Marks the
 * atomics that blocks may share. */
bool jobs_scan(struct fast *f, struct meeting *why);
/* run_jobs.c: the whole grid, where that can be; false: nothing has happened, and fast_jobs says
 * why. */
bool run_jobs(struct fast *f, const struct fast_run *how, enum hd_status *end);
void jobs_free(struct jobs *);
#endif
