/* Where the barriers of a function are in use, and which of them meet.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two barriers that are live at one point meet: they get different registers.  A barrier is live
 * from its BSSY to its BSYNC, and where lanes leave it by BREAK to its P_BEND (a NOP here): the
 * others are still in it while those go on.
 *
 * Requires: selected code with edges and virtual barriers; of struct bars: mf, a, n, endless.
 * Ensures:  what bars.h says. */
#include "compiler/backend/bars.h"

/* wanted: what will still be waited for; joined: what some lane may have joined, the same on the
 * graph turned round, so that its `out` is at a block's start. */
void bars_flow(struct bars *x)
{
    struct mfn *mf = x->mf;
    x->wanted = livelist_new(x->a, mf->nblks, x->n);
    x->joined = livelist_new(x->a, mf->nblks, x->n);
    for (int k = 0; k < mf->nblks; k++) {
        const struct mblk *b = mf->blks[k];
        for (int j = 0; j < b->nsucc + b->ntable; j++) {
            int to = (j < b->nsucc ? b->succ[j] : b->table[j - b->nsucc])->id;
            livelist_edge(&x->wanted, k, to);
            livelist_edge(&x->joined, to, k);
        }
        for (const struct mins *m = b->first; m; m = m->next) {
            if (m->vb < 0 || x->left[m->vb]) continue;
            if (bars_is_def(m)) livelist_kill(&x->wanted, k, m->vb);
            else livelist_use(&x->wanted, k, m->vb);
        }
        for (const struct mins *m = b->last; m; m = m->prev) {
            if (m->vb < 0) continue;
            if (bars_is_def(m)) livelist_use(&x->joined, k, m->vb);
            else if (bars_ends_joined(x, m)) livelist_kill(&x->joined, k, m->vb);
        }
    }
    livelist_solve(&x->wanted);
    livelist_solve(&x->joined);
}

static void enter(struct bars_now *s, int vb)
{
    if (s->at[vb]) return;
    s->list[s->n++] = vb;
    s->at[vb] = s->n;
}

static void leave(struct bars_now *s, int vb)
{
    if (!s->at[vb]) return;
    int last = s->list[--s->n];
    s->list[s->at[vb] - 1] = last;
    s->at[last] = s->at[vb];
    s->at[vb] = 0;
}

static void enter_all(struct bars_now *s, const struct lists *l, int blk)
{
    while (s->n) s->at[s->list[--s->n]] = 0;
    for (int k = l->first[blk]; k < l->first[blk + 1]; k++) enter(s, l->item[k]);
}

struct bars_now bars_now(struct bars *x)
{
    size_t n = ((size_t)x->n + 1) * sizeof(int);
    return (struct bars_now){ arena_alloc(x->a, n), arena_alloc(x->a, n), 0 };
}

void bars_at_block(struct bars_now *s, const struct bars *x, int blk)
{
    enter_all(s, &x->joined.out, blk);
}

void bars_step(struct bars_now *s, const struct bars *x, const struct mins *m)
{
    if (m->vb < 0) return;
    if (bars_ends_joined(x, m)) leave(s, m->vb);
    if (bars_is_def(m)) enter(s, m->vb);
}

static void add_meet(struct bars *x, struct pairs *meets, int v, int o)
{
    if (v == o) return;
    pairs_add(x->a, meets, v, o);
    pairs_add(x->a, meets, o, v);
}

/* Lanes come to block k in several barriers, on different ways perhaps. */
static void meet_at_start(struct bars *x, struct pairs *meets, int k, int *both)
{
    int n = 0;
    for (int j = x->joined.out.first[k]; j < x->joined.out.first[k + 1]; j++) {
        int v = x->joined.out.item[j];
        if (!x->left[v] && !lists_has(&x->wanted.in, k, v)) continue;
        for (int o = 0; o < n; o++) add_meet(x, meets, v, both[o]);
        both[n++] = v;
    }
}

static bool *find_merges(const struct bars *x)
{
    bool *once = arena_alloc(x->a, (size_t)x->mf->nblks + 1),
         *twice = arena_alloc(x->a, (size_t)x->mf->nblks + 1);
    for (int k = 0; k < x->mf->nblks; k++) {
        const struct mblk *b = x->mf->blks[k];
        for (int j = 0; j < b->nsucc + b->ntable; j++) {
            int to = (j < b->nsucc ? b->succ[j] : b->table[j - b->nsucc])->id;
            if (once[to]) twice[to] = true;
            once[to] = true;
        }
    }
    return twice;
}

/* Barriers meet where both have been joined and are waited for later: where one begins, or where
 * ways come together on which lanes are in the one, or in the other. */
void bars_find_meets(struct bars *x)
{
    struct mfn *mf = x->mf;
    struct bars_now wanted = bars_now(x), joined = bars_now(x);
    struct pairs after = { 0 }, meets = { 0 };  /* after: of a def's number, what is wanted there */
    const bool *merges = find_merges(x);
    int ndefs = 0, at = 0, *both = arena_alloc(x->a, ((size_t)x->n + 1) * sizeof *both);
    for (int k = 0; k < mf->nblks; k++) {
        int def = ndefs;
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next)
            ndefs += m->vb >= 0 && bars_is_def(m);
        if (def == ndefs) continue;
        def = ndefs;
        enter_all(&wanted, &x->wanted.out, k);
        for (const struct mins *m = mf->blks[k]->last; m; m = m->prev) {
            if (m->vb < 0) continue;
            if (!bars_is_def(m)) {
                enter(&wanted, m->vb);
                continue;
            }
            leave(&wanted, m->vb);
            def--;
            for (int j = 0; j < wanted.n; j++) pairs_add(x->a, &after, def, wanted.list[j]);
        }
    }
    const struct lists of_def = pairs_sort(x->a, &after, ndefs);
    for (int k = 0; k < mf->nblks; k++) {
        if (merges[k]) meet_at_start(x, &meets, k, both);
        enter_all(&joined, &x->joined.out, k);
        for (const struct mins *m = mf->blks[k]->first; m; m = m->next) {
            if (m->vb < 0) continue;
            if (bars_ends_joined(x, m)) leave(&joined, m->vb);
            if (!bars_is_def(m)) continue;
            for (int j = of_def.first[at]; j < of_def.first[at + 1]; j++) {
                int o = of_def.item[j];
                if (joined.at[o]) add_meet(x, &meets, m->vb, o);
            }
            for (int j = 0; j < joined.n; j++)
                if (x->left[joined.list[j]]) add_meet(x, &meets, m->vb, joined.list[j]);
            enter(&joined, m->vb);
            at++;
        }
    }
    x->meets = pairs_sort(x->a, &meets, x->n);
}

void bars_find_left(struct bars *x)
{
    x->left = arena_alloc(x->a, (size_t)x->n + 1);
    for (int k = 0; k < x->mf->nblks; k++)
        for (const struct mins *m = x->mf->blks[k]->first; m; m = m->next)
            if (m->vb >= 0 && m->i.op == OP_BREAK) x->left[m->vb] = x->any_left = true;
}
