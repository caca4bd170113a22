/* What a launch would gain, for `heddle profile`: by predictions of the compiler and by other
 * orders of threads.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PROFILE_GAIN_H
#define PROFILE_GAIN_H
#include "harness/cli/cli.h"
#include "harness/view/profile.h"

/* The loops in which `--predict auto' collects lanes when it gets these counts (branches_json),
 * with its expectation.  Nothing in stack mode, which has no predictions. */
void gain_predict(struct cli *c, const char *counts, struct profile_gains *g);
/* By the block counts of the launch that s has just run, on the core's timing. */
void gain_regroup(struct session *s, struct profile_gains *g);
void gain_free(struct profile_gains *g);
#endif
