/* Slices: the part of a kernel that decides its branches, and which memory it reads.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SLICE_H
#define SLICE_H
#include "regroup/flow.h"

/* What an address may point into: a bit for each buffer of the launch (those that overlap share
 * one), and these. */
#define ROOT_ANY     ((uint64_t)1 << 63)        /* any global memory */
#define ROOT_GLOBALS ((uint64_t)1 << 62)        /* the kernel's global variables */
#define ROOT_SHARED  ((uint64_t)1 << 61)
#define ROOT_LOCAL   ((uint64_t)1 << 60)
#define ROOT_BUFFERS (ROOT_LOCAL - 1)

struct slice_launch;
/* slice_roots.c: by instruction, where each access of reached code may go; 0: it is no access.  To
 * be freed; NULL: no memory. */
uint64_t *slice_roots(const struct flow *, const struct hd_kernel *, const struct slice_launch *);

/* Registers and predicates. */
struct live { uint64_t reg[4]; uint32_t pred; };
/* slice_calls.c: how many registers from rd on an instruction writes, and which predicates. */
unsigned slice_written(const struct hd_insn *);
uint32_t slice_pred(const struct hd_insn *);
/* The block that block k calls, by name; f->n: it calls none. */
uint32_t slice_callee(const struct flow *, uint32_t k);
/* A lane leaves block k by a return, or for the next block. */
bool slice_returns(const struct flow *, uint32_t k);
/* By block that is called by name: what may be written until it returns.  To be freed; NULL: no
 * memory. */
struct live *slice_writes(const struct flow *);
#endif
