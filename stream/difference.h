/* How a difference of two streams is reported.  SPDX-License-Identifier: Apache-2.0 */
#ifndef STREAM_DIFFERENCE_H
#define STREAM_DIFFERENCE_H
#include "stream/stream.h"

enum { BEFORE = 8 }; /* instructions of a warp that are remembered */
/* The first member that differs, with its lane, and both events; NULL: that side says nothing. */
void hs_say_difference(const struct hs_header *h, const struct hs_event *a,
                       const struct hs_event *b, const char *const name[2], FILE *out);
#endif
