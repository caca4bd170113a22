/* The lanes of a warp, as its commits leave them: groups, barrier registers, the stack's tokens;
 * and what happened.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A record says all about lanes, but of barrier registers and tokens only what its instruction
 * changed; so these are kept.  A block barrier that another warp's commit releases is news for
 * lanes_view. */
#ifndef LANES_H
#define LANES_H
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include "cmodel/isa/commit.h"

/* What happened at a commit: bits. */
enum lanes_event { LANES_DIVERGE = 1, LANES_BLOCK = 2, LANES_RELEASE = 4, LANES_GIVEWAY = 8,
                   LANES_SPILL = 16, LANES_FILL = 32, LANES_FAULT = 64, LANES_EVENTS = 7 };

struct lanes {
    bool used, started;                  /* it holds a warp that lives; it has held one */
    uint32_t block; uint16_t warp;
    uint32_t pc, insn[4];                /* retired last */
    uint32_t exec;
    uint32_t active, live;               /* the running group, from now on */
    uint32_t npc[HD_LANES];
    uint8_t wait[HD_LANES];
    char group[HD_LANES];  /* a letter for each group: lanes that go on at one PC, and wait alike */
    uint32_t barrier[HD_BARRIERS];       /* participants */
    struct hd_token *token;              /* the lowest first */
    unsigned depth, room, spilled;       /* tokens; of these, the lowest that lie in memory */
    bool no_memory;
    /* of the last commit */
    uint32_t blocked, released, released_from;   /* lanes; barrier registers, a bit each */
    uint8_t fault;
};

/* A warp begins: these lanes, at this PC. */
void lanes_start(struct lanes *w, uint32_t block, unsigned warp, uint32_t live, uint32_t pc);
/* Returns what happened. */
unsigned lanes_commit(struct lanes *w, const struct hd_commit *c);
/* Another warp's commit has changed where the lanes are. */
void lanes_view(struct lanes *w, uint32_t active, const uint32_t npc[HD_LANES],
                const uint8_t wait[HD_LANES]);
void lanes_copy(struct lanes *to, const struct lanes *from);
void lanes_free(struct lanes *w);

/* Lanes that wait at barrier register b; that wait as `code` says (enum hd_wait). */
uint32_t lanes_waiting(const struct lanes *w, unsigned code);
static inline uint32_t lanes_arrived(const struct lanes *w, unsigned b)
{
    return lanes_waiting(w, HD_WAIT_BARRIER + b);
}
/* PC of the running group; UINT32_MAX: none runs. */
uint32_t lanes_pc(const struct lanes *w);
/* `run', `wait B3', ...: at most LANES_STATE bytes.  Empty: it is ready, and another group of the
 * warp runs. */
enum { LANES_STATE = 16 };
void lanes_state(const struct lanes *w, unsigned lane, char out[LANES_STATE]);
/* `block B0: 0000ffff', ...; several are separated. */
void lanes_event_text(const struct lanes *w, unsigned events, char *out, size_t n);
extern const char *const lanes_event_names[LANES_EVENTS];
#endif
