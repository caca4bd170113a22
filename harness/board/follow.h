/* What a board tells of a grid, followed by the model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model takes the schedule, after checking that it is legal, and computes everything else;
 * digests of both sides must agree.  In the window of a replay whole records are compared. */
#ifndef FOLLOW_H
#define FOLLOW_H
#include "harness/board/board.h"
#include "harness/board/predict.h"
#include "harness/device/device.h"

/* A schedule as rtl/fpga/replay.v takes it. */
struct schedule { uint8_t *bytes; size_t n, room; };
struct follow {
    hd_device *d;
    struct board *b;
    uint64_t every;              /* commits from one digest to the next */
    uint64_t from, to;           /* commits that come as whole records */
    struct schedule *keep;       /* what is followed goes there; NULL: nowhere */
    const struct schedule *repeat;       /* what the board repeats; NULL: it chooses */
    size_t fed;                  /* bytes of that which it has */
    struct predict rule;
    uint64_t commits, digest;    /* of the model */
    uint64_t blocks;             /* that have started */
    uint64_t agreed;             /* digests */
    /* A digest: its bytes that are missing; the others. */
    uint8_t left;
    uint64_t value;
    /* A reading of the clock: whose, if its number is not whole; what it says so far. */
    bool reads;
    uint8_t reader;
    unsigned bits;
    uint64_t passed;
    /* Readings: the newest, that since the grid began; what each warp slot has read, by no
     * instruction yet. */
    uint64_t shown, clock, clock_reads;
    struct clock_reads clocks;
    struct hd_commit *whole;     /* records that wait for their place in the schedule; to - from */
    uint64_t nwhole;
    uint64_t cycles, newest;     /* that the core had so far; when the newest commit was there */
    bool has_fault;
    bool stop;                   /* on_commit wants no more */
    bool ended;                  /* the board says that the grid has: after so many commits */
    uint64_t end_count, end_digest;
    uint32_t stalls;
    uint64_t bytes;              /* that told of the grid */
    /* They differ in one of the commits [lo, hi): by a digest, or by d->verdict. */
    bool differs;
    uint64_t lo, hi;
};
/* A grid begins on both sides. */
void follow_begin(struct follow *f);
/* A frame, as board.told has it. */
bool follow_told(void *user, const struct frame *a);
/* The board says that the grid has ended: all that it told is checked.  False: differs. */
bool follow_end(struct follow *f);
#endif
