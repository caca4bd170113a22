/* Counts of branches and loops, from commit records: what `heddle profile --save` writes and
 * `heddle cc --profile` reads.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef BRANCHES_H
#define BRANCHES_H
#include "cmodel/heddle.h"
#include "compiler/profile.h"
#include "cmodel/base/err.h"

struct branches;
/* The map must outlive it.  NULL: no memory. */
struct branches *branches_new(const struct cc_map *map, const struct hd_image *img);
void branches_add(struct branches *, const struct hd_commit *);
/* The profile, as text of JSON (to be freed), after the last record. */
char *branches_json(struct branches *);
void branches_free(struct branches *);

/* Reads such a file; false: err says what is wrong with it.  Free with profile_free. */
bool profile_read(const char *path, struct cc_profile *out, struct hd_err *err);
bool profile_parse(const char *path, const char *text, struct cc_profile *out, struct hd_err *err);
void profile_free(struct cc_profile *);
#endif
