/* What a run or a lockstep run says at its end.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_RUN_H
#define CMD_RUN_H
#include "harness/cmd/wave.h"

enum { RACE_TEXT = 900 };        /* room for what hd_get_race says */

/* --break: where the run has stopped. */
struct breakpoint { uint32_t pc; bool hit; struct hd_commit at; };

/* run_json.c: after `{' and what --print shows, everything up to the verdict; b NULL: none was
 * asked for.  Then the waveform of a difference, NULL: none, and the end. */
void run_json(const struct session *s, enum hd_status st, const struct breakpoint *b);
void run_json_end(const char *wave, const struct window *w);
#endif
