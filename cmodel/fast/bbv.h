/* How the model counts blocks (cmodel/bbv.h): without commit records.  The first instruction of a
 * block gets a handler that counts, so that a run without counting pays nothing.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_BBV_MODEL_H
#define HD_BBV_MODEL_H
#include "cmodel/bbv.h"

struct model;

/* Entries of blocks, ascending; to be freed.  NULL: no memory. */
uint32_t *bbv_entries(const struct hd_image *, uint32_t *n);

struct bbv_run;
/* From the next launch on the model counts at these entries (copied); n 0: no more.  most: what a
 * count may reach; UINT32_MAX but in tests.  False: no memory, and nothing is counted. */
bool fast_count_blocks(struct model *m, const uint32_t *entry, uint32_t n, uint32_t most,
                        struct spill *within);
/* These entries; n 0, NULL: nothing is counted. */
const uint32_t *fast_entries(const struct model *m, uint32_t *n);
/* What the launch that has ended counted: all but shape and names; to be freed.  NULL: `why` says
 * why there is nothing. */
struct bbv *fast_block_counts(struct model *m, char *why, size_t why_size);
#endif
