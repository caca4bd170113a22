/* Our own commit records as a stream of warp events (docs/stream.md).
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HARNESS_STREAM_COMMITS_H
#define HARNESS_STREAM_COMMITS_H
#include <stdio.h>
#include "cmodel/heddle.h"

struct commit_stream;
struct commit_run {
    const char *kernel;
    bool stack_mode;
    uint32_t block_threads;
    enum hd_kind kind;
    unsigned cores;
};
/* What is done with an event; false: nothing more is wanted. */
struct hs_event;
typedef bool commit_event_fn(void *user, const struct hs_event *e);
/* The stream's header, without its first line. */
void commit_stream_header(hd_device *dev, const struct commit_run *run, char *text, size_t room);
/* Gives `fn' what the next launch on `dev' does.  NULL: no memory. */
struct commit_stream *commit_stream_open(hd_device *dev, const struct commit_run *run,
                                         commit_event_fn *fn, void *user);
/* For every commit of the launch, in order; false: no memory, or nothing more is wanted. */
bool commit_stream_add(struct commit_stream *s, const struct hd_commit *c);
/* The end of the launch; frees it.  False: as above. */
bool commit_stream_close(struct commit_stream *s, enum hd_status st);
/* What becomes of each member of a record, as Markdown. */
void commit_stream_page(FILE *out);
#endif
