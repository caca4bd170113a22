/* What a run has measured, in the compiler's terms; and the map by which it is measured.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both name a place by function and block.  Block numbers are those of --show=cfg without
 * placement: the same source gives the same ones whatever is placed later, and the shape of the
 * function tells whether it is still the same source (prof_shape). */
#ifndef PROFILE_H
#define PROFILE_H
#include <stdint.h>

/* ---- map.c: from addresses of an image to blocks, for who measures -------------------------- */

struct map_blk { int line, loop; };              /* PTX line; innermost loop, -1: none */
struct map_loop { int header, parent; };         /* a block; a loop, -1: none */
struct map_fn {
    char *name;
    uint64_t shape;
    int nblocks, nloops;
    struct map_blk *blocks;
    struct map_loop *loops;
};
struct map_pc { int fn, blk; };                  /* blk -1: the compiler's own, or the library's */
struct cc_map { int nfns; struct map_fn *fns; uint32_t npcs; struct map_pc *pcs; };
void map_free(struct cc_map *);                  /* what it holds */

/* ---- measured -------------------------------------------------------------------------------- */

/* Executions by warps, the sum of their lanes; for the block's last branch, how often it parted a
 * warp and how many lanes jumped; and instructions of library routines (and placement) that warps
 * executed in it. */
struct prof_blk { uint64_t warps, lanes, divergent, taken, library; };
/* How often a lane stayed for so many rounds. */
struct prof_trip { uint32_t rounds; uint64_t count; };
struct prof_loop { int header, ntrips; struct prof_trip *trips; };
struct prof_fn {
    char *name;
    uint64_t shape;
    int nblocks, nloops;
    struct prof_blk *blocks;
    struct prof_loop *loops;
};
struct cc_profile { const char *path; int nfns; struct prof_fn *fns; };
#endif
