/* One access of a warp to memory: where each lane goes.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_ACCESS_H
#define HD_ACCESS_H
#include "cmodel/isa/isa.h"

struct access {
    uint32_t size;                          /* bytes a lane */
    bool write, atomic;
    enum hd_space space;                    /* of the lowest lane, once resolved */
    uint32_t shared_m, local_m;             /* of generic accesses */
    uint64_t addr[HD_LANES];                /* in its space */
    uint64_t off[HD_LANES];                 /* from m->mem */
    uint32_t stride;                        /* from a word to the next: 4 */
    uint32_t strided_m;                     /* lanes where it is 128 instead: local memory */
};

enum { ACCESS_LOCAL_ROW = 4 * HD_LANES };   /* a word of each lane */

static inline uint32_t access_stride(const struct access *x, unsigned l)
{
    return x->strided_m >> l & 1 ? ACCESS_LOCAL_ROW : x->stride;
}

/* Words in a row: lane l at base + 4 l, for the lanes that take part. */
static inline bool access_row(const struct access *x, uint32_t exec, uint64_t *base)
{
    uint64_t differ = 0, start;
    if (x->size != 4 || !exec)
        return false;
    unsigned first = (unsigned)__builtin_ctz(exec);
    start = x->off[first] - 4 * first;
    for (unsigned l = 0; l < HD_LANES; l++)
        differ |= (x->off[l] ^ (start + 4 * l)) & (0 - (uint64_t)(exec >> l & 1));
    *base = start;
    return !differ;
}
#endif
