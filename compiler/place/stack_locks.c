/* A lane that has got a lock goes on before the others spin (stack mode).
 * SPDX-License-Identifier: Apache-2.0
 *
 * In `while (!done) if (!atomicCAS(lock, 0, 1)) { ...; *lock = 0; done = true; }' lanes would meet
 * at the end of each round; but compilers see that who is done leaves, and what follows the loop is
 * then the critical section: lanes that spin for the lock would be waited for there by the one that
 * has it.  So lanes that leave a loop that spins on an atomic meet only after what gives the same
 * address back, and run first.  So do lanes of a branch around the loop that would meet before
 * that: else those that have left the loop would wait there, in its token, for those that spin.
 * Where lanes of the block or of the warp wait for each other before that, no lock is held: all
 * meet at the end of the loop.
 *
 * Requires: edges, post-dominators by layers, loops, divergence.
 * Ensures:  edges; blk.ipdom of such branches is a later post-dominator, and theirs alone. */
#include "compiler/analysis/blkset.h"

static const struct opd *address(const struct ins *i)
{
    if (i->op == P_ATOM) return &i->o[1];
    return i->op == P_ST || i->op == P_RED ? &i->o[0] : NULL;
}

static bool same_address(const struct opd *a, const struct opd *b)
{
    return a->sym == b->sym && a->reg == b->reg && a->imm == b->imm;
}

/* Stores to what the loop has an atomic on. */
static bool gives_back(const struct loop *l, const struct ins *i)
{
    const struct opd *to = address(i);
    for (int k = 0; to && k < l->nblocks; k++)
        for (const struct ins *a = l->blocks[k]->first; a; a = a->next)
            if (a->op == P_ATOM && same_address(address(a), to)) return true;
    return false;
}

static bool waits(const struct ins *first, const struct ins *end)
{
    for (const struct ins *i = first; i != end; i = i->next)
        if (i->op == P_BAR || i->op == P_BARRED || names_lanes(i)) return true;
    return false;
}

static bool calls_wait(struct fn *f, const bool *in)
{
    bool *called = arena_alloc(f->m->arena, (size_t)f->m->nfns);
    callgraph_reach(f, in, called);
    for (int k = 0; k < f->m->nfns; k++)
        for (int b = 0; called[k] && b < f->m->fns[k]->nblocks; b++)
            if (waits(f->m->fns[k]->blocks[b]->first, NULL)) return true;
    return false;
}

/* Between `from` and `last` in b lanes wait for the block, or for lanes of the warp that they name:
 * no lock is held there, and those that are waited for would be in the token of the loop. */
static bool waits_between(struct fn *f, struct blk *from, const struct blk *b,
                          const struct ins *last)
{
    struct blkset seen = blkset_new(f);
    blkset_add(&seen, from);
    for (int at = 0; at < seen.n; at++) {
        const struct blk *x = seen.list[at];
        if (waits(x->first, x == b ? last : NULL)) return true;
        for (int s = 0; x != b && s < x->nsucc; s++) blkset_add(&seen, x->succ[s]);
    }
    return calls_wait(f, seen.has);
}

/* The block after what gives back; NULL: nothing does. */
static struct blk *after_section(struct fn *f, const struct loop *l, struct blk *join)
{
    for (struct blk *b = join; b; b = b->ipdom)
        for (struct ins *i = b->first; i; i = i->next) {
            if (!gives_back(l, i)) continue;
            if (waits_between(f, join, b, i)) return NULL;
            if (!i->next && b->nsucc == 1) return b->ipdom;
            struct blk *rest = cfg_split(f, b, i->next);
            rest->layer = b->layer, rest->ipdom = b->ipdom, rest->divergent = b->divergent;
            rest->loop = b->loop;
            b->ipdom = rest, b->divergent = false;
            cfg_refresh(f);
            return rest;
        }
    return NULL;
}

/* The way out of the loop becomes the one that branches. */
static void leave_first(struct fn *f, struct blk *d, const struct loop *l)
{
    struct ins *t = blk_terminator(d);
    struct blk *in = d->succ[0], *out = d->succ[1];
    if (!loop_has(l, in)) return;
    struct blk *back = cfg_split(f, d, NULL);
    back->layer = d->layer, back->ipdom = in, back->loop = d->loop;
    cfg_jump(f, back, in);
    t->guard_neg = !t->guard_neg;
    t->targets[0] = out;
    cfg_refresh(f);
}

/* Whether lanes of x's branch come to d before they meet. */
static bool around(struct fn *f, struct blk *x, const struct blk *d)
{
    struct blkset seen = blkset_new(f);
    blkset_add(&seen, x);
    for (int at = 0; at < seen.n; at++) {
        if (seen.list[at] == d) return true;
        for (int s = 0; s < seen.list[at]->nsucc; s++) {
            struct blk *to = seen.list[at]->succ[s];
            if (to != x->ipdom && to->layer == x->layer) blkset_add(&seen, to);
        }
    }
    return false;
}

/* Lanes of d's branch, and of those around it, meet at `later` instead of `join` or between. */
static void meet_later(struct fn *f, struct blk *d, const struct blk *join, struct blk *later)
{
    for (const struct blk *j = join; j != later; j = j->ipdom)
        for (int k = 0; k < f->nblocks; k++) {
            struct blk *x = f->blocks[k];
            if (x != d && x->divergent && x->nsucc > 1 && x->ipdom == j && around(f, x, d))
                x->ipdom = later;
        }
    d->ipdom = later;
}

void stack_locks(struct fn *f)
{
    fn_requires(f, KNOWN_GRAPH | KNOWN_DIVERGENCE);
    for (int k = 0; k < f->nloops; k++) {
        const struct loop *l = f->loops[k];
        for (int b = 0; l->spins && !l->irreducible && b < l->nblocks; b++) {
            struct blk *d = l->blocks[b], *join = d->ipdom, *later;
            const struct ins *t = blk_terminator(d);
            if (!d->divergent || d->nsucc != 2 || t->op != P_BRA || !join || loop_has(l, join) ||
                loop_has(l, d->succ[0]) == loop_has(l, d->succ[1]))
                continue;
            if (!(later = after_section(f, l, join))) continue;
            meet_later(f, d, join, later);
            leave_first(f, d, l);
        }
    }
}
