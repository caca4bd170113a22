/* Timing profiles: what an instruction costs, for `heddle run --timing`.  docs/timing.md.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A profile is a text of lines `KEY = CYCLES [CYCLES]  # where the number comes from`.  It knows
 * nothing of the model but commit records. */
#ifndef HD_TIMING_H
#define HD_TIMING_H
#include "cmodel/base/err.h"
#include "cmodel/isa/isa.h"

/* What may happen in an instruction besides its own work; each adds its cycles. */
#define TIMING_EVENTS(X) \
    X(taken,   "the group goes on as a whole, but not after the instruction") \
    X(diverge, "its lanes leave it for two places") \
    X(wait,    "its lanes wait at a barrier, and others of the warp run") \
    X(push,    "a token is pushed") \
    X(pop,     "a token is popped") \
    X(spill,   "a chunk of tokens is spilled") \
    X(fill,    "a chunk of tokens is filled") \
    X(line,    "the warp comes to 64 bytes of code that no warp has executed before") \
    X(sector,  "each 32 bytes of memory that it touches, after the first")

enum timing_event {
#define X(name, what) TIMING_##name,
    TIMING_EVENTS(X)
#undef X
    TIMING_EVENT_COUNT
};

/* What the model of our own core (core.h) knows of it; in a profile `core.` and the name.  The
 * second is the largest that it takes. */
#define CORE_PARAMETERS(X) \
    X(integer,   32,      "from issue to a reader of an integer result, and to the write port") \
    X(float,     32,      "the same of a float") \
    X(f64,       1000,    "from issue until f64 results ask for the write port") \
    X(lsu,       32,      "what a memory instruction counts as for retirement in order") \
    X(early,     32,      "from issue to the step of a control instruction without operands") \
    X(at_once,   32,      "what one without operands that went at once counts as for that order") \
    X(step,      32,      "from issue to the step of any other") \
    X(queue,     4,       "control instructions under way") \
    X(slots,     16,      "memory instructions under way") \
    X(patience,  1000,    "cycles until one is kept for the LSU") \
    X(icache,    1 << 20, "bytes of the instruction cache, a power of two") \
    X(constants, 1 << 16, "bytes of the constant cache, a power of two") \
    X(targets,   64,      "first instructions of groups that are kept, a power of two") \
    X(memory,    10000,   "from an address to its data, or to a write's answer")

enum core_parameter {
#define X(name, most, what) CORE_##name,
    CORE_PARAMETERS(X)
#undef X
    CORE_COUNT
};

struct timing {
    uint32_t core[CORE_COUNT];      /* all 0: no profile of our core */
    uint32_t port;                  /* cycles between two warp instructions of the core */
    uint32_t next[OP_COUNT];        /* ... and of one warp, at least */
    uint32_t result[OP_COUNT];      /* ... and between an instruction and a reader of its result */
    uint32_t event[TIMING_EVENT_COUNT];
    /* For so long an instruction occupies its unit, which takes no other: of warps that share a
     * core (regroup/).  And for each sector after the first, of a load, of a store: hundredths of a
     * cycle.  The model's clock does not wait for units. */
    uint32_t busy[OP_COUNT], busy_sector[2];
};

/* By name, or from a file when the name has a dot or a slash.  NULL: err says why. */
struct timing *timing_open(const char *name, struct hd_err *err);
/* Names of the built-in profiles, for messages. */
extern const char timing_names[];
/* Events of a record, each with how often it happened. */
void timing_events(const struct hd_commit *rec, uint32_t count[TIMING_EVENT_COUNT]);
/* Cycles until the warp's next instruction, given the record of this one. */
uint32_t timing_cost(const struct timing *t, unsigned op, const struct hd_commit *rec);
#endif
