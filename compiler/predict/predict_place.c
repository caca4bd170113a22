/* Placement of a prediction's barrier: where lanes join, wait, rejoin and cancel (paper A, section
 * 4.2).
 * SPDX-License-Identifier: Apache-2.0
 *
 *   JoinBarrier    at each start of the region,
 *   WaitBarrier    at each label,
 *   RejoinBarrier  after a wait where the barrier is live (equation 2): the lane may wait once
 *   more, CancelBarrier  where a lane may be joined (equation 1, with Rejoin) but the barrier is
 *   dead: it has
 *                  left the region, and no lane may wait for it.
 *
 * Then the region-exit barrier (predict_exit.c), the barriers of post-dominators that conflict
 * (deconflict.c), and thresholds (predict_soft.c).  CancelBarrier stands in the first block outside
 * when all ways into it leave the region, else on the edge.  Lanes that end by EXIT cancel nothing:
 * they leave every barrier.
 *
 * Requires: predictions; barriers at post-dominators (place.c), with edges, dominators, loops,
 *           divergence.
 * Ensures:  barriers of predictions that conflict with none, with edges, dominators and loops as
 *           they are now; loops that may wait are marked again. */
#include "compiler/predict.h"

struct ins *predict_op(struct fn *f, enum pop op, int vb, const struct ins *near)
{
    struct ins *i = ins_new(f->m, op);
    i->vb = vb;
    if (near) i->loc = near->loc, i->sfile = near->sfile, i->sline = near->sline;
    return i;
}

struct ins *predict_wait(struct blk *b, int vb)
{
    for (struct ins *i = b->first; i; i = i->next)
        if (i->op == P_BSYNC && i->vb == vb) return i;
    return NULL;
}

struct ins *predict_behind_waits(const struct blk *b)
{
    struct ins *i = b->first;
    while (i && ((i->op == P_BSYNC && i->sub != IN_CALLEE) || i->op == P_BEND)) i = i->next;
    return i;
}

struct ins *predict_join(struct fn *f, int vb, int how, struct blk *to, const struct ins *near)
{
    struct ins *i = predict_op(f, P_BSSY, vb, near);
    i->sub = how;
    i->targets = arena_alloc(f->m->arena, sizeof *i->targets);
    i->targets[0] = to;
    i->ntargets = 1;
    return i;
}

static void refresh(struct fn *f)
{
    cfg_refresh(f);
    dom_build(f);
    loop_build(f);
}

/* A call with which the function begins stands after what lanes wait for at its entry. */
static void split_entry(struct fn *f)
{
    struct blk *b = f->blocks[0], *rest = NULL;
    bool waits = false;
    for (int k = 0; k < f->nfixed; k++) waits |= f->fixed[k].entry;
    for (int k = 0; k < f->npredictions && waits; k++)
        for (int j = 0; j < f->predictions[k].npoints; j++) {
            if (f->predictions[k].points[j] != b) continue;
            if (!rest) rest = cfg_split(f, b, b->first);
            f->predictions[k].points[j] = rest;
        }
    if (!rest) return;
    rest->divergent = b->divergent;
    b->divergent = false;
    refresh(f);
}

/* A wait in a function that is called stands right before the call; at the entry of that function
 * itself lanes come to it before they come to those further in. */
static struct ins *place_in_callee(struct fn *f, const struct prediction *p, struct blk *b)
{
    struct ins *call = predict_call(b, p->callee), *at = predict_behind_waits(b);
    if (callgraph_callee(call) != p->callee) return call;
    while (at != call && (at->op != P_BSYNC || at->sub != IN_CALLEE ||
                          predict_of(f, at->vb)->callee == p->callee))
        at = at->next;
    return at;
}

static void join_and_wait(struct fn *f, struct prediction *p)
{
    if (p->nstarts) p->vb = f->nvb++;
    if (p->nstarts && p->callee) predict_fix(f, p->vb, p->reg);
    for (int k = 0; k < p->nstarts; k++) {
        struct ins *at = predict_behind_waits(p->starts[k]);
        ins_before(p->starts[k], at, predict_join(f, p->vb, JOIN, p->points[0], at));
    }
    for (int k = 0; k < p->npoints; k++) {
        struct ins *at = p->callee ? place_in_callee(f, p, p->points[k])
                                   : predict_behind_waits(p->points[k]);
        struct ins *wait = predict_op(f, P_BSYNC, p->vb, at);
        if (p->callee) wait->sub = IN_CALLEE;
        ins_before(p->points[k], at, wait);
    }
}

/* In the function all lanes rejoin or none; who will not wait again, or has come back without a
 * wait, leaves. */
static void rejoin_in_callee(struct fn *f, const struct prediction *p, struct blk *b,
                             struct ins *wait, bool again)
{
    struct ins *call = predict_call(b, p->callee);
    if (p->again) ins_before(b, wait->next, predict_join(f, p->vb, REJOIN_IN_CALLEE, b, wait));
    if (p->again ? !again : callgraph_callee(call) != p->callee)
        ins_before(b, call->next, predict_op(f, P_BREAK, p->vb, call));
}

static void rejoin(struct fn *f, const struct prediction *p)
{
    const struct flags live = predict_live(f, p->vb);
    for (int k = 0; k < p->npoints; k++) {
        struct blk *b = p->points[k];
        struct ins *wait = predict_wait(b, p->vb);
        bool again = predict_live_after(b, wait, p->vb, &live);
        if (p->callee) rejoin_in_callee(f, p, b, wait, again);
        else if (again) ins_before(b, wait->next, predict_join(f, p->vb, REJOIN, b, wait));
    }
}

/* ---- CancelBarrier --------------------------------------------------------------------------- */

/* A block that only ends the kernel: EXIT leaves every barrier. */
static bool only_exits(const struct fn *f, const struct blk *b)
{
    return f->entry && b->first && b->first == b->last && b->first->guard < 0 &&
           (b->first->op == P_RET || b->first->op == P_EXIT);
}

/* Lanes that come from `from` may be joined, but will not wait: b is outside. */
static bool escapes(const struct flags *joined, const struct flags *live, const struct blk *from,
                    const struct blk *b)
{
    return joined->out[from->id] && live->out[from->id] && !live->in[b->id];
}

static struct blk *edge_block(struct fn *f, struct blk *from, const struct blk *to)
{
    int s = 0;
    if (from->nsucc == 1) return from;
    while (from->succ[s] != to) s++;
    return cfg_split_edge(f, from, s);
}

static void cancel_into(struct fn *f, const struct prediction *p, struct blk *b,
                        const struct flags *joined,
                        const struct flags *live)
{
    int leave = 0;
    for (int k = 0; k < b->npred; k++) leave += escapes(joined, live, b->pred[k], b);
    if (!leave || only_exits(f, b)) return;
    if (leave == b->npred) {
        ins_before(b, b->first, predict_op(f, P_BREAK, p->vb, b->first));
        return;
    }
    for (int k = 0; k < b->npred; k++) {
        if (!escapes(joined, live, b->pred[k], b)) continue;
        struct blk *e = edge_block(f, b->pred[k], b);
        ins_before(e, blk_terminator(e), predict_op(f, P_BREAK, p->vb, b->first));
    }
}

static bool left_already(const struct ins *ret, int vb)
{
    const struct ins *i = ret->prev;
    while (i && i->op == P_BREAK && i->vb != vb) i = i->prev;
    return i && i->op == P_BREAK;
}

/* Lanes of a device function that return inside the region, and those after a last wait of a block
 * that was joined for nothing. */
static void cancel_returns(struct fn *f, int vb)
{
    if (f->entry || vb < 0) return;
    const struct flags joined = predict_joined(f, vb, true, NULL);
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        struct ins *t = blk_terminator(b);
        if (!t || t->op != P_RET || !joined.out[k] || left_already(t, vb)) continue;
        struct ins *leave = predict_op(f, P_BREAK, vb, t);
        leave->guard = t->guard;
        leave->guard_neg = t->guard_neg;
        ins_before(b, t, leave);
    }
}

/* Where lanes joined for a wait that they pass now, as they leave before it (deconflict.c).  A
 * barrier that no lane joins any more goes. */
static void drop_dead_joins(struct fn *f, const struct prediction *p)
{
    const struct flags live = predict_live(f, p->vb);
    bool joined = false;
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first, *next; i; i = next) {
            struct blk *b = f->blocks[k];
            next = i->next;
            if (i->op != P_BSSY || i->vb != p->vb) continue;
            joined |= predict_live_after(b, i, p->vb, &live);
            if (predict_live_after(b, i, p->vb, &live)) continue;
            struct ins *call = i->sub == REJOIN_IN_CALLEE ? predict_call(b, p->callee) : NULL;
            if (!call) ins_remove(b, i);
            else if (!call->next || call->next->op != P_BREAK || call->next->vb != p->vb)
                ins_before(b, call->next, predict_op(f, P_BREAK, p->vb, call));
        }
    if (!joined) predict_remove(f, p->vb);
}

static void cancel(struct fn *f, const struct prediction *p)
{
    drop_dead_joins(f, p);
    const struct flags live = predict_live(f, p->vb),
          joined = predict_joined(f, p->vb, true, &live);
    const int n = f->nblocks;
    struct blk **blocks = arena_alloc(f->m->arena, (size_t)n * sizeof *blocks);
    for (int k = 0; k < n; k++) blocks[k] = f->blocks[k];
    for (int k = 0; k < n; k++) cancel_into(f, p, blocks[k], &joined, &live);
    refresh(f);
    cancel_returns(f, p->vb);
    cancel_returns(f, p->exit);
}

/* ---------------------------------------------------------------------------------------------- */

void predict_place(struct fn *f, const struct cc_options *opt)
{
    fn_requires(f, KNOWN_GRAPH | KNOWN_DIVERGENCE | KNOWN_PLACED);
    split_entry(f);
    predict_entry_waits(f);
    if (!f->npredictions) return;
    for (int k = 0; k < f->npredictions; k++) {
        join_and_wait(f, &f->predictions[k]);
        if (f->predictions[k].nstarts) rejoin(f, &f->predictions[k]);
    }
    for (int k = 0; k < f->npredictions; k++)
        if (f->predictions[k].nstarts) predict_exit(f, &f->predictions[k]);
    deconflict_run(f, opt->deconflict);
    for (int k = 0; k < f->npredictions; k++)
        if (f->predictions[k].nstarts) cancel(f, &f->predictions[k]);
    for (int k = 0; k < f->npredictions; k++) predict_soften(f, &f->predictions[k]);
    predict_own_registers(f);
    wait_run(f);
}
