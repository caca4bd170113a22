/* Which ways lanes took, for a profile: profile_ways.c.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PROFILE_WAYS_H
#define PROFILE_WAYS_H
#include "harness/view/profile.h"

enum { PROF_STEPS = 16, PROF_WAYS_NONE = -2 };
/* No PC: the lane has exited; it waits in a token, whose PC nobody knows yet. */
enum { PROF_GONE = 1, PROF_UNKNOWN = 2 };
struct profile_step { uint32_t from, to; };

/* A lane's last way from each of the PROF_STEPS branches (and exits) that it executed last, the
 * latest first. */
struct profile_way { unsigned n; struct profile_step step[PROF_STEPS]; uint64_t when[PROF_STEPS]; };
bool profile_way_knows(const struct profile_way *, uint32_t from);
void profile_way_took(struct profile_way *, uint32_t from, uint32_t to, uint64_t when);

/* The calls in which a lane is, the outermost first; those that are deeper are not kept. */
enum { PROF_CALLS = 8 };
struct profile_calls { unsigned depth; uint32_t from[PROF_CALLS]; };
void profile_call(struct profile_calls *, uint32_t from);
void profile_return(struct profile_calls *);
/* Where a lane is that runs at this PC, as seen at that depth: there, or at the call that led
 * away. */
uint32_t profile_calls_at(const struct profile_calls *, unsigned depth, uint32_t pc);

struct profile_ways *profile_ways_new(void);
void profile_ways_free(struct profile_ways *);
/* What the lane did since then, to be passed on; PROF_WAYS_NONE: nothing that can matter; -1: no
 * memory. */
int profile_ways_since(struct profile_ways *, uint32_t parted, const struct profile_way *,
                       uint64_t since);
/* It lost a slot to an instruction at `runs'.  False: no memory. */
bool profile_ways_lost(struct profile_ways *, int ways, uint32_t runs, enum profile_lost);

/* The loops, once all is known (profile_loops.c): by loop and instruction, whether it stands in
 * it; and how many do. */
struct profile_bodies {
    const struct profile *p;
    const int *where;   /* by timeline_index: index in profile_sums' insn; -1 */
    const uint8_t *body; const size_t *size;
    size_t n, nloops;
};
bool profile_in_loop(const struct profile_bodies *, size_t loop, uint32_t pc);
/* Adds what was counted to the branches. */
void profile_ways_charge(const struct profile_ways *, const struct profile *, struct profile_sums *,
                         const struct profile_bodies *);
#endif
