/* The order of blocks: each loop in one piece, from its first block to its branch back.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Clang's text is for a machine whose lanes go one way: loops are entered in their middle and left
 * by a branch.  What falls through decides which lanes run first: in stack mode those that branch,
 * in barrier mode of two equal sides those that do not (rule 1).  Blocks that only jump go.
 *
 * In barrier mode the order is that of NVIDIA's compiler, as measured kernels show it.  Of the
 * blocks whose predecessors all stand, those follow first whose predecessors stand last; of these
 * the first one in the text, counted from the head of the loop and round it.  A loop counts as one
 * block, and a block to which another one only jumps stands where that jump does.  A branch's
 * target comes before what falls through if it leads back in the text (find_back).
 *
 * In stack mode it is reverse post-order, so that what falls through is the way out of a loop, as
 * in paper C's Listings 3 and 4.
 *
 * Requires: edges, dominators, loops.
 * Ensures:  blocks stand in the new order, with edges; dominators and loops have to be found
 * again. */
#include <string.h>
#include "compiler/all.h"

/* at: where a block stands; NULL in stack mode */
struct order {
    struct fn *f;
    struct blk **out, **lands;
    struct blk **tail; int ntails;          /* jumps after loops */
    int n, *at;
    bool *placed;
};

/* Barrier mode.  A level is a loop, or the function: blocks of it that may follow, and the heads of
 * loops inside.  The block with the smallest key follows. */
struct level { const struct loop *loop; struct blk **ready; int n, room; };
struct text_order {
    struct order *o;
    int *back;                  /* by block that leads back in the text: 1 + where to */
    struct level *level;        /* by the loop's head; the last one is the function */
    int64_t *key;               /* by block */
    int *waits;                 /* edges to it from blocks that do not stand yet */
};

static bool forwards(const struct blk *b)
{
    const struct ins *t = b->first;
    return t && t == b->last && t->op == P_BRA && t->guard < 0 && t->targets[0] != b && b->npred;
}

/* lands: where control is when it goes to a block; the block itself where jumps go round.  Each is
 * found once: chains of jumps may be long. */
static void find_lands(struct order *o)
{
    const struct fn *f = o->f;
    int *walk = arena_alloc(f->m->arena, (size_t)f->nblocks * sizeof *walk);
    o->lands = arena_alloc(f->m->arena, (size_t)f->nblocks * sizeof *o->lands);
    for (int k = 0; k < f->nrpo; k++) {
        struct blk *x = f->rpo[k];
        for (; !o->lands[x->id] && forwards(x) && walk[x->id] != k + 1; x = x->first->targets[0])
            walk[x->id] = k + 1;
        struct blk *to = o->lands[x->id] ? o->lands[x->id] : x;
        const bool round = forwards(to);
        for (x = f->rpo[k]; walk[x->id] == k + 1 && !o->lands[x->id]; x = x->first->targets[0])
            o->lands[x->id] = round ? x : to;
        if (!o->lands[to->id]) o->lands[to->id] = to;
    }
}

/* ---- the order ---- */

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
            if (o->lands[b->id] == b) put(o, b);
        }
    }
}

/* A loop of several entries is none here: its blocks may have to wait for others. */
static const struct loop *in_one_piece(const struct loop *l)
{
    while (l && l->irreducible) l = l->parent;
    return l;
}

/* The level at which b stands, or the loop that it heads. */
static struct level *level_of(const struct text_order *t, const struct blk *b)
{
    const struct loop *l = in_one_piece(b->loop);
    if (l && l->header == b) l = in_one_piece(l->parent);
    return &t->level[l ? l->header->id : t->o->f->nblocks];
}

/* A block x may jump to an earlier place in the text, to go on there, not round a loop.  If a way
 * leads from before that place to x on which each block is the next one's only predecessor, those
 * after the place lead back.  low: the earliest block on such a way to each block. */
static void find_back(struct text_order *t)
{
    const struct fn *f = t->o->f;
    int *low = arena_alloc(f->m->arena, (size_t)f->nblocks * sizeof *low);
    for (int k = 0; k < f->nrpo; k++) {
        struct blk *x = f->rpo[k];
        low[x->id] = x->id;
        if (x->npred == 1 && low[x->pred[0]->id] < x->id) low[x->id] = low[x->pred[0]->id];
        for (int s = 0; s < x->nsucc; s++) {
            const struct blk *to = x->succ[s];
            if (low[x->id] >= to->id || dom_over(to, x)) continue;
            for (struct blk *b = x; b->id > to->id && t->back[b->id] != to->id + 1; b = b->pred[0])
                t->back[b->id] = to->id + 1;
        }
    }
}

/* The target of b's branch follows sooner than the block that falls through: it leads back. */
static bool target_first(const struct text_order *t, const struct blk *b)
{
    const struct ins *i = b->npred == 1 ? blk_terminator(b->pred[0]) : NULL;
    return i && i->op == P_BRA && i->guard >= 0 && i->targets[0] == b && t->back[b->id];
}

static int place_in_text(const struct text_order *t, const struct level *v, const struct blk *b)
{
    const int first = v->loop ? v->loop->header->id : 0, n = t->o->f->nblocks;
    int at = (b->id - first + n) % n;
    for (int k = 0; k < b->npred; k++) {
        int jump = (b->pred[k]->id - first + n) % n;
        if (forwards(b->pred[k]) && jump < at) at = jump;
    }
    return target_first(t, b) ? at - n : at;
}

static void swap(struct level *v, int a, int b)
{
    struct blk *x = v->ready[a];
    v->ready[a] = v->ready[b];
    v->ready[b] = x;
}

/* ready is a heap: none has a smaller key than the one at (k - 1) / 2. */
static void push(const struct text_order *t, struct blk *b)
{
    struct level *v = level_of(t, b);
    int k = v->n++;
    if (k == v->room) {
        v->room = k ? 2 * k : 4;
        v->ready = arena_grow(t->o->f->m->arena, v->ready, (size_t)k * sizeof *v->ready,
                              (size_t)v->room * sizeof *v->ready);
    }
    v->ready[k] = b;
    t->key[b->id] = place_in_text(t, v, b) - ((int64_t)t->o->n << 32);
    for (; k && t->key[v->ready[(k - 1) / 2]->id] > t->key[b->id]; k = (k - 1) / 2)
        swap(v, k, (k - 1) / 2);
}

static struct blk *pop(const struct text_order *t, struct level *v)
{
    struct blk *first = v->ready[0];
    v->ready[0] = v->ready[--v->n];
    for (int k = 0, c; (c = 2 * k + 1) < v->n; k = c) {
        if (c + 1 < v->n && t->key[v->ready[c + 1]->id] < t->key[v->ready[c]->id]) c++;
        if (t->key[v->ready[k]->id] <= t->key[v->ready[c]->id]) break;
        swap(v, k, c);
    }
    return first;
}

static void put_level(struct text_order *t, struct level *v);

/* b follows, with its loop if it heads one; others need no longer wait for it. */
static void put_text(struct text_order *t, struct blk *b)
{
    const struct loop *l = in_one_piece(b->loop);
    if (t->o->lands[b->id] == b) put(t->o, b);
    for (int s = 0; s < b->nsucc; s++)
        if (b->succ[s]->rpo > b->rpo && !--t->waits[b->succ[s]->id]) push(t, b->succ[s]);
    if (l && l->header == b) put_level(t, &t->level[b->id]);
}

static void put_level(struct text_order *t, struct level *v)
{
    while (v->n) put_text(t, pop(t, v));
}

static void order_text(struct order *o)
{
    const struct fn *f = o->f;
    const size_t n = (size_t)f->nblocks + 1;
    struct arena *a = f->m->arena;
    struct text_order t = { .o = o, .level = arena_alloc(a, n * sizeof *t.level),
                            .key = arena_alloc(a, n * sizeof *t.key),
                            .waits = arena_alloc(a, n * sizeof *t.waits),
                            .back = arena_alloc(a, n * sizeof *t.back) };
    for (int k = 0; k < f->nloops; k++) t.level[f->loops[k]->header->id].loop = f->loops[k];
    for (int k = 0; k < f->nrpo; k++) {
        const struct blk *b = f->rpo[k];
        for (int s = 0; s < b->nsucc; s++) t.waits[b->succ[s]->id] += b->succ[s]->rpo > b->rpo;
    }
    if (!f->m->is_library) find_back(&t);
    push(&t, f->rpo[0]);
    put_level(&t, &t.level[f->nblocks]);
}

/* ---- branches ---- */

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
    if (t && t->op == P_BRA && o->at && o->at[to->id] <= o->at[b->id] &&
        (to->nsucc > 1 || o->f->m->is_library)) {
        /* who leaves falls */
        struct blk *out = t->targets[0];
        t->guard_neg = !t->guard_neg;
        t->rotate = true;
        t->targets[0] = to;
        to = out;
    }
    const bool loop =
        t && t->op == P_BRA && o->at && o->at[t->targets[0]->id] <= o->at[b->id];
    if (t) put(o, b = cfg_block_new(o->f));
    if (t && o->at) b->loop = to->loop;
    if (loop) o->tail[o->ntails++] = b;
    struct ins *jump = cfg_jump(o->f, b, to);
    if (t) jump->loc = t->loc, jump->sfile = t->sfile, jump->sline = t->sline;
}

static void fix(struct order *o, struct blk *b, const struct blk *next)
{
    struct ins *t = blk_terminator(b);
    struct blk *to = cfg_falls(b) ? o->lands[b->succ[b->nsucc - 1]->id] : NULL;
    for (int k = 0; t && k < t->ntargets; k++) t->targets[k] = o->lands[t->targets[k]->id];
    if (t && t->op == P_BRA && t->targets[0] == (to ? to : next)) ins_remove(b, t);
    if (to) fix_fall(o, b, to, next);
}

void order_run(struct fn *f, bool stack)
{
    fn_requires(f, KNOWN_GRAPH);
    struct order o = { .f = f, .placed = arena_alloc(f->m->arena, (size_t)f->nblocks) };
    find_lands(&o);
    if (stack) put_loop(&o, NULL, f->rpo, f->nrpo);
    else order_text(&o);
    int n = o.n;
    struct blk **first = o.out;
    if (!stack) {
        o.at = arena_alloc(f->m->arena, ((size_t)f->nblocks + 1) * sizeof *o.at);
        for (int k = 0; k < n; k++) o.at[first[k]->id] = k;
        o.tail = arena_alloc(f->m->arena, ((size_t)n + 1) * sizeof *o.tail);
    }
    o.out = NULL;
    o.n = 0;
    for (int k = 0; k < n; k++) {
        put(&o, first[k]);
        fix(&o, first[k], k + 1 < n ? first[k + 1] : NULL);
    }
    f->blocks = o.out;
    f->nblocks = o.n;
    if (o.ntails) gather_run(f, o.tail, o.ntails);
    cfg_refresh(f);
}
