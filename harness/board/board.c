/* A board over its link: see board.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/board/board.h"
#include "cmodel/base/counted.h"
#include "cmodel/isa/digest.h"
#include "cmodel/places.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* SUM: sectors that are summed before the board is heard again. */
enum { SUM = 1024, LOWER = 0x20, RESYNC = 64, SAYS = 15 };

#define FAIL(b, ...) (snprintf((b)->f.error, sizeof (b)->f.error, __VA_ARGS__), false)

/* It is no answer. */
static bool tells(const struct frame *a)
{
    return a->type == 'S' || a->type == 'E' || a->type == 'F';
}

/* The next answer, to what was asked first. */
static bool answer(struct board *b, struct frame *a)
{
    for (;;) {
        if (b->f.error[0] || !frames_next(&b->f, a))
            return false;
        if (a->type == 'N')
            return FAIL(b, "it says that what it was sent was damaged");
        if (tells(a)) {
            if (!b->told)
                return FAIL(b, "it tells of a grid that was not started");
            if (!b->told(b->user, a))
                return false;
            continue;
        }
        if (a->type != (b->asked[0].type | LOWER) || !a->bytes ||
            a->payload[0] != b->asked[0].number)
            return FAIL(b, "it answers `%c' where `%c' must come", a->type > ' ' && a->type < 127
                            ? a->type : '?', b->asked[0].type | LOWER);
        memmove(b->asked, b->asked + 1, --b->nasked * sizeof *b->asked);
        return true;
    }
}

static bool ask(struct board *b, char type, const uint8_t *payload, size_t n)
{
    struct frame a;
    if (b->f.error[0] || (b->nasked == BOARD_ASKED && !answer(b, &a)) ||
        !frames_send(&b->f, type, payload, n))
        return false;
    b->asked[b->nasked].type = (uint8_t)type;
    b->asked[b->nasked++].number = b->f.number;
    return true;
}

/* Asks, and waits for the answer, whose payload has so many bytes besides the number. */
static bool query(struct board *b, char type, const uint8_t *payload, size_t n, struct frame *a,
                  unsigned bytes)
{
    if (!board_settle(b) || !ask(b, type, payload, n) || !answer(b, a))
        return false;
    return a->bytes == bytes + 1 || FAIL(b, "its answer to `%c' has %u bytes", type, a->bytes);
}

bool board_settle(struct board *b)
{
    struct frame a;
    while (b->nasked)
        if (!answer(b, &a))
            return false;
    return !b->f.error[0];
}

bool board_listen(struct board *b)
{
    struct frame a;
    if (b->nasked)
        return answer(b, &a);
    if (b->f.error[0] || !frames_next(&b->f, &a))
        return false;
    if (!b->told || !tells(&a))
        return FAIL(b, "it answers what was not asked");
    return b->told(b->user, &a);
}

/* It is made of the tables that we are. */
static bool ours(struct board *b, const struct frame *a)
{
    const uint8_t *p = a->payload + 1;
    const unsigned version = a->bytes < 2 ? 0 : p[0];
    if (version != BOARD_VERSION)
        return FAIL(b, "it speaks version %u, this is version %u", version,
                    (unsigned)BOARD_VERSION);
    if (a->bytes != SAYS + 1)
        return FAIL(b, "it says %u bytes of itself", a->bytes);
    b->lanes = p[1];
    b->warps = p[2];
    b->addr_bits = p[3];
    b->thin = p[4] & 1;
    const uint32_t isa = (uint32_t)frame_get(p + 7, 4), record = (uint32_t)frame_get(p + 11, 4);
    if (isa != (uint32_t)ISA_HASH)
        return FAIL(b, "its instruction set is another: table %08x, ours %08x", isa,
                    (uint32_t)ISA_HASH);
    if (record != digest_table())
        return FAIL(b, "its commit record is another: table %08x, ours %08x", record,
                    digest_table());
    if (!b->warps || b->warps > LAUNCH_WARPS || !b->lanes || b->lanes > HD_LANES ||
        b->addr_bits < 32 || b->addr_bits > HD_ADDR_BITS)
        return FAIL(b, "no board can be of %u %s, %u %s, %u address %s",
                    COUNTED(b->lanes, "lane"), COUNTED(b->warps, "warp"),
                    COUNTED(b->addr_bits, "bit"));
    return true;
}

/* What it may have got of a frame before is made whole, and thrown away, by bytes that begin
 * none. */
static bool hello(struct board *b)
{
    static const uint8_t nothing[RESYNC];
    struct frame a;
    b->nasked = 0;
    b->f.error[0] = 0;
    if (!b->link->send(b->link, nothing, sizeof nothing))
        return FAIL(b, "it takes no bytes");
    return frames_send(&b->f, 'H', nothing, 0) && frames_find(&b->f, 'h', &a) && ours(b, &a);
}

bool board_hold(struct board *b)
{
    static const uint8_t hold;
    return ask(b, 'R', &hold, 1) && board_settle(b);
}

bool board_begin(struct board *b, bool exact)
{
    if (b->f.error[0])
        return false;
    if (b->link->renew) {
        b->f.at = b->f.have = 0;
        if (!b->link->renew(b->link, exact))
            return FAIL(b, "no memory for another one");
    }
    return hello(b) && board_hold(b);
}

bool board_release(struct board *b)
{
    static const uint8_t go = 1;
    return ask(b, 'R', &go, 1);
}

bool board_tell(struct board *b, uint16_t every, uint64_t from, uint64_t to, bool repeat)
{
    uint8_t p[19];
    frame_put(p, every, 2);
    frame_put(p + 2, from, 8);
    frame_put(p + 10, to, 8);
    p[18] = repeat;
    return ask(b, 'P', p, sizeof p);
}

bool board_feed(struct board *b, const uint8_t *bytes, size_t n)
{
    return ask(b, 'B', bytes, n);
}

bool board_set(struct board *b, uint32_t offset, uint32_t value)
{
    uint8_t p[6];
    frame_put(p, offset, 2);
    frame_put(p + 2, value, 4);
    return ask(b, 'C', p, sizeof p);
}

bool board_get(struct board *b, uint32_t offset, uint32_t *value)
{
    uint8_t p[2];
    struct frame a;
    frame_put(p, offset, 2);
    if (!query(b, 'Q', p, sizeof p, &a, 4))
        return false;
    *value = (uint32_t)frame_get(a.payload + 1, 4);
    return true;
}

static bool is_zero(const uint8_t *sector)
{
    static const uint8_t zeros[BOARD_SECTOR];
    return !memcmp(sector, zeros, sizeof zeros);
}

/* A request that names so many sectors from an address on. */
static void name(uint8_t p[12], uint64_t addr, size_t sectors)
{
    frame_put(p, addr, 8);
    frame_put(p + 8, sectors, 4);
}

bool board_load(struct board *b, uint64_t addr, const uint8_t *bytes, size_t n)
{
    uint8_t p[8 + BOARD_SECTOR];
    for (size_t at = 0, k; at < n; at += k * BOARD_SECTOR) {
        for (k = 0; k < SUM && at + k * BOARD_SECTOR < n && is_zero(bytes + at + k * BOARD_SECTOR);)
            k++;
        if (k) {
            name(p, addr + at, k);
            if (!ask(b, 'Z', p, 12))
                return false;
        } else {
            k = 1;
            frame_put(p, addr + at, 8);
            memcpy(p + 8, bytes + at, BOARD_SECTOR);
            if (!ask(b, 'W', p, sizeof p))
                return false;
        }
    }
    return true;
}

bool board_read(struct board *b, uint64_t addr, uint8_t bytes[BOARD_SECTOR])
{
    uint8_t p[8];
    struct frame a;
    frame_put(p, addr, 8);
    if (!query(b, 'D', p, sizeof p, &a, BOARD_SECTOR))
        return false;
    memcpy(bytes, a.payload + 1, BOARD_SECTOR);
    return true;
}

bool board_sum(struct board *b, uint64_t addr, size_t n, uint32_t *crc)
{
    uint8_t p[12];
    struct frame a;
    *crc = 0;
    for (size_t at = 0, k; at < n; at += k * BOARD_SECTOR) {
        k = (n - at) / BOARD_SECTOR < SUM ? (n - at) / BOARD_SECTOR : SUM;
        name(p, addr + at, k);
        if (!query(b, 'M', p, sizeof p, &a, 4))
            return false;
        const uint32_t sum = (uint32_t)frame_get(a.payload + 1, 4);
        *crc = at ? (uint32_t)crc32_combine(*crc, sum, (long)(k * BOARD_SECTOR)) : sum;
    }
    return true;
}

bool board_keep(struct board *b, const char *path)
{
    FILE *f = b->f.record ? fopen(path, "wb") : NULL;
    char part[BUFSIZ];
    size_t n;
    if (!f)
        return false;
    rewind(b->f.record);
    while ((n = fread(part, 1, sizeof part, b->f.record)) > 0)
        fwrite(part, 1, n, f);
    fseek(b->f.record, 0, SEEK_END);
    const bool ok = !ferror(f);
    return !fclose(f) && ok;
}

struct board *board_open(const char *link, unsigned lanes, uint64_t mem_seed, char *why,
                         size_t room)
{
    struct board *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->name = link;
    b->link = link_open(link, lanes, mem_seed, why, room);
    b->f.record = b->link ? tmpfile() : NULL;
    b->f.link = b->link;
    if (b->link) {
        if (board_begin(b, false))
            return b;
        snprintf(why, room, "board %s: %s", link, b->f.error);
    }
    board_close(b);
    return NULL;
}

void board_close(struct board *b)
{
    static const uint8_t hold;
    if (!b)
        return;
    if (b->link) {
        frames_send(&b->f, 'R', &hold, 1);
        b->link->close(b->link);
    }
    if (b->f.record)
        fclose(b->f.record);
    free(b);
}
