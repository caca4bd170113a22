/* Recording a window of cycles.  SPDX-License-Identifier: Apache-2.0 */
#ifndef WAVE_H
#define WAVE_H
#include "cli.h"
/* Cycles of the grid [from, to), and the warp slot that the view looks at. */
struct window { uint64_t from, to; unsigned slot; };
/* What shows how the device's last launch came to its bad end. */
struct window wave_window(const hd_device *d);
/* From a snapshot of the run that just ended in a difference; false: there is none. */
bool wave_replay(struct session *s, const char *fst, const struct window *w, FILE *say);
/* Runs the launch again.  Both write fst, its view and its disassembly table, and say so on
 * `say`. */
int wave_record(struct cli *c, const char *fst, const struct window *w, FILE *say);
/* Beside a waveform of the image: its disassembly table and the view that uses it. */
int wave_beside(struct cli *c, const struct hd_image *img, const char *fst, const struct window *w,
                FILE *say);
#endif
