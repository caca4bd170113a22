/* A commit as the views take it: what they need of a record, of a core of up to 64 lanes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Our own core's record (struct hd_commit) has 32 lanes; a stream of warp events may come from a
 * core with more, and of another instruction set (docs/stream.md). */
#ifndef VIEW_COMMIT_H
#define VIEW_COMMIT_H
#include <stdbool.h>
#include <stdint.h>
#include "cmodel/isa/commit.h"

enum { VIEW_LANES = 64, VIEW_SLOTS = 1024 };

struct view_commit {
    uint64_t cycle;
    uint32_t block, warp, slot, pc, insn[4];
    unsigned lanes; /* of a warp */
    bool foreign;   /* another instruction set: insn says nothing, but lanes that go elsewhere */
    uint32_t next;  /* foreign: the PC of the instruction that follows; 0: nobody says */
    uint64_t active, exec, live, next_active, released, bbefore, bafter;
    uint32_t npc[VIEW_LANES], depth;
    uint8_t wait[VIEW_LANES], bx, conv, gaveway, fault, pushed, popped, spilled, filled, unwind;
};

static inline void view_of(struct view_commit *v, const struct hd_commit *c)
{
    *v = (struct view_commit){
        .cycle = c->cycle, .block = c->block, .warp = c->warp, .slot = c->slot, .pc = c->pc,
        .insn = { c->insn[0], c->insn[1], c->insn[2], c->insn[3] }, .lanes = HD_LANES,
        .active = c->active, .exec = c->exec, .live = c->live, .next_active = c->next_active,
        .released = c->released, .bbefore = c->bbefore, .bafter = c->bafter, .depth = c->depth,
        .bx = c->bx, .conv = c->conv, .gaveway = c->gaveway, .fault = c->fault,
        .pushed = c->pushed, .popped = c->popped, .spilled = c->spilled, .filled = c->filled,
        .unwind = c->unwind
    };
    for (unsigned l = 0; l < HD_LANES; l++) {
        v->npc[l] = c->npc[l];
        v->wait[l] = c->wait[l];
    }
}

static inline unsigned view_lowest(uint64_t mask) { return (unsigned)__builtin_ctzll(mask); }
static inline unsigned view_count(uint64_t mask) { return (unsigned)__builtin_popcountll(mask); }
#endif
