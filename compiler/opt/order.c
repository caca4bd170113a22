/* Blocks in the order of the loops: each loop in one piece, from its first block to its branch
 * back.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The text's order is for a machine without tokens: loops are entered in their middle and left by a
 * branch.  In stack mode lanes that branch run first, so which way falls through matters: here it
 * is the way out of a loop, as in paper C's Listings 3 and 4.  Blocks that only jump go.
 *
 * Requires: edges, loops.
 * Ensures:  blocks stand in the new order, with edges; dominators and loops have to be found
 * again. */
#include <string.h>
#include "compiler/all.h"

struct order { struct fn *f; struct blk **out; int n; bool *placed; };

static bool forwards(const struct blk *b)
{
    const struct ins *t = b->first;
    return t && t == b->last && t->op == P_BRA && t->guard < 0 && t->targets[0] != b && b->npred;
}

/* Where control is when it goes to b; b itself where jumps go round. */
static struct blk *settle(const struct order *o, struct blk *b)
{
    struct blk *x = b;
    for (int n = 0; n < o->f->nblocks; n++) {
        if (!forwards(x)) return x;
        x = x->first->targets[0];
    }
    return b;
}

/* Room grows at powers of two, as cfg_block_new expects of fn->blocks. */
static void put(struct order *o, struct blk *b)
{
    size_t n = (size_t)o->n;
    if ((n & (n - 1)) == 0)
        o->out = arena_grow(o->f->m->arena, o->out, n * sizeof *o->out,
                            (n ? 2 * n : 1) * sizeof *o->out);
    o->out[o->n++] = b;
}

/* The blocks of loop l (NULL: the function), those of a loop inside where its first one stands. */
static void put_loop(struct order *o, const struct loop *l, struct blk *const *blocks, int n)
{
    for (int k = 0; k < n; k++) {
        struct blk *b = blocks[k];
        const struct loop *in = b->loop;
        if (o->placed[b->id]) continue;
        while (in != l && in->parent != l) in = in->parent;
        if (in != l) {
            put_loop(o, in, in->blocks, in->nblocks);
        } else {
            o->placed[b->id] = true;
            if (settle(o, b) == b) put(o, b);
        }
    }
}

/* b, whose way on is `to`, is followed by `next` now. */
static void fix_fall(struct order *o, struct blk *b, struct blk *to, const struct blk *next)
{
    struct ins *t = blk_terminator(b);
    if (to == next) return;
    if (t && t->op == P_BRA && t->targets[0] == next) {
        t->guard_neg = !t->guard_neg;
        t->targets[0] = to;
        return;
    }
    if (t) put(o, b = cfg_block_new(o->f));
    struct ins *jump = cfg_jump(o->f, b, to);
    if (t) jump->loc = t->loc, jump->sfile = t->sfile, jump->sline = t->sline;
}

static void fix(struct order *o, struct blk *b, const struct blk *next)
{
    struct ins *t = blk_terminator(b);
    struct blk *to = cfg_falls(b) ? settle(o, b->succ[b->nsucc - 1]) : NULL;
    for (int k = 0; t && k < t->ntargets; k++) t->targets[k] = settle(o, t->targets[k]);
    if (t && t->op == P_BRA && t->targets[0] == (to ? to : next)) ins_remove(b, t);
    if (to) fix_fall(o, b, to, next);
}

void order_run(struct fn *f)
{
    fn_requires(f, KNOWN_EDGES | KNOWN_LOOPS);
    struct order o = { .f = f, .placed = arena_alloc(f->m->arena, (size_t)f->nblocks) };
    put_loop(&o, NULL, f->rpo, f->nrpo);
    int n = o.n;
    struct blk **first = o.out;
    o.out = NULL;
    o.n = 0;
    for (int k = 0; k < n; k++) {
        put(&o, first[k]);
        fix(&o, first[k], k + 1 < n ? first[k + 1] : NULL);
    }
    f->blocks = o.out;
    f->nblocks = o.n;
    cfg_refresh(f);
}
