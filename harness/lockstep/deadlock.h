/* The proof of a deadlock, apart from the model's own code that decides who runs.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef DEADLOCK_H
#define DEADLOCK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cmodel/machine/model.h"

/* What a grid that claims a deadlock looks like. */
struct deadlock_grid {
    const struct warp_view *warp;        /* of each warp slot that the launch uses */
    unsigned slots, warps_block;         /* a multiple of warps_block */
    bool stack_mode;
    bool circles;                     /* warps that run are allowed: deadlock_circles proves them */
    uint64_t unstarted;                  /* blocks */
    /* What lane `lane` of a warp slot waits for, by the instruction before `npc`: its mask, or the
     * lanes that it asks for (0: all of the block); false: that instruction waits for no such
     * thing.  NULL: not asked. */
    bool (*asks)(const void *user, unsigned slot, unsigned lane, uint32_t *what);
    const void *user;
};

/* True: no lane can ever go on.  Else `why` says which one can, or that what is said cannot be. */
bool deadlock_proved(const struct deadlock_grid *g, char *why, size_t n);

/* deadlock_circle.c: true: each warp that runs repeats its states, and changes nothing visible. */
struct hd_device;
bool deadlock_circles(struct hd_device *d, char *why, size_t n);

/* The whole proof, of the model's present state.  It is as it was afterwards, but for its
 * counters. */
bool deadlock_holds(struct hd_device *d, char *why, size_t n);
#endif
