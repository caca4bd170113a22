/* Control flow of machine code, for those who follow values through it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FLOW_H
#define FLOW_H
#include "cmodel/image/image.h"

/* Blocks as they are counted (bbv_entries); block k is the instructions [first[k], first[k + 1]).
 * From its last one a lane goes on in one of its successors, perhaps after it waited for others, or
 * nowhere.  Of a branch through a register, of a return and of `.S`, these are all places where one
 * may lead. */
struct flow {
    const struct hd_image *img;
    uint32_t n, insns;
    uint32_t *first;
    struct hd_insn *insn;           /* of an illegal word: TRAP */
    struct { uint32_t n, room, *to; } *succ;
    bool *reached;                  /* from the kernel's entry */
};
/* False: no memory. */
bool flow_make(struct flow *, const struct hd_image *, const struct hd_kernel *);
void flow_free(struct flow *);
static inline bool flow_guarded(const struct hd_insn *i) { return i->pg != HD_PT || i->pn; }
#endif
