/* Block counts by a run of the part of a kernel that decides its branches (regroup/slice.c).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SLICING_H
#define SLICING_H
#include "harness/cli/cli.h"
#include "regroup/regroup.h"

/* What a slice keeps, and warp instructions: as predicted by its first ones, and of its run. */
struct slicing { uint32_t kept, all; struct slice_work predicted, ran; };

/* Counts the launch of s, which is placed, by a slice of its kernel.  -1: *out is what a run of the
 * kernel would count, blocks named through `map` (NULL: by the image).  EXIT_USAGE and err: there
 * is no slice, or it is not cheap.  Any other exit status: the reason has been printed. */
int slicing_launch(const struct session *s, const struct cc_map *map, struct bbv **out,
                   struct slicing *, struct hd_err *err);
/* By a run, a slice, or a slice where one is cheap, as --counts says.  -1: *out; else the exit
 * status, and the reason has been printed. */
int slicing_counts(struct session *s, const struct cc_map *map, struct bbv **out);
#endif
