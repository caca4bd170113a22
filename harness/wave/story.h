/* The rows that a waveform has beside the core's own wires: warps, lanes, barriers, stacks, units,
 * transactions.
 * SPDX-License-Identifier: Apache-2.0
 *
 * They are derived from commits, and from what the probe, the memory port and (in the traced core)
 * units show.  Commits are followed from the start of a launch, so that a window may begin
 * anywhere. */
#ifndef STORY_H
#define STORY_H
#include "cmodel/image/image.h"
#include "cmodel/isa/compare.h"
#include "cmodel/machine/model.h"
#include "harness/core/rtl.h"

struct story;
struct story *story_new(void);
void story_free(struct story *s);
/* A launch begins; model NULL: the RTL alone.  What r writes as a waveform gets the rows. */
void story_begin(struct story *s, struct rtl *r, const struct hd_image *img, const struct launch *l,
                 unsigned warps, const struct model *model);
/* In this cycle: a block starts in a block slot; an instruction retires, and the model (NULL: it
 * cannot) says the same of it or not. */
void story_place(struct story *s, unsigned block_slot, uint32_t block);
void story_commit(struct story *s, const struct hd_commit *rtl, const struct hd_commit *model,
                  bool equal);
/* RTL and model part: in what, of which warp slot (-1: none). */
void story_differs(struct story *s, const char *what, int slot);
#endif
