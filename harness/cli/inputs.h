/* What a launch's buffers give each thread: the inputs of equation (1).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef INPUTS_H
#define INPUTS_H
#include "harness/cli/launch_args.h"
#include "regroup/regroup.h"

/* The elements that thread t has of each buffer which has some for every thread: S t to S t + S - 1
 * of S N elements, S at most 16.  fit NULL: all of them that differ between the first so many
 * threads; else those that the fit names.  False: err. */
bool inputs_take(struct inputs *, const struct launch_args *, uint64_t threads,
                 const struct fit *fit, uint32_t samples, struct hd_err *err);
void inputs_free(struct inputs *);
#endif
