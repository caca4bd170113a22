/* Joined barriers (paper A, section 4.2.1, equation 1): may a lane that comes here be in the
 * barrier?
 * SPDX-License-Identifier: Apache-2.0
 *
 *     Gen(BB) = JoinBarrier    Kill(BB) = WaitBarrier
 *     IN(BB)  = union of OUT(p), p in predecessors(BB)
 *     OUT(BB) = (IN(BB) - Kill(BB)) + Gen(BB)
 *
 * The paper ignores RejoinBarrier and CancelBarrier, which are not there yet.  Placement asks a
 * second time with them (`all`): in Loop Merge every lane passes the wait before it leaves the
 * region, so only the RejoinBarrier after it says that there is something to cancel.
 *
 * Requires: edges.
 * Ensures:  predict_joined: the least solution of the equations; predict_always: whether every way
 *           to the block has joined; change nothing. */
#include "compiler/predict.h"

bool predict_step(const struct ins *i, int vb, bool all, bool joined)
{
    if (i->vb != vb) return joined;
    switch (i->op) {
    case P_BSSY: return all || i->sub == JOIN ? true : joined;
    case P_BMOV_LOAD: return all ? true : joined;
    case P_BSYNC: return false;
    case P_BREAK: return joined && !(all && i->guard < 0 && i->sub < WAITER);
    default: return joined;
    }
}

/* The lanes that take the s-th edge have just left: a BREAK under the guard of the branch. */
static bool edge_leaves(const struct blk *b, int s, int vb)
{
    const struct ins *t = blk_terminator(b);
    if (!t || t->op != P_BRA || t->guard < 0) return false;
    for (const struct ins *i = t->prev; i && (i->op == P_BREAK || (i->op == P_BSSY && i->vb != vb));
         i = i->prev)
        if (i->op == P_BREAK && i->vb == vb && i->guard == t->guard &&
            (i->guard_neg == t->guard_neg) == (s == 0)) return true;
    return false;
}

bool predict_always(const struct fn *f, int vb, const struct blk *at)
{
    bool *in = arena_alloc(f->m->arena, (size_t)f->nblocks),
          *out = arena_alloc(f->m->arena, (size_t)f->nblocks);
    for (int k = 1; k < f->nblocks; k++) in[k] = true;
    for (int k = 0; k < f->nblocks; k++) out[k] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < f->nrpo; k++) {
            const struct blk *b = f->rpo[k];
            bool joined = k > 0;
            for (int p = 0; p < b->npred; p++) joined &= out[b->pred[p]->id];
            in[b->id] = joined;
            for (const struct ins *i = b->first; i; i = i->next)
                joined = (i->op != P_BREAK || i->vb != vb || i->sub >= WAITER) &&
                    predict_step(i, vb, true, joined);
            changed |= joined != out[b->id];
            out[b->id] = joined;
        }
    }
    return in[at->id];
}

struct flags predict_joined(const struct fn *f, int vb, bool all, const struct flags *live)
{
    fn_requires(f, KNOWN_EDGES);
    struct arena *a = f->m->arena;
    struct flags x = { arena_alloc(a, (size_t)f->nblocks), arena_alloc(a, (size_t)f->nblocks) };
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < f->nrpo; k++) {
            const struct blk *b = f->rpo[k];
            bool joined = x.in[b->id];
            for (const struct ins *i = b->first; i; i = i->next)
                joined = predict_step(i, vb, all, joined);
            x.out[b->id] = joined;
            for (int s = 0; s < b->nsucc && joined; s++) {
                bool *to = &x.in[b->succ[s]->id];
                if (*to || (live && !live->in[b->succ[s]->id]) || (all && edge_leaves(b, s, vb)))
                    continue;
                *to = changed = true;
            }
        }
    }
    return x;
}
