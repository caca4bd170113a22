/* What heddle.c uses of the other files that implement heddle.h.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PARTS_H
#define PARTS_H
#include "harness/device/device.h"

/* images.c: forgets every image. */
void images_drop(hd_device *d);
/* images.c: the image in use, as the device has it. */
struct loaded *images_used(const hd_device *d);
/* native.c: the next launch of that image, which runs like this, does so as the host's code, or
 * not, or from a time on that it finds out. */
void native_use(hd_device *d, struct loaded *l, struct fast_run *how);
/* Of an image that no model runs: its code as the host's is none any more. */
void native_drop(struct loaded *l);
/* peers.c: n cores instead of one, of a device that has just been opened; back to one, before it is
 * closed. */
enum hd_status peers_open(hd_device *d, unsigned n);
void peers_close(hd_device *d);
/* Around a launch: before anything; when the first core's is prepared; when it has ended. */
void peers_begin(hd_device *d);
enum hd_status peers_prepare(hd_device *d);
void peers_end(hd_device *d);
/* What all but the first have of their own: the model's for both. */
void peers_make_equal(hd_device *d);
/* Shared memory of all but the first is empty. */
void peers_clear_shared(hd_device *d);
/* ranges.c: adds to the launch what it may touch besides the data of the image in use: the data of
 * others, and the allocations, of which neighbours share a range where there are more than
 * ranges. */
void ranges_add(hd_device *d);
/* After a launch: no gap within a range was written to.  False: d->error says which, and it is as
 * before. */
bool ranges_gaps_hold(hd_device *d);
#endif
