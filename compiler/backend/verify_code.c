/* Proof that the barrier registers of finished code do what barriers of their own would do.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads the code alone (webs.c), so it knows nothing of what placement and allocation meant.  For
 * each barrier:
 *   - some lane has joined (and may have left) wherever lanes wait, or leave; none joins twice
 *     (unless it left under the same guard just before), returns, or calls a function that uses
 *     the register, while it is in;
 *   - a lane that is in can still wait.  One that can't any more leaves before it does any work, so
 *   no lane waits
 *     for who does not come;
 *   - lanes that left don't meet the register in another barrier's BSSY while others may be in:
 *   they have waited
 *     since at a barrier which those others are in all the time (`covers`);
 *   - it is copied to a general register before another takes its place, and back before lanes
 *   wait;
 *   - no circle of waiting: a lane may wait at y while it is in x, then none waits at x while it is
 *   in y, nor round
 *     three or more.  Live ranges that overlap without one holding the other conflict (paper A,
 *     4.3) because lanes may wait for each other at two places: that is a circle of two.
 * What it takes for granted: lanes that yield are not waited for (rule 9); of a branch's two sides
 * the deferred one runs when the other has nothing left to run, so sides, and callers of functions
 * that lanes return from one by one, may share a register.
 *
 * Requires: barrier registers are numbered (baralloc.c); the other registers may still be virtual.
 * Ensures:  true only where they are sound; mfn.bars_used. */
#include <string.h>
#include "compiler/backend/webs.h"

struct proof {
    struct webs *w;
    /* of a block: lanes that enter it in the barrier can still wait */
    bool *can;
    bool quiet;                                    /* only looks for what lanes that left come to */
    /* registers in which lanes are whenever they are in the barrier */
    uint16_t covers;
    /* by block: of lanes that left, those still to wait at; NONE */
    int *left;
    /* by web: an event of the barrier it is copied to + 1, 0: none */
    int *copy;
    struct lists leaves;                           /* by web: its BREAKs */
    int nwebs[HD_BARRIERS];                        /* in each register */
    /* lanes wait at `key` while they are in `item` */
    struct pairs waits;
    const char *wrong; int bar, line;
};
enum { NONE = -1 };

static void fail(struct proof *p, const struct event *e, const char *what)
{
    if (p->wrong || p->quiet) return;
    p->wrong = what;
    p->bar = e ? e->bar : 0;
    p->line = e ? e->m->sline : 0;
}

static bool own(struct proof *p, int j, int web) { return web_of(p->w, j) == web; }

/* The barrier that lanes of `web` may find themselves in at any time, as others copy it there. */
static int copy_of(struct proof *p, int web)
{
    return p->copy[web] ? web_of(p->w, p->copy[web] - 1) : web;
}

/* What is copied is a count of lanes: no lane waits at it, and some lane that copies it is in
 * it. */
static void find_targets(struct proof *p)
{
    struct webs *w = p->w;
    p->copy = arena_alloc(w->a, ((size_t)w->nev + 1) * sizeof *p->copy);
    for (int j = 0; j < w->nev; j++) {
        const struct event *e = &w->ev[j];
        if (e->from < 0) continue;
        if (web_of(w, e->from) < 0) fail(p, e, "copies a barrier that no lane is in");
        else p->copy[web_of(w, e->from)] = j + 1;
    }
    for (int j = 0; j < w->nev; j++)
        if (w->ev[j].what == WAIT && w->ev[j].web >= 0 && p->copy[web_of(w, j)])
            fail(p, &w->ev[j], "waits at a barrier that is copied to another");
}

/* ---- what lanes meet while they are in ------------------------------------------------------- */

/* Registers that the called function leaves others in; called through a register it gives all
 * back. */
static uint16_t used_by(const struct event *call)
{
    const struct mfn *f = call->m->call ? call->m->call->callee : NULL;
    if (!f) return 0;
    /* while barriers are numbered: its own are not yet, but not in bar_taken */
    return f->allocated || f->saves_bars ? f->bars_used : (uint16_t)~f->bar_taken;
}

/* All lanes of `counted` wait at event j, or are about to: they join in the block of a wait for the
 * same barrier, and leave after it. */
static bool all_come(struct proof *p, int counted, int j)
{
    struct webs *w = p->w;
    for (int i = counted; i >= 0; i = w->ev[i].next) {
        bool waits = false, leaves = false;
        for (int k = i + 1; k < w->first[w->ev[i].blk + 1]; k++) {
            waits |= w->ev[k].what == WAIT && web_of(w, k) == web_of(w, j);
            leaves |= waits && own(p, k, counted) && w->ev[k].what == LEAVE &&
                w->ev[k].edge == ALWAYS;
        }
        if (!leaves) return false;
    }
    return true;
}

/* Lanes that are still in `web` at the wait j have no lane to wait for: if too few have come
 * they left `web` (@p BREAK), else they wrote those that have come over the barrier's participants
 * (@!p BMOV). */
static bool goes_on(struct proof *p, int j, int web)
{
    struct webs *w = p->w;
    const struct event *left = NULL;
    for (int k = 0; k < w->nev; k++)                 /* released at two places, lanes leave the
                                                      * count one after the other */
        if (k != j && w->ev[k].what == WAIT && web_of(w, k) == web_of(w, j)) return false;
    for (int k = w->first[w->ev[j].blk]; k < j; k++) {
        const struct event *e = &w->ev[k];
        if (own(p, k, web) && e->what == LEAVE && e->edge == SOMETIMES) left = e;
        if (!left || e->from < 0 || !own(p, k, web_of(w, j)) || e->m->p[PR_G] != left->m->p[PR_G])
            continue;
        int counted = web_of(w, e->from);
        if (e->m->i.pn != left->m->i.pn && counted >= 0 && all_come(p, counted, j)) return true;
    }
    return false;
}

/* The lanes that join at event j have left by a BREAK under the same guard, above it in the
 * block. */
static bool has_left(const struct webs *w, int j)
{
    const struct mins *join = w->ev[j].m;
    for (const struct mins *m = join->p[PR_G] < 0 ? NULL : join->prev; m; m = m->prev) {
        if (m->i.op == OP_BREAK && m->i.bx == join->i.bx && m->p[PR_G] == join->p[PR_G] &&
            m->i.pn == join->i.pn) return true;
        if (m->p[PR_D] == join->p[PR_G]) return false;
    }
    return false;
}

static void see_check(void *user, int j, int web, int state)
{
    struct proof *p = user;
    const struct event *e = &p->w->ev[j];
    int copy = copy_of(p, web);
    if (e->what == WAIT && e->web >= 0 && !own(p, j, copy) && !goes_on(p, j, web)) {
        if (!own(p, j, web)) pairs_add(p->w->a, &p->waits, web_of(p->w, j), web);
        if (copy != web) pairs_add(p->w->a, &p->waits, web_of(p->w, j), copy);
    }
    if (e->what == JOIN && e->bar == p->w->ev[copy].bar && copy != web && !own(p, j, copy))
        fail(p, e, "joins a register that others write for their barrier");
    if (e->what == RETURNS) fail(p, e, "returns while it is in a barrier");
    if (e->what == CALLS && used_by(e) >> p->w->ev[web].bar & 1)
        fail(p, e, "calls a function that uses the register of a barrier it is in");
    if (e->bar != p->w->ev[web].bar) return;
    if (e->what == JOIN && e->from < 0 && (own(p, j, web) || state & IN) && !has_left(p->w, j))
        fail(p, e, "joins a barrier that it may be in already");
    if (e->what == LEAVE && state & HELD) fail(p, e, "leaves a barrier of which a copy is kept");
    if (e->what == LOAD && state & IN) fail(p, e, "overwrites a barrier that it may be in");
}

/* A function in which lanes of a prediction may wait (paper A, 4.4): the wait is at its entry, or
 * further in.  Through a register lanes may come to one. */
static bool waits_inside(const struct proof *p, const struct event *e)
{
    if (e->what != CALLS || !e->m->call) return false;
    const struct mfn *callee = e->m->call->callee;
    return callee ? callee->f->in_region : p->w->mf->be->m->nfixed > 0;
}

/* Lanes leave at event j only to wait at another barrier, which has priority (paper A, 4.3,
 * dynamic), or to join again: until then they were on their way. */
static bool gives_way(struct proof *p, int j, int web)
{
    struct webs *w = p->w;
    for (int k = j + 1; k < w->first[w->ev[j].blk + 1]; k++)
        if (waits_inside(p, &w->ev[k])) return true;
    for (int end = w->first[w->ev[j].blk + 1]; ++j < end && w->ev[j].what < WORK;)
        if (w->ev[j].what == WAIT || (w->ev[j].what == JOIN && own(p, j, web))) return true;
    return false;
}

/* From event j of block k on there is a way to the BSYNC. */
static bool can_from(struct proof *p, int k, int j, int web)
{
    struct webs *w = p->w;
    for (; j < w->first[k + 1]; j++) {
        if (w->ev[j].what == WAIT && (own(p, j, web) || own(p, j, copy_of(p, web)))) return true;
        if (!own(p, j, web)) continue;
        if (w->ev[j].what == LEAVE && w->ev[j].edge == ALWAYS) return gives_way(p, j, web);
    }
    for (int s = 0; s < webs_nsucc(w, k); s++) {
        int to = webs_succ(w, k, s);
        if (w->is[to] && p->can[to] && web_edge(w, k, s, w->ev[web].bar, IN)) return true;
    }
    return false;
}

static void no_work(struct proof *p, int k, int web)
{
    struct webs *w = p->w;
    for (int j = w->first[k]; j < w->first[k + 1]; j++) {
        if (own(p, j, web) && w->ev[j].what == LEAVE) return;
        if (w->ev[j].what == WORK || w->ev[j].what == CALLS)
            fail(p, &w->ev[j], "goes on in a barrier at which it can't wait any more");
    }
}

static void check_can_wait(struct proof *p, int web)
{
    struct webs *w = p->w;
    for (int k = 0; k < w->n; k++) p->can[w->region[k]] = false;
    for (bool again = true; again;) {
        again = false;
        for (int n = w->n - 1; n >= 0; n--) {
            int k = w->region[n];
            if (p->can[k] || !can_from(p, k, w->first[k], web)) continue;
            p->can[k] = again = true;
        }
    }
    for (int n = 0; n < w->n; n++)
        if (!p->can[w->region[n]]) no_work(p, w->region[n], web);
    for (int j = web; j >= 0; j = w->ev[j].next)
        if (w->ev[j].from < 0 && !can_from(p, w->ev[j].blk, j + 1, web))
            fail(p, &w->ev[j], "joins a barrier at which it can't wait");
}

/* ---- lanes that left, while others are in ---------------------------------------------------- */

static void see_cover(void *user, int j, int web, int state)
{
    struct proof *p = user;
    struct webs *w = p->w;
    const struct event *e = &w->ev[j];
    (void)state;
    if (own(p, j, web) || (e->what != WAIT && e->what != LOAD && e->what != LEAVE)) return;
    for (int i = w->first[e->blk]; e->edge >= 0 && i < w->first[e->blk + 1]; i++)
        if (own(p, i, web) && w->ev[i].what == LEAVE && w->ev[i].edge == e->edge) return;
    p->covers &= (uint16_t)~(1u << e->bar);
}

/* They go on from event j of block k.  NONE: no lane is in any more, or they have joined again. */
static int left_on(struct proof *p, int k, int j, int web, int covers)
{
    struct webs *w = p->w;
    int bar = w->ev[web].bar;
    for (; j < w->first[k + 1]; j++) {
        const struct event *e = &w->ev[j];
        if (e->what == CALLS && used_by(e) >> bar & 1)
            fail(p, e, "calls a function that uses a register in which it may have left others");
        if (e->what > LOAD) continue;
        if (e->bar == bar) {
            if ((e->what == WAIT || e->what == LEAVE) && e->web < 0) w->ev[j].web = web;
            if (e->what == JOIN && !own(p, j, web))
                fail(p, e, "joins a register in which it may have left others");
            if (e->what == JOIN) return NONE;
            continue;
        }
        if (e->what == WAIT && !p->quiet && covers >> e->bar & webs_must_at(w, j) >> e->bar & 1)
            return NONE;
        if (e->what != SAVE && e->what != READ) covers &= ~(1 << e->bar);
    }
    return covers;
}

static void left_enter(struct proof *p, int k, int covers, int *top)
{
    struct webs *w = p->w;
    int now = w->is[k] ? p->left[k] & covers : covers;
    if (covers == NONE || (w->is[k] && now == p->left[k])) return;
    if (!w->is[k]) w->region[w->n++] = k;
    if (!(w->is[k] & QUEUED)) w->stack[(*top)++] = k;
    w->is[k] |= SEEN | QUEUED;
    p->left[k] = now;
}

static void left_onward(struct proof *p, int k, int covers, int *top)
{
    for (int s = 0; s < webs_nsucc(p->w, k); s++) left_enter(p, webs_succ(p->w, k, s), covers, top);
}

static void check_left(struct proof *p, int web)
{
    struct webs *w = p->w;
    int top = 0, covers;
    p->covers = (uint16_t)~(1u << w->ev[web].bar);
    for (int j = web; j >= 0; j = w->ev[j].next) p->covers &= webs_must_at(w, j);
    web_walk(w, web, see_cover, p);
    while (w->n) w->is[w->region[--w->n]] = 0;
    for (int k = p->leaves.first[web]; k < p->leaves.first[web + 1]; k++) {
        const int j = p->leaves.item[k];
        const struct event *e = &w->ev[j];
        if (e->edge >= 0) left_enter(p, webs_succ(w, e->blk, e->edge), p->covers, &top);
        else left_onward(p, e->blk, left_on(p, e->blk, j + 1, web, p->covers), &top);
    }
    while (top) {
        int k = w->stack[--top];
        w->is[k] &= (unsigned char)~QUEUED;
        covers = left_on(p, k, w->first[k], web, p->left[k]);
        left_onward(p, k, covers, &top);
    }
}

/* ---- circles --------------------------------------------------------------------------------- */

/* Depth first from y; 1: on the way, 2: done.  A way that comes back to itself is a circle. */
struct search { struct lists waits; unsigned char *mark; int *stack, *next; };

static bool circle_from(struct search *s, int y)
{
    int top = 0;
    s->stack[top++] = y;
    s->mark[y] = 1;
    while (top) {
        int at = s->stack[top - 1];
        if (s->next[at] == s->waits.first[at + 1]) {
            s->mark[at] = 2;
            top--;
            continue;
        }
        int x = s->waits.item[s->next[at]++];
        if (s->mark[x] == 1) return true;
        if (s->mark[x]) continue;
        s->mark[x] = 1;
        s->stack[top++] = x;
    }
    return false;
}

static void check_circles(struct proof *p)
{
    struct webs *w = p->w;
    size_t n = (size_t)w->nev + 1;
    struct search s = { pairs_sort(w->a, &p->waits, w->nev), arena_alloc(w->a, n),
                        arena_alloc(w->a, n * sizeof(int)),
                        arena_alloc(w->a, n * sizeof(int)) };
    memcpy(s.next, s.waits.first, (size_t)w->nev * sizeof(int));
    for (int y = 0; y < w->nev; y++)
        if (!s.mark[y] && circle_from(&s, y)) {
            fail(p, &w->ev[y], "may wait for a lane that waits for it");
            return;
        }
}

/* ---- a function ------------------------------------------------------------------------------ */

/* Registers that it and what it calls leave others in; of a function of the same circle of calls,
 * which is not there yet: none, as it gives all back. */
static void note_used(struct proof *p, struct mfn *mf, const struct webs *w)
{
    for (int j = 0; j < w->nev; j++)
        if (w->ev[j].what == JOIN) mf->bars_used |= (uint16_t)(1u << w->ev[j].bar);
    for (int k = 0; k < mf->ncallees; k++) mf->bars_used |= mf->callees[k]->bars_used;
    mf->bars_used &= (uint16_t)~w->saved;
    if (mf->bars_used && (mf->f->recursive || (!mf->f->entry && mf->f->address_taken)))
        fail(p, NULL, "uses registers that its callers may be waiting on");
}

static void count(struct proof *p)
{
    struct webs *w = p->w;
    struct pairs leaves = { 0 };
    memset(p->nwebs, 0, sizeof p->nwebs);
    for (int j = 0; j < w->nev; j++) {
        if (w->ev[j].what == LEAVE && w->ev[j].web >= 0) pairs_add(w->a, &leaves, web_of(w, j), j);
        p->nwebs[w->ev[j].bar] += w->ev[j].what == JOIN && web_of(w, j) == j;
    }
    p->leaves = pairs_sort(w->a, &leaves, w->nev);
}

/* Other barriers use its register, and some lanes leave it. */
static bool shared(const struct proof *p, int web)
{
    const struct mfn *mf = p->w->mf;
    return p->leaves.first[web] < p->leaves.first[web + 1] &&
           (!mf->f->entry || mf->ncallees || p->nwebs[p->w->ev[web].bar] > 1);
}

/* Where a prediction's label has priority (paper A, 4.3, dynamic), lanes leave the compiler's
 * barrier there; on every way, perhaps.  Then its BSYNC (or a BREAK) is met by lanes that have
 * left, and by no others. */
static void find_given_up(struct proof *p)
{
    struct webs *w = p->w;
    uint16_t orphans = 0;
    for (int j = 0; j < w->nev; j++)
        if ((w->ev[j].what == WAIT || w->ev[j].what == LEAVE) && w->ev[j].web < 0)
            orphans |= (uint16_t)(1u << w->ev[j].bar);
    p->quiet = true;
    for (int j = 0; orphans && j < w->nev; j++)
        if (w->ev[j].what == JOIN && web_of(w, j) == j && orphans >> w->ev[j].bar & 1)
            check_left(p, j);
    p->quiet = false;
    if (orphans) count(p);
}

/* Registers that several functions share (predict_calls.c): what lanes do with them is for verify.c
 * to prove, here only that each instruction names the one that its barrier has in all functions,
 * and no other names it. */
static void check_fixed(struct proof *p)
{
    const struct mfn *mf = p->w->mf;
    const int top = HD_BARRIERS - mf->be->m->nfixed;
    for (int k = 0; k < mf->nblks && top < HD_BARRIERS; k++)
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next) {
            int reg = -1;
            if (!webs_names_barrier(m)) continue;
            for (int j = 0; m->vb >= 0 && j < mf->f->nfixed; j++)
                if (mf->f->fixed[j].vb == m->vb) reg = mf->f->fixed[j].reg;
            if (reg < 0 ? m->i.bx < top : m->i.bx == reg) continue;
            const struct event e = { .m = m, .bar = m->i.bx };
            fail(p, &e, "names a register that another barrier has in all functions");
        }
}

static void check_webs(struct proof *p)
{
    check_fixed(p);
    struct webs *w = p->w;
    find_targets(p);
    count(p);
    find_given_up(p);
    for (int j = 0; j < w->nev && !p->wrong; j++) {
        const struct event *e = &w->ev[j];
        if (e->what == WAIT && e->web < 0) fail(p, e, "waits at a barrier that no lane has joined");
        if (e->what == LEAVE && e->web < 0) fail(p, e, "leaves a barrier that no lane has joined");
        if (e->what != JOIN || web_of(w, j) != j) continue;
        web_walk(w, j, see_check, p);
        check_can_wait(p, j);
        if (!p->wrong && shared(p, j)) check_left(p, j);
    }
    if (!p->wrong) check_circles(p);
}

bool verify_code(struct mfn *mf, struct hd_err *err)
{
    struct arena *a = arena_new();
    struct proof p = { .w = webs_find(mf, a) };
    size_t n = (size_t)mf->nblks + 1;
    p.can = arena_alloc(p.w->a, n * sizeof *p.can);
    p.left = arena_alloc(p.w->a, n * sizeof *p.left);
    note_used(&p, mf, p.w);
    check_webs(&p);
    if (p.wrong)
        hd_err_set(err, 4, "%s: internal: a lane of %s %s (B%d, line %d)", mf->be->m->path,
                   mf->name, p.wrong,
                   p.bar, p.line);
    arena_free(a);
    return !p.wrong;
}
