/* Tokens of the reconvergence stack: where they are pushed (SSY) and popped (NOP.S).
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/stack.md has the drawn example; this is the argument.
 *
 * Lanes of a divergent branch c meet at J, its immediate post-dominator.  The region R(J) is what
 * lanes may execute between: the branches with that J (each in a block of its own) and all that
 * they reach without passing J, in their layer.  J post-dominates R(J), so a lane leaves R(J) at J
 * or by exit (to a higher layer, where all lanes exit).  SSY J stands on every edge into R(J); and
 * every edge from R(J) to J goes through one block, the pad, that pops.  So a lane is in a token
 * for J exactly while it is in R(J), and when the token comes to the top again every lane of it has
 * popped at the pad or has exited: no lane is woken early, with no need for PBK and BRK.
 *
 * S(x), the regions that hold block x, is a chain: their J's all post-dominate x.  The stack at x
 * must be S(x) with the nearest J on top.  What leaves S at an edge into J is J itself, the
 * nearest.  What enters must be nearer than what is there; where a token for J would have to go
 * below a token for a nearer J', R(J) takes in R(J'), to a fixed point.  R(J) stays closed: R(J')
 * is left at J' alone, and J' is in R(J), because it comes before J on every way.
 *
 * A branch needs no token if only the way that falls through stays in its layer: the lanes that
 * branch run first and exit, and the DIV token brings the others back.
 * Indirect calls whose target differs get a token of their own, just around the call.
 *
 * Requires: edges, loops, divergence; post-dominators by layers (stack_ends.c).
 * Ensures:  tokens for verify_stack.c to prove, with edges, dominators and loops as they are now;
 *           WARPSYNC stands where lanes are named. */
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"

struct token { struct blk *j; struct ins *pop; int depth; };
struct place {
    struct fn *f;
    struct token *tok; int ntok;
    uint64_t *s; size_t words;           /* S(x): row x->id, a bit for each token, farthest first */
    struct blk **stack;
};

static uint64_t *row(const struct place *p, const struct blk *b)
{
    return p->s + (size_t)b->id * p->words;
}
static bool has(const uint64_t *r, int k) { return r[k >> 6] >> (k & 63) & 1; }
static void add(uint64_t *r, int k) { r[k >> 6] |= (uint64_t)1 << (k & 63); }

/* ---- branches and calls that part lanes ------------------------------------------------------ */

static struct ins *pseudo(struct fn *f, enum pop op, const struct ins *near)
{
    struct ins *i = ins_new(f->m, op);
    if (near) i->loc = near->loc, i->sfile = near->sfile, i->sline = near->sline;
    return i;
}

static struct ins *pop_new(struct fn *f, struct blk *to, const struct ins *near)
{
    struct ins *pop = pseudo(f, P_POP, near);
    pop->targets = arena_alloc(f->m->arena, sizeof *pop->targets);
    pop->targets[0] = to;
    pop->ntargets = 1;
    return pop;
}

/* The push for a pop: they share their target, so edits of the edge keep them together. */
static struct ins *ssy_new(struct fn *f, const struct ins *pop, const struct ins *near)
{
    struct ins *ssy = pseudo(f, P_SSY, near);
    ssy->targets = pop->targets;
    ssy->ntargets = 1;
    return ssy;
}

static struct blk *split(struct place *p, struct blk *b, struct ins *at)
{
    struct blk *rest = cfg_split(p->f, b, at);
    rest->layer = b->layer;
    rest->ipdom = b->ipdom;
    rest->divergent = b->divergent;
    b->ipdom = rest;
    b->divergent = false;
    return rest;
}

static struct ins *parting_call(const struct fn *f, const struct blk *b)
{
    for (struct ins *i = b->first; i; i = i->next)
        if (i->op == P_CALL && i->o[0].kind == O_REG && f->reg_divergent[i->o[0].reg] &&
            (!i->next || i->next->op != P_POP))
            return i;
    return NULL;
}

/* SSY, call, pop: lanes with another target run the call again, and all meet after it. */
static void wrap_calls(struct place *p)
{
    struct fn *f = p->f;
    for (bool more = true; more;) {                      /* a round takes one call of each block */
        more = false;
        for (int k = 0; k < f->nblocks; k++) {
            struct blk *b = f->blocks[k];
            struct ins *call = parting_call(f, b);
            if (!call) continue;
            struct ins *pop = pop_new(f, split(p, b, call->next), call);
            ins_append(b, pop);
            ins_before(b, call, ssy_new(f, pop, call));
            more = true;
            k++;
        }
        cfg_refresh(f);
    }
}

static bool needs_token(const struct blk *b)
{
    const struct ins *t = blk_terminator(b);
    if (!b->divergent || b->nsucc < 2 || !b->ipdom) return false;
    return t->op != P_BRA || b->succ[0]->layer == b->layer;
}

static void split_branches(struct place *p)
{
    for (int k = 0; k < p->f->nblocks; k++) {
        struct blk *b = p->f->blocks[k];
        if (needs_token(b)) split(p, b, blk_terminator(b)), k++;
    }
    cfg_refresh(p->f);
}

/* ---- regions --------------------------------------------------------------------------------- */

/* How many blocks post-dominate b; known ones are not -1. */
static int depth_of(const struct blk *b, int *known)
{
    int n = 0, d;
    const struct blk *x = b;
    for (; x && known[x->id] < 0; x = x->ipdom) n++;
    d = n + (x ? known[x->id] : 0);
    for (x = b; n--; x = x->ipdom) known[x->id] = d--;
    return known[b->id];
}

static int farthest_first(const void *pa, const void *pb)
{
    const struct token *a = pa, *b = pb;
    return a->depth != b->depth ? a->depth - b->depth : a->j->id - b->j->id;
}

static void find_tokens(struct place *p)
{
    struct fn *f = p->f;
    size_t n = (size_t)f->nblocks;
    bool *seen = arena_alloc(f->m->arena, n);
    int *known = arena_alloc(f->m->arena, n * sizeof *known);
    memset(known, -1, n * sizeof *known);
    p->tok = arena_alloc(f->m->arena, (n + 1) * sizeof *p->tok);
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k], *j = b->ipdom;
        if (!needs_token(b) || seen[j->id]) continue;
        seen[j->id] = true;
        p->tok[p->ntok++] = (struct token){ .j = j, .depth = depth_of(j, known) };
    }
    qsort(p->tok, (size_t)p->ntok, sizeof *p->tok, farthest_first);
}

/* b and all that is reached from it, without passing token k's J and within the layer, is in its
 * region. */
static void fill(struct place *p, struct blk *b, int k)
{
    const struct blk *j = p->tok[k].j;
    int top = 0;
    if (has(row(p, b), k)) return;
    add(row(p, b), k);
    p->stack[top++] = b;
    while (top) {
        b = p->stack[--top];
        for (int s = 0; s < b->nsucc; s++) {
            struct blk *to = b->succ[s];
            if (to == j || to->layer != b->layer || has(row(p, to), k)) continue;
            add(row(p, to), k);
            p->stack[top++] = to;
        }
    }
}

static void find_regions(struct place *p)
{
    struct fn *f = p->f;
    size_t n = (size_t)f->nblocks;
    int *of = arena_alloc(f->m->arena, n * sizeof *of);
    p->words = (size_t)(p->ntok + 63) / 64;
    p->s = arena_alloc(f->m->arena, n * p->words * sizeof *p->s + 1);
    p->stack = arena_alloc(f->m->arena, n * sizeof *p->stack);
    for (int k = 0; k < p->ntok; k++) of[p->tok[k].j->id] = k;
    for (int k = 0; k < f->nblocks; k++)
        if (needs_token(f->blocks[k])) fill(p, f->blocks[k], of[f->blocks[k]->ipdom->id]);
}

/* The edge from a to b: the farthest token that must be pushed there, the nearest one that stays;
 * -1: none. */
static void on_edge(const struct place *p, const struct blk *a, const struct blk *b, int *pushed,
                    int *stays)
{
    const uint64_t *ra = row(p, a), *rb = row(p, b);
    *pushed = *stays = -1;
    for (size_t w = 0; w < p->words && *pushed < 0; w++)
        if (rb[w] & ~ra[w]) *pushed = (int)(64 * w) + __builtin_ctzll(rb[w] & ~ra[w]);
    for (size_t w = p->words; w-- > 0 && *stays < 0;)
        if (rb[w] & ra[w]) *stays = (int)(64 * w) + 63 - __builtin_clzll(rb[w] & ra[w]);
}

/* No token is pushed above one for a nearer J: the regions of those become part of its own. */
static bool widen(struct place *p)
{
    bool changed = false;
    for (int n = 0; n < p->f->nblocks; n++) {
        struct blk *b = p->f->blocks[n];
        for (int e = 0; e < b->npred; e++) {
            int far, near;
            on_edge(p, b->pred[e], b, &far, &near);
            if (far < 0 || near < far) continue;
            changed = true;
            for (int k = 0; k < p->f->nblocks; k++)
                if (has(row(p, p->f->blocks[k]), near)) add(row(p, p->f->blocks[k]), far);
        }
    }
    return changed;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void make_pads(struct place *p)
{
    struct fn *f = p->f;
    for (int k = 0; k < p->ntok; k++) {
        struct blk *j = p->tok[k].j;
        bool falls, *in = arena_alloc(f->m->arena, (size_t)j->npred);
        const struct ins *near = NULL;
        for (int e = 0; e < j->npred; e++) {
            in[e] = has(row(p, j->pred[e]), k);
            if (in[e] && !near) near = j->pred[e]->last;
        }
        struct blk *pad = cfg_interpose(f, j, in, &falls);
        pad->layer = j->layer;
        pad->label = arena_printf(f->m->arena, "%s.pad", j->label ? j->label : "J");
        ins_append(pad, p->tok[k].pop = pop_new(f, j, near));
    }
    cfg_refresh(f);
}

static void push(struct place *p, struct blk *b, struct ins *at, const uint64_t *from,
                 const uint64_t *to, const struct ins *near)
{
    for (int k = 0; k < p->ntok; k++)
        if (has(to, k) && !has(from, k)) ins_before(b, at, ssy_new(p->f, p->tok[k].pop, near));
}

static bool same_push(const struct place *p, const uint64_t *a, const uint64_t *b,
                      const uint64_t *to)
{
    for (size_t w = 0; w < p->words; w++)
        if ((to[w] & ~a[w]) != (to[w] & ~b[w])) return false;
    return true;
}

/* Whether what is pushed on the edge from a, which has no other, can stand at a's end. */
static bool can_end_with_push(const struct blk *a)
{
    const struct ins *t = blk_terminator(a);
    return a->nsucc == 1 && (!t || (t->guard < 0 && t->op != P_POP));
}

static void enter_regions(struct place *p, struct blk *b)
{
    struct fn *f = p->f;
    bool *todo = arena_alloc(f->m->arena, (size_t)b->npred + 1), *in;
    for (int e = 0; e < b->npred; e++) {
        struct blk *a = b->pred[e];
        int far, near;
        on_edge(p, a, b, &far, &near);
        if (far < 0) continue;
        if (can_end_with_push(a)) push(p, a, blk_terminator(a), row(p, a), row(p, b), a->last);
        else todo[e] = true;
    }
    for (int e = 0; e < b->npred; e++) {
        if (!todo[e]) continue;
        struct blk *a = b->pred[e];
        bool falls;
        in = arena_alloc(f->m->arena, (size_t)b->npred);
        for (int k = e; k < b->npred; k++)
            if (todo[k] && same_push(p, row(p, a), row(p, b->pred[k]), row(p, b)))
                in[k] = true, todo[k] = false;
        struct blk *entry = cfg_interpose(f, b, in, &falls);
        push(p, entry, NULL, row(p, a), row(p, b), a->last);
        if (!falls) cfg_jump(f, entry, b);
    }
}

static void make_pushes(struct place *p)
{
    struct fn *f = p->f;
    int n = f->nblocks;
    struct blk **blocks = arena_alloc(f->m->arena, (size_t)n * sizeof *blocks);
    /* without those that are made meanwhile */
    memcpy(blocks, f->blocks, (size_t)n * sizeof *blocks);
    for (int k = 0; k < n; k++) enter_regions(p, blocks[k]);
    cfg_refresh(f);
}

/* A branch goes back to the block that it was split from. */
static void rejoin(struct fn *f)
{
    int n = 0;
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k], *above = n ? f->blocks[n - 1] : NULL;
        struct ins *t = blk_terminator(b);
        if (above && t && t == b->first && b->npred == 1 && b->pred[0] == above &&
            !blk_terminator(above)) {
            ins_remove(b, t);
            ins_append(above, t);
            above->divergent = b->divergent;
        } else {
            f->blocks[n++] = b;
        }
    }
    f->nblocks = n;
    cfg_refresh(f);
}

/* Part of a warp executes a block of a region, of a higher layer (whose lanes may have left
 * others), and of a device function. */
static void warpsyncs(struct place *p)
{
    struct fn *f = p->f;
    bool *apart = arena_alloc(f->m->arena, (size_t)f->nblocks);
    for (int k = 0; k < f->nblocks; k++) {
        apart[k] = !f->entry || f->blocks[k]->layer > 0;
        for (size_t w = 0; w < p->words; w++) apart[k] |= row(p, f->blocks[k])[w] != 0;
    }
    place_warpsync(f, apart);
}

void place_stack(struct fn *f)
{
    fn_requires(f, KNOWN_GRAPH | KNOWN_DIVERGENCE);
    struct place p = { .f = f };
    stack_locks(f);
    wrap_calls(&p);
    split_branches(&p);
    find_tokens(&p);
    find_regions(&p);
    make_pads(&p);
    find_regions(&p);                    /* now with the pads */
    while (widen(&p)) continue;
    warpsyncs(&p);
    make_pushes(&p);
    rejoin(f);
    dom_build(f);
    loop_build(f);
    f->known |= KNOWN_PLACED;
}
