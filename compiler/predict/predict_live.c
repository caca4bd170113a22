/* Live barriers (paper A, section 4.2.1, equation 2): may a lane still wait at the barrier?
 * SPDX-License-Identifier: Apache-2.0
 *
 *     Gen(BB) = WaitBarrier    Kill(BB) = JoinBarrier
 *     IN(BB)  = (OUT(BB) - Kill(BB)) + Gen(BB)
 *     OUT(BB) = union of IN(s), s in successors(BB)
 *
 * RejoinBarrier and CancelBarrier are not there yet, or change nothing.
 *
 * Requires: edges.
 * Ensures:  the least solution of the equations; changes nothing. */
#include "compiler/predict.h"

static bool step_back(const struct ins *i, int vb, bool live)
{
    if (i->vb != vb) return live;
    if (i->op == P_BSYNC) return true;
    return i->op == P_BSSY && i->sub == JOIN ? false : live;
}

struct flags predict_live(const struct fn *f, int vb)
{
    fn_requires(f, KNOWN_EDGES);
    struct arena *a = f->m->arena;
    struct flags x = { arena_alloc(a, (size_t)f->nblocks), arena_alloc(a, (size_t)f->nblocks) };
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = f->nrpo - 1; k >= 0; k--) {
            const struct blk *b = f->rpo[k];
            bool live = false;
            for (int s = 0; s < b->nsucc; s++) live |= x.in[b->succ[s]->id];
            x.out[b->id] = live;
            for (const struct ins *i = b->last; i; i = i->prev) live = step_back(i, vb, live);
            changed |= live != x.in[b->id];
            x.in[b->id] = live;
        }
    }
    return x;
}

bool predict_live_after(const struct blk *b, const struct ins *at, int vb, const struct flags *x)
{
    bool live = x->out[b->id];
    for (const struct ins *i = b->last; i && i != at; i = i->prev) live = step_back(i, vb, live);
    return live;
}
