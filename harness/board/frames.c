/* Frames on a link: see frames.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/board/frames.h"
#include <string.h>
#include <zlib.h>

enum { SYNC = 0xa5, FIND_BYTES = 1 << 17 };

uint64_t frame_get(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

void frame_put(uint8_t *p, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

bool frames_send(struct frames *f, char type, const void *payload, size_t n)
{
    uint8_t b[FRAME_HEAD + 64 + FRAME_CRC] = { SYNC, (uint8_t)type, ++f->number, (uint8_t)n, 0 };
    memcpy(b + FRAME_HEAD, payload, n);
    frame_put(b + FRAME_HEAD + n, crc32(0, b + 1, (uInt)(FRAME_HEAD - 1 + n)), FRAME_CRC);
    if (f->link->send(f->link, b, FRAME_HEAD + n + FRAME_CRC))
        return true;
    snprintf(f->error, sizeof f->error, "it takes no bytes");
    return false;
}

/* So many bytes lie at f->in + f->at. */
static bool want(struct frames *f, size_t n)
{
    if (f->at + n > sizeof f->in) {
        memmove(f->in, f->in + f->at, f->have - f->at);
        f->have -= f->at;
        f->at = 0;
    }
    while (f->have - f->at < n) {
        const long k = f->link->receive(f->link, f->in + f->have, sizeof f->in - f->have);
        if (k <= 0) {
            snprintf(f->error, sizeof f->error, k || f->have > f->at
                         ? "it ends in the middle of a frame, or of the run" : "it is silent");
            return false;
        }
        if (f->record && !f->unrecorded)
            fwrite(f->in + f->have, 1, (size_t)k, f->record);
        f->have += (size_t)k;
    }
    return true;
}

/* The frame at f->at.  False: error; `damaged', if its bytes were all there. */
static bool take(struct frames *f, struct frame *out, uint8_t *number, bool *damaged)
{
    *damaged = true;
    if (!want(f, FRAME_HEAD))
        return *damaged = false;
    const uint8_t *p = f->in + f->at;
    const size_t n = frame_get(p + 3, 2);
    if (p[0] != SYNC || n > FRAME_MOST) {
        snprintf(f->error, sizeof f->error, "a frame is damaged: %s", p[0] != SYNC
                     ? "it does not begin as one" : "its length is none");
        return false;
    }
    if (!want(f, FRAME_HEAD + n + FRAME_CRC))
        return *damaged = false;
    p = f->in + f->at;
    if (frame_get(p + FRAME_HEAD + n, FRAME_CRC) !=
        (uint32_t)crc32(0, p + 1, (uInt)(FRAME_HEAD - 1 + n))) {
        snprintf(f->error, sizeof f->error, "frame %u is damaged: its checksum differs", p[2]);
        return false;
    }
    *out = (struct frame){ .type = p[1], .bytes = (uint16_t)n, .payload = p + FRAME_HEAD };
    *number = p[2];
    f->at += FRAME_HEAD + n + FRAME_CRC;
    f->received += FRAME_HEAD + n + FRAME_CRC;
    return true;
}

bool frames_next(struct frames *f, struct frame *out)
{
    uint8_t number;
    bool damaged;
    if (!take(f, out, &number, &damaged))
        return false;
    if (number != f->next) {
        snprintf(f->error, sizeof f->error, "frame %u comes where frame %u must: %s", number,
                 f->next, (uint8_t)(number + 1) == f->next ? "it is repeated" : "some are lost");
        return false;
    }
    f->next++;
    return true;
}

bool frames_find(struct frames *f, char type, struct frame *out)
{
    uint8_t number;
    for (unsigned passed = 0; passed < FIND_BYTES; passed++) {
        bool damaged;
        if (!take(f, out, &number, &damaged)) {
            if (!damaged)
                return false;
            f->at++;
        } else if (out->type == (uint8_t)type && out->bytes && out->payload[0] == f->number) {
            f->next = (uint8_t)(number + 1);
            f->error[0] = 0;
            return true;
        }
    }
    snprintf(f->error, sizeof f->error, "what comes is no board's");
    return false;
}
