/* Which cases of spilling and filling a run has met: counted from commit records and the memory port.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CORE_COVER_H
#define CORE_COVER_H
#include "harness/axi_mem.h"
#include "cmodel/commit.h"
#include "cmodel/launch.h"
#include <stdio.h>

enum cover_case { COVER_PUSH_FULL, COVER_POP_EMPTY, COVER_CARRIER_FILL, COVER_SPILL_DURING_FILL, COVER_SEVERAL,
                  COVER_EXIT_SPILLED, COVER_UNWIND, COVER_UNWIND_FILL, COVER_FAULT_SPILL, COVER_FAULT_TOKEN, COVER_FAULT_MEMORY,
                  COVER_CASES };

struct cover {
	uint64_t n[COVER_CASES], pushes, pops;
	uint32_t deepest;
	uint32_t spilled[LAUNCH_WARPS];         /* tokens in memory, of each warp slot */
	const struct launch *launch;
};

void cover_launch(struct cover *c, const struct launch *l);
void cover_commit(struct cover *c, const struct hd_commit *rec);
/* Once a cycle. */
void cover_port(struct cover *c, const struct axi_mem *m);
/* Prints a line; false: a case that a program without faults can meet has not happened. */
bool cover_print(const struct cover *c, FILE *out);
#endif
