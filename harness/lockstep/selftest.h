/* The checker's self-test: a corrupted record for each field, each of which must be noticed.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SELFTEST_H
#define SELFTEST_H
#include "cmodel/isa/compare.h"

typedef bool commit_compare_fn(const struct hd_commit *rtl, const struct hd_commit *model,
                               struct difference *diff);
/* False: `why` holds a sentence.  equal: commit_equal, or what a test puts in its place. */
bool checker_selftest(commit_compare_fn *equal, char *why, size_t why_size);
#endif
