/* Deadlock by repetition, a livelock: warps that run, but have come back to a state that they had
 * before.
 * SPDX-License-Identifier: Apache-2.0
 *
 * While memory and m->changes stand still, a warp's next state follows from its own state alone:
 * memory is constant, no clock was read, no other warp released its lanes.  So a warp that returns
 * to a state goes round for ever, whatever the order in which warps run, and changes nothing.  If
 * that holds of every warp that can run, nothing will ever change. */
#ifndef HD_REPEAT_H
#define HD_REPEAT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fast;
struct access;
struct model;
struct warp;
struct repeat;

/* From here on every step must be followed by repeat_step: sets f->watching.  Without memory
 * for it, nothing is watched. */
void repeat_watch(struct fast *f);
void repeat_free(struct repeat *r);
/* Before an access of these lanes may write memory. */
void repeat_keep(struct fast *f, const struct access *x, u32 exec);
/* After each step of a warp. */
void repeat_step(struct fast *f, const struct warp *w);
/* What decides about the warp's future besides memory and other warps, as bytes: how many. */
size_t repeat_key(const struct model *m, const struct warp *w, uint8_t *to);
/* The warp's running lanes loop between these PCs. */
bool repeat_loop(const struct fast *f, const struct warp *w, uint32_t *first, uint32_t *last);
#endif
