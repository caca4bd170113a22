/* A play, inside: one warp (play_warp.c), and many (play.c).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef REGROUP_PLAY_H
#define REGROUP_PLAY_H
#include "regroup/ways.h"
#include "cmodel/image/image.h"
#include "cmodel/timing/timing.h"

/* In which order a thread takes the ways that its counts give: evenly; drawn, the same for all
 * threads; drawn, so many quarters of the draws for itself. */
enum how { EVENLY, TOGETHER, APART = TOGETHER + 4, HOWS };

/* Where something may happen: a control instruction, or a block's last one. */
struct stop { struct hd_insn i; uint32_t pc, block; bool last; };
struct play {
    const struct bbv *b;
    struct ways ways;
    uint8_t *how;                   /* by block, and of calls through registers */
    bool apart;                     /* one of them draws for each thread */
    bool stack_mode;
    uint32_t chip;                  /* tokens on chip */
    uint32_t nstops, *next;         /* by instruction: the first stop from there on */
    struct stop *stop;
};
bool play_stops(struct play *, const struct hd_image *);                 /* false: no memory */
/* Chooses `how`.  False: no memory, or it cannot be played. */
bool play_fit(struct play *);

struct game;
struct game *game_new(const struct play *);                              /* NULL: no memory */
void game_free(struct game *);
/* A warp of these threads (order NULL: from `first` on) to its end.  executed: by block, added
 * to, or NULL.  False: it comes to none, because ways were guessed wrong. */
bool game_play(struct game *, const uint32_t *order, uint32_t first, uint32_t lanes,
               uint64_t *executed, struct played *, uint64_t *steps);
/* By block: how often the last warp's lane has left it. */
const uint32_t *game_visits(const struct game *, unsigned lane);
#endif
