/* Our own core cycle by cycle, as far as time is concerned: what waits for what, and no values.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The caller executes.  core_next runs the clock until something is due that it must do, and says
 * what; core_did then says what came of it.  A profile with `core.` keys asks for this model; their
 * numbers are struct timing's.  LANES = 32; one core, and a memory that answers in order. */
#ifndef HD_CORE_H
#define HD_CORE_H
#include "cmodel/timing/timing.h"

struct core;

/* What it must know of a launch, in the words of csr.def. */
struct core_range { uint64_t base, limit; bool writable; };
struct core_grid {
    uint32_t code_base, const_base, const_size, local_base, local_size;
    uint32_t entry, threads, warps_block, block_slots, stack_depth;
    uint64_t blocks;
    bool stack_mode;
    uint32_t nranges;
    struct core_range range[16];
};

/* words: of the code.  NULL: no memory.  Then core_code for each word, and the one after them. */
struct core *core_new(const struct timing *t, const struct core_grid *g, uint32_t words);
void core_code(struct core *c, uint32_t index, const struct hd_insn *i);
void core_free(struct core *c);

enum core_due {
    CORE_BLOCK,         /* the next block starts in block slot `slot` */
    CORE_ISSUE,         /* the next instruction of warp slot `slot` issues: core_did */
    CORE_UNWIND,        /* the next step of its unwinding happens (stack mode): core_did */
    CORE_END,           /* the grid has ended */
    CORE_STUCK          /* nothing will ever happen */
};
enum core_due core_next(struct core *c, uint32_t *slot);
/* The cycle, counted from the grid's first. */
uint64_t core_now(const struct core *c);

/* What the instruction did that was due. */
struct core_did {
    const struct hd_commit *rec;        /* mem and what goes with it, pushed, popped, ... filled */
    bool runs, unwinds, ended;          /* the warp goes on, at pc; its stack unwinds; it is over */
    uint32_t pc;
    uint32_t steps;                     /* of the convergence unit, besides those of every one */
    bool releases;                      /* block barriers are complete: */
    uint32_t freed;                     /* warp slots that stood still and go on, */
    const uint32_t *freed_pc;           /* where each does */
};
void core_did(struct core *c, const struct core_did *d);
#endif
