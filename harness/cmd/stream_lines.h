/* Source lines beside what `heddle stream` says of a stream: --elf FILE.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef STREAM_LINES_H
#define STREAM_LINES_H
#include "harness/cli/cli.h"
#include "stream/stream.h"

struct stream_lines;
/* Of the program that --elf names.  False: it is refused.  *to stays NULL without --elf; all below
 * take that, and say nothing then. */
bool stream_lines_open(struct cli *c, struct stream_lines **to);
/* Says so where no PC that was asked for had a line. */
void stream_lines_close(struct cli *c, struct stream_lines *);
/* Another stream begins. */
void stream_lines_begin(struct stream_lines *);
/* Every event, before it is asked about: which instruction has which number. */
void stream_lines_hear(struct stream_lines *, const struct hs_event *);
/* The event's place in the source, `FILE:LINE', of its PC or of its instruction; NULL: none. */
const char *stream_lines_event(struct stream_lines *, const struct hs_event *);
/* A message, with the line after each ` at PC' of it. */
void stream_lines_text(struct stream_lines *, const char *text, FILE *out);
/* struct hs_diff's `where'. */
const char *stream_lines_where(void *lines, uint64_t pc);
#endif
