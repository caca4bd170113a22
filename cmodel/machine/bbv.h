/* Block counts: how often each thread of a grid executes each basic block of machine code.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Paper B's basic block vectors (BBV).  The model counts them without commit records: the first
 * instruction of a block gets a handler that counts, so that a run without counting pays nothing.
 * Threads with equal vectors share one, so a grid costs its distinct vectors and four bytes a
 * thread.  docs/regroup.md. */
#ifndef HD_BBV_H
#define HD_BBV_H
#include "cmodel/heddle.h"

struct model;

/* A block: straight code after one entry.  It ends at the next block's entry, or where lanes of a
 * warp can part or meet. */
struct bbv_block {
    uint32_t pc, insns;
    uint32_t column;                /* of the vectors; blocks that all threads execute alike share it */
    uint64_t executions;            /* by warps: once for each group of lanes that came together */
    char *name;                     /* FUNCTION+0xOFFSET and where it comes from; may be NULL */
};

struct bbv {
    uint64_t shape;                 /* of the machine code that was counted: bbv_shape */
    struct hd_dim3 grid, block;
    uint32_t threads_block;         /* block.x * block.y * block.z */
    uint64_t threads;               /* of the grid; a block's follow each other, blocks in linear order */
    uint32_t nblocks;               /* those that some thread executed, ascending pc */
    struct bbv_block *blocks;
    uint32_t ncolumns, nvectors;
    uint32_t *counts;               /* nvectors rows of ncolumns */
    uint32_t *of;                   /* by thread: its row */
};
void bbv_free(struct bbv *);
static inline const uint32_t *bbv_row(const struct bbv *b, uint64_t thread)
{
    return b->counts + (size_t)b->of[thread] * b->ncolumns;
}

/* Names the code: another one's counts fit no other. */
uint64_t bbv_shape(const struct hd_image *);
/* Entries of blocks, ascending; to be freed.  NULL: no memory. */
uint32_t *bbv_entries(const struct hd_image *, uint32_t *n);

/* ---- the model's counting ---------------------------------------------------------------------- */

struct bbv_run;
/* From the next launch on the model counts at these entries (copied); n 0: no more.  most: what a
 * count may reach; UINT32_MAX but in tests.  False: no memory, and nothing is counted. */
bool model_count_blocks(struct model *m, const uint32_t *entry, uint32_t n, uint32_t most);
/* What the launch that has ended counted: all but shape and names; to be freed.  NULL: `why` says
 * why there is nothing. */
struct bbv *model_block_counts(struct model *m, char *why, size_t why_size);
#endif
