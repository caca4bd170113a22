/* Loops and their nesting.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: rpo, dominators.  A natural loop is the header of its back edges and all that reaches
 * them. A retreating edge whose target does not dominate its source belongs to an irreducible
 * loop: the blocks on cycles through that target, below the nearest block that dominates both;
 * such loops are flagged and only ever treated as a whole. */
#include <string.h>
#include "compiler/all.h"

static void add_loop(struct fn *f, struct loop *l)
{
    int n = f->nloops;
    if ((n & (n - 1)) == 0)
        f->loops = arena_grow(f->m->arena, f->loops, (size_t)n * sizeof *f->loops,
                              (size_t)(n ? 2 * n : 1) * sizeof *f->loops);
    f->loops[f->nloops++] = l;
}

/* All that reaches `from` backwards without passing `stop`, into mark. */
static void mark_back(struct fn *f, struct blk *from, const struct blk *stop, bool *mark,
                      struct blk **stack)
{
    int top = 0;
    (void)f;
    if (mark[from->id]) return;
    mark[from->id] = true;
    stack[top++] = from;
    while (top) {
        struct blk *b = stack[--top];
        if (b == stop) continue;
        for (int p = 0; p < b->npred; p++)
            if (!mark[b->pred[p]->id]) {
                mark[b->pred[p]->id] = true;
                stack[top++] = b->pred[p];
            }
    }
}

static void mark_forward(struct blk *from, const struct blk *stop, bool *mark, struct blk **stack)
{
    int top = 0;
    mark[from->id] = true;
    stack[top++] = from;
    while (top) {
        struct blk *b = stack[--top];
        for (int s = 0; s < b->nsucc; s++)
            if (b->succ[s] != stop && !mark[b->succ[s]->id]) {
                mark[b->succ[s]->id] = true;
                stack[top++] = b->succ[s];
            }
    }
}

static void collect(struct fn *f, struct loop *l, const bool *in)
{
    l->blocks = arena_alloc(f->m->arena, (size_t)f->nblocks * sizeof *l->blocks);
    l->nblocks = 0;
    for (int k = 0; k < f->nrpo; k++)
        if (in[f->rpo[k]->id]) l->blocks[l->nblocks++] = f->rpo[k];
}

static void find_loop(struct fn *f, struct blk *h, bool *in, bool *fwd, struct blk **stack)
{
    bool natural = false, irreducible = false;
    struct blk *top = h;
    memset(in, 0, (size_t)f->nblocks);
    for (int p = 0; p < h->npred; p++) {
        if (h->pred[p]->rpo < h->rpo) continue;
        if (dom_over(h, h->pred[p])) natural = true;
        else irreducible = true, top = dom_common(top, h->pred[p]);
    }
    if (!natural && !irreducible) return;
    in[h->id] = natural;
    for (int p = 0; p < h->npred; p++)
        if (h->pred[p]->rpo >= h->rpo && (irreducible || dom_over(h, h->pred[p])))
            mark_back(f, h->pred[p], irreducible ? top : h, in, stack);
    if (irreducible) {                       /* keep what is on a cycle through h */
        memset(fwd, 0, (size_t)f->nblocks);
        mark_forward(h, top, fwd, stack);
        for (int k = 0; k < f->nblocks; k++) in[k] = in[k] && fwd[k];
        in[h->id] = true;
        in[top->id] = top == h;
    }
    struct loop *l = arena_alloc(f->m->arena, sizeof *l);
    l->header = h;
    l->irreducible = irreducible;
    collect(f, l, in);
    add_loop(f, l);
}

/* Loops in order of size: the first that holds a block is its innermost. */
static void nest(struct fn *f)
{
    for (int i = 1; i < f->nloops; i++)
        for (int k = i; k > 0 && f->loops[k]->nblocks < f->loops[k - 1]->nblocks; k--) {
            struct loop *t = f->loops[k];
            f->loops[k] = f->loops[k - 1];
            f->loops[k - 1] = t;
        }
    for (int i = 0; i < f->nloops; i++) {
        struct loop *l = f->loops[i];
        for (int k = 0; k < l->nblocks; k++) {
            struct loop *inner = l->blocks[k]->loop;
            if (!inner) {
                l->blocks[k]->loop = l;
                continue;
            }
            while (inner->parent && inner != l) inner = inner->parent;
            if (inner != l) inner->parent = l;
        }
    }
    for (int i = f->nloops - 1; i >= 0; i--)
        f->loops[i]->depth = f->loops[i]->parent ? f->loops[i]->parent->depth + 1 : 1;
}

void loop_build(struct fn *f)
{
    size_t n = (size_t)f->nblocks;
    bool *in = arena_alloc(f->m->arena, n), *fwd = arena_alloc(f->m->arena, n);
    struct blk **stack = arena_alloc(f->m->arena, n * sizeof *stack);
    f->nloops = 0;
    f->loops = NULL;
    for (int k = 0; k < f->nblocks; k++) f->blocks[k]->loop = NULL;
    for (int k = 0; k < f->nrpo; k++) find_loop(f, f->rpo[k], in, fwd, stack);
    nest(f);
}

bool loop_has(const struct loop *l, const struct blk *b)
{
    for (const struct loop *x = b->loop; x; x = x->parent)
        if (x == l) return true;
    return false;
}
