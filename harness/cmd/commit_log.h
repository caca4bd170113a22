/* Commands that take a launch, a saved commit log, or a stream of warp events.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMIT_LOG_H
#define COMMIT_LOG_H
#include <stdbool.h>
#include <string.h>
#include "harness/cli/cli.h"
#include "harness/view/source_lines.h"
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
static inline bool read_commit_log(FILE *in, const struct cli *c, struct timeline_page *p,
                                   timeline_take *take, void *user, struct hd_err *err)
{
    if (!is_stream(c->input))
        return timeline_log(in, c->input, p, take, user, err);
    struct source_lines *lines = c->elf ? source_lines_open(c->elf, err) : NULL;
    p->lines = lines;
    const bool ok = (lines || !c->elf) && timeline_stream(in, c->input, p, take, user, err);
    p->lines = NULL;
    source_lines_close(lines);
    return ok;
}
/* --elf is for streams: a launch and a log name their source.  -1, or the exit status. */
static inline int no_other_elf(const struct cli *c)
{
    return c->elf && !is_stream(c->input)
               ? cli_usage(c, "--elf names the program of a stream (F.hst): %s is none", c->input)
               : -1;
}
#endif
