/* Frames on a link, as rtl/fpga/frames_in.v has them: A5, type, number, length (two bytes),
 * payload, CRC-32 of all but the first byte.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The board numbers its frames, so a lost or repeated one is seen; what is damaged is an error, for
 * a stream with a gap is no evidence.  Only frames_find may pass over bytes. */
#ifndef FRAMES_H
#define FRAMES_H
#include <stdio.h>
#include "harness/board/link.h"

enum { FRAME_HEAD = 5, FRAME_CRC = 4, FRAME_MOST = 2048, FRAMES_ROOM = 8192 };
struct frame { uint8_t type; uint16_t bytes; const uint8_t *payload; };
struct frames {
    struct link *link;
    uint8_t in[FRAMES_ROOM];     /* bytes [at, have) have come and are not looked at */
    size_t at, have;
    uint8_t number, next;        /* of the frame sent last; of the one that must come */
    uint64_t received;           /* bytes of frames */
    FILE *record;                /* all bytes that come go there; NULL: nowhere */
    bool unrecorded;             /* not at present */
    char error[200];
};

/* A number of n bytes in a payload, the lowest first. */
uint64_t frame_get(const uint8_t *p, unsigned n);
void frame_put(uint8_t *p, uint64_t v, unsigned n);
/* False: error. */
bool frames_send(struct frames *f, char type, const void *payload, size_t n);
/* The next frame; its payload is there until the next call.  False: error. */
bool frames_next(struct frames *f, struct frame *out);
/* The next whole frame of that type whose payload begins with `number', whatever comes before it;
 * counting begins there. */
bool frames_find(struct frames *f, char type, struct frame *out);
#endif
