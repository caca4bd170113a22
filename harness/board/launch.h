/* Launches of a device whose RTL is on a board.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_LAUNCH_H
#define BOARD_LAUNCH_H
#include "harness/board/board.h"
#include "harness/device/device.h"

/* Of the last launch. */
struct board_figures { uint64_t bytes, commits, stalls; unsigned every, replays; };
struct board_run {
    struct board *board;
    struct board_figures figures;
    unsigned begun;              /* launches so far */
};
/* The board that d->cfg names, and what launches have to fit into.  HD_OK, or d->error. */
enum hd_status board_device_open(hd_device *d);
void board_device_close(hd_device *d);
/* Runs the launch there, with the model beside it. */
enum hd_status board_launch(hd_device *d);
#endif
