/* Proof by data flow that a placement of barriers is sound.
 * SPDX-License-Identifier: Apache-2.0
 *
 * For each barrier and program point: may a lane that comes here be joined?  Sound means:
 *   - no BSSY where the lane may be joined already (one that left under the BSSY's own guard is
 *   not),
 *   - a lane that may be joined and leaves the function by RET has waited or left before,
 *   - a joined lane can always still reach a BSYNC of the barrier, or leaves, or exits: no lane
 *     waits for one that can't come,
 *   - barriers don't wait for each other in a circle: a lane may wait at x while it is still in y,
 *     but then no lane waits at y while it is in x (nor round three or more).
 * A lane that is not joined passes a BSYNC, so "joins before it waits" asks only that some way to
 * each BSYNC has joined; where every way to it leaves at a prediction's label, none has.
 *
 * A lane is joined only between the BSSY and where it waits or leaves, so the flow of one barrier
 * starts at its BSSY and visits the blocks of that region alone: all barriers together cost the
 * sum of their regions, not blocks times barriers.
 *
 * Requires: edges, a finished placement.
 * Ensures:  true only where the placement is sound; place_drop_unproved leaves only barriers that
 *           are. */
#include <string.h>
#include "compiler/predict.h"

enum { SEEN = 1, IN = 2, USEFUL = 4 };
struct flow { const char *what; const struct ins *at; };
struct op { struct ins *i; struct blk *b; };
/* those of key k: op[first[k]] .. op[first[k + 1] - 1] */
struct ops { struct op *op; int *first; };
/* of y: x[first[y]] .. x[first[y + 1] - 1] */
struct waits { int *x, n, *first; bool *gone; int *stamp, *stack; };

struct proof {
    const struct fn *f;
    /* what may change a lane's state, by block; of those the ones that name a barrier, by it */
    struct ops of_blk, of_vb;
    /* of a block: in the region; lanes may come here joined; can wait, leave or exit */
    unsigned char *is;
    struct blk **region; int n;      /* where lanes join, and what joined lanes come to */
    struct blk **stack;
};

/* ---- the operations that count --------------------------------------------------------------- */

static bool names_barrier(const struct ins *i) { return i->op >= P_BSSY && i->op <= P_BMOV_LOAD; }

static bool joins(const struct ins *i)
{
    return (i->op == P_BSSY && i->sub != REJOIN_FOR_CALLER) || i->op == P_BMOV_LOAD;
}

static int key(const struct blk *b, const struct ins *i, bool by_vb)
{
    if (by_vb) return names_barrier(i) ? i->vb : -1;
    return joins(i) || i->op == P_BSYNC || i->op == P_BREAK || i->op == P_RET ? b->id : -1;
}

static struct ops sort_ops(const struct fn *f, int nkeys, bool by_vb)
{
    struct ops o = { NULL, arena_alloc(f->m->arena, ((size_t)nkeys + 2) * sizeof *o.first) };
    int k;
    for (int b = 0; b < f->nblocks; b++)
        for (struct ins *i = f->blocks[b]->first; i; i = i->next)
            if ((k = key(f->blocks[b], i, by_vb)) >= 0) o.first[k + 2]++;
    for (int j = 0; j < nkeys; j++) o.first[j + 2] += o.first[j + 1];
    o.op = arena_alloc(f->m->arena, ((size_t)o.first[nkeys + 1] + 1) * sizeof *o.op);
    for (int b = 0; b < f->nblocks; b++)
        for (struct ins *i = f->blocks[b]->first; i; i = i->next)
            if ((k = key(f->blocks[b], i, by_vb)) >= 0)
                o.op[o.first[k + 1]++] = (struct op){ i, f->blocks[b] };
    return o;
}

static struct proof proof_new(const struct fn *f)
{
    struct arena *a = f->m->arena;
    size_t n = (size_t)f->nblocks + 1;
    return (struct proof){ .f = f, .of_blk = sort_ops(f, f->nblocks, false),
                           .of_vb = sort_ops(f, f->nvb, true),
                           .is = arena_alloc(a, n),
                           .region = arena_alloc(a, n * sizeof(struct blk *)),
                           .stack = arena_alloc(a, n * sizeof(struct blk *)) };
}

/* @p BREAK, @p RET: those that return have left. */
static bool left_to_return(const struct ins *ret, int vb)
{
    const struct ins *i = ret->guard < 0 ? NULL : ret->prev;
    while (i && i->op == P_BREAK &&
           (i->vb != vb || i->guard != ret->guard || i->guard_neg != ret->guard_neg)) i = i->prev;
    return i && i->op == P_BREAK;
}

/* ---- one barrier ----------------------------------------------------------------------------- */

/* The lanes that join by i have left by a BREAK under the same guard, above it in the block. */
static bool has_left(const struct ins *i)
{
    for (const struct ins *b = i->guard < 0 ? NULL : i->prev; b; b = b->prev) {
        if (b->op == P_BREAK && b->vb == i->vb && b->guard == i->guard &&
            b->guard_neg == i->guard_neg) return true;
        int r[MAX_INS_REGS];
        for (int n = ins_has_dest(b) ? ins_dests(b, r) : 0, k = 0; k < n; k++)
            if (r[k] == i->guard) return false;
    }
    return false;
}

/* Whether a lane may be joined after i. */
static bool step(const struct fn *f, const struct ins *i, int vb, bool in, struct flow *bad)
{
    switch (i->op) {
    case P_BSSY:
        if (i->vb != vb || !joins(i)) break;
        if (in && !has_left(i))
            *bad = (struct flow){ "joins a barrier that it may be in already", i };
        return true;
    case P_BMOV_LOAD: return in || i->vb == vb;
    case P_BSYNC:
        if (i->vb != vb) break;
        if (!in && i->sub == HERE && !predict_gave_way(f, vb))
            *bad = (struct flow){ "waits at a barrier that no lane has joined", i };
        return false;
    case P_BREAK: return in && (i->vb != vb || i->guard >= 0);
    case P_RET:
        if (!f->entry && in && !left_to_return(i, vb))
            *bad = (struct flow){ "returns while it is in a barrier", i };
        break;
    default: break;
    }
    return in;
}

static bool through(const struct proof *p, const struct blk *b, int vb, struct flow *bad)
{
    bool in = p->is[b->id] & IN;
    for (int k = p->of_blk.first[b->id]; k < p->of_blk.first[b->id + 1]; k++)
        in = step(p->f, p->of_blk.op[k].i, vb, in, bad);
    return in;
}

static bool touches(const struct proof *p, const struct blk *b, enum pop op, int vb)
{
    for (int k = p->of_blk.first[b->id]; k < p->of_blk.first[b->id + 1]; k++)
        if (p->of_blk.op[k].i->op == op && p->of_blk.op[k].i->vb == vb) return true;
    return false;
}

/* A lane that is joined at b's end is not on its s-th edge: a guarded BREAK decides together with
 * the branch after it. */
static bool edge_leaves(const struct proof *p, const struct blk *b, int s, int vb)
{
    const struct ins *t = blk_terminator(b);
    if (!t || t->op != P_BRA || t->guard < 0 || !touches(p, b, P_BREAK, vb)) return false;
    for (const struct ins *i = t->prev; i; i = i->prev) {
        if (i->op == P_BSSY && i->vb == vb) return false;
        if (i->op == P_BREAK && i->vb == vb && i->guard == t->guard)
            if ((i->guard_neg == t->guard_neg) == (s == 0)) return true;
        if (ins_has_dest(i)) {
            int r[MAX_INS_REGS];
            for (int n = ins_dests(i, r), k = 0; k < n; k++)
                if (r[k] == t->guard) return false;
        }
    }
    return false;
}

static void enter(struct proof *p, struct blk *b, int how, int *top)
{
    if (!(p->is[b->id] & SEEN)) p->stack[(*top)++] = p->region[p->n++] = b;
    p->is[b->id] |= (unsigned char)(SEEN | how);
}

/* Once round each block is enough: what leaves a block with a BSSY does not depend on what enters
 * it. */
static void find_region(struct proof *p, int vb)
{
    struct flow ignored;
    int top = 0;
    while (p->n) p->is[p->region[--p->n]->id] = 0;
    for (int k = p->of_vb.first[vb]; k < p->of_vb.first[vb + 1]; k++)
        if (joins(p->of_vb.op[k].i)) enter(p, p->of_vb.op[k].b, 0, &top);
    while (top) {
        const struct blk *b = p->stack[--top];
        if (!through(p, b, vb, &ignored)) continue;
        for (int s = 0; s < b->nsucc; s++)
            if (!edge_leaves(p, b, s, vb)) enter(p, b->succ[s], IN, &top);
    }
}

/* Every block of the region can wait, leave or exit, or goes on to one that can. */
static bool all_useful(struct proof *p, int vb, struct flow *bad)
{
    int top = 0;
    for (int k = 0; k < p->n; k++) {
        struct blk *b = p->region[k];
        if (!(p->f->entry && !b->nsucc) && !touches(p, b, P_BSYNC, vb) &&
            !touches(p, b, P_BREAK, vb)) continue;
        p->is[b->id] |= USEFUL;
        p->stack[top++] = b;
    }
    while (top) {
        const struct blk *b = p->stack[--top];
        for (int k = 0; k < b->npred; k++) {
            struct blk *from = b->pred[k];
            if ((p->is[from->id] & (SEEN | USEFUL)) != SEEN) continue;
            p->is[from->id] |= USEFUL;
            p->stack[top++] = from;
        }
    }
    for (int k = 0; k < p->n; k++)
        if ((p->is[p->region[k]->id] & (IN | USEFUL)) == IN) {
            *bad = (struct flow){ "stays in a barrier for ever", p->region[k]->first };
            return false;
        }
    return true;
}

/* Of a soft barrier's three only one is: the others hold who is in the region, and who has come. */
static bool waited_at(const struct proof *p, int vb)
{
    for (int k = p->of_vb.first[vb]; k < p->of_vb.first[vb + 1]; k++)
        if (p->of_vb.op[k].i->op == P_BSYNC) return true;
    return false;
}

static bool check(struct proof *p, int vb, struct flow *bad)
{
    bad->what = NULL;
    find_region(p, vb);
    for (int k = p->of_vb.first[vb]; k < p->of_vb.first[vb + 1] && !bad->what; k++)
        through(p, p->of_vb.op[k].b, vb, bad);
    for (int k = 0; k < p->n && !bad->what; k++) through(p, p->region[k], vb, bad);
    return !bad->what && (!waited_at(p, vb) || all_useful(p, vb, bad));
}

/* ---- circles of waiting ---------------------------------------------------------------------- */

/* At a soft barrier the lanes that wait have left x; those still in x find it complete. */
static bool waiters_left(const struct ins *wait, int x)
{
    for (const struct ins *i = wait->prev; i && i->op != P_BSYNC; i = i->prev)
        if (i->op == P_BREAK && i->vb == x && i->sub >= WAITER) return true;
    return false;
}

/* Tells `see` the barriers y at which a lane may wait while it is in x, maybe more than once. */
static void waited_in(struct proof *p, int x, void (*see)(struct waits *, int y, int x),
                      struct waits *w)
{
    struct flow ignored;
    find_region(p, x);
    for (int k = 0; k < p->n; k++) {
        const struct blk *b = p->region[k];
        bool in = p->is[b->id] & IN;
        for (int j = p->of_blk.first[b->id]; j < p->of_blk.first[b->id + 1]; j++) {
            const struct ins *i = p->of_blk.op[j].i;
            if (i->op == P_BSYNC && i->vb != x && in && !waiters_left(i, x)) see(w, i->vb, x);
            in = step(p->f, i, x, in, &ignored);
        }
    }
}

static void count_wait(struct waits *w, int y, int x)
{
    (void)x;
    w->first[y + 2]++;
    w->n++;
}

static void put_wait(struct waits *w, int y, int x) { w->x[w->first[y + 1]++] = x; }

static struct waits find_waits(struct proof *p)
{
    struct waits w = { 0 };
    struct arena *a = p->f->m->arena;
    size_t n = (size_t)p->f->nvb + 2;
    w.first = arena_alloc(a, n * sizeof *w.first);
    w.gone = arena_alloc(a, n);
    w.stamp = arena_alloc(a, n * sizeof *w.stamp);
    w.stack = arena_alloc(a, n * sizeof *w.stack);
    for (size_t y = 0; y < n; y++) w.stamp[y] = -1;
    for (int x = 0; x < p->f->nvb; x++) waited_in(p, x, count_wait, &w);
    for (int y = 0; y < p->f->nvb; y++) w.first[y + 2] += w.first[y + 1];
    w.x = arena_alloc(a, ((size_t)w.n + 1) * sizeof *w.x);
    for (int x = 0; x < p->f->nvb; x++) waited_in(p, x, put_wait, &w);
    return w;
}

/* y waits, round some corners, for itself. */
static bool in_circle(const struct waits *w, int y)
{
    int top = 0;
    for (int at = y;; at = w->stack[--top]) {
        for (int k = w->first[at]; k < w->first[at + 1]; k++) {
            int x = w->x[k];
            if (x == y) return true;
            if (w->gone[x] || w->stamp[x] == y) continue;
            w->stamp[x] = y;
            w->stack[top++] = x;
        }
        if (!top) return false;
    }
}

bool verify_placement(struct fn *f, struct hd_err *err)
{
    fn_requires(f, KNOWN_EDGES | KNOWN_PLACED);
    struct proof p = proof_new(f);
    struct flow bad;
    for (int vb = 0; vb < f->nvb; vb++)
        if (!check(&p, vb, &bad)) {
            struct srcloc at = bad.at ? bad.at->loc : f->loc;
            cc_error(err, f->m, at, "internal: a lane of %s %s (barrier %d)", f->name, bad.what,
                     vb);
            if (err) err->status = 4;
            return false;
        }
    const struct waits w = find_waits(&p);
    for (int vb = 0; vb < f->nvb; vb++)
        if (in_circle(&w, vb)) {
            cc_error(err, f->m, f->loc, "internal: barriers of %s wait for each other (barrier %d)",
                     f->name, vb);
            if (err) err->status = 4;
            return false;
        }
    return true;
}

static void drop(struct proof *p, int vb)
{
    for (int k = p->of_vb.first[vb]; k < p->of_vb.first[vb + 1]; k++) {
        struct op o = p->of_vb.op[k];
        ins_remove(o.b, o.i);
        o.i->op = P_NOP;                        /* for the lists that still name it */
    }
}

/* Those that some lane leaves early are the ones to give up first. */
static bool has_break(const struct proof *p, int vb)
{
    for (int k = p->of_vb.first[vb]; k < p->of_vb.first[vb + 1]; k++)
        if (p->of_vb.op[k].i->op == P_BREAK) return true;
    return false;
}

static void drop_circles(struct proof *p)
{
    const struct waits w = find_waits(p);
    for (int strong = 0; strong < 2; strong++)
        for (int vb = p->f->nvb - 1; vb >= 0; vb--) {
            if (w.gone[vb] || (!strong && !has_break(p, vb)) || !in_circle(&w, vb)) continue;
            drop(p, vb);
            w.gone[vb] = true;
        }
}

/* Removes each barrier whose soundness is not proved: correctness never needs one. */
void place_drop_unproved(struct fn *f)
{
    struct proof p = proof_new(f);
    struct flow bad;
    for (int vb = 0; vb < f->nvb; vb++)
        if (!check(&p, vb, &bad)) drop(&p, vb);
    drop_circles(&p);
}
