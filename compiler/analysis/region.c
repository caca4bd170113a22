/* The region of a prediction (paper A, section 4.1).
 * SPDX-License-Identifier: Apache-2.0
 *
 * It reaches from its start to where its label can no longer be reached without a new start: a loop
 * around everything begins a new region each time.
 *
 * Requires: edges.
 * Ensures:  a mark for every block of the region; changes nothing. */
#include "compiler/predict.h"

bool predict_among(const struct blk *b, struct blk *const *list, int n)
{
    for (int k = 0; k < n; k++) if (list[k] == b) return true;
    return false;
}

bool *predict_reached(const struct fn *f, const struct prediction *p)
{
    bool *mark = arena_alloc(f->m->arena, (size_t)f->nblocks);
    struct blk **stack = arena_alloc(f->m->arena, (size_t)f->nblocks * sizeof *stack);
    int top = 0;
    for (int k = 0; k < p->nstarts; k++) mark[p->starts[k]->id] = true, stack[top++] = p->starts[k];
    while (top) {
        const struct blk *b = stack[--top];
        for (int s = 0; s < b->nsucc; s++)
            if (!mark[b->succ[s]->id]) mark[b->succ[s]->id] = true, stack[top++] = b->succ[s];
    }
    return mark;
}

bool *predict_region(const struct fn *f, const struct prediction *p)
{
    fn_requires(f, KNOWN_EDGES);
    bool *in = arena_alloc(f->m->arena, (size_t)f->nblocks), *from = predict_reached(f, p);
    struct blk **stack = arena_alloc(f->m->arena, (size_t)f->nblocks * sizeof *stack);
    int top = 0;
    for (int k = 0; k < p->npoints; k++)
        if (!in[p->points[k]->id]) in[p->points[k]->id] = true, stack[top++] = p->points[k];
    while (top) {
        const struct blk *b = stack[--top];
        if (predict_among(b, p->starts, p->nstarts)) continue;
        for (int k = 0; k < b->npred; k++)
            if (!in[b->pred[k]->id]) in[b->pred[k]->id] = true, stack[top++] = b->pred[k];
    }
    for (int k = 0; k < f->nblocks; k++) in[k] = in[k] && from[k];
    return in;
}

bool predict_covers(const struct fn *f, const struct blk *b)
{
    for (int k = 0; k < f->npredictions; k++)
        if (predict_region(f, &f->predictions[k])[b->id]) return true;
    return false;
}
