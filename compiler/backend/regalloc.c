/* Register allocation: colouring of an interference graph, with coalescing and spilling.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Colours are given greedily in the order of first definition, which is optimal for straight-line
 * code and near it elsewhere; pairs and quads take aligned runs.  When a register finds no colour,
 * it or its cheapest neighbour goes to local memory (a predicate: to a general register) and all
 * starts again; the registers that spill code needs are so short-lived that they always find one.
 *
 * Requires: edges; barriers allocated; callees allocated before (their `used` is what a call
 *           destroys).
 * Ensures:  a machine register for every register (mvreg.fixed), in code that may have spills; or
 *           err says why. */
#include <stdlib.h>
#include <string.h>
#include "compiler/select/minsn.h"

struct edge { int to, next; };
struct pairset { uint64_t *cell; size_t mask; int n; };      /* a hash table; 0: free */
struct ra {
    struct mfn *mf; struct live *lv; struct arena *a;
    int *alias, count;             /* union-find of the registers there were */
    int *head; struct edge *edges; int nedges, ecap;
    struct pairset met;            /* those that interfere */
    struct regset *forbid;         /* per register: what calls within its life destroy */
    double *cost; int *first; int *hint; uint8_t *hint_sub;
    bool *spill;
    int limit;                     /* registers that may be used */
    uint64_t *now; int point;      /* while scanning a block */
    struct mins *ins;
};

static int find(const struct ra *x, int r)
{
    while (r < x->count && x->alias[r] != r) r = x->alias[r];
    return r;
}

/* Where the pair of a and b is, or would go. */
static uint64_t *pair_at(const struct pairset *s, uint64_t key)
{
    size_t k = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & s->mask;
    while (s->cell[k] && s->cell[k] != key) k = (k + 1) & s->mask;
    return &s->cell[k];
}

static uint64_t pair_key(int a, int b)          /* never 0, as they differ */
{
    return a > b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

static bool meets(const struct ra *x, int a, int b) { return *pair_at(&x->met, pair_key(a, b)); }

static void pair_add(struct ra *x, uint64_t key)
{
    struct pairset *s = &x->met;
    if ((size_t)s->n * 2 > s->mask) {
        struct pairset bigger = { arena_alloc(x->a, (s->mask + 1) * 2 * sizeof *s->cell),
                                  s->mask * 2 + 1, s->n };
        for (size_t k = 0; k <= s->mask; k++)
            if (s->cell[k]) *pair_at(&bigger, s->cell[k]) = s->cell[k];
        *s = bigger;
    }
    *pair_at(s, key) = key;
    s->n++;
}

static void half_edge(struct ra *x, int a, int b)
{
    if (x->nedges == x->ecap) {
        x->edges = arena_grow(x->a, x->edges, (size_t)x->ecap * sizeof *x->edges,
                              (size_t)x->ecap * 2 * sizeof *x->edges);
        x->ecap *= 2;
    }
    x->edges[x->nedges] = (struct edge){ b, x->head[a] };
    x->head[a] = x->nedges++;
}

static void join(struct ra *x, int a, int b)
{
    if (a == b || x->mf->regs[a].pred != x->mf->regs[b].pred || meets(x, a, b)) return;
    pair_add(x, pair_key(a, b));
    half_edge(x, a, b);
    half_edge(x, b, a);
}

/* ---- the graph ------------------------------------------------------------------------------ */

static bool live_at(const struct ra *x, int reg)
{
    for (int w = x->lv->base[reg]; w < x->lv->base[reg] + x->mf->regs[reg].n; w++)
        if (x->now[w >> 6] >> (w & 63) & 1) return true;
    return false;
}

struct live_list { int *reg, n, *at; };          /* registers live now; at[r]: position + 1 */
struct scan { struct ra *x; struct live_list *l; };

static void list_add(struct live_list *l, int r)
{
    if (l->at[r]) return;
    l->reg[l->n++] = r;
    l->at[r] = l->n;
}

static void list_remove(struct live_list *l, int r)
{
    int p = l->at[r];
    if (!p) return;
    int last = l->reg[--l->n];
    l->reg[p - 1] = last;
    l->at[last] = p;
    l->at[r] = 0;
}

static void see_def(void *user, int reg, int sub, int words)
{
    struct scan *s = user;
    struct ra *x = s->x;
    (void)sub, (void)words;
    int copy_of = x->ins->i.op == M_COPY && x->ins->p[PR_G] < 0 ? x->ins->r[R_A] : -1;
    for (int k = 0; k < s->l->n; k++)
        if (s->l->reg[k] != copy_of) join(x, reg, s->l->reg[k]);
    x->cost[reg] += 1;
}

static void see_kill(void *user, int reg, int sub, int words)
{
    struct scan *s = user;
    struct ra *x = s->x;
    x->first[reg] = x->point;
    if (x->ins->p[PR_G] >= 0) return;
    for (int w = x->lv->base[reg] + sub; w < x->lv->base[reg] + sub + words; w++)
        x->now[w >> 6] &= ~((uint64_t)1 << (w & 63));
    if (!live_at(x, reg)) list_remove(s->l, reg);
}

static void see_use(void *user, int reg, int sub, int words)
{
    struct scan *s = user;
    struct ra *x = s->x;
    for (int w = x->lv->base[reg] + sub; w < x->lv->base[reg] + sub + words; w++)
        x->now[w >> 6] |= (uint64_t)1 << (w & 63);
    list_add(s->l, reg);
    x->first[reg] = x->point;
}

static void see_cost(void *user, int reg, int sub, int words)
{
    struct ra *x = user;
    (void)sub, (void)words;
    static const double weight[] = { 1, 10, 100, 1000 };
    x->cost[reg] += weight[x->point > 3 ? 3 : x->point];
}

/* Everything that lives on after a call must not be where the callee writes. */
static void across_call(struct ra *x, const struct live_list *l, const struct mins *m)
{
    struct regset gone = { { 0 } };
    const struct mfn *callee = m->call->callee;
    if (m->i.op == OP_RET || m->i.op == OP_RETT) return;
    if (callee && callee->allocated) gone = callee->used;
    else regset_add(&gone, 0, REG_SAVED);
    for (int k = 0; k < l->n; k++) {
        int r = l->reg[k];
        bool result = false;
        for (int j = 0; j < m->call->ndefs; j++) result |= m->call->defs[j] == r;
        if (m->r[R_D] == r) result = true;
        if (result) continue;
        if (x->mf->regs[r].pred) x->forbid[r].w[0] |= 0xff;
        else for (int w = 0; w < 4; w++) x->forbid[r].w[w] |= gone.w[w];
    }
}

static void scan_block(struct ra *x, int k, struct live_list *l)
{
    struct mblk *b = x->mf->blks[k];
    struct scan s = { x, l };
    const struct lists *out = &x->lv->list.out;
    while (l->n) {                                 /* what is live at the start of the next block */
        int r = l->reg[0];
        for (int w = x->lv->base[r]; w < x->lv->base[r] + x->mf->regs[r].n; w++)
            x->now[w >> 6] &= ~((uint64_t)1 << (w & 63));
        list_remove(l, r);
    }
    for (int j = out->first[k]; j < out->first[k + 1]; j++) {
        int w = out->item[j];
        x->now[w >> 6] |= (uint64_t)1 << (w & 63);
        list_add(l, x->lv->reg[w]);
    }
    for (struct mins *m = b->last; m; m = m->prev) {
        x->ins = m;
        x->point--;
        mins_defs(x->mf, m, see_def, &s);
        mins_defs(x->mf, m, see_kill, &s);
        if (m->call) across_call(x, l, m);
        if (m->i.op == OP_CALLR && m->r[R_A] >= 0) regset_add(&x->forbid[m->r[R_A]], REG_LINK, 1);
        mins_uses(x->mf, m, see_use, &s);
    }
    int keep = x->point;
    x->point = b->depth;
    for (struct mins *m = b->first; m; m = m->next) {
        mins_uses(x->mf, m, see_cost, x);
        mins_defs(x->mf, m, see_cost, x);
    }
    x->point = keep;
}

static void build(struct ra *x)
{
    size_t n = (size_t)x->mf->nregs + 1;
    x->lv = live_run(x->mf);
    x->count = x->mf->nregs;
    x->alias = arena_alloc(x->a, n * sizeof *x->alias);
    x->head = arena_alloc(x->a, n * sizeof *x->head);
    x->met = (struct pairset){ arena_alloc(x->a, 4096 * sizeof *x->met.cell), 4095, 0 };
    x->forbid = arena_alloc(x->a, n * sizeof *x->forbid);
    x->cost = arena_alloc(x->a, n * sizeof *x->cost);
    x->first = arena_alloc(x->a, n * sizeof *x->first);
    x->hint = arena_alloc(x->a, n * sizeof *x->hint);
    x->hint_sub = arena_alloc(x->a, n);
    x->spill = arena_alloc(x->a, n);
    x->now = arena_alloc(x->a, ((size_t)x->lv->nwords / 64 + 1) * sizeof *x->now);
    x->nedges = 0, x->ecap = 1024;
    x->edges = arena_alloc(x->a, (size_t)x->ecap * sizeof *x->edges);
    for (size_t r = 0; r < n; r++) x->alias[r] = (int)r, x->head[r] = -1, x->hint[r] = -1;
    struct live_list l = { arena_alloc(x->a, n * sizeof(int)), 0,
                           arena_alloc(x->a, n * sizeof(int)) };
    x->point = 0;
    for (int k = x->mf->nblks - 1; k >= 0; k--) scan_block(x, k, &l);
}

/* ---- coalescing ----------------------------------------------------------------------------- */

/* Makes b another name of a; both unfixed and not interfering. */
static void merge(struct ra *x, int a, int b)
{
    x->alias[b] = a;
    for (int e = x->head[b]; e >= 0; e = x->edges[e].next) join(x, a, find(x, x->edges[e].to));
    for (int w = 0; w < 4; w++) x->forbid[a].w[w] |= x->forbid[b].w[w];
    x->cost[a] += x->cost[b];
    if (x->first[b] < x->first[a]) x->first[a] = x->first[b];
    x->mf->regs[a].temp &= x->mf->regs[b].temp;
    x->mf->regs[a].nospill &= x->mf->regs[b].nospill;
}

static void prefer(struct ra *x, int a, int asub, int b, int bsub)
{
    if (x->hint[a] < 0) x->hint[a] = b, x->hint_sub[a] = (uint8_t)(8 + bsub - asub);
}

static void coalesce(struct ra *x)
{
    for (int k = 0; k < x->mf->nblks; k++)
        for (struct mins *m = x->mf->blks[k]->first; m; m = m->next) {
            bool copy = m->i.op == M_COPY;
            int source = copy ? R_A : R_B;
            if ((!copy && (m->i.op != OP_MOV || m->i.bi)) || m->r[R_D] < 0 || m->r[source] < 0)
                continue;
            int a = find(x, m->r[R_D]), b = find(x, m->r[source]);
            const struct mvreg *ra = &x->mf->regs[a], *rb = &x->mf->regs[b];
            bool whole = copy || (ra->n == 1 && rb->n == 1);
            if (a == b) continue;
            if (whole && m->p[PR_G] < 0 && ra->fixed < 0 && rb->fixed < 0 && ra->n == rb->n &&
                !meets(x, a, b)) {
                merge(x, a, b);
                continue;
            }
            prefer(x, a, m->sub[R_D], b, m->sub[source]);
            prefer(x, b, m->sub[source], a, m->sub[R_D]);
        }
}

/* ---- colouring ------------------------------------------------------------------------------ */

/* Machine registers that r may not have because of its neighbours. */
static struct regset taken(const struct ra *x, int r, const int *colour)
{
    struct regset t = x->forbid[r];
    for (int e = x->head[r]; e >= 0; e = x->edges[e].next) {
        int o = find(x, x->edges[e].to);
        if (o != r && colour[o] >= 0) regset_add(&t, colour[o], x->mf->regs[o].n);
    }
    if (!x->mf->regs[r].pred) regset_add(&t, REG_SP, 1);
    return t;
}

static bool fits(const struct ra *x, const struct regset *t, int c, int n, bool pred)
{
    if (c < 0 || c % n || c + n > (pred ? 7 : x->limit)) return false;
    for (int k = c; k < c + n; k++)
        if (regset_has(t, k)) return false;
    return true;
}

static int pick(const struct ra *x, int r, const int *colour)
{
    const struct mvreg *v = &x->mf->regs[r];
    struct regset t = taken(x, r, colour);
    if (x->hint[r] >= 0) {
        int h = find(x, x->hint[r]), c = colour[h] < 0 ? -1 : colour[h] + x->hint_sub[r] - 8;
        if (fits(x, &t, c, v->n, v->pred)) return c;
    }
    for (int c = 0; c < (v->pred ? 7 : x->limit); c += v->n)
        if (fits(x, &t, c, v->n, v->pred)) return c;
    return -1;
}

static bool hopeless(const struct ra *x, int r)      /* calls leave it no place */
{
    const struct mvreg *v = &x->mf->regs[r];
    for (int c = 0; c < (v->pred ? 7 : x->limit); c += v->n)
        if (fits(x, &x->forbid[r], c, v->n, v->pred) && c != REG_SP) return false;
    return true;
}

/* r found no colour: what should go to memory, r or a coloured neighbour whose place would do. */
static int victim(const struct ra *x, int r, const int *colour)
{
    int best = x->mf->regs[r].nospill ? -1 : r;
    if (hopeless(x, r)) return best;
    for (int e = x->head[r]; e >= 0; e = x->edges[e].next) {
        int o = find(x, x->edges[e].to);
        const struct mvreg *v = &x->mf->regs[o];
        if (o == r || v->nospill || v->fixed >= 0 || colour[o] < 0 || v->n < x->mf->regs[r].n)
            continue;
        if (fits(x, &x->forbid[r], colour[o], x->mf->regs[r].n, v->pred) &&
            (best < 0 || x->cost[o] < x->cost[best]))
            best = o;
    }
    return best;
}

struct order { int first, reg; };
static int by_first(const void *a, const void *b)
{
    const struct order *p = a, *q = b;
    return p->first != q->first ? (p->first < q->first ? -1 : 1) : p->reg < q->reg ? -1 : 1;
}

/* Gives colours; the number of registers that must be spilled, -1: impossible. */
static int colour_all(struct ra *x, int *colour)
{
    int n = 0, spills = 0;
    struct order *o = arena_alloc(x->a, ((size_t)x->mf->nregs + 1) * sizeof *o);
    for (int r = 0; r < x->mf->nregs; r++) {
        colour[r] = x->mf->regs[r].fixed;
        if (x->alias[r] == r && colour[r] < 0 && x->cost[r] > 0)
            o[n++] = (struct order){ x->first[r], r };
    }
    qsort(o, (size_t)n, sizeof *o, by_first);
    for (int pass = 0; pass < 2; pass++)             /* spill code first: it cannot wait */
        for (int k = 0; k < n; k++) {
            int r = o[k].reg;
            if (x->mf->regs[r].nospill != !pass || x->spill[r]) continue;
            if ((colour[r] = pick(x, r, colour)) >= 0) continue;
            int v = victim(x, r, colour);
            if (v < 0) return -1;
            x->spill[v] = true, spills++;
            colour[v] = -1;
            if (v != r && (colour[r] = pick(x, r, colour)) < 0 && !x->mf->regs[r].nospill)
                x->spill[r] = true;
        }
    return spills;
}

/* ---- the result ----------------------------------------------------------------------------- */

/* Copies between coalesced registers are dropped, and names become those that were coloured. */
static void rewrite(struct ra *x, const int *colour)
{
    struct mfn *mf = x->mf;
    for (int r = 0; r < mf->nregs; r++) mf->regs[r].fixed = colour[find(x, r)];
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first, *next; m; m = next) {
            next = m->next;
            bool copy = m->i.op == M_COPY || (m->i.op == OP_MOV && !m->i.bi && !m->sym);
            int source = m->i.op == M_COPY ? R_A : R_B;
            if (copy && m->r[R_D] >= 0 && m->r[source] >= 0 &&
                mf->regs[m->r[R_D]].fixed + m->sub[R_D] ==
                    mf->regs[m->r[source]].fixed + m->sub[source])
                mins_remove(mf->blks[k], m);
        }
}

static void spill(struct ra *x)
{
    int *web = arena_alloc(x->a, ((size_t)x->count + 1) * sizeof *web);
    for (int r = 0; r < x->count; r++) web[r] = find(x, r);
    spill_run(x->mf, x->a, web, x->count, x->spill);
}

bool regalloc_run(struct mfn *mf)
{
    int max = mf->be->opt->maxregs;
    for (int round = 0; round < 40; round++) {
        struct arena *scratch = arena_new();
        struct ra x = { .mf = mf, .a = scratch, .limit = max > 0 && max < 255 ? max : 255 };
        struct arena *keep = mf->be->a;
        mf->be->a = scratch;         /* liveness is scratch too */
        build(&x);
        coalesce(&x);
        mf->be->a = keep;
        int *colour = arena_alloc(scratch, ((size_t)mf->nregs + 1) * sizeof *colour);
        int spills = colour_all(&x, colour);
        if (spills > 0) spill(&x);
        else if (!spills) rewrite(&x, colour);
        arena_free(scratch);
        if (!spills) return true;
        if (spills < 0) break;
    }
    hd_err_set(mf->be->err, 2, "%s: %s needs more than %d registers", mf->be->m->path, mf->name,
               max > 0 ? max : 255);
    return false;
}
