/* The ends that lanes of a function run to, and the meeting points that follow (stack mode).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where lanes of a divergent branch should meet is its immediate post-dominator, but a single early
 * `exit` on one side would move that to the end of the kernel.  Lanes that exit are waited for by
 * no lane, so such ways need not count: blocks are divided into layers, each with one end.  Layer 0
 * is what can reach the first end, layer 1 what can reach the second but not the first, and so on;
 * an edge never leads to a lower layer, and a lane that leaves a layer never returns to it.
 * Post-dominance within a layer, towards its end, gives every branch but the end's a point to meet.
 *  The first end of a function is its ret; others come in the order of how many blocks lead to
 * them.  What leads to none loops forever, or until guarded exits have taken all its lanes: it ends
 * where its outermost loop goes back, so lanes meet there once a round.
 *
 * Requires: stack_one_ret: edges.  stack_layers: edges, rpo.
 * Ensures:  stack_one_ret: at most one ret; edges.  stack_layers: blk.layer, edges, dominators,
 *           post-dominators by layers; loops have to be found again. */
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"

/* ---- one ret --------------------------------------------------------------------------------- */

static struct blk *lone_ret(struct fn *f)
{
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        if (b->first && b->first == b->last && b->first->op == P_RET && b->first->guard < 0)
            return b;
    }
    struct blk *b = cfg_block_new(f);
    ins_append(b, ins_new(f->m, P_RET));
    return b;
}

/* Lanes reconverge before they return, so all returns of a function go to one block. */
void stack_one_ret(struct fn *f)
{
    fn_requires(f, KNOWN_EDGES);
    int rets = 0;
    bool guarded = false;
    if (f->entry) return;
    for (int k = 0; k < f->nblocks; k++) {
        const struct ins *t = blk_terminator(f->blocks[k]);
        if (!t || t->op != P_RET) continue;
        rets++;
        guarded |= t->guard >= 0;
    }
    if (rets < 2 && !guarded) return;
    struct blk *ret = lone_ret(f);
    for (int k = 0; k < f->nblocks; k++) {
        struct ins *t = blk_terminator(f->blocks[k]);
        if (!t || t->op != P_RET || f->blocks[k] == ret) continue;
        struct ins *jump = cfg_jump(f, f->blocks[k], ret);
        jump->guard = t->guard;
        jump->guard_neg = t->guard_neg;
        jump->loc = t->loc;
        jump->sfile = t->sfile;
        jump->sline = t->sline;
        ins_remove(f->blocks[k], t);
    }
    cfg_refresh(f);
}

/* ---- layers ---------------------------------------------------------------------------------- */

struct end { struct blk *b; int reach; bool ret; };

/* Gives `layer` to all that leads to b and has none yet (-1); returns how many. */
static int claim(struct blk *b, int layer, struct blk **stack)
{
    int top = 0, n = 1;
    b->layer = layer;
    stack[top++] = b;
    while (top) {
        const struct blk *x = stack[--top];
        for (int p = 0; p < x->npred; p++)
            if (x->pred[p]->layer == -1) {
                x->pred[p]->layer = layer;
                stack[top++] = x->pred[p];
                n++;
            }
    }
    return n;
}

static void unclaim(struct fn *f)
{
    for (int k = 0; k < f->nblocks; k++) f->blocks[k]->layer = -1;
}

static int by_weight(const void *pa, const void *pb)
{
    const struct end *a = pa, *b = pb;
    if (a->ret != b->ret) return a->ret ? -1 : 1;
    if (a->reach != b->reach) return b->reach - a->reach;
    return b->b->id - a->b->id;
}

static int find_ends(struct fn *f, struct end *ends, struct blk **stack)
{
    int n = 0;
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        const struct ins *t = blk_terminator(b);
        if (b->nsucc) continue;
        unclaim(f);
        ends[n++] = (struct end){ b, claim(b, 0, stack), !f->entry && t && t->op == P_RET };
    }
    qsort(ends, (size_t)n, sizeof *ends, by_weight);
    return n;
}

/* The block through which all edges back to the first block of last's outermost loop go. */
static struct blk *latch(struct fn *f, struct blk *last, struct blk **stack)
{
    bool *back = arena_alloc(f->m->arena, (size_t)f->nblocks), *in, falls;
    struct blk *head = last;
    int top = 0, n = 0;
    claim(last, 0, stack);                               /* what leads to it */
    stack[top++] = last;
    while (top) {                                        /* and is led to */
        struct blk *b = stack[--top];
        for (int s = 0; s < b->nsucc; s++) {
            struct blk *to = b->succ[s];
            if (to->layer || back[to->id]) continue;
            back[to->id] = true;
            stack[top++] = to;
            if (to->rpo < head->rpo) head = to;
        }
    }
    in = arena_alloc(f->m->arena, (size_t)head->npred);
    for (int k = 0; k < head->npred; k++) {
        in[k] = back[head->pred[k]->id];
        n += in[k];
        if (in[k]) last = head->pred[k];
    }
    if (n == 1 && last->nsucc == 1) return last;
    struct blk *b = cfg_interpose(f, head, in, &falls);
    if (!falls) cfg_jump(f, b, head);
    return b;
}

static void claim_all(struct fn *f, struct blk *const *list, int n, struct blk **stack)
{
    unclaim(f);
    for (int k = 0; k < n; k++) claim(list[k], k, stack);
}

static struct blk *last_unclaimed(const struct fn *f)
{
    for (int k = f->nrpo - 1; k >= 0; k--)
        if (f->rpo[k]->layer < 0) return f->rpo[k];
    return NULL;
}

void stack_layers(struct fn *f)
{
    fn_requires(f, KNOWN_EDGES);
    size_t n = (size_t)f->nblocks + 1;
    struct arena *a = f->m->arena;
    struct blk **stack = arena_alloc(a, 2 * n * sizeof *stack),
               **list = arena_alloc(a, n * sizeof *list);
    struct end *ends = arena_alloc(a, n * sizeof *ends);
    int count = find_ends(f, ends, stack);
    for (int k = 0; k < count; k++) list[k] = ends[k].b;
    for (;;) {
        claim_all(f, list, count, stack);
        struct blk *last = last_unclaimed(f);
        if (!last) break;
        list[count++] = latch(f, last, stack);
        cfg_refresh(f);
    }
    dom_build(f);
    dom_post_layers(f, list, count);
}
