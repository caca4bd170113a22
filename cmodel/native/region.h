/* Regions of translated code: what heddle and the code that it translates have in common.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A region is a straight run of instructions, and a branch or an EXIT perhaps.  Its function
 * executes them for the running group of a warp, and then, as long as `left' allows it, those of
 * the regions where it goes on, or where the group does that runs next; up to an operation that
 * could not act (`call'), control that is left to the interpreter or an EXIT that is not the warp's
 * end, which it leaves undone: the interpreter goes on there.  This file is part of every
 * translation, so it needs nothing of heddle's but what it includes. */
#ifndef HD_REGION_H
#define HD_REGION_H
#include <stdbool.h>
#include <stdint.h>

enum { REGION_LANES = 32 };
enum { REGION_ROWS = 16 };                  /* accesses that a straight way has at most */
#define REGION_NOWHERE UINT32_MAX
#define REGION_MOVED (UINT32_MAX - 1)
/* The next warps often go on where this one ends: so far is looked ahead, bytes. */
enum { REGION_AHEAD = 2048 };

/* What was counted of a basic block: these lanes came to it, n times (bbv_run.h). */
struct bbv_tally { uint64_t n; uint32_t lanes; };

/* Addresses at which an access may begin: `starts' of them from base on. */
struct region_window { uint64_t base, starts; };

struct region_store { uint32_t from; int32_t off; };

struct region_state {
    uint32_t (*r)[REGION_LANES];            /* the warp's registers, a row each */
    const uint32_t (*sr)[REGION_LANES];     /* its special registers */
    uint32_t *p;                            /* its predicates, a bit a lane */
    uint32_t ctaid[3];                      /* its block */
    uint32_t active;                        /* the running group */
    bool whole;                             /* it is all that lives of the warp: its EXIT counts */
    bool ended;                             /* ... and was executed */
    const uint8_t *bank;                    /* the constants, */
    uint32_t bank_size;                     /* so many bytes */
    /* The operation at code[index]: an access to memory, or lanes that talk to lanes.  False: it
     * would fault, and nothing has happened. */
    bool (*call)(struct region_state *s, uint32_t index, uint32_t exec);
    /* A load of global words in a row by all lanes, or a store of global words: register `to', or
     * `from', at the address in `ra' and the next register, and `off'.  False: nothing has
     * happened, and it is left to `call'. */
    bool (*load_row)(struct region_state *s, uint32_t to, uint32_t ra, int32_t off);
    bool (*store_words)(struct region_state *s, uint32_t from, uint32_t ra, int32_t off,
                        uint32_t exec);
    /* An atomic on shared memory, at code[index].  False: the same. */
    bool (*add)(struct region_state *s, uint32_t index, uint32_t exec);
    /* n stores of global words at one address but for `off': how many were done, from the first
     * on. */
    uint32_t (*store_run)(struct region_state *s, const struct region_store *list, uint32_t n,
                          uint32_t ra, uint32_t exec);
    uint32_t *barrier;                      /* participants of each; NULL: of a sweep, which has no
                                             * convergence unit */
    /* A branch that parts the lanes, or BSYNC, BREAK, WARPSYNC, at code[index]: the index at which
     * the group goes on that is `active' then, another one perhaps; REGION_MOVED: no region may go
     * on with what the convergence unit chose; REGION_NOWHERE: nothing has happened. */
    uint32_t (*regroup)(struct region_state *s, uint32_t index, uint32_t exec);
    /* A branch to where a register says, at code[index]: the index at which the whole group goes
     * on; REGION_NOWHERE: it does not, and nothing has happened. */
    uint32_t (*leap)(struct region_state *s, uint32_t index, uint32_t exec);
    /* What a straight way needs: address 0; where its accesses may begin, as far as it is known;
     * and what finds that out: false: not there. */
    uint8_t *mem;
    struct region_window *window;
    bool (*reach)(struct region_state *s, uint32_t access, uint64_t at, uint32_t bytes, bool write);
    void *model, *warp;                     /* what `call' needs */
    /* Of code that counts its blocks: the warp's tallies; and what a block's does when other lanes
     * come than before. */
    struct bbv_tally *tally;
    void (*other_lanes)(struct region_state *s, uint32_t block, uint32_t lanes);
    uint64_t left;                          /* instructions that may be executed, and one more */
    uint64_t clock;                         /* what the clock was when `done' was 0 */
    /* What has been executed: instructions, the sum of executing lanes, branches, reads of the
     * clock; loads of constants, and those that any lane took part in. */
    uint64_t done, threads, branches, clocks, constants, fetches;
    uint64_t loads, stores, sectors;        /* of straight ways */
    /* Of the groups before `active': instructions until the last one changed, 0: none did; and of
     * each its lanes, summed up. */
    uint64_t since, lanes;
};

struct region {
    uint32_t first, length;                 /* indices into the code */
    /* Returns the index at which the group goes on. */
    uint32_t (*run)(struct region_state *s);
    /* NULL, or the way of a full warp from its start, here, to its end (straight.c); false: another
     * one, and nothing has happened. */
    bool (*straight)(struct region_state *s);
};
struct region_table { uint32_t n; const struct region *region; };

/* Where an access of a straight way is, `size' bytes a lane; NULL: it may not be there. */
static inline uint8_t *region_row(struct region_state *s, uint32_t access, uint64_t at,
                                  uint32_t bytes, uint32_t size, bool write)
{
    const struct region_window *w = &s->window[access];
    if (at - w->base >= w->starts && !s->reach(s, access, at, bytes, write))
        return (void *)0;
    return at & (size - 1) ? (void *)0 : s->mem + at;
}

/* Whether a row is in one more sector than it fills. */
static inline uint32_t region_apart(const struct region_state *s, const uint8_t *row)
{
    return ((uintptr_t)(row - s->mem) & 31) != 0;
}
#define REGION_TABLE "heddle_regions"       /* the name of the table */
#endif
