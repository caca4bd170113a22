/* Block counts: how often each thread of a grid executes each basic block of machine code.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Paper B's basic block vectors (BBV).  Threads with equal vectors share one, so a grid costs its
 * distinct vectors and four bytes a thread.  docs/bbv.md. */
#ifndef HD_BBV_H
#define HD_BBV_H
#include "cmodel/heddle.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A block: straight code after one entry.  It ends at the next block's entry, or where lanes of a
 * warp can part or meet. */
struct bbv_block {
    uint32_t pc, insns;
    uint32_t column;            /* of the vectors; blocks that all threads execute alike share it */
    /* by warps: once for each group of lanes that came together, and at a BSYNC each time */
    uint64_t executions;
    char *name;                     /* FUNCTION+0xOFFSET and where it comes from; may be NULL */
};

struct spill;                       /* cmodel/base/spill.h */
struct bbv {
    struct spill *within;           /* where counts and of are; NULL: malloc's */
    uint64_t shape;                 /* of the machine code that was counted: hd_image_shape */
    struct hd_dim3 grid, block;
    uint32_t threads_block;         /* block.x * block.y * block.z */
    uint64_t threads;         /* of the grid; a block's follow each other, blocks in linear order */
    uint32_t nblocks;               /* those that some thread executed, ascending pc */
    struct bbv_block *blocks;
    uint32_t ncolumns, nvectors;
    uint32_t *counts;               /* nvectors rows of ncolumns */
    uint32_t *of;                   /* by thread: its row */
};
#pragma GCC visibility push(default)
void bbv_free(struct bbv *);
#pragma GCC visibility pop
static inline const uint32_t *bbv_row(const struct bbv *b, uint64_t thread)
{
    return b->counts + (size_t)b->of[thread] * b->ncolumns;
}
#ifdef __cplusplus
}
#endif
#endif
