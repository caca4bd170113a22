/* Speculative reconvergence: what its passes share.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Paper A: Damani et al., "Speculative Reconvergence for Improved SIMT Efficiency", CGO 2020.  A
 * prediction enters as pragmas (simt.predict NAME THRESHOLD, simt.label NAME) and leaves as the
 * pseudo-instructions of all.h; its primitives are JoinBarrier = P_BSSY, WaitBarrier = P_BSYNC,
 * CancelBarrier = P_BREAK, RejoinBarrier = P_BSSY with sub = REJOIN.  docs/speculative.md explains
 * it. */
#ifndef PREDICT_H
#define PREDICT_H
#include "compiler/all.h"

/* ins.sub of P_BSSY; the last two as those of P_BSYNC below. */
enum { JOIN, REJOIN, REJOIN_IN_CALLEE, REJOIN_FOR_CALLER };
/* ins.sub of P_BREAK: out of the region; out of another barrier before a wait, all lanes or, at a
 * soft barrier, those alone that have to wait. */
enum { CANCEL, LEAVER, WAITER, WAITER_BACK /* and into it again after the wait */ };

/* A barrier that had to give way at this prediction's waits (section 4.3). */
struct conflict { int vb; bool deleted; };
/* ins.sub of P_BSYNC: stands for the wait in a function that is called; waits for what callers have
 * joined. */
enum { HERE, IN_CALLEE, FROM_CALLER };

struct prediction {
    const char *name;
    struct srcloc loc;                    /* of its first directive */
    int threshold, asked;                 /* 0: all lanes wait; asked: what the directive says */
    struct blk **starts; int nstarts;   /* each begins with its pragma; none: a caller has joined */
    struct blk **points; int npoints;     /* their lanes meet at the start of these */
    /* they meet at its entry, and the points are calls; register of vb */
    struct fn *callee; int reg;
    bool again;                           /* may come to it once more: rejoins there */
    int vb;                   /* what lanes wait at: b0 of the paper's figures, bTemp of Figure 6 */
    int exit; bool own_exit;          /* the region-exit barrier, -1: none; placed for this alone */
    int count, all;                       /* bCount and bAll of Figure 6; -1: no soft barrier */
    struct conflict *conflicts; int nconflicts;
};

/* Facts of one barrier: a flag for each block's start and end. */
struct flags { bool *in, *out; };

/* region.c */
/* After the starts, as far as the code goes. */
bool *predict_reached(const struct fn *, const struct prediction *);
bool predict_among(const struct blk *, struct blk *const *list, int n);
/* Blocks from which a label can still be reached, after a start. */
bool *predict_region(const struct fn *, const struct prediction *);

/* predict_joined.c */
/* Equation 1.  `all` counts what 4.2.1 ignores too: Rejoin, Cancel and BMOV.  With `live`,
 * lanes count as joined only as far as the barrier is live: cancels are still to come. */
struct flags predict_joined(const struct fn *, int vb, bool all, const struct flags *live);
/* All lanes that come to the block are in. */
bool predict_always(const struct fn *, int vb, const struct blk *);
bool predict_step(const struct ins *, int vb, bool all, bool joined);

/* predict_live.c */
/* Equation 2. */
struct flags predict_live(const struct fn *, int vb);
bool predict_live_after(const struct blk *, const struct ins *, int vb, const struct flags *);

/* predict_exit.c */
void predict_exit(struct fn *, struct prediction *);

/* predict_soft.c */
void predict_soften(struct fn *, struct prediction *);
void predict_own_registers(struct fn *);            /* fn.vb_own */
bool predict_covers(const struct fn *, const struct blk *);     /* some region holds the block */

/* predict_calls.c */
struct fn *predict_callee(const struct fn *, const struct prediction *, struct hd_err *);
void predict_split_calls(struct fn *, struct fn *callee);
/* The call that may lead to callee, where b begins with it. */
struct ins *predict_call(const struct blk *, struct fn *callee);
void predict_fix(struct fn *, int vb, int reg);
void predict_entry_waits(struct fn *);

/* deconflict.c */
const struct prediction *predict_of(const struct fn *, int vb);       /* NULL: none's */
void deconflict_run(struct fn *, bool dynamic);
void predict_remove(struct fn *, int vb);           /* all its operations */
/* Lanes leave this barrier before they wait at a label. */
bool predict_gave_way(const struct fn *, int vb);
/* It only says which lanes are in the region of a soft barrier: none waits there. */
bool predict_counts(const struct fn *, int vb);

/* predict_show.c */
void predict_show(const struct fn *, FILE *);
void predict_show_region(const struct fn *, FILE *);
void predict_show_joined(const struct fn *, FILE *);
void predict_show_live(const struct fn *, FILE *);
void predict_show_conflicts(const struct fn *, FILE *);

/* predict_place.c */
struct ins *predict_op(struct fn *, enum pop, int vb, const struct ins *near);
struct ins *predict_join(struct fn *, int vb, int how, struct blk *to,
                         const struct ins *near);
struct ins *predict_wait(struct blk *, int vb);     /* its P_BSYNC there */
/* The first instruction after the waits with which the block begins, but for those that
 * lanes come to in a function that it calls. */
struct ins *predict_behind_waits(const struct blk *);
#endif
