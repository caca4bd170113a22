/* The third leg: every thread of a launch as scalar code, alone; what lockstep's two legs must
 * agree with.
 * SPDX-License-Identifier: Apache-2.0
 *
 * No masks, no barrier registers, no token stack: BSSY, BSYNC, BREAK, BMOV, YIELD and WARPSYNC
 * do nothing, SSY only remembers where `.S` continues.  Threads of a block run one after the
 * other up to the next block barrier.  Nothing of barriers.c, stack.c, step.c, memory.c and
 * warpops.c is used; the values that one lane computes come from isa.def, whose effects other
 * tests hold against an H200 and IEEE 754.
 *
 * The result must be the warps' result only if it does not depend on the order of threads.  Two
 * checks say whether it may: accesses of two threads to a byte without a block barrier between
 * them (SCALAR_RACE, SCALAR_ORDER), and values that depend on which lanes run together (clock
 * reads, participants of a barrier, shuffles without a WARPSYNC before them): these are tainted,
 * and SCALAR_ORDER says that one reached memory, an address or a branch. */
#ifndef HD_SCALAR_H
#define HD_SCALAR_H
#include "cmodel/isa/isa.h"
#include "cmodel/machine/launch.h"

enum scalar_end {
    SCALAR_OK,           /* every thread ended: memory is the one right result */
    SCALAR_RACE,         /* two threads, one byte, a plain write, nothing between */
    SCALAR_ORDER,        /* the result depends on order or convergence in another way */
    SCALAR_FAULT,        /* a thread faulted */
    SCALAR_DEADLOCK,     /* threads wait at block barriers that never complete */
    SCALAR_LIMIT         /* too many instructions: threads may wait for each other */
};
struct scalar;

/* Runs a prepared launch on a copy of what it may write; `mem` is the physical address space,
 * untouched. limit: instructions of all threads.  NULL: no memory. */
struct scalar *scalar_run(const struct launch *l, const uint8_t *mem, uint64_t limit);
void scalar_free(struct scalar *s);
enum scalar_end scalar_end(const struct scalar *s);
/* A sentence that says what and where; "" for SCALAR_OK. */
const char *scalar_why(const struct scalar *s);
/* The PCs that it speaks of, at most two; returns how many. */
unsigned scalar_places(const struct scalar *s, uint32_t pc[2]);
/* The first byte of the launch's writable ranges where `mem` is not what the threads left;
 * false: none. */
bool scalar_differs(const struct scalar *s, const uint8_t *mem, uint64_t *addr, uint8_t *want);
#endif
