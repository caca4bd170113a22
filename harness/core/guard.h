/* What the core writes to memory, transaction by transaction: see guard.c.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef GUARD_H
#define GUARD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cmodel/isa/commit.h"

/* The LSU writes at most 128 sectors for an instruction (32 lanes, four words) of sixteen in
 * flight; and as many chunks may be spilled in a run of commits as the core can hold back. */
enum { GUARD_WRITES = 2048, GUARD_SPILLS = 64, GUARD_SECTOR = 32, GUARD_ID_STACK = 8 };

struct guard_area { uint64_t addr; size_t bytes; };
struct guard {
    struct guard_area *area;             /* where the LSU may write */
    size_t nareas, cap, last;
    /* by the LSU, in order; of what was not committed yet */
    struct { uint64_t addr; uint32_t strobes; } written[GUARD_WRITES];
    unsigned nwritten;
    /* committed, not written yet */
    struct { uint64_t addr; uint32_t row[8]; } spill[GUARD_SPILLS];
    uint64_t spilled, arrived;
    uint64_t addr;                       /* where memory differs */
    bool differs;
    char error[200];                     /* the first thing that is wrong, as a sentence */
};

/* A launch begins: nothing is outstanding, and no unit may write anywhere. */
void guard_clear(struct guard *g);
void guard_free(struct guard *g);
/* The LSU may write these bytes; false: no memory. */
bool guard_allow(struct guard *g, uint64_t addr, size_t bytes);
/* A write reaches memory: a sector, and the bytes of it that change. */
void guard_write(void *guard, uint8_t id, uint64_t addr, const uint32_t data[8], uint32_t strobes);
/* An instruction has retired that wrote so many sectors, and the model has executed it: what it
 * wrote must be what the model did. */
void guard_commit(struct guard *g, const struct hd_commit *c, unsigned writes, const uint8_t *rtl,
                  const uint8_t *model);
/* Bytes that instructions wrote which have not retired; and whether this is one of them. */
unsigned guard_open(const struct guard *g);
bool guard_is_open(const struct guard *g, uint64_t addr);
/* Every committed spill has reached memory. */
bool guard_spills_done(struct guard *g);
#endif
