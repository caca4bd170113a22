/* Regrouping of threads: what divergence costs by block counts, and orders that cost less.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The folder's table of contents, a file a section.  Paper B is "An Accurate GPU Performance Model
 * for Effective Control Flow Divergence Optimization"; numbers in brackets are its equations.
 * docs/regroup.md. */
#ifndef REGROUP_H
#define REGROUP_H
#include "cmodel/bbv.h"
#include "cmodel/base/err.h"
#include "cmodel/base/spill.h"

enum { WARP = 32 };
struct hd_image;

/* ---- file.c: block counts as a file ---------------------------------------------------------- */

/* To a stream, whose errors are its owner's. */
void bbv_put(const struct bbv *, FILE *);
/* Reads and checks everything; NULL: err says what is wrong, with status 2. */
struct bbv *bbv_read(const char *path, struct spill *within, struct hd_err *err);
struct bbv *bbv_parse(const char *name, const void *data, size_t size, struct spill *within,
                      struct hd_err *err);
/* Whether its blocks lie in this code, which the file's shape does not say; else err, with status 2
 * and that name. */
bool bbv_within(const struct bbv *b, const struct hd_image *img, const char *name,
                struct hd_err *err);

/* ---- slice.c, slice_counts.c: counts by the part of a kernel that decides its branches ------- */

struct hd_kernel;
/* By parameter: the buffer that it is the address of; bytes 0: none. */
struct slice_arg { uint64_t addr, bytes; };
struct slice_launch { uint32_t n; const struct slice_arg *arg; };
/* image: the kernel's, with whatever does not decide a branch skipped; every instruction is where
 * it was. Of each block: where it begins, its instructions in the kernel, and what is executed of
 * it. */
struct slice {
    struct hd_image *image;
    uint32_t nblocks, *pc, *insns, *executed;
    uint32_t kept, all;             /* instructions, of those that the kernel can reach */
};
/* False: err says at which line, and why, no run of a part of the kernel would count what the
 * kernel does. */
bool slice_make(struct slice *, const struct hd_image *, const struct hd_kernel *,
                const struct slice_launch *, struct hd_err *);
void slice_free(struct slice *);
/* Warp instructions of the slice's run and of the kernel's, by how often warps executed each block;
 * `most` is where the block begins of which the slice executes most. */
struct slice_work { uint64_t slice, kernel; uint32_t most; };
struct slice_work slice_work(const struct slice *, const uint64_t *executions);
/* Adds a commit of the slice's run to these. */
void slice_see(const struct slice *, uint32_t pc, uint64_t *executions);
/* Makes counts of a run of the slice those of a run of img. */
struct slice_work slice_counts(const struct slice *, const struct hd_image *img, struct bbv *);
/* Names an instruction's place: FILE:LINE, or its function and PC. */
void slice_place(const struct hd_image *, uint32_t pc, char *text, size_t size);

/* ---- fit.c, fit_plan.c, fit_counts.c, fit_order.c, fit_file.c: equation (1) */

/* An input of each thread: element `which` of its `elements` of a buffer. */
struct input { char *name; uint32_t elements, which; };
/* Of every thread, n values in a row. */
struct inputs { uint32_t n; struct input *input; uint64_t threads; double *value; };
/* For each block the coefficients of 1, the inputs, and the thread's number. */
struct fit {
    uint64_t shape;
    uint32_t ninputs, nblocks;
    struct input *input;
    uint32_t *pc, *insns;
    double *beta;
};
/* By the first so many threads of b.  NULL: err; fewer samples than coefficients are refused. */
struct fit *fit_make(const struct bbv *b, const struct inputs *in, uint32_t samples,
                     struct hd_err *err);
void fit_free(struct fit *);
/* Counts of a launch with these inputs, rounded; nothing is known of executions.  NULL: no
 * memory. */
struct bbv *fit_counts(const struct fit *, const struct inputs *in, struct hd_dim3 grid,
                       struct hd_dim3 block, struct spill *within);
/* Such counts are at most FIT_MOST: false, and err says at which block, where a thread's are not
 * less. */
#define FIT_MOST 4000000000u
bool fit_holds(const struct bbv *fitted, struct hd_err *err);
/* Sorting by these counts: a permutation of the threads.  NULL: no memory. */
uint32_t *fit_order(const struct fit *, const struct inputs *in);
/* The mean square of what fitted counts miss, over all blocks and threads. */
double fit_error(const struct bbv *counted, const struct bbv *fitted);
void fit_put(const struct fit *, FILE *);
/* NULL: err, with status 2; shape: of the code that it is for. */
struct fit *fit_read(const char *path, uint64_t shape, struct hd_err *err);

/* ---- cost.c: what a block costs, by a timing profile ----------------------------------------- */

struct timing;
struct hd_image;
/* Of a block's code.  lat: paper B's lat[b], the sum of its instructions' latencies.  alone: cycles
 * that a warp needs for it when it is alone in the core.  port: cycles for which it takes the issue
 * port.  unit: cycles for which it occupies units that take one instruction at a time.  lane: the
 * same for each lane (sectors.c). */
struct cost { double lat, alone, port, unit, lane; };
/* t NULL: one cycle an instruction. */
struct cost cost_code(const struct timing *t, const uint8_t *text, uint32_t insns, bool stack_mode);
/* Of each block of b, whose code `text` is; to be freed.  NULL: no memory. */
struct cost *cost_blocks(const struct bbv *b, const struct timing *t, const struct hd_image *img);
/* The same summed by columns. */
struct cost *cost_columns(const struct bbv *b, const struct cost *blocks);

/* One field of each column's cost; to be freed.  NULL: no memory. */
enum cost_field { COST_LAT, COST_ALONE, COST_PORT, COST_LANE };
double *cost_field(const struct bbv *b, const struct cost *columns, enum cost_field which);

/* ---- sectors.c: memory that a run's accesses touch ------------------------------------------- */

/* What commits of a run say of b's blocks: 32-byte sectors after an access's first, by lanes. */
struct sectors;
/* moved: the address that the thread's access has when elements are in the places of the order;
 * NULL: the same. */
struct sectors_order {
    const uint32_t *order;
    uint64_t (*moved)(void *user, uint32_t thread, uint32_t place, uint64_t addr);
    void *user;
};
struct sectors *sectors_new(const struct bbv *b, uint64_t most);         /* NULL: no memory */
/* Of each commit; false: `most` have been seen, which is enough. */
bool sectors_see(struct sectors *, const struct hd_commit *);
/* Their cost in an order, to `lane` of each block. */
void sectors_cost(const struct sectors *, const struct timing *, const struct sectors_order *,
                  struct cost *blocks);
void sectors_free(struct sectors *);

/* ---- order.c: which thread's work each thread does ------------------------------------------- */

/* An order D of the threads of b: the thread at place i does the work of thread D[i].  Places i to
 * i + 31 of a block are a warp; a block's last one may be smaller. */
bool order_check(const uint32_t *order, uint64_t n, const char *name, struct hd_err *err);
/* A file of 32-bit words, little-endian.  NULL: err, with status 2. */
uint32_t *order_read(const char *path, const struct bbv *b, struct hd_err *err);

/* ---- metric.c: equations (2) to (5) ---------------------------------------------------------- */

/* (2), (3) of a warp of these threads; most: room for a count of every column. */
double metric_warp(const struct bbv *b, const double *lat, const uint32_t *order, uint32_t threads,
                   uint32_t *most);
/* (2), (3) of every warp: the sum over columns of lat times the most that one of its threads
 * executes. To be freed; NULL: no memory. */
double *metric_warps(const struct bbv *b, const double *lat, const uint32_t *order);
uint32_t metric_warps_block(const struct bbv *b);
/* (4) of every block, given its warps; to be freed.  NULL: no memory. */
double *metric_blocks(const struct bbv *b, const double *warp);
/* (5): BBV-weighted. */
double metric_weighted(const double *block, uint64_t nblocks, uint32_t sms);
/* BBV-weighted-scheduled: blocks in order, each to the first of the servers that is free.  Its end.
 * A negative number: no memory. */
double metric_scheduled(const double *block, uint64_t nblocks, uint32_t servers);
/* Warps whose threads do not all count alike, per cent of all. */
double metric_divergent_warps(const struct bbv *b, const uint32_t *order);

/* ---- port.c: resident warps share the core --------------------------------------------------- */

/* Where blocks run: cores alike, each of so many block slots and issue ports. */
struct machine { uint32_t cores, slots, ports; };
/* A warp by itself: cycles, and in them cycles of the issue port, and of a unit that takes one
 * instruction at a time. */
struct port_warp { double alone, port, unit; };
/* The end of a grid of nblocks blocks of warps_block warps each, in order, each to the first slot
 * that is free. A negative number: no memory. */
double port_schedule(const struct port_warp *w, uint64_t nblocks, uint32_t warps_block,
                     const struct machine *m);

/* ---- loops.c, inside.c: executions inside loops ---------------------------------------------- */
/* The executed block that begins at pc; -1: none. */
int32_t block_at(const struct bbv *, uint32_t pc);

/* By executed block.  parent: the header of the innermost loop that it stands in; of a header, the
 * block that enters its loop, where that is one, else the next loop's header; -1: none.  Blocks of
 * a function that is called from one place stand in the loop of that place. */
enum { MOST_EDGES = 4 };
struct edge { int32_t from, other; bool leaves; };   /* other: the branch's other block, -1: there
                                                      * is none; leaves a loop */
/* into a block; n 0: not known, or too many */
struct edges { uint32_t n; struct edge e[MOST_EDGES]; };
struct loops { int32_t *parent; bool *header; struct edges *edges; };
/* False: no memory. */
bool loops_find(struct loops *, const struct bbv *b, const struct hd_image *img);
void loops_free(struct loops *);

/* What is known of b's blocks from the executions of the run that counted.  NULL: no memory.  b
 * must outlive it. */
struct inside *inside_fit(const struct bbv *b, const struct hd_image *img);
void inside_free(struct inside *);
/* How often a warp of these threads executes each block. */
void inside_warp(const struct inside *, const uint32_t *order, uint32_t threads, double *executed);

/* ---- ways.c, play_warp.c, play.c: branches at which lanes part, and tokens ------------------- */

struct play;
/* Of all warps of an order; where these are many, of some of them, and so many more. */
struct played { double branches, divergences, pushes, pops, spills, fills, deepest; };
/* stack_depth: tokens on chip, 0: 16.  NULL: no memory, or the kernel cannot be played: ways were
 * guessed wrong.  b must outlive it. */
struct play *play_new(const struct bbv *b, const struct hd_image *img, uint32_t stack_depth);
void play_free(struct play *);
/* tokens: NULL, or by warp the cycles that its tokens take by t.  False: as of play_new. */
bool play_order(const struct play *, const uint32_t *order, struct played *, const struct timing *t,
                double *tokens);

/* ---- predict.c: all metrics of an order ------------------------------------------------------ */

/* What predictions are made of.  play: NULL where it is not to be had; timing: by which tokens are
 * priced, NULL: they take no time. */
struct basis {
    const struct bbv *b;
    const struct cost *blocks;      /* the costs of b's blocks */
    const struct inside *inside;
    const struct play *play;
    const struct timing *timing;
    struct machine machine;
};
/* In cycles, but for their scale: they are made to be compared. */
struct prediction {
    double weighted, scheduled, divergent_warps;
    double port;                    /* the shared-port schedule, warps as (2) and (3) have them */
    double inside;                  /* the same with executions inside loops */
    double units;                 /* the same, memory that takes one access at a time, and tokens */
    bool is_played;
    struct played played;
};
/* Every warp by the most of its threads, as (2) and (3) have it.  False: no memory. */
bool port_warps(const struct bbv *b, const struct cost *columns, const uint32_t *order,
                struct port_warp *w);
/* False: no memory. */
bool predict(const struct basis *, const uint32_t *order, struct prediction *out);

/* ---- pool.c: the distinct vectors of some threads -------------------------------------------- */

/* Vectors in the order of their lowest threads, each with its threads, ascending. */
struct pool {
    const struct bbv *b;
    const double *lat;              /* by column */
    uint32_t n;
    uint32_t *vector;               /* rows of b */
    uint32_t *start;                /* n + 1 of them: where a vector's threads are in `thread` */
    uint32_t *thread;
};
/* Of threads[0 to n).  False: no memory. */
bool pool_make(struct pool *, const struct bbv *b, const double *lat, const uint32_t *threads,
               uint32_t n);
void pool_free(struct pool *);
static inline const uint32_t *pool_row(const struct pool *p, uint32_t v)
{
    return p->b->counts + (size_t)p->vector[v] * p->b->ncolumns;
}
static inline uint32_t pool_size(const struct pool *p) { return p->start[p->n]; }
/* (11) */
double pool_lat(const struct pool *p, uint32_t v);

/* ---- sorting.c, greedy.c, greedy_max.c, halving.c, swaps.c: orders --------------------------- */

/* Each writes the pool's threads to `out` in groups of 32, the last one smaller.  False: no
 * memory. */
typedef bool order_fn(const struct pool *p, uint32_t *out);
order_fn order_sorting, order_greedy, order_greedy_max, order_halving;
/* Exchanges threads between warps of out[0 to n) while their cost falls, for so many seconds or,
 * where rounds is not 0, so many passes.  False: no memory. */
bool order_swaps(const struct bbv *b, const double *lat, uint32_t *out, uint32_t n, double seconds,
                 unsigned rounds);

/* ---- blocks.c: which block each warp of an order runs in ------------------------------------- */

/* Changes the places of whole warps so that the shared-port schedule ends earlier; never later.
 * For orders of the grid.  False: no memory. */
bool order_blocks(const struct bbv *b, const struct cost *columns, const struct machine *m,
                  uint32_t *order);

double regroup_seconds(void);       /* since some moment, for what has a time */

enum order_by { BY_ORIGINAL, BY_SORTING, BY_GREEDY, BY_GREEDY_MAX, BY_BEST, BY_COUNT };
extern const char *const order_names[BY_COUNT + 1];
struct order_how {
    enum order_by by;
    bool block_scope;               /* threads stay in their block */
    uint32_t window;            /* greedy, greedy-max: so many distinct vectors at a time; 0: all */
    double seconds;                 /* best: for exchanges */
    unsigned rounds;                /* best: passes of exchanges instead of seconds, where not 0 */
};
/* An order of all threads, to be freed.  NULL: err.  It and what grows with the threads, here and
 * in pool_make, bound_cost and order_read, is within b->within (spill_free). */
uint32_t *order_find(const struct bbv *b, const double *lat, const struct order_how *how,
                     struct hd_err *err);

/* ---- bound.c --------------------------------------------------------------------------------- */

/* No order costs less, the sum of (3) over warps: every column sorted by itself, each 32nd
 * count. */
double bound_cost(const struct bbv *b, const double *lat, bool block_scope);
#endif
