/* What keeps the core's warps from issuing, as it stands in one cycle.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Masks have a bit a warp slot.  A slot that is in no mask holds no warp, or its warp is in the
 * convergence unit or waits at a block barrier. */
#ifndef ISA_ISSUE_H
#define ISA_ISSUE_H
#include <stdbool.h>
#include <stdint.h>

struct hd_issue {
    uint64_t cycle;              /* from the grid's first, as in commit records */
    bool issues;                 /* an instruction issues, of this warp slot: */
    uint8_t slot;
    bool beats;                  /* the beats of one that issued before still take the issue port */
    bool port_free, lsu_free, conv_free;     /* could take an instruction */
    uint32_t fetching;           /* where it goes on is known */
    uint32_t buffered;           /* its next instruction is in its buffer */
    uint32_t memory;             /* a memory instruction of it is out */
    uint32_t filling;       /* tokens that the next instruction pops are on their way from memory */
    /* the next instruction has its operands, and wants this unit */
    uint32_t ready_lsu, ready_conv, ready_other;
};
#endif
