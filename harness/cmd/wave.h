/* Recording a window of cycles.  SPDX-License-Identifier: Apache-2.0 */
#ifndef WAVE_H
#define WAVE_H
#include "harness/cli/cli.h"
#include "cmodel/base/outfile.h"
#include "harness/view/lanes.h"
enum { WAVE_MARKS = 26,          /* GTKWave's named markers */
       WAVE_SHOWN = 80,          /* cycles that a view is zoomed to */
       WAVE_BEFORE = 30 };       /* of these, before the event */
struct wave_mark { uint64_t cycle; char text[40]; };
/* Cycles of the grid [from, to); what is looked at: a warp slot, a barrier register or block
 * barrier, an event; the view's name. */
struct window {
    uint64_t from, to; unsigned slot;
    unsigned barrier, warps;     /* warps of a block */
    uint64_t event, until;       /* until: what began there is over; 0: unknown */
    bool released;               /* at `until': the lanes that wait there go on */
    const char *view;
    uint32_t apart;              /* a difference: lanes in which the records differ */
    struct wave_mark mark[WAVE_MARKS]; uint64_t nmarks;
    struct lanes lanes;          /* of that slot, while it is recorded */
    const struct hd_image *image;
    unsigned text;               /* characters of the longest value in sight; 0: unknown */
};
/* What shows how the device's last launch came to its bad end. */
struct window wave_window(const hd_device *d);

/* A waveform on its way to its file, and the GTKWave view that lies beside it. */
struct wave_files { const char *fst; struct outfile *wave, *view; };
/* False: one of them could not be written; what is wrong has been printed. */
bool wave_open(struct cli *c, const char *fst, struct wave_files *f);
/* The waveform has been recorded, under outfile_name(f->wave): keeps both and says so on
 * `say`.  Returns the exit status. */
int wave_keep(struct cli *c, struct wave_files *f, const struct window *w, FILE *say);
void wave_drop(struct wave_files *f);

/* What a whole run shows: all of it, opened at its bad end, else at its start. */
struct window wave_whole(const hd_device *d, bool bad_end);

/* From a snapshot of the run that just ended in a difference; false: there is none. */
bool wave_replay(struct session *s, struct wave_files *f, const struct window *w, FILE *say);
/* Runs the launch again.  Either ends with wave_keep or wave_drop. */
int wave_record(struct cli *c, struct wave_files *f, struct window *w, FILE *say);
#endif
