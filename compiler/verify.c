/* Proof by data flow that a placement of barriers is sound.
 * SPDX-License-Identifier: Apache-2.0
 *
 * For each barrier and program point: may a lane that comes here be joined, may it not be?  Sound
 * means:
 *   - no BSSY where the lane may be joined already,
 *   - a lane that may be joined and leaves the function by RET has waited or left before,
 *   - a joined lane can always still reach a BSYNC of the barrier, or leaves, or exits: nobody is
 * waited
 *     for who can't come.
 *   - barriers don't wait for each other in a circle: a lane may wait at x while it is still in y,
 * but then
 *     no lane waits at y while it is in x (nor round three or more).
 * A lane that is not joined passes a BSYNC, so "joins before it waits" asks only that some way to
 * each BSYNC has joined. */
#include <string.h>
#include "compiler/all.h"

enum { OUT = 1, IN = 2 };
struct flow { const char *what; const struct ins *at; };

static int step(const struct fn *f, const struct ins *i, int vb, int state, struct flow *bad)
{
    switch (i->op) {
    case P_BSSY:
        if (i->vb != vb) break;
        if (state & IN) *bad = (struct flow){ "joins a barrier that it may be in already", i };
        return IN;
    case P_BSYNC:
        if (i->vb != vb) break;
        if (!(state & IN)) *bad = (struct flow){ "waits at a barrier that no lane has joined", i };
        return OUT;
    case P_BREAK: return i->vb != vb ? state : i->guard < 0 ? OUT : state | OUT;
    case P_RET:
        if (!f->entry && (state & IN))
            *bad = (struct flow){ "returns while it is in a barrier", i };
        break;
    default: break;
    }
    return state;
}

/* The state on the s-th edge out of b: a guarded BREAK decides together with the branch behind it.
 * */
static int edge_state(const struct blk *b, int s, int vb, int state)
{
    const struct ins *t = blk_terminator(b);
    if (!t || t->op != P_BRA || t->guard < 0) return state;
    for (const struct ins *i = t->prev; i; i = i->prev) {
        if (i->op == P_BSSY && i->vb == vb) return state;
        if (i->op == P_BREAK && i->vb == vb && i->guard == t->guard)
            if ((i->guard_neg == t->guard_neg) == (s == 0)) return OUT;
        if (ins_has_dest(i)) {
            int r[MAX_INS_REGS];
            for (int n = ins_dests(i, r), k = 0; k < n; k++)
                if (r[k] == t->guard) return state;
        }
    }
    return state;
}

/* The states in which blocks are entered. */
static unsigned char *flow_in(const struct fn *f, int vb)
{
    unsigned char *in = arena_alloc(f->m->arena, (size_t)f->nblocks);
    in[0] = OUT;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < f->nrpo; k++) {
            struct blk *b = f->rpo[k];
            struct flow ignored;
            int state = in[b->id];
            if (!state) continue;
            for (struct ins *i = b->first; i; i = i->next) state = step(f, i, vb, state, &ignored);
            for (int s = 0; s < b->nsucc; s++) {
                int to = b->succ[s]->id, now = in[to] | edge_state(b, s, vb, state);
                if (now != in[to]) in[to] = (unsigned char)now, changed = true;
            }
        }
    }
    return in;
}

static bool check(const struct fn *f, int vb, struct flow *bad)
{
    int n = f->nblocks;
    unsigned char *in = flow_in(f, vb);
    bool *useful = arena_alloc(f->m->arena, (size_t)n);      /* a BSYNC, BREAK or exit can be reached */
    bad->what = NULL;
    for (int k = 0; k < n && !bad->what; k++) {
        int state = in[f->blocks[k]->id];
        for (struct ins *i = f->blocks[k]->first; i && !bad->what; i = i->next)
            state = step(f, i, vb, state, bad);
    }
    if (bad->what) return false;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = f->nrpo - 1; k >= 0; k--) {
            struct blk *b = f->rpo[k];
            bool ok = f->entry && !b->nsucc;
            for (struct ins *i = b->first; i; i = i->next)
                ok |= (i->op == P_BSYNC || i->op == P_BREAK) && i->vb == vb;
            for (int s = 0; s < b->nsucc; s++) ok |= useful[b->succ[s]->id];
            if (ok && !useful[b->id]) useful[b->id] = changed = true;
        }
    }
    for (int k = 0; k < n; k++)
        if (in[k] & IN && !useful[k]) {
            *bad = (struct flow){ "stays in a barrier for ever", f->blocks[k]->first };
            return false;
        }
    return true;
}

/* ---- circles of waiting ---------------------------------------------------------------------- */

/* waits[y * n + x]: a lane may wait at y while it is in x. */
static bool *find_waits(const struct fn *f)
{
    size_t n = (size_t)f->nvb;
    bool *waits = arena_alloc(f->m->arena, n * n + 1);
    struct flow ignored;
    for (int x = 0; x < f->nvb; x++) {
        unsigned char *in = flow_in(f, x);
        for (int k = 0; k < f->nblocks; k++) {
            int state = in[f->blocks[k]->id];
            for (struct ins *i = f->blocks[k]->first; i; i = i->next) {
                if (i->op == P_BSYNC && i->vb != x && (state & IN))
                    waits[(size_t)i->vb * n + (size_t)x] = true;
                state = step(f, i, x, state, &ignored);
            }
        }
    }
    return waits;
}

static bool in_circle(const struct fn *f, const bool *waits, int y)
{
    int n = f->nvb, top = 0, *stack = arena_alloc(f->m->arena, (size_t)(n + 1) * sizeof *stack);
    bool *seen = arena_alloc(f->m->arena, (size_t)n);
    for (int at = y;; at = stack[--top]) {
        for (int x = 0; x < n; x++) {
            if (!waits[(size_t)at * (size_t)n + (size_t)x] || seen[x]) continue;
            if (x == y) return true;
            seen[x] = true;
            stack[top++] = x;
        }
        if (!top) return false;
    }
}

bool verify_placement(struct fn *f, struct hd_err *err)
{
    struct flow bad;
    for (int vb = 0; vb < f->nvb; vb++)
        if (!check(f, vb, &bad)) {
            struct srcloc at = bad.at ? bad.at->loc : f->loc;
            cc_error(err, f->m, at, "internal: a lane of %s %s (barrier %d)", f->name, bad.what,
                     vb);
            if (err) err->status = 4;
            return false;
        }
    const bool *waits = find_waits(f);
    for (int vb = 0; vb < f->nvb; vb++)
        if (in_circle(f, waits, vb)) {
            cc_error(err, f->m, f->loc, "internal: barriers of %s wait for each other (barrier %d)",
                     f->name, vb);
            if (err) err->status = 4;
            return false;
        }
    return true;
}

static void drop(struct fn *f, int vb)
{
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first, *next; i; i = next) {
            next = i->next;
            if (i->vb == vb && i->op >= P_BSSY && i->op <= P_BMOV_LOAD) ins_remove(f->blocks[k], i);
        }
}

/* Those that some lane leaves early are the ones to give up first. */
static bool has_break(const struct fn *f, int vb)
{
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == P_BREAK && i->vb == vb) return true;
    return false;
}

static void drop_circles(struct fn *f)
{
    size_t n = (size_t)f->nvb;
    bool *waits = find_waits(f);
    for (int strong = 0; strong < 2; strong++)
        for (int vb = f->nvb - 1; vb >= 0; vb--) {
            if ((!strong && !has_break(f, vb)) || !in_circle(f, waits, vb)) continue;
            drop(f, vb);
            for (size_t x = 0; x < n; x++)
                waits[(size_t)vb * n + x] = waits[x * n + (size_t)vb] = false;
        }
}

/* Removes each barrier whose soundness is not proved: correctness never needs one. */
void place_drop_unproved(struct fn *f)
{
    struct flow bad;
    for (int vb = 0; vb < f->nvb; vb++)
        if (!check(f, vb, &bad)) drop(f, vb);
    drop_circles(f);
}
