/* Dominators and post-dominators (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
 * Algorithm").
 * SPDX-License-Identifier: Apache-2.0
 *
 * Post-dominance is towards one virtual exit after every block without successor.  Blocks that
 * never reach it (endless loops) are tied to it by an imagined edge from the last block of each
 * such region, so that every block has a post-dominator.
 *
 * Requires: edges, rpo.
 * Ensures:  idom and ipdom of every block, and the numbers by which dom_after answers; changes
 *           nothing else. */
#include "compiler/all.h"

static struct blk *meet(struct blk *a, struct blk *b)
{
    while (a != b) {
        while (a->rpo > b->rpo) a = a->idom;
        while (b->rpo > a->rpo) b = b->idom;
    }
    return a;
}

static void dominators(struct fn *f)
{
    for (int k = 0; k < f->nrpo; k++) f->rpo[k]->idom = NULL;
    f->rpo[0]->idom = f->rpo[0];
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 1; k < f->nrpo; k++) {
            struct blk *b = f->rpo[k], *best = NULL;
            for (int p = 0; p < b->npred; p++)
                if (b->pred[p]->idom) best = best ? meet(best, b->pred[p]) : b->pred[p];
            if (b->idom != best) {
                b->idom = best;
                changed = true;
            }
        }
    }
    f->rpo[0]->idom = NULL;
}

/* The reverse graph: node n is the virtual exit; post-order numbers decide who is nearer to it. */
struct reverse {
    int n, done;
    int *number, *order, *ipdom;
    bool *tied, layers;
    struct blk **stack;
    int *at;
};

/* Whether the edge counts: all do, or those within one layer. */
static bool counts(const struct reverse *r, const struct blk *a, const struct blk *b)
{
    return !r->layers || a->layer == b->layer;
}

static void reverse_visit(struct reverse *r, struct blk *from)
{
    struct blk **stack = r->stack;
    int *at = r->at, top = 0;
    at[top] = 0;
    stack[top++] = from;
    r->number[from->id] = 0;
    while (top) {
        struct blk *b = stack[top - 1];
        if (at[top - 1] < b->npred) {
            struct blk *p = b->pred[at[top - 1]++];
            if (r->number[p->id] < 0 && counts(r, p, b)) {
                r->number[p->id] = 0;
                at[top] = 0;
                stack[top++] = p;
            }
        } else {
            r->number[b->id] = r->done;
            r->order[r->done++] = b->id;
            top--;
        }
    }
}

static int reverse_meet(const struct reverse *r, int a, int b)
{
    while (a != b) {
        while (r->number[a] < r->number[b]) a = r->ipdom[a];
        while (r->number[b] < r->number[a]) b = r->ipdom[b];
    }
    return a;
}

static struct reverse reverse_new(struct fn *f)
{
    size_t n = (size_t)f->nblocks + 1;
    struct arena *a = f->m->arena;
    struct reverse r = { f->nblocks,
                         0,
                         arena_alloc(a, n * sizeof(int)),
                         arena_alloc(a, n * sizeof(int)),
                         arena_alloc(a, n * sizeof(int)),
                         arena_alloc(a, n),
                         false,
                         arena_alloc(a, n * sizeof(struct blk *)),
                         arena_alloc(a, n * sizeof(int)) };
    for (size_t k = 0; k < n; k++) r.number[k] = r.ipdom[k] = -1;
    return r;
}

static void tie(struct reverse *r, struct blk *end)
{
    r->tied[end->id] = true;
    if (r->number[end->id] < 0) reverse_visit(r, end);
}

/* In the order of the walk a block comes after its ipdom: first the sizes of the subtrees, then, in
 * that order, each takes its numbers from its parent's. */
static void number_tree(struct fn *f, const struct reverse *r)
{
    int next = 0;
    for (int k = 0; k < f->nblocks; k++) f->blocks[k]->plast = 1;
    for (int k = 0; k < r->done; k++) {
        const struct blk *b = f->blocks[r->order[k]];
        if (b->ipdom) b->ipdom->plast += b->plast;
    }
    for (int k = r->done - 1; k >= 0; k--) {
        struct blk *b = f->blocks[r->order[k]], *up = b->ipdom;
        int size = b->plast;
        b->pfirst = up ? up->pnext : next;
        if (up) up->pnext += size;
        else next += size;
        b->pnext = b->pfirst + 1;
        b->plast = b->pfirst + size - 1;
    }
}

/* Every block has been visited, from those that are tied to the exit. */
static void post_fill(struct fn *f, struct reverse *r)
{
    int n = f->nblocks;
    r->number[n] = r->done;
    r->ipdom[n] = n;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = r->done - 1; k >= 0; k--) {
            struct blk *b = f->blocks[r->order[k]];
            int best = r->tied[b->id] ? n : -1;
            for (int s = 0; s < b->nsucc; s++) {
                int id = b->succ[s]->id;
                if (r->ipdom[id] >= 0 && counts(r, b, b->succ[s]))
                    best = best < 0 ? id : reverse_meet(r, best, id);
            }
            if (best != r->ipdom[b->id]) {
                r->ipdom[b->id] = best;
                changed = true;
            }
        }
    }
    for (int k = 0; k < n; k++)
        f->blocks[k]->ipdom = r->ipdom[k] < 0 || r->ipdom[k] == n ? NULL : f->blocks[r->ipdom[k]];
    number_tree(f, r);
}

static void postdominators(struct fn *f)
{
    struct reverse r = reverse_new(f);
    for (int k = 0; k < f->nblocks; k++)
        if (!f->blocks[k]->nsucc) tie(&r, f->blocks[k]);
    for (int k = f->nrpo - 1; k >= 0; k--)
        if (r.number[f->rpo[k]->id] < 0) tie(&r, f->rpo[k]);
    post_fill(f, &r);
}

void dom_post_layers(struct fn *f, struct blk *const *ends, int nends)
{
    fn_requires(f, KNOWN_EDGES);
    struct reverse r = reverse_new(f);
    r.layers = true;
    for (int k = 0; k < nends; k++) tie(&r, ends[k]);
    post_fill(f, &r);
}

void dom_build(struct fn *f)
{
    fn_requires(f, KNOWN_EDGES);
    dominators(f);
    postdominators(f);
    f->known |= KNOWN_DOM;
}

bool dom_over(const struct blk *a, const struct blk *b)
{
    while (b && b->rpo > a->rpo) b = b->idom;
    return a == b;
}

bool dom_after(const struct blk *late, const struct blk *early)
{
    return late->pfirst <= early->pfirst && early->pfirst <= late->plast;
}

struct blk *dom_common(struct blk *a, struct blk *b) { return meet(a, b); }
