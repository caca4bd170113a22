/* The model's inside: warps, blocks, decoded code.  Only the files of the model include it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_MACHINE_H
#define HD_MACHINE_H
#include "cmodel/machine/barriers.h"
#include "cmodel/isa/lane.h"
#include "cmodel/machine/bbv_run.h"
#include "cmodel/machine/jobs.h"
#include "cmodel/machine/model.h"
#include "cmodel/machine/repeat.h"
#include "cmodel/machine/stack.h"
#include "cmodel/native/native.h"

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

/* An instruction, decoded for the dispatcher. */
struct op {
    uint8_t go;                             /* index of the handler */
    uint8_t pd;                             /* destination predicate, or PRED_SINK */
    bool signs;                             /* an operand has one: -Ra |Ra| -Rb |Rb| -Rc */
    bool alone;              /* a global atomic that commutes, and whose result nobody takes */
    uint8_t entry_go;                /* where `go` is of an entry: the instruction's own handler */
    uint8_t region_go;               /* where it is of a region: the handler in its place */
    uint16_t rd, ra, rb, rc;                /* rows */
    uint8_t nd;                             /* destination registers; RZ is none */
    bool writes_pd;                         /* the destination predicate is not PT */
    u32 pn, sn;                             /* 0 or ~0: negation of guard and source predicate */
    u32 pc;
    u32 entry;                              /* number of the block that begins here, if counted */
    u32 region;                             /* ... of the region, if it runs as the host's code */
    u32 *k;                                 /* the immediate, or the constant of this launch, as two
                                             * rows (low, high), or NULL */
    struct hd_insn i;
};

enum { MODEL_NEAR = 4096 };                 /* sectors; lanes farther apart are rare */

/* quick.c's: the words of an access whose lanes have their own addresses. */
struct scatter {
    u32 lo[HD_LANES], off, exec;            /* exec 0: none yet */
    u32 least, most;                        /* of lo */
    u32 low, high;                          /* the same of where in its sector each begins */
    bool columns;                           /* no two are 128 bytes apart, or a multiple of it */
    u32 sectors;                            /* how many they are in: */
    uint8_t met[MODEL_NEAR], mark;          /* each held the mark, which is not 0 */
};

/* The instructions of an image. */
struct code {
    struct op *op;                          /* words of them, and after them one that faults */
    struct hd_word *text;
    u32 *pool;                              /* the immediates of `op` */
    u32 *constant, nconstants;              /* which of `op` have a constant as a source */
    u32 words, rows_used;
    bool stack_mode;
    bool broken;                            /* some cannot be fetched */
};

/* Of several cores: which one this is. */
struct core {
    bool beside;                            /* its memory is another one's */
    unsigned number;
    model_sight_fn *sight;                  /* NULL: memory is what it is */
    void *sight_user;
};

/* Why nothing runs any more: m->fault's lanes, address and record. */
struct fault_at {
    u32 lanes;
    u64 addr;
    struct hd_commit record;
};

/* What makes the model fast, and changes no result. */
struct fast {
    /* From mem to the core's shared memory; from an address to where a spilled token, or local
     * memory, is: 0.  Not so of the model of one worker. */
    u64 shared_at, apart;
    struct meet *meet;                      /* NULL: blocks run in turn */
    struct jobs *jobs;                      /* NULL until blocks ran at the same time */
    unsigned together;                      /* workers of the last launch; 0: blocks ran in turn, */
    struct meeting in_turn;                 /* and why, where they were not to */
    double next_progress;                   /* when on_progress is due, in seconds */
    struct bbv_run *bbv;                    /* NULL: blocks are not counted */
    const struct native *native;            /* the code as the host's; NULL: it is interpreted */
    struct repeat *repeat;                  /* NULL until something was watched */
    bool watching;                          /* repeat_step follows every step */
    struct scatter scatter;
};

struct model {
    uint8_t *mem;                           /* HD_MEMORY bytes, then the core's shared memory */
    struct launch_limits limits;
    struct warp *warp;                      /* limits.warps of them, and sweep.c's */
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
    u32 let_go;                             /* model_step: warp slots that a block barrier let go */
    struct hd_counters count;
    enum hd_fault fault;
    struct fault_at fault_at;
    struct fast fast;
};

#define MODEL_SHARED HD_MEMORY                  /* where shared memory lies after mem */
#define MODEL_SEEN   ((u64)MEET_SHARED / 2)     /* in a window: where model_sights is */
/* ... and after that what worker n has of its own. */
static inline u64 model_window(const struct launch_limits *l, unsigned n)
{
    return MODEL_SHARED + ((l->shared_bytes + MEET_PAGE - 1u) & ~(MEET_PAGE - 1u)) +
           (u64)n * MEET_WINDOW;
}

/* step.c: executes at most `budget` instructions of a warp that can run; returns how many.  With a
 * record, budget is 1.  Stops early where the warp waits, has ended, or faults (m->fault). */
u64 step_warp(struct model *m, struct warp *w, u64 budget, struct hd_commit *rec);
/* What a region of translated code works on, for that warp; and its counts into the model's. */
void step_region(struct model *m, struct warp *w, struct region_state *s);
void step_region_counts(struct model *m, const struct region_state *s);
/* Handlers besides those of the rows; GO_CARRIER: `.S`; GO_FAST_..., GO_FLUSH_...: of FAST_ROWS
 * and FLUSH_ROWS; GO_MUFU: MUFU, all lanes at once; GO_COMPARE + 2 ICMP + SG: ISETP without a
 * second predicate; GO_BUS: it, or its constant, cannot be fetched; GO_ENTRY: counts a block, then
 * entry_go; GO_ENTRY_APART: the same at an instruction that lanes with other targets
 * execute again; GO_NATIVE: a region of m->fast.native, or region_go. */
enum {
    GO_BAD_PC = OP_COUNT, GO_ILLEGAL, GO_BUS, GO_CARRIER, GO_ENTRY, GO_ENTRY_APART, GO_NATIVE,
#define X(row, effect) GO_FAST_##row,
    FAST_ROWS(X)
#undef X
#define X(row, effect) GO_FLUSH_##row,
    FLUSH_ROWS(X)
#undef X
    GO_MUFU, GO_COMPARE, GO_COUNT = GO_COMPARE + 12
};
/* Whether `go` counts; entry_go is the handler proper then. */
static inline bool op_counts(const struct op *op)
{
    return op->go == GO_ENTRY || op->go == GO_ENTRY_APART;
}
/* The handler of an instruction, `.S` apart. */
uint8_t step_handler(const struct hd_insn *i);
/* run.c: warp instructions that a warp executes in its turn. */
enum { QUANTUM = 4096 };
/* run.c: turns of a grid, or of a worker's block; how long nothing has happened in them that one
 * warp can see of another, memory apart.  place: empty slots get blocks first. */
struct turns { u64 changes, rounds, next; };
struct turns turns_begin(void);
enum hd_status run_turn(struct model *m, const struct model_run *how, struct turns *t, bool place);
/* run.c: blocks into empty slots, true: any; and whether progress lets the run go on. */
bool run_place(struct model *m);
bool run_goes_on(struct model *m, const struct model_run *how);
/* run.c: regions begin with the host's code, or with what their first instruction's handler was. */
void run_mark_regions(struct model *m, bool on);
/* run_timed.c: the whole grid, under how->timing. */
enum hd_status run_timed(struct model *m, const struct model_run *how);
/* bbv.c: lets the entries of blocks count, or not; a warp in that slot, of that block, has ended. */
void model_mark_entries(struct model *m, bool on);
void model_warp_counted(struct model *m, u32 slot, u64 block, u32 number);
static inline struct bbv_tally *model_tally(const struct model *m, u32 slot)
{
    return m->fast.bbv ? m->fast.bbv->tally + (size_t)slot * m->fast.bbv->n : NULL;
}
/* model.c: marks the instructions of m->code.op that cannot be fetched in this launch, and puts its
 * constants into the others. */
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
