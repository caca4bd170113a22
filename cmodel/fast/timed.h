/* What the two schedulers under a timing profile share: run_timed.c and run_core.c.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_TIMED_H
#define HD_TIMED_H
#include "cmodel/fast/inside.h"
#include "cmodel/timing/timing.h"

/* Instructions between looks at spinning and the wall clock. */
enum { TIMED_LOOK = 4096 };
/* How long nothing has changed that one warp can see of another. */
struct quiet { u64 changes, looks, next, until; };
struct quiet quiet_begin(const struct model *m);
/* Every so many instructions: whether the warps spin, and the wall clock. */
enum hd_status timed_look(struct fast *f, const struct fast_run *how, struct quiet *q);
/* Executes an instruction whose record nobody wants; of the record, what timing_events reads is
 * there, except that lanes are described only by timed_describe.  False: it faulted. */
bool timed_step(struct fast *f, struct warp *w, const struct op *op, struct hd_commit *rec);
void timed_describe(const struct warp *w, struct hd_commit *rec);

/* run_core.c: the whole grid, on the model of our own core. */
enum hd_status run_core(struct fast *f, const struct fast_run *how);
#endif
