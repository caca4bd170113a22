/* The convergence unit of one warp, barrier mode: which lanes run, which wait, and for what.
 * Rules 1 to 9 of docs/convergence.md, one function each; nothing here knows registers or memory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A live lane is in exactly one of: active, rdy, blocked, yld, wsync, bar.  So one PC a lane is
 * enough: `at`, where a lane that does not run continues.  The running group is at `pc`. Stack mode
 * uses active, pc, live, wsync and bar alone; lanes in none of the sets are in tokens. */
#ifndef HD_BARRIERS_H
#define HD_BARRIERS_H
#include <stdbool.h>
#include <stdint.h>
#include "cmodel/isa/commit.h"

enum { CONV_INSN = 16, CONV_BLOCK_BARRIERS = 16 };

struct conv {
    uint32_t active, pc;            /* the running group; active = 0: no lane can run now */
    uint32_t live;                  /* not exited */
    uint32_t rdy;                   /* could run */
    uint32_t blocked;               /* wait in BSYNC: the union of arrived[] */
    uint32_t yld;                   /* yielded */
    uint32_t wsync;                 /* wait in WARPSYNC */
    uint32_t bar;                   /* wait at a block barrier: the union of bar_at */
    uint32_t at[HD_LANES];          /* where each lane of rdy .. bar continues */
    uint32_t alt, alt_pc;           /* the group deferred last; alt = 0: none */
    /* a lane of each group deferred before it; all of them are ready */
    uint8_t stk[HD_LANES], nstk;
    uint8_t ptr;                    /* a lane: where next() looks first if nothing is deferred */
    bool again;                 /* rule 2: the running group repeats a split and runs its T first */
    uint32_t b[HD_BARRIERS];        /* participants, exited ones included */
    uint32_t arrived[HD_BARRIERS];  /* the lanes blocked there */
    uint32_t sync[HD_LANES];        /* mask of each lane in wsync */
    uint32_t bar_at[CONV_BLOCK_BARRIERS];
    /* What the last instruction did, for records and counters; conv_begin clears it. */
    uint32_t released;
    uint16_t emptied;               /* barrier registers whose barrier is done with */
    uint8_t gaveway, joined;
    /* Steps of the core's convergence unit after the first (rtl/converge): what they cost, no
     * rule. */
    uint16_t steps;
};

/* Every lane of `lanes` runs at `entry`; the others have exited. */
void conv_start(struct conv *c, uint32_t lanes, uint32_t entry);
/* Before every control instruction. */
static inline void conv_begin(struct conv *c)
{
    c->released = 0;
    c->emptied = 0;
    c->gaveway = c->joined = 0;
    c->steps = 0;
}
/* Each of the following executes one instruction of the running group and leaves the next group in
 * active and pc.  `exec`: its lanes whose guard holds. */
void conv_branch(struct conv *c, uint32_t exec, uint32_t target);                 /* rule 1 */
void conv_indirect(struct conv *c, uint32_t exec, const uint32_t target[HD_LANES]); /* rule 2 */
void conv_bssy(struct conv *c, uint32_t exec, unsigned b);                        /* rule 3 */
/* Of a BSYNC at `here`, the lanes that would go on after it: of `active`, and blocked ones. */
uint32_t conv_bsync_past(const struct conv *c, uint32_t active, unsigned b, uint32_t here);
void conv_bsync(struct conv *c, unsigned b);                                      /* rule 4 */
void conv_break(struct conv *c, uint32_t exec, unsigned b);                       /* rule 5 */
/* rule 6; active = 0: conv_exited is the caller's */
void conv_exit(struct conv *c, uint32_t exec);
void conv_bmov(struct conv *c, unsigned b, uint32_t participants);                /* rule 7 */
void conv_warpsync(struct conv *c, uint32_t mask);                                /* rule 7 */
/* rule 7; active = 0: conv_next is the caller's */
void conv_block_wait(struct conv *c, unsigned n);
void conv_yield(struct conv *c);                                                  /* rule 9 */
/* Block barrier n is complete: its lanes become ready; a warp without a running group picks one. */
void conv_block_release(struct conv *c, unsigned n);
/* Picks the next group; active must be 0.  active = 0 afterwards: see conv_deadlocked. */
void conv_next(struct conv *c);
/* The same after an EXIT of the whole group, which may complete a barrier. */
void conv_exited(struct conv *c);
/* No lane can ever run unless another warp helps (block barrier), or at all (WARPSYNC). */
bool conv_deadlocked(const struct conv *c);
/* Fills npc and wait of a record. */
void conv_describe(const struct conv *c, uint32_t npc[HD_LANES], uint8_t wait[HD_LANES]);
#endif
