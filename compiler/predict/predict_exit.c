/* The region-exit barrier (paper A, section 4.2.1): lanes that left the region meet after it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An orthogonal barrier, joined at the region's start and waited at in its post-dominator: the
 * nearest block outside through which every lane of the region comes.  Where the compiler's own
 * barrier of the loop does the same (it is joined throughout the region, and waited at in that
 * block), that one serves. No barrier: a kernel whose lanes end there, and a region that a lane may
 * enter again before it comes there.
 *
 * Requires: edges, post-dominators; the prediction's joins and waits.
 * Ensures:  prediction.exit, and its barrier unless another serves; edges stay. */
#include "compiler/predict.h"

static bool always_follows(const struct blk *late, const struct blk *early)
{
    while (early && early != late) early = early->ipdom;
    return early != NULL;
}

static struct blk *behind_region(const struct fn *f, const struct prediction *p, const bool *in)
{
    struct blk *x = p->starts[0];
    for (; x; x = x->ipdom) {
        bool all = !in[x->id];
        for (int k = 0; k < f->nblocks && all; k++) all = !in[k] || always_follows(x, f->blocks[k]);
        if (all) return x;
    }
    return NULL;
}

static bool only_ends(const struct fn *f, const struct blk *b)
{
    return f->entry && b->first && b->first == b->last &&
        (b->first->op == P_RET || b->first->op == P_EXIT);
}

static bool starts_in(const struct prediction *p, const struct blk *b)
{
    for (int k = 0; k < p->nstarts; k++) if (p->starts[k] == b) return true;
    return false;
}

/* A barrier that is waited at in x, and that lanes are in throughout the region; they may join it
 * after the start as long as they are together. */
static int serves(const struct fn *f, const struct prediction *p, const struct blk *x,
                  const bool *in)
{
    for (const struct ins *i = x->first; i; i = i->next) {
        if (i->op != P_BSYNC) continue;
        const struct flags joined = predict_joined(f, i->vb, true, NULL);
        bool all = true;
        for (int k = 0; k < f->nblocks && all; k++)
            all = !in[k] || joined.in[k] || joined.out[k] ||
                (starts_in(p, f->blocks[k]) && !f->blocks[k]->divergent);
        if (all) return i->vb;
    }
    return -1;
}

void predict_exit(struct fn *f, struct prediction *p)
{
    fn_requires(f, KNOWN_EDGES | KNOWN_DOM);
    const bool *in = predict_region(f, p);
    struct blk *x = behind_region(f, p, in);
    if (!x || only_ends(f, x) || (p->exit = serves(f, p, x, in)) >= 0) return;
    p->exit = f->nvb++;
    p->own_exit = true;
    struct ins *at = predict_behind_waits(x);
    ins_before(x, at, predict_op(f, P_BSYNC, p->exit, at));
    for (int k = 0; k < p->nstarts; k++) {
        struct blk *start = p->starts[k];
        struct ins *join = predict_join(f, p->exit, JOIN, x, start->first);
        ins_before(start, predict_behind_waits(start), join);
    }
    const struct flags joined = predict_joined(f, p->exit, true, NULL);
    bool again = false;
    for (int k = 0; k < p->nstarts; k++) again |= joined.in[p->starts[k]->id];
    if (again) {
        predict_remove(f, p->exit);
        p->exit = -1;
        p->own_exit = false;
    }
}
