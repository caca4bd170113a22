/* A launch whose block counts are wanted.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef COUNTING_H
#define COUNTING_H
#include "harness/cli/cli.h"
#include "cmodel/bbv.h"

/* Launches s on the model, counting.  -1: *out is what was counted, blocks named through `map`
 * (NULL: by the image); else the exit status, and the reason has been printed. */
int counting_launch(struct session *s, const struct cc_map *map, struct bbv **out);
/* Where counts and orders are, by --memory: c->cfg.within.  False: no memory. */
bool counting_within(struct cli *c);
/* When all of them are freed: says, if it is so, what was in files. */
void counting_done(struct cli *c);
#endif
