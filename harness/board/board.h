/* A board over its link: what rtl/fpga/loader.v answers.
 * SPDX-License-Identifier: Apache-2.0
 *
 * All calls return false where the link or the board is broken: f.error says how, and nothing works
 * from then on. */
#ifndef BOARD_H
#define BOARD_H
#include "harness/board/frames.h"

enum { BOARD_VERSION = 3, BOARD_SECTOR = 32, BOARD_ASKED = 8 };
struct board {
    struct link *link;
    struct frames f;
    const char *name;            /* of the link */
    unsigned lanes, warps, addr_bits;
    bool thin;                   /* it sends no whole records */
    /* sent, not answered yet; in order */
    struct { uint8_t type, number; } asked[BOARD_ASKED];
    unsigned nasked;
    /* What it says by itself while a grid runs; NULL: nothing may come. */
    bool (*told)(void *user, const struct frame *);
    void *user;
};
/* NULL: why. lanes: of a simulated one. */
struct board *board_open(const char *name, unsigned lanes, uint64_t mem_seed, char *why,
                         size_t room);
/* All that came until then, as a file for file:. */
bool board_keep(struct board *b, const char *path);
/* Leaves its core in reset. */
void board_close(struct board *b);
/* Its core in reset, as after power-up where the link can (link.h), else as it was; it is one of
 * ours. */
bool board_begin(struct board *b, bool exact);
/* The core in reset; its reset is over. */
bool board_hold(struct board *b);
bool board_release(struct board *b);
/* Digests every so many commits, whole records of [from, to).  repeat: the core goes by the
 * schedule that board_feed sends, at most BOARD_FEED bytes at a time. */
bool board_tell(struct board *b, uint16_t every, uint64_t from, uint64_t to, bool repeat);
enum { BOARD_FEED = 32 };
bool board_feed(struct board *b, const uint8_t *bytes, size_t n);
/* What the board says by itself, once. */
bool board_listen(struct board *b);
/* Registers of the launch port (csr.def).  Writes are on their way when board_set returns. */
bool board_set(struct board *b, uint32_t offset, uint32_t value);
bool board_get(struct board *b, uint32_t offset, uint32_t *value);
/* Whole sectors of device memory. */
bool board_load(struct board *b, uint64_t addr, const uint8_t *bytes, size_t n);
bool board_read(struct board *b, uint64_t addr, uint8_t bytes[BOARD_SECTOR]);
/* The CRC-32 of so many bytes. */
bool board_sum(struct board *b, uint64_t addr, size_t n, uint32_t *crc);
/* All that was asked is answered. */
bool board_settle(struct board *b);
#endif
