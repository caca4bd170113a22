/* What an instruction computes, by the host's own means: nothing of it is the model's.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_PAIR_HOST_H
#define HD_PAIR_HOST_H
#include "cmodel/isa/isa.h"

/* A warp's operands, of which an instruction that takes words sees the lower ones; `second' is an
 * immediate as its row extends it, or a constant. */
struct host_warp {
    uint64_t first[HD_LANES], second[HD_LANES], third[HD_LANES];
    uint32_t source, source2;                        /* predicates, a bit a lane */
    uint32_t special[HD_LANES];                      /* of the special register that it names */
    uint64_t d[HD_LANES];                            /* what it computes */
    uint32_t pd;
};
/* False: no row that the host knows.  exec: lanes that execute it. */
bool host_row(const struct hd_insn *i, uint32_t exec, struct host_warp *w);
/* pair_host_float.c: the rows of UNIT_FPU, UNIT_SFU and UNIT_F64 in one lane; ps: its predicate. */
bool host_float(const struct hd_insn *i, uint64_t a, uint64_t b, uint64_t c, uint32_t ps,
                uint64_t *d, uint32_t *pd);
#endif
