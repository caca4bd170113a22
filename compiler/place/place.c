/* Convergence barriers at post-dominators: where lanes join (BSSY), wait (BSYNC) and leave (BREAK).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A wait block M is where ways of a divergent branch meet: its immediate post-dominator, a join on
 * the way there (the `then` of a || b, the code after an `if` that some lane leaves by `break`),
 * or the block after a loop whose bottom branch diverges.  Each M has one barrier.  All the
 * branches that meet at M join it in one place: the nearest block J that dominates them, moved out
 * of every loop that does not hold M, because a lane that left the loop waits for those that stay.
 * A loop's head that lanes come back to through a wait of the block is no M (left_to).
 * On an edge from which M can't be reached any more, lanes leave.  In a kernel, EXIT leaves by
 * itself.  This is where NVIDIA's assembler puts its barriers in the measured kernels.
 *
 * Requires: edges, dominators, loops, divergence.
 * Ensures:  barriers that verify.c proves, with edges, dominators and loops as they are now; loops
 *           that may wait are marked again. */
#include <stdlib.h>
#include "compiler/analysis/blkset.h"
#include "compiler/analysis/livelist.h"

struct request { struct blk *wait, *join; bool until_bar; };
struct place {
    struct fn *f;
    struct arena *analyses;              /* what the last refresh made */
    struct request *req; int nreq, *of_wait;     /* of_wait: 1 + number of the request of a block */
    struct joins joins;
    struct blkset joined, reach, behind;
    bool *touched;                       /* blocks whose edges this round has changed */
};

/* What can be reached from b's successors without passing `stop`, and only through `within` (NULL:
 * everything); b itself only round a cycle. */
static void reach_from(const struct blk *b, const struct blk *stop, const struct blkset *within,
                       struct blkset *mark)
{
    blkset_clear(mark);
    for (int at = 0;; b = mark->list[at++]) {
        for (int s = 0; s < b->nsucc; s++)
            if (b->succ[s] != stop && (!within || within->has[b->succ[s]->id]))
                blkset_add(mark, b->succ[s]);
        if (at == mark->n) return;
    }
}

/* A block that only ends the kernel: no lane needs to wait there. */
static bool only_exits(const struct fn *f, const struct blk *b)
{
    return f->entry && b->first && b->first == b->last && b->first->guard < 0 &&
           (b->first->op == P_RET || b->first->op == P_EXIT);
}

/* Nothing but a jump. */
static bool only_jumps(const struct blk *b)
{
    const struct ins *i = b->first;
    while (i && i->op == P_PRAGMA) i = i->next;
    return i && i == b->last && i->op == P_BRA && i->guard < 0;
}

/* The only way out of a loop, by its bottom branch: lanes that leave it one by one meet there, as
 * in NVIDIA's code. */
static bool ends_loop(const struct blk *b)
{
    const struct blk *d = b->pred[0];
    if (d->ipdom != b || d->nsucc != 2) return false;
    const struct blk *head = d->succ[d->succ[0] == b];
    const struct loop *l = head->loop;
    return l && l->header == head && loop_has(l, d) && !loop_has(l, b);
}

/* Lanes that only jump from b meet where they jump to. */
static struct blk *meets_after(struct blk *b)
{
    while (b && only_jumps(b) && b->npred == 1 && b->succ[0]->rpo > b->rpo && !ends_loop(b))
        b = b->succ[0];
    return b;
}

static void want(struct place *p, struct blk *wait, struct blk *branch)
{
    wait = meets_after(wait);
    if (!wait || only_exits(p->f, wait)) return;
    int *of = &p->of_wait[wait->id];
    if (*of) {
        p->req[*of - 1].join = dom_common(p->req[*of - 1].join, branch);
    } else {
        p->req[p->nreq++] = (struct request){ wait, branch, false };
        *of = p->nreq;
    }
}

/* The loop's bottom branch diverges: lanes meet after the loop. */
static void want_loop_exit(struct place *p, struct blk *d)
{
    struct loop *l = d->loop;
    if (!l || d->nsucc != 2) return;
    for (int s = 0; s < 2; s++)
        if (d->succ[s] == l->header && !loop_has(l, d->succ[1 - s])) want(p, d->succ[1 - s], d);
}

static bool has_block_barrier(const struct blk *b)
{
    for (const struct ins *i = b->first; i; i = i->next)
        if (i->op == P_BAR || i->op == P_BARRED) return true;
    return false;
}

/* M heads a loop that d may leave, and who leaves comes back to it by an outer loop in which the
 * block waits: lanes that stay would wait at M for lanes that wait for them.  They meet where lanes
 * leave to: that block; NULL: d is no such branch. */
static struct blk *left_to(struct place *p, const struct blk *d, struct blk *m)
{
    const struct loop *l = d->loop;
    while (l && l->header != m) l = l->parent;
    for (int s = 0; l && s < d->nsucc; s++) {
        struct blk *to = d->succ[s];
        if (loop_has(l, to)) continue;
        reach_from(to, m, NULL, &p->reach);
        bool waits = has_block_barrier(to);
        for (int k = 0; k < p->reach.n; k++) waits |= has_block_barrier(p->reach.list[k]);
        if (waits) return to;
    }
    return NULL;
}

static void find_requests(struct place *p)
{
    struct fn *f = p->f;
    p->req = arena_alloc(p->analyses, ((size_t)f->nblocks + 1) * sizeof *p->req);
    p->nreq = 0;
    for (int k = 0; k < f->nrpo; k++) {
        struct blk *d = f->rpo[k];
        if (!d->divergent || d->nsucc < 2) continue;
        joins_find(&p->joins, f, d);
        int n = p->joins.n, first = n > 2 ? n - 2 : 0;
        if (blk_terminator(d)->op == P_BRX) first = d->ipdom ? n - 1 : n;
        /* Of the joins on the way to the post-dominator only the last (after an indexed branch
         * none), as NVIDIA's compiler does. */
        for (int j = first; j < n; j++) {
            struct blk *to = left_to(p, d, p->joins.join[j]);
            want(p, to ? to : p->joins.join[j], d);
        }
        want_loop_exit(p, d);
    }
}

/* ---- reachability ---------------------------------------------------------------------------- */

/* What can reach b without passing `stop`, nor a block barrier where until_bar says so. */
static void reach_to(struct blk *b, const struct blk *stop, bool until_bar, struct blkset *mark)
{
    blkset_clear(mark);
    blkset_add(mark, b);
    for (int at = 0; at < mark->n; at++)
        for (int s = 0; s < mark->list[at]->npred; s++) {
            struct blk *from = mark->list[at]->pred[s];
            if (from != stop && !(until_bar && has_block_barrier(from))) blkset_add(mark, from);
        }
}

/* Blocks on ways from J to M: p->joined; p->reach: all that leads to M without passing J. */
static void reach_between(struct place *p, const struct request *r)
{
    reach_to(r->wait, r->join, r->until_bar, &p->reach);
    reach_from(r->join, r->wait, &p->reach, &p->joined);
}

/* A way from J leads through a block barrier to M, not all from there do, and one from M leads to
 * that block barrier: lanes would wait at M for lanes that wait for them there. */
static bool waits_in_circle(struct place *p, const struct request *r)
{
    bool found = false;
    reach_from(r->wait, NULL, NULL, &p->behind);
    reach_between(p, r);
    for (int k = 0; k < p->joined.n; k++) {
        const struct blk *b = p->joined.list[k];
        found |= b != r->wait && p->reach.has[b->id] && p->behind.has[b->id] &&
                 has_block_barrier(b) && !dom_after(r->wait, b);
    }
    return found;
}

static bool meets_at(struct place *p, struct blk *d, const struct blk *m)
{
    if (!d->divergent || d->nsucc < 2) return false;
    joins_find(&p->joins, p->f, d);
    for (int j = 0; j < p->joins.n; j++)
        if (p->joins.join[j] == m) return true;
    return false;
}

/* Lanes come from M through a block barrier to a branch whose ways meet at M, not by J: a goto led
 * them there.  They have not joined again, and would meet at M those who wait for others. */
static bool comes_unjoined(struct place *p, const struct request *r)
{
    bool waits = false, apart = false;
    if (!r->join || r->join == r->wait) return false;
    reach_from(r->wait, r->join, NULL, &p->behind);
    for (int k = 0; k < p->behind.n; k++) waits |= has_block_barrier(p->behind.list[k]);
    for (int k = 0; waits && !apart && k < p->behind.n; k++)
        apart = meets_at(p, p->behind.list[k], r->wait);
    return apart;
}

/* ---- the place to join ----------------------------------------------------------------------- */

/* A new block on all edges into h from blocks outside `in`; NULL: there are none.  Edges stay as
 * they were until the next refresh. */
static struct blk *new_entry(struct place *p, struct blk *h, const bool *in)
{
    struct fn *f = p->f;
    int first = -1, n = h->npred;
    for (int k = 0; k < n && first < 0; k++)
        if (!in[h->pred[k]->id]) first = k;
    if (first < 0) return NULL;
    /* The edge that falls through, if there is one, is the one to split: the new block stands
     * there. */
    for (int k = 0; k < n; k++) {
        struct blk *b = h->pred[k];
        struct ins *t = blk_terminator(b);
        if (!in[b->id] && b->succ[b->nsucc - 1] == h && (!t || t->guard >= 0)) first = k;
    }
    struct blk *from = h->pred[first];
    int s = 0;
    while (from->succ[s] != h) s++;
    struct blk *entry = cfg_split_edge(f, from, s);
    from->succ[s] = h;
    p->touched[h->id] = true;
    for (int k = 0; k < n; k++) {
        if (in[h->pred[k]->id]) continue;
        if (k != first) cfg_retarget(h->pred[k], h, entry);
        p->touched[h->pred[k]->id] = true;
    }
    return entry;
}

/* All analyses of the graph, repeated. */
static void refresh(struct place *p)
{
    struct fn *f = p->f;
    struct arena *keep = f->m->arena, *old = p->analyses;
    f->m->arena = p->analyses = arena_new();
    cfg_refresh(f);
    dom_build(f);
    loop_build(f);
    size_t n = (size_t)f->nblocks + 1;
    p->joins = joins_new(f);
    p->joined = blkset_new(f);
    p->reach = blkset_new(f);
    p->behind = blkset_new(f);
    p->touched = arena_alloc(p->analyses, n);
    p->of_wait = arena_alloc(p->analyses, n * sizeof *p->of_wait);
    f->m->arena = keep;
    arena_free(old);
}

/* Analyses that stay. */
static void finish(struct place *p)
{
    cfg_refresh(p->f);
    dom_build(p->f);
    loop_build(p->f);
    arena_free(p->analyses);
}

/* The block before h, outside `in`, that leads to h and m alone; NULL: one was made, or the edges
 * here are new: ask again in the next round. */
static struct blk *entry_for(struct place *p, struct blk *h, const bool *in, const struct blk *m)
{
    struct blk *outside = NULL;
    int n = 0;
    for (int k = 0; k < h->npred; k++)
        if (!in[h->pred[k]->id]) outside = h->pred[k], n++;
    if (p->touched[h->id] || (outside && p->touched[outside->id])) return NULL;
    bool fits = n == 1;
    for (int s = 0; fits && s < outside->nsucc; s++)
        fits = outside->succ[s] == h || outside->succ[s] == m;
    if (fits) return outside;
    return new_entry(p, h, in) ? NULL : p->f->blocks[0];
}

/* The block before loop l that serves as J for a wait at m; NULL: ask again in the next round. */
static struct blk *before_loop(struct place *p, const struct loop *l, const struct blk *m)
{
    struct blk *h = l->header;
    blkset_clear(&p->reach);
    for (int k = 0; k < l->nblocks; k++) blkset_add(&p->reach, l->blocks[k]);
    if (l->irreducible) {
        struct blk *d = l->blocks[0];
        for (int k = 1; k < l->nblocks; k++) d = dom_common(d, l->blocks[k]);
        while (d && loop_has(l, d)) d = d->idom;
        return d ? d : p->f->blocks[0];
    }
    return entry_for(p, h, p->reach.has, m);
}

/* Some lane comes back to J although it could still reach M from where it was, or must come to M in
 * any case (a loop around M has the same head); p->reach: where it may be. */
static bool rejoins(struct place *p, const struct request *r)
{
    bool found = false;
    reach_between(p, r);
    for (int k = 0; k < r->join->npred; k++) {
        const struct blk *b = r->join->pred[k];
        found |= (p->joined.has[b->id] || b == r->join) && p->reach.has[b->id];
    }
    reach_from(r->join, r->wait, NULL, &p->reach);
    for (int k = 0; k < r->join->npred && dom_after(r->wait, r->join); k++)
        found |= p->reach.has[r->join->pred[k]->id];
    return found;
}

/* Moves J out of loops that don't hold M, and to where lanes join once; false: ask again. */
static bool settle(struct place *p, struct request *r, bool may_edit)
{
    struct blk *entry = p->f->blocks[0], *j;
    for (;;) {
        struct loop *out = NULL;
        for (struct loop *l = r->join->loop; l; l = l->parent)
            if (!loop_has(l, r->wait)) out = l;
        if (!out) break;
        j = may_edit ? before_loop(p, out, r->wait) : entry;
        if (!j) return false;
        if (j == r->join) break;
        r->join = j;
        if (!may_edit) break;
    }
    if (!rejoins(p, r)) return true;
    j = may_edit ? entry_for(p, r->join, p->reach.has, r->wait) : entry;
    if (!j) return false;
    r->join = j == entry ? NULL : j;            /* no place: no barrier */
    return true;
}

/* Moves every J to its final place; false: the graph has changed. */
static bool settle_all(struct place *p, bool may_edit)
{
    bool settled = true;
    for (int k = 0; k < p->nreq; k++) settled &= settle(p, &p->req[k], may_edit);
    return settled;
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

/* Barriers come from the outermost on, and the inner one is left first, as in NVIDIA's code: lanes
 * that wait in it are blocked, and to leave the outer one first would release them as well. */
static struct ins *before_leaves(const struct blk *b, struct ins *t)
{
    struct ins *at = t;
    for (struct ins *i = t ? t->prev : b->last; i && i->op == P_BREAK; i = i->prev) at = i;
    return at;
}

/* Lanes that go from b to its s-th successor leave vb. */
static void leave_on_edge(struct place *p, struct blk *b, int s, int vb)
{
    struct ins *t = blk_terminator(b), *leave = pseudo(p, P_BREAK, vb, b->last);
    if (t && t->op == P_BRA && t->guard >= 0) {
        leave->guard = t->guard;
        leave->guard_neg = t->guard_neg != (s == 1);
        ins_before(b, before_leaves(b, t), leave);
    } else if (b->nsucc == 1) {
        ins_before(b, before_leaves(b, t), leave);
    } else {
        struct blk *edge = cfg_split_edge(p->f, b, s);
        ins_before(edge, edge->first, leave);
    }
}

/* Where the lanes that joined at J are before they wait: p->joined. */
static void find_joined(struct place *p, const struct request *r)
{
    reach_between(p, r);
    blkset_add(&p->joined, r->join);
    if (r->join == r->wait) blkset_add(&p->joined, r->wait);
}

static int by_place(const void *a, const void *b)
{
    const struct blk *const *x = a, *const *y = b;
    return (*x)->id - (*y)->id;
}

/* Edges that lead away from M are left on.  An edge straight to the end of a kernel needs
 * nothing. */
static bool leave_elsewhere(struct place *p, const struct request *r, int vb)
{
    struct fn *f = p->f;
    int n = f->nblocks;
    find_joined(p, r);
    qsort(p->joined.list, (size_t)p->joined.n, sizeof *p->joined.list, by_place);
    for (int k = 0; k < p->joined.n; k++) {
        struct blk *b = p->joined.list[k];
        for (int s = 0; s < b->nsucc; s++) {
            struct blk *to = b->succ[s];
            if (to == r->wait || (p->reach.has[to->id] && to != r->join) || only_exits(f, to))
                continue;
            leave_on_edge(p, b, s, vb);
        }
    }
    return f->nblocks != n;
}

static int by_nesting(const void *x, const void *y)
{
    const struct request *a = x, *b = y;
    if (a->join->rpo != b->join->rpo) return a->join->rpo - b->join->rpo;
    return b->wait->rpo - a->wait->rpo;         /* the outer barrier joins first */
}

static void sort_requests(struct place *p)
{
    int n = 0;
    for (int k = 0; k < p->nreq; k++)
        if (p->req[k].join) p->req[n++] = p->req[k];
    p->nreq = n;
    qsort(p->req, (size_t)n, sizeof *p->req, by_nesting);
}

/* Does the k-th request cross a later one?  of_blk: the requests that have lanes in a block. */
static bool crosses(const struct place *p, const struct lists *of_blk, const struct lists *in,
                    int k)
{
    const struct blk *wait = p->req[k].wait;
    for (int i = in->first[k]; i < in->first[k + 1]; i++) {
        int b = in->item[i];
        for (int j = of_blk->first[b]; j < of_blk->first[b + 1]; j++) {
            int o = of_blk->item[j];
            if (o > k && !lists_has(of_blk, wait->id, o) &&
                !lists_has(of_blk, p->req[o].wait->id, k))
                return true;
        }
    }
    return false;
}

/* Barriers that lanes leave early must nest.  Of two that cross (each is waited at where no lane is
 * in the other any more, but some block is in both) the inner one stays, as in NVIDIA's code. */
static void drop_crossing(struct place *p)
{
    struct arena *a = p->analyses;
    struct pairs by_req = { 0 }, by_blk = { 0 };
    int n = 0;
    for (int k = 0; k < p->nreq; k++) {
        if (dom_after(p->req[k].wait, p->req[k].join)) continue;
        find_joined(p, &p->req[k]);
        for (int j = 0; j < p->joined.n; j++) {
            pairs_add(a, &by_req, k, p->joined.list[j]->id);
            pairs_add(a, &by_blk, p->joined.list[j]->id, k);
        }
    }
    const struct lists in = pairs_sort(a, &by_req, p->nreq),
                       of_blk = pairs_sort(a, &by_blk, p->f->nblocks);
    for (int k = 0; k < p->nreq; k++)
        if (!crosses(p, &of_blk, &in, k)) p->req[n++] = p->req[k];
    p->nreq = n;
}

/* Lanes that left M's barrier go on while others are still in it: its register is free only where
 * all of them are together again, at the nearest common post-dominator of J and M that no lane
 * comes to before he has waited. */
static void end_barrier(struct place *p, const struct request *r, int vb)
{
    struct blk *all = r->wait;
    if (dom_after(all, r->join)) return;
    find_joined(p, r);
    while (all && (!dom_after(all, r->join) || p->joined.has[all->id])) all = all->ipdom;
    if (all) ins_before(all, all->first, pseudo(p, P_BEND, vb, all->first));
    for (int k = 0; !all && k < p->f->nblocks; k++) {
        struct blk *b = p->f->blocks[k];
        if (!b->nsucc) ins_before(b, blk_terminator(b), pseudo(p, P_BEND, vb, b->last));
    }
}

static void insert(struct place *p)
{
    size_t bytes = (size_t)p->nreq * sizeof *p->req;
    /* outlives refresh */
    const struct request *req = arena_grow(p->f->m->arena, p->req, bytes, bytes + 1);
    for (int k = 0; k < p->nreq; k++) {
        struct request r = req[k];
        int vb = p->f->nvb++;
        struct ins *join = pseudo(p, P_BSSY, vb, r.join->last);
        join->targets = arena_alloc(p->f->m->arena, sizeof *join->targets);
        join->targets[0] = r.wait;
        join->ntargets = 1;
        ins_before(r.join, blk_terminator(r.join), join);
        ins_before(r.wait, r.wait->first, pseudo(p, P_BSYNC, vb, r.wait->first));
        end_barrier(p, &r, vb);
        if (leave_elsewhere(p, &r, vb)) refresh(p);
    }
}

void place_postdom(struct fn *f)
{
    fn_requires(f, KNOWN_GRAPH | KNOWN_DIVERGENCE);
    struct place p = { .f = f };
    refresh(&p);
    const int rounds = 4 * f->nblocks + 8;   /* each round makes a block; a loop needs one or two */
    for (int round = 0;; round++) {
        find_requests(&p);
        if (settle_all(&p, round < rounds)) break;
        refresh(&p);
    }
    for (int k = 0; k < p.nreq; k++)
        if (comes_unjoined(&p, &p.req[k])) p.req[k].join = NULL;
    sort_requests(&p);
    for (int k = 0; k < p.nreq; k++) p.req[k].until_bar = waits_in_circle(&p, &p.req[k]);
    drop_crossing(&p);
    insert(&p);
    finish(&p);
    f->known |= KNOWN_PLACED;
    place_drop_unproved(f);
    wait_run(f);                                /* loops were found again */
}
