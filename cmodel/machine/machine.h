/* The machine's inside: warps, blocks, decoded code.  Included by this folder and by cmodel/fast, which stands
 * on it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_MACHINE_H
#define HD_MACHINE_H
#include "cmodel/isa/lane.h"
#include "cmodel/machine/access.h"
#include "cmodel/machine/barriers.h"
#include "cmodel/machine/model.h"
#include "cmodel/machine/stack.h"

/* Register rows: RZ as a source is a quad of zero rows, RZ as a destination a quad that is never
 * read. */
enum { ROW_ZERO = 256, ROW_SINK = 260, ROWS = 264 };
/* Predicate rows: PT as a source is always set, as a destination it is a mask that is never
 * read. */
enum { PRED_TRUE = 7, PRED_SINK = 8, PREDS = 9 };

struct block;

struct warp {
    _Alignas(64) u32 r[ROWS][HD_LANES];
    _Alignas(64) u32 sr[SREG_COUNT][HD_LANES];      /* special registers */
    u32 p[PREDS];                           /* predicates, a bit a lane */
    struct conv conv;
    struct stack stack;                     /* empty in barrier mode */
    struct block *block;                    /* NULL: slot empty, or ended */
    u32 slot, number;                       /* hardware warp slot, warp in the block */
    u32 block_slot;
};

struct block {
    bool used;
    u32 linear;
    u32 first_warp;                         /* warp slot of its warp 0 */
    u32 warps_live, lanes_live;
    u32 waited;                             /* block barriers at which lanes wait */
    u32 need[CONV_BLOCK_BARRIERS];          /* lanes that the last arrival asked for; 0: all */
};

/* Whether a word is an instruction that can be executed in this launch; else its fault. */
enum op_is { OP_FINE = HD_FAULT_NONE, OP_ILLEGAL = HD_FAULT_ILLEGAL, OP_UNFETCHED = HD_FAULT_BUS, OP_BEYOND = HD_FAULT_PC };

/* An instruction, decoded. */
struct op {
    uint8_t is;                             /* enum op_is */
    uint8_t pd;                             /* destination predicate, or PRED_SINK */
    bool signs;                             /* an operand has one: -Ra |Ra| -Rb |Rb| -Rc */
    bool writes_pd;                         /* the destination predicate is not PT */
    uint8_t nd;                             /* destination registers; RZ is none */
    uint16_t rd, ra, rb, rc;                /* rows */
    u32 pn, sn;                             /* 0 or ~0: negation of guard and source predicate */
    u32 pc;
    u32 *k;                                 /* the immediate, or the constant of this launch, as two
                                             * rows (low, high), or NULL */
    struct hd_insn i;
};

/* The instructions of an image. */
struct code {
    struct op *op;                          /* words of them, and after them OP_BEYOND */
    struct hd_word *text;
    u32 *pool;                              /* the immediates of `op` */
    u32 *constant, nconstants;              /* which of `op` have a constant as a source */
    u32 words, rows_used;
    bool stack_mode;
    bool broken;                            /* some cannot be fetched */
};

/* Of several cores: which one this is, and where what it has of its own lies. */
struct core {
    bool beside;                            /* its memory is another one's */
    unsigned number;
    u64 shared_at;                          /* shared memory, from mem */
    u64 local_by;                           /* from an address to where a spilled token, or local memory, is */
    bool together;                          /* the host's other threads work on this memory */
    model_sector_fn *sector;                /* NULL: memory is what it is */
    void *sector_user;
};

/* Why nothing runs any more: m->fault's lanes, address and record. */
struct fault_at {
    u32 lanes;
    u64 addr;
    struct hd_commit record;
};

/* Hooks: for who runs the machine otherwise than a step at a time, or watches it (cmodel/fast).  Any may be NULL. */
struct hooks {
    void *user;
    bool (*loads)(void *user);              /* other code has been decoded; false: no memory */
    void (*launches)(void *user);           /* a grid begins */
    /* An access is about to happen.  False: it must not, and is a bus error. */
    bool (*accesses)(void *user, const struct access *x, u32 exec, const struct op *op);
    void (*steps)(void *user, const struct warp *w);    /* model_step has executed an instruction */
    void (*leaves)(void *user, const struct warp *w);   /* no lane of a warp lives */
    /* Whether a warp is known to loop forever, in the PCs [loop[0], loop[1]]. */
    bool (*loops)(void *user, const struct warp *w, u32 loop[2]);
    void (*ends)(void *user);               /* the model does */
};

struct model {
    uint8_t *mem;                           /* HD_MEMORY bytes, then the core's shared memory */
    struct launch_limits limits;
    struct warp *warp;                      /* limits.warps of them, one more for the hooks' owner */
    struct block block[LAUNCH_WARPS];
    struct code code;
    struct bus bus;
    struct core core;
    struct launch launch;
    u64 next_block, blocks_ended;           /* skipped ones count as ended */
    u32 last_range;                         /* the range that held the last access */
    u64 seq;                                /* warp instructions so far: the model's time */
    u64 time;                               /* ... under a timing profile, else 0 */
    const u64 *clock;                       /* what clock reads give instead of seq */
    /* Counts what a warp can notice of others, or of time, memory apart: blocks that start, lanes
     * that end or are released at a block barrier, clocks read. */
    u64 changes;
    u32 let_go;                             /* warp slots that a block barrier let go, in this step */
    struct hd_counters count;
    enum hd_fault fault;
    struct fault_at fault_at;
    struct hooks hooks;
};

#define MODEL_SHARED HD_MEMORY                  /* where shared memory lies after mem */
/* After it each core, or worker, has a window of its own: its shared memory, then what MODEL_SEEN says, and the
 * addresses from the spill areas to the end of local memory. */
enum { WINDOW_PAGE = 4096, WINDOW_SHARED = 1 << 20, WINDOW_LOCAL = LAUNCH_DATA - LAUNCH_SPILL,
       WINDOW_SIZE = WINDOW_SHARED + WINDOW_LOCAL };
#define MODEL_SEEN   ((u64)WINDOW_SHARED / 2)   /* in a window: where model_sectors is */
static inline u64 model_window(const struct launch_limits *l, unsigned n)
{
    return MODEL_SHARED + ((l->shared_bytes + WINDOW_PAGE - 1u) & ~(WINDOW_PAGE - 1u)) +
           (u64)n * WINDOW_SIZE;
}

/* step.c: executes one instruction of a warp that can run, or unwinds its stack; m->fault where it faulted: then
 * nothing has happened but that the step counts.  Of the record, what the instruction's effect says is added. */
void step_warp(struct model *m, struct warp *w, struct hd_commit *rec);
/* Where m->code.op has the instruction at pc, or OP_BEYOND. */
static inline u32 index_at(const struct model *m, u32 pc)
{
    return pc % CONV_INSN == 0 && pc / CONV_INSN < m->code.words ? pc / CONV_INSN : m->code.words;
}
/* model.c: what of m->code.op cannot be fetched in this launch, and its constants. */
void model_check_code(struct model *m);
/* record.c: fills the record of the fault that just stopped w. */
void record_fault(struct model *m, const struct warp *w, struct hd_commit *rec);
/* blocks.c: called by the warp, active and pc in its conv.  An EXIT may fault in stack mode. */
void block_sync(struct model *m, struct warp *w, unsigned n, u32 need);
enum hd_fault block_exit(struct model *m, struct warp *w, u32 exec, struct hd_commit *rec);
/* lanes at barrier n */
u32 block_waiting(const struct model *m, const struct block *b, unsigned n);
/* memory.c: one access of a warp; a fault is left in m and nothing has happened.  So it is if m
 * holds a fault before, which a fault of the access replaces.  A bus error: lanes without one have
 * acted. */
enum hd_fault mem_load(struct model *, struct warp *, const struct op *, enum hd_space, u32 exec,
                       struct hd_commit *rec);
enum hd_fault mem_store(struct model *, struct warp *, const struct op *, enum hd_space, u32 exec,
                        struct hd_commit *rec);
enum hd_fault mem_atom(struct model *, struct warp *, const struct op *, enum hd_space, u32 exec,
                       struct hd_commit *rec);
/* Whether [first, last] lies in a range of the launch, a writable one for a write. */
bool mem_in_range(struct model *m, u64 first, u64 last, bool write);
/* warpops.c: lanes talk to lanes. */
void warp_vote(struct warp *w, const struct op *op, u32 exec);
void warp_shfl(struct warp *w, const struct op *op, u32 exec);
void warp_match_any(struct warp *w, const struct op *op, u32 exec);
void warp_match_all(struct warp *w, const struct op *op, u32 exec);

/* Whether a warp can do something: its lanes, or the unwinding of its stack. */
static inline bool warp_runs(const struct warp *w)
{
    return w->block && (w->conv.active || stack_unwinds(w));
}

/* Those lanes fault; without any there is no fault. */
static inline enum hd_fault model_set_fault(struct model *m, enum hd_fault f, u32 lanes)
{
    m->fault_at.lanes = lanes;
    m->fault_at.addr = 0;
    return m->fault = lanes ? f : HD_FAULT_NONE;
}

static inline const u32 *operand_b(const struct warp *w, const struct op *op)
{
    return op->k ? op->k : w->r[op->rb];
}

/* What lane l of a row is after a write by the lanes of exec.  Written as bits: of a choice, the
 * compiler makes a store under a mask, which takes tens of cycles on some processors. */
static inline u32 kept(u32 new, u32 old, u32 exec, unsigned l)
{
    u32 on = (u32)((s32)(exec << (HD_LANES - 1 - l)) >> 31);
    return (new & on) | (old & ~on);
}

/* Writes v to the lanes of exec. */
static inline void write_row(u32 *row, const u32 *v, u32 exec)
{
    for (unsigned l = 0; l < HD_LANES; l++)
        row[l] = kept(v[l], row[l], exec, l);
}

static inline void write_pred(struct warp *w, unsigned pd, u32 v, u32 exec)
{
    w->p[pd] = (w->p[pd] & ~exec) | (v & exec);
}
#endif
