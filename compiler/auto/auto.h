/* Automatic detection of reconvergence points: what its files share.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Damani et al., "Speculative Reconvergence for Improved SIMT Efficiency" (CGO 2020), sections 3,
 * 4.5 and 5.4.  auto_find.c looks for the two patterns; auto_cost.c, auto_memory.c and auto_sync.c
 * are the three metrics of section 4.5; auto_freq.c says how often a block runs, from a profile or
 * by guess; auto_model.c turns all that into expected cycles; auto.c decides, explains, and inserts
 * the prediction. */
#ifndef AUTO_H
#define AUTO_H
#include "compiler/all.h"
#include "compiler/profile.h"
#include "cmodel/timing/timing.h"

enum { WARP = 32 };

/* ---- auto_find.c ----------------------------------------------------------------------------- */

enum auto_kind { LOOP_MERGE, ITERATION_DELAY };
struct cand {
    enum auto_kind kind;
    struct fn *f;
    struct loop *outer;
    struct loop *inner;          /* Loop Merge: the loop with a divergent trip count; else NULL */
    /* where lanes are collected: the inner loop's header; the conditional block */
    struct blk *label;
    struct blk *branch;          /* the divergent branch that makes it a candidate */
    bool *in;                    /* by block: the common code */
    double gain;                 /* expected cycles of the whole nest now over those with it */
    double saves;                /* ... and their difference, an execution of the function */
    int threshold;               /* 0: all lanes */
    const char *why;             /* rejected: the reason; NULL: applied */
    const char *numbers;         /* of the decision */
};
/* All candidates of a function in `out` (room for max); returns how many. */
int auto_find(struct fn *, struct cand *out, int max);
/* The branch by which lanes leave l in different rounds; NULL: all leave together. */
struct blk *auto_uneven(const struct loop *l);

/* ---- auto_cost.c: metric 1, instructions and their latency ----------------------------------- */

struct auto_cost {
    struct timing *t;            /* the core's; owned by the caller */
    int nfns;
    /* By block: cycles of its own and of the functions that it calls; cycles of library
     * routines. */
    struct auto_fn_cost { const struct fn *f; double *cycles, *library; int *insns; } *fns;
};
/* Machine code of every function as it would be without placement.  false: it cannot be compiled,
 * which the back end will say better. */
bool auto_cost_open(struct auto_cost *, struct module *, const struct cc_options *);
const struct auto_fn_cost *auto_cost_of(const struct auto_cost *, const struct fn *);

/* ---- auto_freq.c ----------------------------------------------------------------------------- */

struct freq {
    double *lane;              /* by block: executions of a lane for each round of the outer loop */
    double *warp;                /* by block: of a warp as measured; NULL without a profile */
    double *group;     /* by block: lanes that executed it together, mean; NULL without a profile */
    double lanes;                /* lanes of a warp that run the outer loop */
    double trips_outer;          /* rounds of the outer loop, mean */
    double entries;              /* times that a function's execution comes to the outer loop */
    double stay;                 /* rounds of the inner loop for each time a lane enters it, mean */
};
void auto_freq(struct freq *, const struct cand *, const struct prof_fn *);
/* Guessed executions of a function's blocks for one call of it. */
double *auto_fn_freq(struct fn *);
/* A loop's trips without a profile, mean; *bound: the most, where that is known, else 0. */
double auto_trips(const struct fn *, const struct loop *, double *bound);

/* ---- auto_memory.c: metric 2, accesses that lose their coalescing ---------------------------- */

/* 32-byte pieces that one access touches when n lanes execute it: together in one round, as now;
 * and collected from different rounds of the outer loop. */
struct access { const struct ins *i; double now[WARP + 1], apart[WARP + 1]; bool loses; };
/* Accesses to global memory in block b of the candidate's outer loop; returns how many. */
int auto_accesses(const struct cand *, const struct blk *b, struct access *out, int max);

/* ---- auto_sync.c: metric 3, synchronization -------------------------------------------------- */

/* The instruction for which lanes must not be collected, and why; NULL: there is none. */
const struct ins *auto_sync(const struct cand *, const char **why);

/* ---- auto_model.c: expected cycles ----------------------------------------------------------- */

struct shape {
    enum auto_kind kind;
    int lanes;                   /* of a warp that take part */
    double barrier[2];           /* cycles to wait once at the label: all lanes; a soft barrier */
    /* Cycles of the code outside and inside the common code, when n lanes execute it: as now; and
     * when they come from different rounds. */
    double out[WARP + 1], out_apart[WARP + 1], in[WARP + 1], in_apart[WARP + 1];
    /* Loop Merge: entries of the inner loop each outer round, and how many rounds a lane stays.
     * Iteration Delay: chance of the conditional code each outer round. */
    double chance;
    double tail;          /* Iteration Delay: of the code outside, the part after the common code */
    const struct prof_trip *trips; int ntrips;
    /* room for ntrips, to fit their spread to `now`; NULL: take them as they are */
    struct prof_trip *fitted;
    const struct prof_trip *rounds; int nrounds;     /* of the outer loop */
    double now;                  /* measured: cycles of today's placement a lane's outer round; 0:
                                  * expected from the above */
};
/* cycles of a warp for each outer round of a lane */
struct outcome { double now, then; int threshold; };
/* thresholds: which to try, 0 for all lanes; the best is in the outcome. */
struct outcome auto_expect(const struct shape *, const int *thresholds, int n);
#endif
