/* Conflicts between barriers, and which of the two gives way (paper A, section 4.3).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two barriers conflict when their live ranges overlap and neither lies inside the other: lanes
 * then wait for each other at two places.  Decided at the waits: y waits on x where a lane may wait
 * at y while it is in x; a prediction conflicts with x when it waits on x and x, directly or round
 * other barriers, waits on it. (Ranges that overlap one way alone, as those of a region that is
 * left before the post-dominator, make no lane wait forever; taking x away there would only lose a
 * meeting place.)
 *
 *   static   x is deleted;
 *   dynamic  lanes leave x before they wait for the prediction: x stays for those that never come
 *   there;
 *            but where the wait is in a function that saves barrier registers, x is deleted all the
 *            same.
 *
 * The prediction has priority over what the compiler placed.  Of two predictions, the one that
 * stands first has: its waiters leave the other, and join it again after the wait where it is
 * live.  Where lanes have joined in a caller they are in the prediction's barrier throughout, so
 * every barrier around the call conflicts.
 *
 * Cancels are still to come when this runs, so a lane counts as in a prediction's barrier where it
 * may be joined and the barrier is live.
 *
 * Requires: edges; joins, waits and rejoins of all predictions beside the barriers of place.c.
 * Ensures:  no prediction's wait is in a circle of waiting with another barrier; edges stay. */
#include "compiler/predict.h"

struct relation { const struct fn *f; int n; bool *on; };     /* on[y * n + x]: y waits on x */

const struct prediction *predict_of(const struct fn *f, int vb)
{
    for (int k = 0; k < f->npredictions; k++)
        if (f->predictions[k].vb == vb) return &f->predictions[k];
    return NULL;
}

static bool *on(const struct relation *r, int y, int x)
{
    return &r->on[(size_t)y * (size_t)r->n + (size_t)x];
}

static struct flags joined_in(const struct fn *f, int x, const struct flags *live)
{
    return predict_joined(f, x, true, predict_of(f, x) ? live : NULL);
}

/* May lanes be in x right before `at`, and stay in it?  A lane that rejoins in a function that is
 * called leaves, if at all, after the call. */
static bool is_in(const struct fn *f, int x, const struct flags *joined, const struct flags *live,
                  const struct blk *b,
                  const struct ins *at)
{
    bool in = joined->in[b->id], rejoined = false;
    for (const struct ins *i = b->first; i != at; i = i->next) {
        in = predict_step(i, x, true, in);
        rejoined |= i->op == P_BSSY && i->vb == x && i->sub == REJOIN_IN_CALLEE;
    }
    return in && (!predict_of(f, x) || rejoined || predict_live_after(b, at, x, live));
}

static void find_waits_on(struct relation *r, int x)
{
    const struct fn *f = r->f;
    const struct flags live = predict_live(f, x), joined = joined_in(f, x, &live);
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == P_BSYNC && i->vb != x && is_in(f, x, &joined, &live, f->blocks[k], i))
                *on(r, i->vb, x) = true;
}

/* y waits on x, directly or round corners. */
static bool leads_to(const struct relation *r, int y, int x)
{
    struct arena *a = r->f->m->arena;
    bool *seen = arena_alloc(a, (size_t)r->n);
    int *stack = arena_alloc(a, ((size_t)r->n + 1) * sizeof *stack), top = 0;
    stack[top++] = y;
    while (top) {
        int at = stack[--top];
        if (at == x) return true;
        for (int z = 0; z < r->n; z++)
            if (*on(r, at, z) && !seen[z]) seen[z] = true, stack[top++] = z;
    }
    return false;
}

/* ---- giving way ------------------------------------------------------------------------------ */

void predict_remove(struct fn *f, int vb)
{
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first, *next; i; i = next) {
            next = i->next;
            if (i->vb == vb && i->op >= P_BSSY && i->op <= P_BMOV_LOAD) ins_remove(f->blocks[k], i);
        }
}

/* What stands for the waits in a function that the block calls begins here. */
static struct ins *waits_in_callee(struct blk *b)
{
    struct ins *i = b->first;
    while (i->op != P_BSYNC || i->sub != IN_CALLEE) i = i->next;
    return i;
}

/* Lanes that left x before the call neither wait for it nor rejoin it in there. */
static void pass_in_callee(struct blk *b, int x)
{
    for (struct ins *i = b->first, *next; i; i = next) {
        next = i->next;
        if (i->vb == x && ((i->op == P_BSYNC && i->sub == IN_CALLEE) ||
                           (i->op == P_BSSY && i->sub == REJOIN_IN_CALLEE))) ins_remove(b, i);
    }
}

/* Where lanes leave x that leave other barriers, too, before `at`: an inner one first.  Lanes that
 * wait in it are blocked, so that who left the outer one first would release it as well (rule 5).
 */
static struct ins *before_outer(const struct relation *r, int x, struct ins *at)
{
    struct ins *place = at;
    for (struct ins *i = at->prev; i && i->op == P_BREAK && i->sub != CANCEL; i = i->prev)
        if (*on(r, x, i->vb) && !*on(r, i->vb, x)) place = i;
    return place;
}

/* Lanes leave x before they wait for p. */
static void leave_at_waits(const struct relation *r, struct fn *f, const struct prediction *p,
                           int x)
{
    const struct flags live = predict_live(f, x), joined = joined_in(f, x, &live);
    for (int k = 0; k < p->npoints; k++) {
        struct blk *b = p->points[k];
        struct ins *wait = predict_wait(b, p->vb);
        if (!wait || !is_in(f, x, &joined, &live, b, wait)) continue;
        struct ins *leave = predict_op(f, P_BREAK, x, wait);
        leave->sub = !p->threshold || predict_of(f, x) ? LEAVER
                   : predict_live_after(b, wait, x, &live) ? WAITER_BACK : WAITER;
        ins_before(b, before_outer(r, x, p->callee ? waits_in_callee(b) : wait), leave);
        if (!predict_of(f, x)) continue;
        const struct ins *after = wait;
        if (p->callee) {
            pass_in_callee(b, x);
            after = predict_call(b, p->callee);
        }
        const struct flags now = predict_live(f, x);
        if (!predict_live_after(b, after, x, &now)) continue;
        ins_before(b, after->next, predict_join(f, x, REJOIN, predict_of(f, x)->points[0], wait));
    }
}

/* The wait is in a function that keeps barrier registers in others while it runs (recursive, or
 * called through a register: baralloc.c).  Lanes that leave x meanwhile are in x again when it
 * writes them back: there x has to go. */
static bool saved_inside(const struct fn *f, const struct prediction *p)
{
    bool *in = arena_alloc(f->m->arena, (size_t)f->nblocks),
          *seen = arena_alloc(f->m->arena, (size_t)f->m->nfns);
    bool any = false;
    for (int k = 0; p->callee && k < p->npoints; k++) in[p->points[k]->id] = true;
    callgraph_reach(f, in, seen);
    for (int k = 0; k < f->m->nfns; k++)
        any |= seen[k] && (f->m->fns[k]->recursive || f->m->fns[k]->address_taken);
    return any;
}

static void add_conflict(struct fn *f, struct prediction *p, int x, bool deleted)
{
    size_t n = (size_t)p->nconflicts, size = sizeof *p->conflicts;
    p->conflicts = arena_grow(f->m->arena, p->conflicts, n * size, (n + 1) * size);
    p->conflicts[p->nconflicts++] = (struct conflict){ x, deleted };
}

static void forget_exit(struct fn *f, int vb)
{
    for (int k = 0; k < f->npredictions; k++)
        if (f->predictions[k].exit == vb)
            f->predictions[k].exit = -1, f->predictions[k].own_exit = false;
}

static void resolve(struct relation *r, struct fn *f, struct prediction *p, int x, bool dynamic)
{
    bool delete = (!dynamic || saved_inside(f, p)) && !predict_of(f, x);
    if (delete) predict_remove(f, x), forget_exit(f, x);
    else leave_at_waits(r, f, p, x);
    add_conflict(f, p, x, delete);
    *on(r, p->vb, x) = false;
    for (int y = 0; y < r->n && delete; y++) *on(r, y, x) = *on(r, x, y) = false;
}

/* A region-exit barrier that lanes and the compiler's own would wait for in turn: those suffice. */
static void drop_exits(struct relation *r, struct fn *f)
{
    for (int k = 0; k < f->npredictions; k++) {
        struct prediction *p = &f->predictions[k];
        bool circle = false;
        for (int x = 0; x < r->n && p->own_exit && !circle; x++)
            circle = *on(r, p->exit, x) && leads_to(r, x, p->exit);
        if (!circle) continue;
        predict_remove(f, p->exit);
        for (int y = 0; y < r->n; y++) *on(r, y, p->exit) = *on(r, p->exit, y) = false;
        forget_exit(f, p->exit);
    }
}

void deconflict_run(struct fn *f, bool dynamic)
{
    fn_requires(f, KNOWN_EDGES | KNOWN_PLACED);
    struct relation r = { f, f->nvb,
                          arena_alloc(f->m->arena, (size_t)f->nvb * (size_t)f->nvb + 1) };
    for (int x = 0; x < r.n; x++) find_waits_on(&r, x);
    for (int k = 0; k < f->npredictions; k++)
        for (int x = 0; x < r.n; x++)
            if (*on(&r, f->predictions[k].vb, x) &&
                (!f->predictions[k].nstarts || leads_to(&r, x, f->predictions[k].vb)))
                resolve(&r, f, &f->predictions[k], x, dynamic);
    drop_exits(&r, f);
}

bool predict_counts(const struct fn *f, int vb)
{
    for (int k = 0; k < f->npredictions; k++)
        if (f->predictions[k].threshold && f->predictions[k].all == vb) return true;
    return false;
}

bool predict_gave_way(const struct fn *f, int vb)
{
    for (int k = 0; k < f->npredictions; k++)
        for (int c = 0; c < f->predictions[k].nconflicts; c++)
            if (f->predictions[k].conflicts[c].vb == vb && !f->predictions[k].conflicts[c].deleted)
                return true;
    return false;
}
