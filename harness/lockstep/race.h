/* Accesses of two warps to one byte that nothing orders, as lockstep meets them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RACE_H
#define RACE_H
#include "harness/device/device.h"

struct race;
/* Before a launch: what it may meet is found from here on.  *r is NULL at first; without memory it
 * stays so, and nothing is looked for. */
void race_begin(struct race **r, const hd_device *d);
/* Before the model does what retires. */
void race_commit(struct race *r, const hd_device *d, const struct hd_commit *c);
/* The first one of the launch, a sentence for people; false: none was met. */
bool race_said(const struct race *r, const hd_device *d, char *text, size_t n);
void race_free(struct race *r);
#endif
