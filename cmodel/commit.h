/* The commit record: everything one warp instruction did, as it retired.  What lockstep compares.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The RTL's probe and the model each fill one; docs/lockstep.md explains every field.  A field that
 * does not apply to an instruction is zero.  Per-lane values are zero in lanes outside `exec`.
 *
 * nd, rd, npd, pd, pq, mem, size, conv and bx follow from the instruction word alone, also where no
 * lane executes; RZ and PT as destinations count as nothing written (rd, pd or pq zero as well).
 * With no executing lane the space of a generic access is SPACE_GLOBAL.
 * A fault changes nothing: its record holds block, warp, slot, pc, insn, exec, active, live, npc and
 * wait as before the instruction, next_active = 0, fault, fault_m and, for memory faults, fault_addr;
 * the rest is zero.  Illegal instructions and PCs: exec = 0, fault_m = active, and insn = 0 for a PC.
 * A bus error has let lanes act whose sectors had none (docs/lockstep.md); its record is the same, with
 * the physical address.  Where the instruction itself could not be fetched: exec = 0, insn = 0. */
#ifndef HD_COMMIT_H
#define HD_COMMIT_H
#include <stdint.h>
#include "isa_gen.h"      /* enum hd_space */

#define HD_LANES 32
#define HD_BARRIERS 16

/* Why a live lane does not run: what `wait` holds for it.  A barrier register wait is
 * HD_WAIT_BARRIER + b, a block barrier wait HD_WAIT_BLOCK + number. */
enum hd_wait { HD_WAIT_NONE = 0, HD_WAIT_READY = 1, HD_WAIT_YIELD = 2, HD_WAIT_WARPSYNC = 3,
               HD_WAIT_STACK = 4,        /* stack mode: in a token */
               HD_WAIT_BARRIER = 0x10, HD_WAIT_BLOCK = 0x20, HD_WAIT_EXITED = 0x30 };

/* Faults, in order of priority where one instruction has several. */
enum hd_fault { HD_FAULT_NONE, HD_FAULT_ILLEGAL, HD_FAULT_PC, HD_FAULT_TRAP, HD_FAULT_MISALIGNED,
                HD_FAULT_RANGE, HD_FAULT_READONLY, HD_FAULT_SPACE, HD_FAULT_SPILL, HD_FAULT_TOKEN,
                HD_FAULT_BUS, HD_FAULT_COUNT };

/* A token of the reconvergence stack (docs/stack.md). */
enum hd_token_kind { HD_TOKEN_SYNC = 1, HD_TOKEN_DIV = 2, HD_TOKEN_CALL = 3 };
struct hd_token { uint32_t mask; uint32_t pc_kind; };      /* pc | enum hd_token_kind */

struct hd_commit {
    uint64_t seq;                 /* position in commit order, from 0 */
    uint64_t cycle;               /* of the grid (model alone: time of the profile) */
    uint32_t block;               /* linear block number: x + nx * (y + ny * z) */
    uint16_t warp;                /* warp number in the block */
    uint16_t slot;                /* hardware warp slot */
    uint32_t pc;                  /* byte offset in .text */
    uint32_t insn[4];             /* the instruction word */
    uint32_t exec;                /* lanes that executed it: active and guard true */
    uint32_t active;              /* lanes of the running group before it */
    uint32_t live;                /* lanes not exited, after it */
    uint32_t next_active;         /* running group after it; 0 when no lane of the warp can run */
    uint32_t npc[HD_LANES];       /* PC at which each live lane continues, after it (0 in a token) */
    uint8_t  wait[HD_LANES];      /* enum hd_wait of each lane, after it */
    uint8_t  nd;                  /* destination registers written: 0, 1, 2 or 4 */
    uint8_t  rd;                  /* the first of them */
    uint8_t  npd;                 /* bit 0: Pd written, bit 1: Pq written */
    uint8_t  pd, pq;
    uint32_t pval[2];             /* their values, a bit a lane */
    uint32_t val[4][HD_LANES];    /* destination values */
    uint8_t  mem;                 /* 0 none, 1 load, 2 store, 3 atomic */
    uint8_t  space;               /* enum hd_space after generic addresses are resolved, of the lowest lane */
    uint8_t  size;                /* bytes a lane: 1, 2, 4, 8, 16 */
    uint32_t addr[HD_LANES];      /* byte address in that space */
    uint32_t wdata[4][HD_LANES];  /* what a store writes; what an atomic leaves in memory */
    uint32_t shared_m;            /* generic: lanes whose address is in shared memory */
    uint32_t local_m;             /* generic: lanes whose address is in local memory */
    uint8_t  conv;                /* 1: a barrier register was touched (bx, bbefore, bafter hold) */
    uint8_t  bx;
    uint32_t bbefore, bafter;     /* its participants */
    uint32_t released;            /* lanes of this warp released from BSYNC, WARPSYNC, YIELD or BAR by it */
    uint8_t  gaveway;             /* 1: a barrier gave way (rule 8) */
    uint8_t  unwind;              /* stack mode: this record is a pop without an instruction */
    uint8_t  pushed, popped;      /* stack mode: tokens pushed and popped, 0 or 1 */
    uint8_t  spilled, filled;     /* stack mode: tokens moved to and from memory, 0 or 4 */
    struct hd_token push, pop, moved[4];
    uint32_t moved_addr;          /* address of the chunk */
    uint32_t depth;               /* stack mode: tokens on the stack after it */
    uint8_t  is_clock;            /* the destination is a clock value */
    uint8_t  fault;               /* enum hd_fault */
    uint32_t fault_m;             /* lanes that faulted */
    uint64_t fault_addr;          /* of the lowest of them: its full address, for memory
                                     faults; for bus errors the physical address */
};
#endif
