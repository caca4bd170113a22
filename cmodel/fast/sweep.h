/* Blocks whose warps run from start to end as translated code: see sweep.c.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_SWEEP_H
#define HD_SWEEP_H
#include "cmodel/fast/inside.h"

/* How many blocks the coming turn would place into the slots, all empty, if their warps could run
 * so; 0: they are placed as ever. */
u32 sweep_blocks(const struct fast *f, const struct fast_run *how);
/* Where a turn stands: the warp slot that goes on, and what it has executed of its quantum. */
struct stand { u32 slot; u64 done; };
/* Runs that many, which count as placed.  The turn goes on at what it returns, which is behind all
 * slots where every warp has ended. */
struct stand sweep(struct fast *f, u32 blocks);
#endif
