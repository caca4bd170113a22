/* Block counts while a grid runs: what dispatch.c does at a block's entry.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Subtle: a warp mostly comes to a block with the lanes that it had the last time.  So a warp and
 * block have a tally, "these lanes, n times", which goes to the lanes' counters when the lanes
 * change: most entries cost one comparison and one addition. */
#ifndef HD_BBV_RUN_H
#define HD_BBV_RUN_H
#include "cmodel/fast/bbv.h"
#include "cmodel/machine/launch.h"
#include "cmodel/native/region.h"

/* Distinct vectors, each a text of pairs (blocks skipped, count) as variable-length integers. */
struct bbv_set {
    struct spill *within;           /* where its arrays are; NULL: in memory */
    uint8_t *text;
    size_t used, room;
    size_t *at;                     /* of each vector; at[n] is the end */
    uint32_t n, slots;
    uint32_t *slot;                 /* 1 + vector, by hash; 0: empty */
};

struct bbv_run {
    uint32_t n, words, most;        /* blocks; words of a bit set of them; what a count may reach */
    uint32_t *entry;                /* their PCs, ascending */
    struct bbv_tally *tally;        /* by warp slot, then block */
    uint32_t (*row)[HD_LANES];      /* counters of the lanes, likewise */
    uint64_t *seen;                 /* by warp slot: a bit a block */
    uint64_t *executions;           /* by block */
    uint64_t *is_entry;             /* a bit an instruction */
    uint32_t code;                  /* instructions */
    struct bbv_set set;
    uint64_t threads;
    uint32_t *of;                   /* by thread */
    uint32_t last_target;
    struct spill *within;           /* where what grows with the grid is; NULL: in memory */
    bool lost;                      /* memory ran out */
    bool stray; uint32_t stray_pc;  /* an indirect branch went to no entry */
    bool over; uint32_t over_block; /* a count passed `most` */
    uint64_t over_thread;
};

void bbv_run_free(struct bbv_run *);
/* A launch begins: counters are zero. */
void bbv_run_start(struct bbv_run *, const struct launch *);
/* Other lanes than before: the tally goes to the counters and begins again. */
void bbv_switch(struct bbv_run *, uint32_t slot, uint32_t block, uint32_t lanes);
/* A warp has ended: its lanes' vectors are those of `first` and the threads that follow. */
void bbv_warp_ended(struct bbv_run *, uint32_t slot, uint64_t first, uint32_t threads);
/* Lanes go where a register says. */
void bbv_look(struct bbv_run *, uint32_t lanes, const uint32_t *target);
/* An indirect branch: lanes that go where the lowest one goes, if they leave it now; the others
 * execute it again. */
enum bbv_part {
    BBV_FIRST,                          /* they do, whatever the others */
    BBV_SMALLER,                        /* unless they are more than those (rule 2) */
    BBV_ALL                             /* unless there are others (CALR) */
};
uint32_t bbv_leaving(uint32_t active, uint32_t exec, uint32_t behind, const uint32_t *target,
                     enum bbv_part part);
/* bbv_set.c: the vector's number, which is new or an old one's; UINT32_MAX: no memory. */
uint32_t bbv_set_add(struct bbv_set *, const uint8_t *text, size_t size);
void bbv_set_free(struct bbv_set *);
/* bbv_columns.c: what was counted, with blocks that always count alike in one column. */
struct bbv *bbv_collect(const struct bbv_run *, const struct launch *);

/* tally: that of block 0 of the warp in `slot`. */
static inline void bbv_entered(struct bbv_run *b, struct bbv_tally *tally, uint32_t slot,
                               uint32_t block, uint32_t lanes)
{
    if (tally[block].lanes != lanes)
        bbv_switch(b, slot, block, lanes);
    tally[block].n++;
}
#endif
