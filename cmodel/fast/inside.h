/* What runs grids fast: its inside.  Only the files of this folder, and its tests, include it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_FAST_INSIDE_H
#define HD_FAST_INSIDE_H
#include "cmodel/fast/bbv_run.h"
#include "cmodel/fast/fast.h"
#include "cmodel/fast/jobs.h"
#include "cmodel/fast/repeat.h"
#include "cmodel/machine/machine.h"
#include "cmodel/native/native.h"

/* An instruction, decoded for the dispatcher. */
struct fast_op {
    struct op op;                           /* as the machine has it */
    uint8_t go;                             /* index of the handler */
    uint8_t entry_go;                /* where `go` is of an entry: the instruction's own handler */
    uint8_t region_go;               /* where it is of a region: the handler in its place */
    bool alone;              /* a global atomic that commutes, and whose result nobody takes */
    u32 entry;                              /* number of the block that begins here, if counted */
    u32 region;                             /* ... of the region, if it runs as the host's code */
};

enum { FAST_NEAR = 4096 };                  /* sectors; lanes farther apart are rare */

/* quick.c's: the words of an access whose lanes have their own addresses. */
struct scatter {
    u32 lo[HD_LANES], off, exec;            /* exec 0: none yet */
    u32 least, most;                        /* of lo */
    u32 low, high;                          /* the same of where in its sector each begins */
    bool columns;                           /* no two are 128 bytes apart, or a multiple of it */
    u32 sectors;                            /* how many they are in: */
    uint8_t met[FAST_NEAR], mark;           /* each held the mark, which is not 0 */
};

struct fast {
    struct model *m;
    struct fast_op *code;                   /* m->code.op's, as many; NULL: not decoded yet */
    struct meet *meet;                      /* NULL: blocks run in turn */
    struct jobs *jobs;                      /* NULL until blocks ran at the same time */
    unsigned together;                      /* workers of the last launch; 0: blocks ran in turn */
    struct meeting in_turn;                 /* why they did, where how->jobs asked for workers */
    double next_progress;                   /* when on_progress is due, in seconds */
    struct bbv_run *bbv;                    /* NULL: blocks are not counted */
    const struct native *native;            /* the code as the host's; NULL: it is interpreted */
    struct repeat *repeat;                  /* NULL until something was watched */
    bool watching;                          /* repeat_step follows every step */
    struct scatter scatter;
};
/* Whose hooks a model of fast_new has. */
static inline struct fast *fast_of(const struct model *m)
{
    return m->hooks.user;
}
/* fast.c: every step is watched from here on (repeat.h), or no more. */
void fast_watching(struct fast *f, bool on);
/* fast.c: lets accesses to memory be looked at, if blocks run at the same time or steps are
 * watched. */
void fast_looks(struct fast *f);

/* dispatch.c: executes at most `budget` instructions of a warp that can run; returns how many.
 * Stops early where the warp waits, has ended, or faults (m->fault). */
u64 fast_warp(struct fast *f, struct warp *w, u64 budget);
/* What a region of translated code works on, for that warp; and its counts into the model's. */
void region_begin(struct fast *f, struct warp *w, struct region_state *s);
void region_counts(struct fast *f, const struct region_state *s);
/* Handlers besides those of the rows; GO_PLAIN: a step of the plain machine; GO_FAST_...,
 * GO_FLUSH_...: of FAST_ROWS and FLUSH_ROWS; GO_MUFU: MUFU, all lanes at once; GO_COMPARE + 2
 * ICMP + SG: ISETP without a second predicate; GO_ENTRY: counts a block, then entry_go;
 * GO_ENTRY_APART: the same at an instruction that lanes with other targets execute again;
 * GO_NATIVE: a region of f->native, or region_go. */
enum {
    GO_PLAIN = OP_COUNT, GO_ENTRY, GO_ENTRY_APART, GO_NATIVE,
#define X(row, effect) GO_FAST_##row,
    FAST_ROWS(X)
#undef X
#define X(row, effect) GO_FLUSH_##row,
    FLUSH_ROWS(X)
#undef X
    GO_MUFU, GO_COMPARE, GO_COUNT = GO_COMPARE + 12
};
/* Whether `go` counts; entry_go is the handler proper then. */
static inline bool counts(const struct fast_op *o)
{
    return o->go == GO_ENTRY || o->go == GO_ENTRY_APART;
}
/* The handler of an instruction. */
uint8_t fast_handler(const struct op *op);
/* MUFU in the lanes of exec. */
void fast_mufu(struct warp *w, const struct op *op, u32 exec);

/* run.c: warp instructions that a warp executes in its turn. */
enum { QUANTUM = 4096 };
/* run.c: turns of a grid, or of a worker's block; how long nothing has happened in them that one
 * warp can see of another, memory apart.  place: empty slots get blocks first. */
struct turns { u64 changes, rounds, next; };
struct turns turns_begin(void);
enum hd_status run_turn(struct fast *f, const struct fast_run *how, struct turns *t, bool place);
/* run.c: blocks into empty slots, true: any; and whether progress lets the run go on. */
bool run_place(struct model *m);
bool run_goes_on(struct fast *f, const struct fast_run *how);
/* run.c: regions begin with the host's code, or with what their first instruction's handler was. */
void run_mark_regions(struct fast *f, bool on);
/* run_timed.c: the whole grid, under how->timing. */
enum hd_status run_timed(struct fast *f, const struct fast_run *how);

/* bbv.c: lets the entries of blocks count, or not; a warp in that slot, of that block, has
 * ended. */
void bbv_mark(struct fast *f, bool on);
void bbv_counted(struct fast *f, u32 slot, u64 block, u32 number);
/* bbv.c: an entry that is executed again by lanes with other targets; the plain machine is about
 * to step. */
void bbv_entered_apart(struct fast *f, struct warp *w, const struct fast_op *o, u32 active,
                       u32 exec);
void bbv_before_step(struct fast *f, struct warp *w);
static inline struct bbv_tally *bbv_tally_of(const struct fast *f, u32 slot)
{
    return f->bbv ? f->bbv->tally + (size_t)slot * f->bbv->n : NULL;
}
#endif
