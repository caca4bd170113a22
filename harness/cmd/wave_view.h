/* What a waveform is looked at for, and the GTKWave view of it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef WAVE_VIEW_H
#define WAVE_VIEW_H
#include "harness/cmd/wave.h"
#include "cmodel/image/image.h"
#include "harness/view/lanes.h"

/* ---- wave_view.c ---- */
/* A view by its name, a file of waves/; NULL: there is none. */
const char *wave_view_text(const char *name);
/* Their names, separated. */
const char *wave_view_names(void);
/* The view of w->view as GTKWave reads it: of its warp slot and barrier, opened at its event. */
void wave_view_write(FILE *f, const char *fst, const struct window *w);
/* How a barrier ends lies too far from its event for one picture: it has a view of its own. */
bool wave_view_two(const struct window *w);
/* Of a release that is no event of the warp itself: a marker, too. */
void wave_view_end(struct window *w);
/* For session_on_commit, with a struct window: notes events of its warp slot that lie in it. */
bool wave_view_mark(void *user, const struct hd_commit *c);

/* ---- wave_find.c ---- */
/* What --around asks for. */
struct wave_place {
    enum { AT_END, AT_CYCLE, AT_PC, AT_LINE, AT_DIVERGENCE, AT_SPILL, AT_BARRIER, AT_BLOCK } by;
    uint64_t n;                  /* cycle, PC, the how manieth, register, block barrier */
    char file[256]; unsigned line;
    bool of_warp; unsigned block, warp;  /* --warp */
};
/* False: it has been refused. */
bool wave_place_parse(struct cli *c, struct wave_place *p);
/* Runs the launch until it is there: cycle and warp slot go to w.  Returns -1 to go on, else the
 * exit status. */
int wave_place_find(struct cli *c, const struct wave_place *p, struct window *w);
#endif
