/* Ways between blocks, and how often a thread takes each.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef REGROUP_WAYS_H
#define REGROUP_WAYS_H
#include "regroup/regroup.h"

enum { WAY_OUT = -1 };              /* of its function: RET, EXIT */
/* From nblocks: a call through a register, of the function that begins at `to`. */
struct way { int32_t from, to; };
/* A step of the plan: the way takes what is left of its block's count, going out or coming in;
 * guess: no equation has one unknown way alone, and it takes as much as both leave. */
struct way_step { uint32_t way; bool in, guess; };
struct ways {
    uint32_t n, *first;             /* block k, or nblocks, has way[first[k]] to
                                     * way[first[k + 1]] */
    struct way *way;
    uint32_t nplan;
    struct way_step *plan;          /* of all ways but those from nblocks */
    int32_t entry;                  /* the kernel's first block; -1: not found */
    bool *called;                   /* by block: the first of a called function */
    int32_t *calls;                 /* by block: the first one of the function that it calls by
                                     * name; -1: none */
};
/* False: no memory. */
bool ways_find(struct ways *, const struct bbv *b, const struct hd_image *img);
void ways_free(struct ways *);
/* How often a thread with this row of counts takes each way.  out, in: room for a number of each
 * block. */
void ways_count(const struct ways *, const struct bbv *b, const uint32_t *row, int64_t *out,
                int64_t *in, uint32_t *times);
#endif
