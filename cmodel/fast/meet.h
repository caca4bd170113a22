/* Whether blocks that run at the same time meet in memory, and memory as it was before they ran.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two blocks meet in a word that both touch, unless both only read it, or both only change it by
 * one and the same atomic that commutes with itself and whose result nobody takes.  Blocks that
 * meet nowhere leave what they leave in any order.  So each worker notes for every word who has
 * touched it, and how; what two workers noted is compared when all blocks have ended.  A block must
 * also have written the shared and local memory that it reads: what it finds there depends on who
 * was there before.
 *
 * Subtle: only a worker writes its notes, so they cost no atomics.  A page is saved before the
 * first worker writes to it; the others wait until it is. */
#ifndef HD_MEET_H
#define HD_MEET_H
#include <pthread.h>
#include <stdatomic.h>
#include "cmodel/machine/machine.h"

/* Pages as they were, of all workers. */
struct meet_pages {
    uint8_t *mem;
    uint64_t space;                 /* bytes of physical addresses */
    _Atomic uint8_t *state;         /* by page: untouched, being saved, saved */
    pthread_mutex_t lock;
    struct meet_page { uint32_t page; uint8_t *bytes; } *saved;
    size_t n, room;
    atomic_bool lost;               /* no memory for one, which then was not written either */
};
bool meet_pages_open(struct meet_pages *, uint8_t *mem, uint64_t space);
/* Forgets them; back: memory is as it was before. */
void meet_pages_end(struct meet_pages *, bool back);
void meet_pages_close(struct meet_pages *);

/* Where two blocks met. */
struct meeting { const char *what; uint64_t off; uint32_t pc; bool pc_known; };

/* What one worker touches. */
struct meet {
    struct meet_pages *pages;
    bool checked;                   /* words are noted, not only pages */
    uint64_t window;                /* offset of its own memory, from mem */
    uint32_t block;                 /* that runs, of this worker's, from 1 */
    uint32_t *word;           /* notes, by word: of physical memory, then of its own memory */
    uint8_t *page;                  /* by page: kinds of accesses, a bit each */
    uint32_t *list;                 /* pages touched */
    size_t n, room;
    bool lost;                      /* no memory */
    struct meeting meeting;         /* the first; what = NULL: none */
};
bool meet_open(struct meet *, struct meet_pages *, uint64_t window);
/* A launch begins. */
void meet_begin(struct meet *, bool checked);
void meet_close(struct meet *);
/* Before an access to global, shared or local memory.  atom: 0, or what a global atomic is whose
 * result nobody takes.  False: it must not happen, for want of memory. */
bool meet_access(struct meet *, const struct access *, uint32_t exec, uint32_t atom, uint32_t pc);
/* Whether no two of n workers met; else where. */
bool meet_apart(const struct meet *const *, unsigned n, struct meeting *);
#endif
