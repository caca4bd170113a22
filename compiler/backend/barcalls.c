/* Barrier registers of a kernel and of the functions that it calls, as in NVIDIA's compiler: from
 * one graph.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Barriers that a lane may be in at a call meet all those of the function called, and of what that
 * calls.  They take registers in the order of colour_order.c, where those of callers stand before
 * those of callees, and a function before one that is called later.  Its k is the most barriers
 * that are in use at once, where in a function all those count that are at any of its calls.  Of
 * 612 kernels, NVIDIA's code has these numbers in 601; seven of the others have a BREAK.
 *
 * Requires: the functions' barriers are final.
 * Ensures:  mfn.bar_wish of the kernel's functions, perhaps: by virtual barrier a register, -1 for
 *           one that no instruction names.  Whether those are free baralloc_run looks. */
#include "compiler/backend/bars.h"

enum { MOST = 512 };                  /* barriers: beyond, the graph costs more than it is worth */

/* base: its barrier 0; around: those in use where it is called */
struct part { struct bars x; int base; bool *around; };
struct net {
    struct arena *a;
    struct part *parts;
    int n, nbars, most;
    struct pairs meets;
};

static struct part *part_of(struct net *g, const struct mfn *mf)
{
    for (int k = 0; k < g->n; k++)
        if (g->parts[k].x.mf == mf) return &g->parts[k];
    return NULL;
}

/* Callers before callees, first calls first: parts are filled from the last on. */
static bool find_parts(struct net *g, struct mfn *mf, int *at)
{
    if (mf->saves_bars || mf->f->vb_own || mf->f->nfixed || mf->f->npredictions) return false;
    mf->bar_met = true;
    for (int k = mf->ncallees; k-- > 0;)
        if (!mf->callees[k]->bar_met && !find_parts(g, mf->callees[k], at)) return false;
    g->parts[--*at].x = (struct bars){ .mf = mf, .a = g->a, .n = mf->nvb };
    return true;
}

/* A call: what is in use here is so in the function called, too. */
static void call(const struct part *p, const struct bars_now *joined, struct part *callee)
{
    for (int v = 0; v < p->base; v++) callee->around[v] |= p->around[v];
    for (int j = 0; j < joined->n; j++) callee->around[p->base + joined->list[j]] = true;
}

static void meet_around(struct net *g, const struct part *p, int around)
{
    for (int v = p->base; v < p->base + p->x.n; v++) {
        pairs_add(g->a, &g->meets, v, around);
        pairs_add(g->a, &g->meets, around, v);
    }
}

/* What meets in a function and around it, and the most in use.  Its callers went before. */
static void look_through(struct net *g, struct part *p)
{
    struct bars_now joined = bars_now(&p->x);
    int around = 0;
    bars_flow(&p->x);
    bars_find_meets(&p->x);
    for (int v = 0; v < p->base; v++)
        if (p->around[v]) meet_around(g, p, v), around++;
    for (int v = 0; v < p->x.n; v++)
        for (int j = p->x.meets.first[v]; j < p->x.meets.first[v + 1]; j++)
            pairs_add(g->a, &g->meets, p->base + v, p->base + p->x.meets.item[j]);
    for (int k = 0; k < p->x.mf->nblks; k++) {
        bars_at_block(&joined, &p->x, k);
        for (const struct mins *m = p->x.mf->blks[k]->first; m; m = m->next) {
            if (m->i.op == OP_CALL) call(p, &joined, part_of(g, m->call->callee));
            bars_step(&joined, &p->x, m);
            if (around + joined.n > g->most) g->most = around + joined.n;
        }
    }
}

/* Those that instructions name, as they follow each other. */
static int by_place(const struct net *g, int *list)
{
    bool *in = arena_alloc(g->a, (size_t)g->nbars + 1);
    int n = 0;
    for (int p = 0; p < g->n; p++)
        for (int k = 0; k < g->parts[p].x.mf->nblks; k++)
            for (const struct mins *m = g->parts[p].x.mf->blks[k]->first; m; m = m->next) {
                if (m->vb < 0 || in[g->parts[p].base + m->vb]) continue;
                in[g->parts[p].base + m->vb] = true;
                list[n++] = g->parts[p].base + m->vb;
            }
    return n;
}

static int free_register(const struct lists *meets, int v, const int *reg)
{
    uint32_t taken = 0;
    for (int j = meets->first[v]; j < meets->first[v + 1]; j++)
        if (reg[meets->item[j]] >= 0) taken |= 1u << reg[meets->item[j]];
    int r = 0;
    while (taken >> r & 1) r++;
    return r;
}

/* Functions that another kernel has called keep what they have. */
static void take(struct net *g)
{
    const size_t bytes = ((size_t)g->nbars + 1) * sizeof(int);
    const struct lists meets = pairs_sort(g->a, &g->meets, g->nbars);
    int *list = arena_alloc(g->a, bytes), *order = arena_alloc(g->a, bytes),
        *reg = arena_alloc(g->a, bytes);
    const int n = by_place(g, list);
    colour_order(g->a, &meets, list, n, g->nbars, g->most, order);
    for (int p = 0; p < g->n; p++)
        for (int v = 0; v < g->parts[p].x.n; v++) {
            const int *has = g->parts[p].x.mf->bar_wish;
            reg[g->parts[p].base + v] = has ? has[v] : -1;
        }
    for (int j = 0; j < n; j++) {
        if (reg[order[j]] < 0) reg[order[j]] = free_register(&meets, order[j], reg);
        if (reg[order[j]] >= HD_BARRIERS) return;
    }
    for (int p = 0; p < g->n; p++) {
        struct mfn *mf = g->parts[p].x.mf;
        if (mf->bar_wish) continue;
        mf->bar_wish = arena_alloc(mf->be->a, ((size_t)mf->nvb + 1) * sizeof(int));
        for (int v = 0; v < mf->nvb; v++) mf->bar_wish[v] = reg[g->parts[p].base + v];
    }
}

void barcalls_run(struct backend *be, struct mfn *kernel)
{
    struct net g = { .a = arena_new(), .n = be->norder };
    int at = be->norder;
    for (int k = 0; k < be->norder; k++) be->order[k]->bar_met = false;
    g.parts = arena_alloc(g.a, ((size_t)be->norder + 1) * sizeof *g.parts);
    const bool whole = kernel->ncallees && !be->m->nfixed && find_parts(&g, kernel, &at);
    g.parts += at;
    g.n -= at;
    for (int p = 0; whole && p < g.n; p++) {
        g.parts[p].base = g.nbars;
        g.nbars += g.parts[p].x.n;
    }
    if (whole && g.nbars && g.nbars <= MOST) {
        for (int p = 0; p < g.n; p++) {
            bars_find_left(&g.parts[p].x);
            g.parts[p].around = arena_alloc(g.a, (size_t)g.nbars);
        }
        for (int p = 0; p < g.n; p++) look_through(&g, &g.parts[p]);
        take(&g);
    }
    arena_free(g.a);
}
