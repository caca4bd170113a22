/* Commands that take a launch, a saved commit log, or a stream of warp events.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMIT_LOG_H
#define COMMIT_LOG_H
#include <stdbool.h>
#include <string.h>
#include "harness/view/timeline.h"

static inline bool ends_so(const char *path, const char *suffix)
{
    size_t n = path ? strlen(path) : 0, m = strlen(suffix);
    return n > m && !strcmp(path + n - m, suffix);
}
/* By its name: what `--stream F.hst' or another core wrote. */
static inline bool is_stream(const char *path) { return ends_so(path, ".hst"); }
/* By its name: what `heddle trace --json -o F.jsonl' wrote, or a stream. */
static inline bool is_commit_log(const char *path)
{
    return ends_so(path, ".jsonl") || is_stream(path);
}
static inline bool read_commit_log(FILE *in, const char *path, struct timeline_page *p,
                                   timeline_take *take, void *user, struct hd_err *err)
{
    return (is_stream(path) ? timeline_stream : timeline_log)(in, path, p, take, user, err);
}
#endif
