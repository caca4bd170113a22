/* Convergence barriers at post-dominators: where lanes join (BSSY), wait (BSYNC) and leave (BREAK).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: divergent branches (uniform.c).  Updates edges, dominators, loops.
 * A wait block M is where ways of a divergent branch meet: its immediate post-dominator, a join on
 * the way there (the `then` of a || b, the code behind an `if` that some lane leaves by `break`),
 * or the block behind a loop whose bottom branch diverges.  Each M has one barrier.  All the
 * branches that meet at M join it in one place: the nearest block J that dominates them, moved out
 * of every loop that does not hold M, because a lane that left the loop waits for those that stay.
 *  On an edge from which M can't be reached any more, lanes leave.  In a kernel, EXIT leaves by
 * itself. This is where NVIDIA's assembler puts its barriers in the measured kernels. */
#include <string.h>
#include "compiler/all.h"

struct request { struct blk *wait, *join; };
struct place {
    struct fn *f;
    struct request *req; int nreq;
    int *label; struct blk **joins, **stack; bool *joined, *reach;
};

/* A block that only ends the kernel: nobody needs to wait there. */
static bool only_exits(const struct fn *f, const struct blk *b)
{
    return f->entry && b->first && b->first == b->last && b->first->guard < 0 &&
           (b->first->op == P_RET || b->first->op == P_EXIT);
}

static void want(struct place *p, struct blk *wait, struct blk *branch)
{
    if (!wait || only_exits(p->f, wait)) return;
    for (int k = 0; k < p->nreq; k++)
        if (p->req[k].wait == wait) {
            p->req[k].join = dom_common(p->req[k].join, branch);
            return;
        }
    p->req[p->nreq++] = (struct request){ wait, branch };
}

/* The loop's bottom branch diverges: lanes meet behind the loop. */
static void want_loop_exit(struct place *p, struct blk *d)
{
    struct loop *l = d->loop;
    if (!l || d->nsucc != 2) return;
    for (int s = 0; s < 2; s++)
        if (d->succ[s] == l->header && !loop_has(l, d->succ[1 - s])) want(p, d->succ[1 - s], d);
}

static void find_requests(struct place *p)
{
    struct fn *f = p->f;
    p->nreq = 0;
    for (int k = 0; k < f->nrpo; k++) {
        struct blk *d = f->rpo[k];
        if (!d->divergent || d->nsucc < 2) continue;
        int n = uniform_joins(f, d, p->label, p->joins), first = n > 2 ? n - 2 : 0;
        if (blk_terminator(d)->op == P_BRX) first = d->ipdom ? n - 1 : n;
        /* Of the joins on the way to the post-dominator only the last (behind an indexed branch none),
         * as NVIDIA's compiler does. */
        for (int j = first; j < n; j++) want(p, p->joins[j], d);
        want_loop_exit(p, d);
    }
}

/* ---- reachability ---------------------------------------------------------------------------- */

/* What can be reached from b's successors without passing `stop`; b itself only round a cycle. */
static void reach_from(struct place *p, const struct blk *b, const struct blk *stop, bool *mark)
{
    int top = 0;
    memset(mark, 0, (size_t)p->f->nblocks);
    for (;;) {
        for (int s = 0; s < b->nsucc; s++)
            if (b->succ[s] != stop && !mark[b->succ[s]->id]) {
                mark[b->succ[s]->id] = true;
                p->stack[top++] = b->succ[s];
            }
        if (!top) return;
        b = p->stack[--top];
    }
}

/* What can reach b without passing `stop`. */
static void reach_to(struct place *p, const struct blk *b, const struct blk *stop, bool *mark)
{
    int top = 0;
    memset(mark, 0, (size_t)p->f->nblocks);
    mark[b->id] = true;
    for (;;) {
        for (int s = 0; s < b->npred; s++)
            if (b->pred[s] != stop && !mark[b->pred[s]->id]) {
                mark[b->pred[s]->id] = true;
                p->stack[top++] = b->pred[s];
            }
        if (!top) return;
        b = p->stack[--top];
    }
}

/* ---- the place to join ----------------------------------------------------------------------- */

/* A new block on all edges into h from blocks outside `in`; NULL: there are none. */
static struct blk *new_entry(struct place *p, struct blk *h, const bool *in)
{
    struct fn *f = p->f;
    int first = -1, n = h->npred;
    for (int k = 0; k < n && first < 0; k++)
        if (!in[h->pred[k]->id]) first = k;
    if (first < 0) return NULL;
    /* The edge that falls through, if there is one, is the one to split: the new block stands there. */
    for (int k = 0; k < n; k++) {
        struct blk *b = h->pred[k];
        struct ins *t = blk_terminator(b);
        if (!in[b->id] && b->succ[b->nsucc - 1] == h && (!t || t->guard >= 0)) first = k;
    }
    struct blk *from = h->pred[first];
    int s = 0;
    while (from->succ[s] != h) s++;
    struct blk *entry = cfg_split_edge(f, from, s);
    for (int k = 0; k < n; k++)
        if (k != first && !in[h->pred[k]->id]) cfg_retarget(h->pred[k], h, entry);
    return entry;
}

static void refresh(struct place *p)
{
    cfg_refresh(p->f);
    dom_build(p->f);
    loop_build(p->f);
    size_t n = (size_t)p->f->nblocks + 1;
    struct arena *a = p->f->m->arena;
    p->label = arena_alloc(a, n * sizeof *p->label);
    p->joins = arena_alloc(a, n * sizeof *p->joins);
    p->stack = arena_alloc(a, n * sizeof *p->stack);
    p->joined = arena_alloc(a, n);
    p->reach = arena_alloc(a, n);
    p->req = arena_alloc(a, n * sizeof *p->req);
}

/* The block before h, outside `in`, that leads to h and m alone; NULL: one was made, start again.
 * */
static struct blk *entry_for(struct place *p, struct blk *h, const bool *in, const struct blk *m)
{
    struct blk *outside = NULL;
    int n = 0;
    for (int k = 0; k < h->npred; k++)
        if (!in[h->pred[k]->id]) outside = h->pred[k], n++;
    bool fits = n == 1;
    for (int s = 0; fits && s < outside->nsucc; s++)
        fits = outside->succ[s] == h || outside->succ[s] == m;
    if (fits) return outside;
    return new_entry(p, h, in) ? NULL : p->f->blocks[0];
}

/* The block before loop l that serves as J for a wait at m; NULL: one was made, start again. */
static struct blk *before_loop(struct place *p, const struct loop *l, const struct blk *m)
{
    struct blk *h = l->header;
    memset(p->reach, 0, (size_t)p->f->nblocks);
    for (int k = 0; k < l->nblocks; k++) p->reach[l->blocks[k]->id] = true;
    if (l->irreducible) {
        struct blk *d = l->blocks[0];
        for (int k = 1; k < l->nblocks; k++) d = dom_common(d, l->blocks[k]);
        while (d && loop_has(l, d)) d = d->idom;
        return d ? d : p->f->blocks[0];
    }
    return entry_for(p, h, p->reach, m);
}

/* Some lane comes back to J although it could still reach M from where it was. */
static bool rejoins(struct place *p, const struct request *r)
{
    bool found = false;
    reach_from(p, r->join, r->wait, p->joined);
    reach_to(p, r->wait, r->join, p->reach);
    p->joined[r->join->id] = true;
    for (int k = 0; k < r->join->npred; k++) {
        const struct blk *b = r->join->pred[k];
        found |= p->joined[b->id] && p->reach[b->id];
    }
    reach_from(p, r->join, r->wait, p->reach);
    return found;
}

/* Moves every J to its final place; false: the graph has changed. */
static bool settle(struct place *p, bool may_edit)
{
    for (int k = 0; k < p->nreq; k++) {
        struct request *r = &p->req[k];
        for (;;) {
            struct loop *out = NULL;
            for (struct loop *l = r->join->loop; l; l = l->parent)
                if (!loop_has(l, r->wait)) out = l;
            if (!out) break;
            struct blk *j = may_edit ? before_loop(p, out, r->wait) : p->f->blocks[0];
            if (!j) return false;
            if (j == r->join) break;
            r->join = j;
            if (!may_edit) break;
        }
        /* Lanes would join again.  Join on the way into it instead. */
        if (!rejoins(p, r)) continue;
        struct blk *j = may_edit ? entry_for(p, r->join, p->reach, r->wait) : p->f->blocks[0];
        if (!j) return false;
        r->join = j == p->f->blocks[0] ? NULL : j;      /* no place: no barrier */
    }
    return true;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static struct ins *pseudo(struct place *p, enum pop op, int vb, const struct ins *near)
{
    struct ins *i = ins_new(p->f->m, op);
    i->vb = vb;
    if (near) {
        i->loc = near->loc;
        i->sfile = near->sfile;
        i->sline = near->sline;
    }
    return i;
}

/* Lanes that go from b to its s-th successor leave vb. */
static void leave_on_edge(struct place *p, struct blk *b, int s, int vb)
{
    struct ins *t = blk_terminator(b), *leave = pseudo(p, P_BREAK, vb, b->last);
    if (t && t->op == P_BRA && t->guard >= 0) {
        leave->guard = t->guard;
        leave->guard_neg = t->guard_neg != (s == 1);
        ins_before(b, t, leave);
    } else if (b->nsucc == 1) {
        ins_before(b, t, leave);
    } else {
        struct blk *edge = cfg_split_edge(p->f, b, s);
        ins_before(edge, edge->first, leave);
    }
}

/* Where the lanes that joined at J are before they wait: p->joined. */
static void find_joined(struct place *p, const struct request *r)
{
    reach_from(p, r->join, r->wait, p->joined);
    reach_to(p, r->wait, r->join, p->reach);
    for (int k = 0; k < p->f->nblocks; k++) p->joined[k] = p->joined[k] && p->reach[k];
    p->joined[r->join->id] = true;
    p->joined[r->wait->id] = r->join == r->wait;
}

/* Edges that lead away from M are left on.  An edge straight to the end of a kernel needs nothing. */
static bool leave_elsewhere(struct place *p, const struct request *r, int vb)
{
    struct fn *f = p->f;
    int n = f->nblocks;
    bool split = false;
    find_joined(p, r);
    struct blk **blocks =
        arena_grow(f->m->arena, f->blocks, (size_t)n * sizeof *blocks, (size_t)n * sizeof *blocks);
    for (int k = 0; k < n; k++) {
        struct blk *b = blocks[k];
        if (!p->joined[k]) continue;
        for (int s = 0; s < b->nsucc; s++) {
            struct blk *to = b->succ[s];
            if (to == r->wait || (p->reach[to->id] && to != r->join) || only_exits(f, to)) continue;
            leave_on_edge(p, b, s, vb);
            split |= f->nblocks != n;
        }
    }
    return split;
}

static int by_nesting(const struct request *a, const struct request *b)
{
    if (a->join->rpo != b->join->rpo) return a->join->rpo - b->join->rpo;
    return b->wait->rpo - a->wait->rpo;         /* the outer barrier joins first */
}

static void sort_requests(struct place *p)
{
    int n = 0;
    for (int k = 0; k < p->nreq; k++)
        if (p->req[k].join) p->req[n++] = p->req[k];
    p->nreq = n;
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && by_nesting(&p->req[k], &p->req[k - 1]) < 0; k--) {
            struct request t = p->req[k];
            p->req[k] = p->req[k - 1];
            p->req[k - 1] = t;
        }
}

static bool always_follows(const struct blk *late, const struct blk *early)
{
    while (early && early != late) early = early->ipdom;
    return early != NULL;
}

/* Barriers that lanes leave early must nest.  Of two that cross (each is waited at where nobody is in the
 * other any more, but some block is in both) the inner one stays, as in NVIDIA's code. */
static void drop_crossing(struct place *p)
{
    struct fn *f = p->f;
    bool **in = arena_alloc(f->m->arena, ((size_t)p->nreq + 1) * sizeof *in);
    int n = 0;
    for (int k = 0; k < p->nreq; k++) {
        if (always_follows(p->req[k].wait, p->req[k].join)) continue;
        find_joined(p, &p->req[k]);
        in[k] = arena_alloc(f->m->arena, (size_t)f->nblocks);
        memcpy(in[k], p->joined, (size_t)f->nblocks);
    }
    for (int k = 0; k < p->nreq; k++) {
        bool crosses = false;
        for (int o = k + 1; in[k] && o < p->nreq && !crosses; o++) {
            if (!in[o] || in[k][p->req[o].wait->id] || in[o][p->req[k].wait->id]) continue;
            for (int b = 0; b < f->nblocks && !crosses; b++) crosses = in[k][b] && in[o][b];
        }
        if (!crosses) p->req[n++] = p->req[k];
    }
    p->nreq = n;
}

/* Lanes that left M's barrier go on while others are still in it: its register is free only where all
 * of them are together again, at the nearest common post-dominator of J and M. */
static void end_barrier(struct place *p, const struct request *r, int vb)
{
    struct blk *all = r->wait;
    while (all && !always_follows(all, r->join)) all = all->ipdom;
    if (all == r->wait) return;
    if (all) ins_before(all, all->first, pseudo(p, P_BEND, vb, all->first));
    for (int k = 0; !all && k < p->f->nblocks; k++) {
        struct blk *b = p->f->blocks[k];
        if (!b->nsucc) ins_before(b, blk_terminator(b), pseudo(p, P_BEND, vb, b->last));
    }
}

static void insert(struct place *p)
{
    for (int k = 0; k < p->nreq; k++) {
        struct request r = p->req[k];
        struct request *keep = p->req;
        int vb = p->f->nvb++;
        struct ins *join = pseudo(p, P_BSSY, vb, r.join->last);
        join->targets = arena_alloc(p->f->m->arena, sizeof *join->targets);
        join->targets[0] = r.wait;
        join->ntargets = 1;
        ins_before(r.join, blk_terminator(r.join), join);
        ins_before(r.wait, r.wait->first, pseudo(p, P_BSYNC, vb, r.wait->first));
        end_barrier(p, &r, vb);
        if (leave_elsewhere(p, &r, vb)) {
            refresh(p);
            p->req = keep;
        }
    }
}

void place_postdom(struct fn *f)
{
    struct place p = { .f = f };
    refresh(&p);
    const int rounds = 4 * f->nblocks + 8;      /* each round makes a block; a loop needs one or two */
    for (int round = 0;; round++) {
        find_requests(&p);
        if (settle(&p, round < rounds)) break;
        refresh(&p);
    }
    sort_requests(&p);
    drop_crossing(&p);
    insert(&p);
    place_drop_unproved(f);
    wait_run(f);                                /* loops were found anew */
}
