/* Device memory and registers of a board against the model's.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_SETTLE_H
#define BOARD_SETTLE_H
#include "harness/board/follow.h"

enum { BOARD_LEFT_OUT = 3 };     /* fields of a record that no digest has (digest.h) */
/* The board's memory is the model's.  False: the link is broken; so of the other. */
bool settle_load(hd_device *d, struct board *b);
/* The grid has ended on the board, with *s so far: registers and memory are compared. */
bool settle_end(struct follow *f, enum hd_status *s);
#endif
