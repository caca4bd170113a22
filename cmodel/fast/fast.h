/* Whole grids on the golden model, quickly: the scheduler, and what makes it fast.  Nothing here
 * changes a result: memory, counters, the end of a grid are those of the plain machine
 * (cmodel/machine/model.h), step by step.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model of these functions is one of fast_new or fast_new_beside; lockstep steps through it,
 * too. */
#ifndef HD_FAST_H
#define HD_FAST_H
#include "cmodel/machine/model.h"

struct native;
struct timing;

/* As model_new and model_new_beside; model_free frees it. */
struct model *fast_new(const struct launch_limits *limits);
struct model *fast_new_beside(struct model *first, unsigned n);

/* The loaded code as the host's own, of the same words (cmodel/native/native.h), which must
 * outlive the code, and counts blocks if the model does (fast_count_blocks); NULL: it is
 * interpreted, as it is after model_load.  fast_run uses it unless fast_interprets; nothing but
 * the time that it takes is different. */
void fast_set_native(struct model *m, const struct native *native);

struct fast_run {
    uint64_t limit;                     /* warp instructions; 0 = none */
    hd_commit_fn *on_commit;            /* NULL: the fast path */
    hd_progress_fn *on_progress;
    const struct timing *timing;        /* NULL: time is the number of warp instructions */
    void *commit_user, *progress_user;
    /* Called now and then while the grid is interpreted and blocks run in turn, with the warp
     * instructions so far.  Returns the code as the host's, used from there on; NULL: not yet. */
    const struct native *(*translation)(void *user, uint64_t insns);
    void *translation_user;
    /* Blocks at the same time, on so many threads; 0, 1: in turn.  The end, memory and counters are
     * the same; so blocks that would leave something else run in turn (jobs.h). */
    unsigned jobs;
    bool independent;                   /* the caller vouches for that, and nothing is checked */
};
/* What is wanted of each instruction, or of time, that only the plain machine gives: why fast_run
 * makes no use of native code in this launch; NULL: it does. */
const char *fast_interprets(const struct model *m, const struct fast_run *how);
/* Runs the grid to its end: HD_OK, HD_FAULT, HD_DEADLOCK, HD_LIMIT or HD_STOPPED. */
enum hd_status fast_run(struct model *m, const struct fast_run *how);

/* Threads on which the last launch's blocks ran; 0: they ran in turn.  Then `what` is why, or NULL
 * where that was asked for; and the PC of who is to blame, or the address, where they are known. */
struct fast_jobs { const char *what; bool pc_known, addr_known; uint32_t pc; uint64_t addr; };
unsigned fast_jobs(const struct model *m, struct fast_jobs *why);

/* Looks for repetition in every model_step of this launch; fast_run looks by itself, now and
 * then. */
void fast_watch(struct model *m);
/* Every warp that can run repeats its states without changing anything: a deadlock. */
bool fast_spins(const struct model *m);
#endif
