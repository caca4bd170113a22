/* Where lanes might be collected: the two patterns of section 3.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Loop Merge (Figure 2(b)): a loop that lanes leave after different numbers of rounds, in a loop
 * around it; of three loops in each other every pair is a candidate.  Lanes are collected where the
 * inner loop's body begins, which is its header, unless that holds little but the test.
 * Iteration Delay (Figure 2(a)): a block that a divergent branch of a loop reaches in some lanes,
 * while others go on within the loop.  The common code is what that block dominates.  An `if` that
 * leaves the loop is none: no lane comes back to wait with.
 *
 * Requires: edges, dominators, post-dominators, loops, divergent branches.
 * Ensures:  at most `max` candidates, each with its loops, label and common code; changes
 * nothing. */
#include "compiler/auto/auto.h"

enum { MIN_INSNS = 8 };          /* of common code: less than waiting for it takes */

static int count(const struct blk *b)
{
    int n = 0;
    for (const struct ins *i = b->first; i; i = i->next) n += i->op != P_PRAGMA && i->op != P_NOP;
    return n;
}

struct blk *auto_uneven(const struct loop *l)
{
    for (int k = 0; k < l->nblocks; k++) {
        struct blk *b = l->blocks[k];
        for (int s = 0; b->divergent && s < b->nsucc; s++)
            if (!loop_has(l, b->succ[s])) return b;
    }
    return NULL;
}

static struct blk *body_of(const struct loop *l)
{
    struct blk *h = l->header, *body = NULL;
    int leaves = 0, rest = 0;
    for (int s = 0; s < h->nsucc; s++)
        if (loop_has(l, h->succ[s])) body = h->succ[s];
        else leaves++;
    for (int k = 0; k < l->nblocks; k++)
        if (l->blocks[k] != h) rest += count(l->blocks[k]);
    bool test = leaves == 1 && h->nsucc == 2 && body && body != h && body->npred == 1 &&
        body->loop == l;
    return test && count(h) < rest ? body : h;
}

static bool *all_of(const struct fn *f, const struct loop *l)
{
    bool *in = arena_alloc(f->m->arena, (size_t)f->nblocks + 1);
    for (int k = 0; k < l->nblocks; k++) in[l->blocks[k]->id] = true;
    return in;
}

static bool *dominated(const struct fn *f, const struct loop *l, const struct blk *x)
{
    bool *in = arena_alloc(f->m->arena, (size_t)f->nblocks + 1);
    for (int k = 0; k < l->nblocks; k++) in[l->blocks[k]->id] = dom_over(x, l->blocks[k]);
    return in;
}

static int insns(const struct fn *f, const bool *in)
{
    int n = 0;
    for (int k = 0; k < f->nblocks; k++) n += in[k] ? count(f->blocks[k]) : 0;
    return n;
}

/* The divergent branch of l that decides about x; NULL: none does. */
static struct blk *decides(const struct loop *l, const struct blk *x)
{
    for (int p = 0; p < x->npred; p++) {
        struct blk *d = x->pred[p];
        if (loop_has(l, d) && d->divergent && d->loop == l && d->ipdom && d->ipdom != x &&
            loop_has(l, d->ipdom))
            return d;
    }
    return NULL;
}

static int delays(struct fn *f, struct loop *l, struct cand *out, int max)
{
    int n = 0;
    for (int k = 0; k < l->nblocks && n < max; k++) {
        struct blk *x = l->blocks[k], *d = x == l->header || x->loop != l ? NULL : decides(l, x);
        if (!d) continue;
        bool *in = dominated(f, l, x);
        if (in[l->header->id] || insns(f, in) < MIN_INSNS) continue;
        out[n++] = (struct cand){ .kind = ITERATION_DELAY, .f = f, .outer = l, .label = x,
                                  .branch = d, .in = in };
    }
    return n;
}

int auto_find(struct fn *f, struct cand *out, int max)
{
    int n = 0;
    for (int k = 0; k < f->nloops; k++) {
        struct loop *l = f->loops[k];
        struct blk *exit = l->irreducible ? NULL : auto_uneven(l);
        for (struct loop *o = l->parent; exit && o && n < max; o = o->parent)
            if (!o->irreducible)
                out[n++] = (struct cand){ .kind = LOOP_MERGE, .f = f, .outer = o, .inner = l,
                                          .label = body_of(l),
                                          .branch = exit, .in = all_of(f, l) };
        if (!l->irreducible) n += delays(f, l, out + n, max - n);
    }
    return n;
}
