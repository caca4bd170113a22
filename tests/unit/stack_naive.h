/* Stack mode once more, as docs/stack.md reads: an array without an end, and no thought of speed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Independent of cmodel/machine/stack.c: it executes on a copy and drops the copy where the result
 * is wrong, where the model asks before it acts.  It knows no chip and no memory for tokens. */
#ifndef STACK_NAIVE_H
#define STACK_NAIVE_H
#include "cmodel/isa/isa.h"

enum { NAIVE_REGS = 16, NAIVE_DEPTH = 512, NAIVE_MEM = 4096 };

struct naive_token { uint32_t mask, kind, pc; };

struct naive_warp {
    uint32_t r[NAIVE_REGS][32];
    bool p[7][32];
    bool active[32], alive[32];
    uint32_t pc;
    bool stuck;                             /* at a WARPSYNC that no lane completes */
    uint32_t depth;
    struct naive_token stack[NAIVE_DEPTH];
};

/* What one step did. */
struct naive_step {
    bool unwind, pushed, popped;
    struct naive_token push, pop;
    uint32_t exec;
    enum hd_fault fault;
    uint32_t fault_m;
};

uint32_t naive_mask(const bool lanes[32]);
/* Can do something. */
bool naive_runs(const struct naive_warp *w);
/* One step; mem is NAIVE_MEM bytes at address `base`, all that loads and stores may touch.  On a
 * fault warp and memory are as before. */
struct naive_step naive_step(struct naive_warp *w, const struct hd_insn *code, uint32_t n,
                             uint8_t *mem, uint32_t base);
#endif
