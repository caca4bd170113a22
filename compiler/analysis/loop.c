/* Loops and their nesting.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A natural loop is the header of its back edges and all that reaches them.  A retreating edge
 * whose target does not dominate its source belongs to an irreducible loop: the blocks on cycles
 * through that target, below the nearest block that dominates both; such loops are flagged and only
 * ever treated as a whole.
 *
 * Requires: edges, rpo, dominators.
 * Ensures:  fn.loops from the smallest to the largest, their nesting, and blk.loop; changes nothing
 *           else. */
#include <stdlib.h>
#include "compiler/all.h"
#include "compiler/analysis/blkset.h"

static void add_loop(struct fn *f, struct loop *l)
{
    int n = f->nloops;
    if ((n & (n - 1)) == 0)
        f->loops = arena_grow(f->m->arena, f->loops, (size_t)n * sizeof *f->loops,
                              (size_t)(n ? 2 * n : 1) * sizeof *f->loops);
    f->loops[f->nloops++] = l;
}

/* All that reaches `from` backwards without passing `stop`, into mark. */
static void mark_back(struct blk *from, const struct blk *stop, struct blkset *mark)
{
    int at = mark->n;
    blkset_add(mark, from);
    for (; at < mark->n; at++) {
        const struct blk *b = mark->list[at];
        for (int p = 0; p < b->npred && b != stop; p++) blkset_add(mark, b->pred[p]);
    }
}

static void mark_forward(struct blk *from, const struct blk *stop, struct blkset *mark)
{
    int at = mark->n;
    blkset_add(mark, from);
    for (; at < mark->n; at++) {
        const struct blk *b = mark->list[at];
        for (int s = 0; s < b->nsucc; s++)
            if (b->succ[s] != stop) blkset_add(mark, b->succ[s]);
    }
}

static int by_rpo(const void *a, const void *b)
{
    const struct blk *const *x = a, *const *y = b;
    return (*x)->rpo - (*y)->rpo;
}

static void collect(struct fn *f, struct loop *l, const struct blkset *in)
{
    l->blocks = arena_alloc(f->m->arena, ((size_t)in->n + 1) * sizeof *l->blocks);
    l->nblocks = 0;
    for (int k = 0; k < in->n; k++)
        if (in->has[in->list[k]->id]) l->blocks[l->nblocks++] = in->list[k];
    qsort(l->blocks, (size_t)l->nblocks, sizeof *l->blocks, by_rpo);
}

static void find_loop(struct fn *f, struct blk *h, struct blkset *in, struct blkset *fwd)
{
    bool natural = false, irreducible = false;
    struct blk *top = h;
    for (int p = 0; p < h->npred; p++) {
        if (h->pred[p]->rpo < h->rpo) continue;
        if (dom_over(h, h->pred[p])) natural = true;
        else irreducible = true, top = dom_common(top, h->pred[p]);
    }
    if (!natural && !irreducible) return;
    if (natural) blkset_add(in, h);
    for (int p = 0; p < h->npred; p++)
        if (h->pred[p]->rpo >= h->rpo && (irreducible || dom_over(h, h->pred[p])))
            mark_back(h->pred[p], irreducible ? top : h, in);
    if (irreducible) {                       /* keep what is on a cycle through h */
        mark_forward(h, top, fwd);
        blkset_add(in, h);
        for (int k = 0; k < in->n; k++) {
            const struct blk *b = in->list[k];
            in->has[b->id] = b == h || (fwd->has[b->id] && b != top);
        }
        blkset_clear(fwd);
    }
    struct loop *l = arena_alloc(f->m->arena, sizeof *l);
    l->header = h;
    l->irreducible = irreducible;
    collect(f, l, in);
    blkset_clear(in);
    add_loop(f, l);
}

/* Stable, by counting. */
static void sort_by_size(struct fn *f)
{
    int *at = arena_alloc(f->m->arena, ((size_t)f->nblocks + 2) * sizeof *at);
    struct loop **sorted = arena_alloc(f->m->arena, ((size_t)f->nloops + 1) * sizeof *sorted);
    for (int i = 0; i < f->nloops; i++) at[f->loops[i]->nblocks + 1]++;
    for (int n = 0; n <= f->nblocks; n++) at[n + 1] += at[n];
    for (int i = 0; i < f->nloops; i++) sorted[at[f->loops[i]->nblocks]++] = f->loops[i];
    f->loops = sorted;
}

/* Loops in order of size: the first that holds a block is its innermost. */
static void nest(struct fn *f)
{
    sort_by_size(f);
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
    fn_requires(f, KNOWN_EDGES | KNOWN_DOM);
    struct blkset in = blkset_new(f), fwd = blkset_new(f);
    f->nloops = 0;
    f->loops = NULL;
    for (int k = 0; k < f->nblocks; k++) f->blocks[k]->loop = NULL;
    for (int k = 0; k < f->nrpo; k++) find_loop(f, f->rpo[k], &in, &fwd);
    nest(f);
    f->known |= KNOWN_LOOPS;
}

bool loop_has(const struct loop *l, const struct blk *b)
{
    for (const struct loop *x = b->loop; x; x = x->parent)
        if (x == l) return true;
    return false;
}
