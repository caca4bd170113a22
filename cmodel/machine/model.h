/* The golden model: one core, one launch at a time.  What devices, lockstep and tests use.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Order of calls: model_new, model_load, then for each grid model_launch and either model_run, or
 * model_place and model_step in whatever order the RTL chose. */
#ifndef HD_MODEL_H
#define HD_MODEL_H
#include "cmodel/machine/bus.h"
#include "cmodel/heddle.h"
#include "cmodel/isa/isa.h"
#include "cmodel/machine/launch.h"

struct model;
struct native;

/* NULL: no memory.  Registers, shared memory and warps are those of `limits`. */
struct model *model_new(const struct launch_limits *limits);
/* One of several cores, number n (1 to 7), with the memory of `first`, which must outlive it;
 * what each has of its own, shared memory above all, is apart. */
struct model *model_new_beside(struct model *first, unsigned n);
void model_free(struct model *m);
/* The physical address space, HD_MEMORY bytes, zero until written; address + this. */
uint8_t *model_memory(struct model *m);

/* Decodes the code at an address of memory once; PCs count from there.  Words that are illegal
 * fault when they are executed.  Later changes of that memory are not seen; false: no memory. */
bool model_load(struct model *m, uint32_t code_base, uint32_t code_size, bool stack_mode);
/* The words that were decoded, relocated as they were in memory. */
const struct hd_word *model_text(const struct model *m);
/* That code as the host's own, of the same words (cmodel/native/native.h), which must outlive the
 * code, and counts blocks if the model does (model_count_blocks); NULL: it is interpreted, as it is
 * after model_load.  model_run uses it unless
 * model_interprets; nothing but the time that it takes is different. */
void model_set_native(struct model *m, const struct native *native);
/* From the next launch on: which addresses answer with an error. */
void model_set_bus(struct model *m, const struct bus *bus);
/* Starts a grid: nothing is resident yet, counters are zero.  Memory stays as it is. */
void model_launch(struct model *m, const struct launch *l);

/* Puts the next block into an empty slot.  NULL, or why that is not legal. */
const char *model_place(struct model *m, unsigned block_slot, uint32_t block);
/* Another core has put the next block into a slot of its own.  False: that is not the next. */
bool model_skip(struct model *m, uint32_t block);

/* Several cores, model_step: where the `bytes` of a lane of the instruction, at this address of
 * global memory, are read, or written; within model_sights.  NULL: in memory. */
typedef uint8_t *model_sight_fn(void *user, unsigned lane, uint64_t addr, unsigned bytes,
                                bool write);
void model_set_sight(struct model *m, model_sight_fn *fn, void *user);
/* Room for MODEL_SIGHTS sectors that an instruction saw, aligned. */
enum { MODEL_SIGHTS = 4096 };
uint8_t *model_sights(struct model *m);

enum step_status {
    STEP_OK,         /* one instruction was executed */
    STEP_EMPTY,      /* no warp in that slot, or it has ended */
    STEP_WAITS,      /* no lane of it can run: block barrier, or deadlock */
    STEP_FAULT       /* it faulted (model_fault); nothing runs any more in this launch */
};
/* Executes one instruction of the warp in a slot and fills `rec`.  clock: what CLOCKLO and CLOCKHI
 * read; NULL: warp instructions executed so far. */
enum step_status model_step(struct model *m, unsigned warp_slot, struct hd_commit *rec,
                            const uint64_t *clock);

struct model_run {
    uint64_t limit;                     /* warp instructions; 0 = none */
    hd_commit_fn *on_commit;            /* NULL: the fast path */
    hd_progress_fn *on_progress;
    const struct timing *timing;        /* NULL: time is the number of warp instructions */
    void *commit_user, *progress_user;
    /* Asked now and then while the grid is interpreted, and blocks run in turn, how many warp
     * instructions were: the code as the host's, from there on; NULL: not yet. */
    const struct native *(*translation)(void *user, uint64_t insns);
    void *translation_user;
    /* Blocks at the same time, on so many threads; 0, 1: in turn.  The end, memory and counters are
     * the same; so blocks that would leave something else run in turn (jobs.h). */
    unsigned jobs;
    bool independent;                   /* the caller vouches for that, and nothing is checked */
};
/* What is wanted of each instruction, or of time, that only the interpreter gives: why model_run
 * makes no use of native code in this launch; NULL: it does. */
const char *model_interprets(const struct model *m, const struct model_run *how);
/* Runs the grid to its end: HD_OK, HD_FAULT, HD_DEADLOCK, HD_LIMIT or HD_STOPPED. */
enum hd_status model_run(struct model *m, const struct model_run *how);

/* Threads on which the last launch's blocks ran; 0: they ran in turn.  Then `what` is why, or NULL
 * where that was asked for; and the PC of who is to blame, or the address, where they are known. */
struct model_jobs { const char *what; bool pc_known, addr_known; uint32_t pc; uint64_t addr; };
unsigned model_jobs(const struct model *m, struct model_jobs *why);

/* Looks for repetition in every model_step of this launch; model_run looks by itself, now and
 * then. */
void model_watch(struct model *m);
/* Every warp that can run repeats its states without changing anything: a deadlock. */
bool model_spins(const struct model *m);

/* The core's whole shared memory, and its block slots' one after the other in it. */
uint8_t *model_shared(struct model *m);
/* Shared memory as in a new model; a launch finds what the last one left. */
void model_clear_shared(struct model *m);

bool model_ended(const struct model *m);              /* every block has run and ended, here */
const struct hd_counters *model_counters(struct model *m);
const struct hd_commit *model_fault(const struct model *m);    /* NULL: none */

/* A warp as reports show it. */
struct warp_view {
    bool used;                          /* a block owns the slot and the warp has not ended */
    uint32_t block;                     /* linear */
    uint16_t warp;                      /* in the block */
    uint32_t active, pc, live;
    uint32_t npc[HD_LANES];
    uint8_t wait[HD_LANES];             /* enum hd_wait */
    uint32_t barrier[HD_BARRIERS];      /* participants */
    uint32_t arrived[HD_BARRIERS];
    uint32_t sync[HD_LANES];            /* what a lane at WARPSYNC waits for */
    uint8_t token[HD_LANES];        /* kind of the highest token that holds a lane; its PC is npc */
    uint32_t depth;                     /* tokens on the stack */
    bool spins;                         /* it loops forever in the PCs [loop[0], loop[1]] */
    uint32_t loop[2];
    uint32_t there[16], needed[16];  /* block barriers: lanes that wait, lanes that are asked for */
    uint32_t block_live;                /* lanes of the block that have not exited */
    bool runs;                          /* its lanes can go on, or its stack unwinds */
    bool deadlocked;                    /* no other warp can help */
};
void model_view(const struct model *m, unsigned warp_slot, struct warp_view *out);
/* Blocks that have not started, and the block slot in which the next one could; -1: all are
 * taken. */
uint64_t model_unstarted(const struct model *m, int *free_slot);
/* Writes which lanes wait for which, as text. */
void model_explain(const struct model *m, FILE *out);
/* Register of a lane; warp must be in use. */
uint32_t model_register(const struct model *m, unsigned warp_slot, unsigned reg, unsigned lane);
/* A predicate, a bit a lane. */
uint32_t model_predicate(const struct model *m, unsigned warp_slot, unsigned pred);
#endif
