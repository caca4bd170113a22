/* Recording a window of cycles.  SPDX-License-Identifier: Apache-2.0 */
#ifndef WAVE_H
#define WAVE_H
#include "harness/cli/cli.h"
#include "cmodel/base/outfile.h"
/* Cycles of the grid [from, to), and the warp slot that the view looks at. */
struct window { uint64_t from, to; unsigned slot; };
/* What shows how the device's last launch came to its bad end. */
struct window wave_window(const hd_device *d);

/* A waveform on its way to its file, and what lies beside it: the GTKWave view and its
 * disassembly table. */
struct wave_files { const char *fst; struct outfile *wave, *view, *dis; };
/* False: one of them could not be written; what is wrong has been printed. */
bool wave_open(struct cli *c, const char *fst, struct wave_files *f);
/* The waveform has been recorded, under outfile_name(f->wave): keeps all three and says so on
 * `say`.  Returns the exit status. */
int wave_keep(struct cli *c, struct wave_files *f, const struct hd_image *img,
              const struct window *w, FILE *say);
void wave_drop(struct wave_files *f);

/* From a snapshot of the run that just ended in a difference; false: there is none. */
bool wave_replay(struct session *s, struct wave_files *f, const struct window *w, FILE *say);
/* Runs the launch again.  Either ends with wave_keep or wave_drop. */
int wave_record(struct cli *c, struct wave_files *f, const struct window *w, FILE *say);
#endif
