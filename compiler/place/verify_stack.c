/* Proof by abstract interpretation that a placement of tokens is sound.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The SYNC tokens that a lane is in at a point of a function are a static matter: pushed and popped
 * on every way there in the same order.  So each block has one stack of targets.  DIV tokens need
 * no place in it: one is pushed where the branching lanes and the others have the same stack, and
 * those others come back to exactly that stack.  A pop that finds a DIV token lets lanes run that
 * have the same token of the popping lanes below them; the one that finds it gone finds the SYNC
 * token, and by then every lane of it has popped or exited, so all of them stand at its target.
 * Checked:
 *   - a pop finds the token for its target, a ret none (what callers pushed lies below),
 *   - blocks on a cycle have exactly one stack, so that none grows; elsewhere stacks that differ
 *   may
 *     meet, if no lane pops what differs any more: such lanes can only exit,
 *   - no lane comes to the target of a token that it is in but by a pop,
 *   - lanes that take a divergent branch outside all tokens are on their way out, and never return;
 *     indirect calls whose target differs pop right after the call.
 *
 * Requires: edges, rpo, divergence, a finished placement of tokens.
 * Ensures:  true only where the placement is sound. */
#include <stdio.h>
#include "compiler/all.h"

/* A stack is its top and the rest, shared; `bottom` of a function: what the caller has; `lost`:
 * unknown. */
struct toks { struct toks *rest; struct blk *target; int n; struct toks *pushed, *sibling; };
struct flow {
    const struct fn *f; struct toks bottom, lost;
    struct toks **in;            /* of each block; NULL: not reached yet */
    int *cycle;                  /* blocks with one number are on a cycle together */
    struct hd_err *err; bool bad;
};

static struct toks *push(struct flow *w, struct toks *t, struct blk *target)
{
    for (struct toks *p = t->pushed; p; p = p->sibling)
        if (p->target == target) return p;
    struct toks *p = arena_alloc(w->f->m->arena, sizeof *p);
    *p = (struct toks){ t, target, t->n + 1, NULL, t->pushed };
    return t->pushed = p;
}

/* The top part that both have, over the unknown. */
static struct toks *meet(struct flow *w, struct toks *a, struct toks *b)
{
    if (a == b) return a;
    if (!a->n || !b->n || a->target != b->target) return &w->lost;
    return push(w, meet(w, a->rest, b->rest), a->target);
}

static struct toks *step(struct flow *w, struct toks *t, const struct ins *i)
{
    if (i->op == P_SSY) return push(w, t, i->targets[0]);
    return i->op == P_POP && t->n ? t->rest : t;
}

static struct toks *at_end(struct flow *w, const struct blk *b)
{
    struct toks *t = w->in[b->id];
    for (const struct ins *i = b->first; i; i = i->next) t = step(w, t, i);
    return t;
}

static void flow_in(struct flow *w)
{
    const struct fn *f = w->f;
    w->in = arena_alloc(f->m->arena, ((size_t)f->nblocks + 1) * sizeof *w->in);
    w->in[f->blocks[0]->id] = &w->bottom;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < f->nrpo; k++) {
            const struct blk *b = f->rpo[k];
            if (!w->in[b->id]) continue;
            struct toks *out = at_end(w, b);
            for (int s = 0; s < b->nsucc; s++) {
                struct toks **in = &w->in[b->succ[s]->id], *now = *in ? meet(w, *in, out) : out;
                if (now != *in) *in = now, changed = true;
            }
        }
    }
}

/* Kosaraju's second pass: reverse post-order is the order of the first. */
static void find_cycles(struct flow *w)
{
    const struct fn *f = w->f;
    struct blk **stack = arena_alloc(f->m->arena, ((size_t)f->nblocks + 1) * sizeof *stack);
    w->cycle = arena_alloc(f->m->arena, ((size_t)f->nblocks + 1) * sizeof *w->cycle);
    for (int k = 0; k < f->nrpo; k++) {
        int top = 0;
        if (w->cycle[f->rpo[k]->id]) continue;
        w->cycle[f->rpo[k]->id] = k + 1;
        stack[top++] = f->rpo[k];
        while (top) {
            const struct blk *b = stack[--top];
            for (int p = 0; p < b->npred; p++)
                if (!w->cycle[b->pred[p]->id]) {
                    w->cycle[b->pred[p]->id] = k + 1;
                    stack[top++] = b->pred[p];
                }
        }
    }
}

/* ---- what must hold -------------------------------------------------------------------------- */

static void bad(struct flow *w, const struct blk *b, const struct ins *at, const char *what)
{
    if (w->bad) return;
    w->bad = true;
    cc_error(w->err, w->f->m, at ? at->loc : w->f->loc, "internal: stack of %s, block B%d: %s",
             w->f->name, b->id, what);
    if (w->err) w->err->status = 4;
}

static void check_block(struct flow *w, const struct blk *b)
{
    struct toks *t = w->in[b->id];
    for (const struct ins *i = b->first; i; i = i->next) {
        bool parts = i->op == P_CALL && i->o[0].kind == O_REG && w->f->reg_divergent[i->o[0].reg];
        if (parts && !(i->next && i->next->op == P_POP))
            bad(w, b, i, "an indirect call parts lanes");
        if (i->op == P_POP && (!t->n || t->target != i->targets[0]))
            bad(w, b, i, "pops another token");
        if (i->op == P_RET && !w->f->entry && t != &w->bottom)
            bad(w, b, i, "returns inside a region");
        t = step(w, t, i);
    }
    for (int s = 0; s < b->nsucc; s++) {
        const struct blk *to = b->succ[s];
        for (const struct toks *x = t; x->n; x = x->rest)
            if (x->target == to)
                bad(w, b, b->last, "lanes come to the target of their token without a pop");
        if (w->cycle[b->id] == w->cycle[to->id] && w->in[to->id] != t)
            bad(w, b, b->last, "the stack differs from round to round");
    }
}

static void reach(struct blk *from, bool *mark, struct blk **stack)
{
    int top = 0;
    mark[from->id] = true;
    stack[top++] = from;
    while (top) {
        const struct blk *b = stack[--top];
        for (int s = 0; s < b->nsucc; s++)
            if (!mark[b->succ[s]->id]) {
                mark[b->succ[s]->id] = true;
                stack[top++] = b->succ[s];
            }
    }
}

/* b's branch is divergent and no token is there to bring its lanes together: those that branch must
 * be on a way out, so there is an end that the others can come to and they can't. */
static void check_parting(struct flow *w, const struct blk *b)
{
    const struct fn *f = w->f;
    size_t n = (size_t)f->nblocks;
    bool *taken = arena_alloc(f->m->arena, n), *other = arena_alloc(f->m->arena, n), ends = false,
         own = false;
    struct blk **stack = arena_alloc(f->m->arena, n * sizeof *stack);
    for (int s = 0; s < b->nsucc - 1; s++) reach(b->succ[s], taken, stack);
    reach(b->succ[b->nsucc - 1], other, stack);
    for (int k = 0; k < f->nblocks; k++) {
        const struct ins *t = blk_terminator(f->blocks[k]);
        ends |= !f->blocks[k]->nsucc && other[k];
        own |= !f->blocks[k]->nsucc && other[k] && !taken[k];
        if (taken[k] && !f->entry && t && t->op == P_RET)
            bad(w, b, b->last, "lanes diverge and return");
    }
    if (ends && !own) bad(w, b, b->last, "lanes diverge and meet outside a region");
}

bool verify_stack(struct fn *f, struct hd_err *err)
{
    fn_requires(f, KNOWN_EDGES | KNOWN_DIVERGENCE | KNOWN_PLACED);
    struct flow w = { .f = f, .err = err };
    flow_in(&w);
    find_cycles(&w);
    for (int k = 0; k < f->nblocks && !w.bad; k++) {
        const struct blk *b = f->blocks[k];
        check_block(&w, b);
        if (b->divergent && b->nsucc > 1 && !at_end(&w, b)->n) check_parting(&w, b);
    }
    return !w.bad;
}

/* ---- --show=stack ---------------------------------------------------------------------------- */

static void show_tokens(const struct flow *w, const struct toks *t, FILE *out)
{
    if (t->n) show_tokens(w, t->rest, out);
    if (t == &w->lost) fputs(" ..", out);
    if (t->n) fprintf(out, " B%d", t->target->id);
}

void stack_show(const struct fn *f, FILE *out)
{
    struct flow w = { .f = f };
    flow_in(&w);
    for (int k = 0; k < f->nblocks; k++) {
        const struct blk *b = f->blocks[k];
        fprintf(out, "  B%d%s%s%s: in tokens for", k, b->label ? "(" : "", b->label ? b->label : "",
                b->label ? ")" : "");
        show_tokens(&w, w.in[k], out);
        if (!w.in[k]->n && w.in[k] != &w.lost) fputs(" nothing", out);
        for (const struct ins *i = b->first; i; i = i->next)
            if (i->op == P_SSY || i->op == P_POP)
                fprintf(out, "%s B%d", i->op == P_SSY ? "; pushes" : "; pops", i->targets[0]->id);
        fprintf(out, "%s\n", b->divergent && b->nsucc > 1 ? "; divergent" : "");
    }
}
