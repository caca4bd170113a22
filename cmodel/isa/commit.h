/* The commit record: everything one warp instruction did, as it retired.  What lockstep compares.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The RTL's probe and the model each fill one; commit.def has every field.  A field that
 * does not apply to an instruction is zero.  Per-lane values are zero in lanes outside `exec`.
 *
 * nd, rd, npd, pd, mem, size, conv and bx follow from the instruction word alone, also where no
 * lane executes; RZ and PT as destinations count as nothing written (rd or pd zero as well).
 * With no executing lane the space of a generic access is SPACE_GLOBAL.
 * A fault changes nothing: its record holds block, warp, slot, pc, insn, exec, active, live, npc
 * and wait as before the instruction, next_active = 0, fault, fault_m and, for memory faults,
 * fault_addr; the rest is zero.  Illegal instructions and PCs: exec = 0, fault_m = active, and insn
 * = 0 for a PC. A bus error has let lanes act whose sectors had none (docs/memory.md); its record
 * is the same, with the physical address.  Where the instruction itself could not be fetched: exec
 * = 0, insn = 0. */
#ifndef HD_COMMIT_H
#define HD_COMMIT_H
#include <stdint.h>
#include "isa_gen.h"      /* enum hd_space */

#define HD_LANES 32
#define HD_BARRIERS 16

enum hd_fault {
#define FAULT(name, what) HD_FAULT_##name,
#include "cmodel/isa/commit.def"
    HD_FAULT_COUNT
};
/* Why a live lane does not run: what `wait` holds for it.  A barrier register wait is
 * HD_WAIT_BARRIER + b, a block barrier wait HD_WAIT_BLOCK + number. */
enum hd_wait {
#define WAIT(name, code, letter, mark, brief, where, words, what) HD_WAIT_##name = code,
#include "cmodel/isa/commit.def"
};
enum hd_token_kind {
#define TOKEN(name, code, what) HD_TOKEN_##name = code,
#include "cmodel/isa/commit.def"
};
struct hd_token { uint32_t mask; uint32_t pc_kind; };      /* pc | enum hd_token_kind */

struct hd_commit {
#define MEMBER(type, name, dimensions) type name dimensions;
#include "cmodel/isa/commit.def"
};
#endif
