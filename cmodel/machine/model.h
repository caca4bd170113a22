/* The golden model: one core, one launch at a time, a step a call.  What lockstep and tests use;
 * cmodel/fast/fast.h runs whole grids on it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Order of calls: model_new, model_load, then for each grid model_launch, then model_place and
 * model_step in whatever order the RTL chose. */
#ifndef HD_MODEL_H
#define HD_MODEL_H
#include "cmodel/machine/bus.h"
#include "cmodel/heddle.h"
#include "cmodel/isa/isa.h"
#include "cmodel/machine/launch.h"

struct model;

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
/* From the next launch on: which addresses answer with an error. */
void model_set_bus(struct model *m, const struct bus *bus);
/* Starts a grid: nothing is resident yet, counters are zero.  Memory stays as it is. */
void model_launch(struct model *m, const struct launch *l);

/* Puts the next block into an empty slot.  NULL, or why that is not legal. */
const char *model_place(struct model *m, unsigned block_slot, uint32_t block);
/* Another core has put the next block into a slot of its own.  False: that is not the next. */
bool model_skip(struct model *m, uint32_t block);

/* Several cores, model_step: where the `bytes` of a lane of the instruction, at this address of
 * global memory, are read, or written; within model_sectors.  NULL: in memory. */
typedef uint8_t *model_sector_fn(void *user, unsigned lane, uint64_t addr, unsigned bytes,
                                bool write);
void model_set_sectors(struct model *m, model_sector_fn *fn, void *user);
/* Room for MODEL_SECTORS sectors that an instruction saw, aligned. */
enum { MODEL_SECTORS = 4096 };
uint8_t *model_sectors(struct model *m);

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
/* What decides which lanes of a warp run next and is in no view: groups in the order in which they
 * were deferred, where next() looks first, every token.  Returns how many bytes; to: where to put
 * them, or NULL. */
size_t model_unseen(const struct model *m, unsigned warp_slot, uint8_t *to);
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
