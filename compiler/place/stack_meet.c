/* Lanes come together before a block barrier that a goto leads past (stack mode).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lanes of a divergent branch meet at its post-dominator.  A way past a block barrier moves that
 * to where it leads: lanes of one side wait for the block while those of the other are in a token,
 * even where no lane takes the way.  So it leads through a block in front of the barrier, which
 * asks a register which way to go: all meet there first.
 *
 * Requires: edges, post-dominators by layers, divergence.
 * Ensures:  edges; where it answers true, all else has to be found again. */
#include "compiler/analysis/blkset.h"

struct meet { struct fn *f; struct blkset from, to, side; };

static bool has_barrier(const struct blk *b)
{
    for (const struct ins *i = b->first; i; i = i->next)
        if (i->op == P_BAR || i->op == P_BARRED) return true;
    return false;
}

static void reach(struct blk *b, const struct blk *stop, struct blkset *set)
{
    if (b == stop) return;
    int at = set->n;
    blkset_add(set, b);
    for (; at < set->n; at++)
        for (int s = 0; s < set->list[at]->nsucc; s++)
            if (set->list[at]->succ[s] != stop && set->list[at]->succ[s]->layer == b->layer)
                blkset_add(set, set->list[at]->succ[s]);
}

/* Of the region of d: what leads to m, without coming to d again. */
static void lead_to(struct meet *w, struct blk *d, struct blk *m)
{
    blkset_clear(&w->to);
    blkset_add(&w->to, m);
    for (int at = 0; at < w->to.n; at++) {
        const struct blk *b = w->to.list[at];
        for (int p = 0; p < b->npred && b != d; p++)
            if (b->pred[p] == d || w->from.has[b->pred[p]->id]) blkset_add(&w->to, b->pred[p]);
    }
}

/* The first barrier that two sides of d lead to before they meet; NULL: there is none. */
static struct blk *barrier_between(struct meet *w, struct blk *d)
{
    struct blk *found = NULL;
    blkset_clear(&w->from);
    for (int s = 0; s < d->nsucc; s++) {
        if (d->succ[s]->layer != d->layer) continue;
        blkset_clear(&w->side);
        reach(d->succ[s], d->ipdom, &w->side);
        for (int k = 0; k < w->side.n; k++) {
            struct blk *b = w->side.list[k];
            if (blkset_add(&w->from, b) || b == d || !has_barrier(b)) continue;
            if (!found || b->rpo < found->rpo) found = b;
        }
    }
    return found;
}

static int new_reg(struct fn *f, enum ptype t)
{
    int reg = reg_new(f, t);
    f->reg_divergent = arena_grow(f->m->arena, f->reg_divergent, (size_t)reg, (size_t)reg + 1);
    f->reg_divergent[reg] = true;
    return reg;
}

static struct ins *set_way(struct fn *f, int reg, unsigned way)
{
    struct ins *i = ins_new(f->m, P_MOV);
    i->type = T_B32;
    i->nops = 2;
    i->o[0] = (struct opd){ .kind = O_REG, .reg = reg, .reg2 = -1 };
    i->o[1] = (struct opd){ .kind = O_IMM, .imm = way };
    return i;
}

/* At the ask block's end: lanes whose way is `way` go to `to`; the others to the block returned. */
static struct blk *ask(struct fn *f, struct blk *b, int reg, unsigned way, struct blk *to)
{
    struct ins *test = ins_new(f->m, P_SETP);
    test->type = test->stype = T_B32;
    test->cmp = CMP_EQ;
    test->nops = 3;
    test->o[0] = (struct opd){ .kind = O_REG, .reg = new_reg(f, T_PRED), .reg2 = -1 };
    test->o[1] = (struct opd){ .kind = O_REG, .reg = reg, .reg2 = -1 };
    test->o[2] = (struct opd){ .kind = O_IMM, .imm = way };
    ins_append(b, test);
    struct blk *rest = cfg_split(f, b, NULL);
    cfg_jump(f, b, to)->guard = test->o[0].reg;
    return rest;
}

enum { MAX_WAYS = 64, MAX_ROUNDS = 256 };
struct edge { struct blk *from, *to; int s; unsigned way; };

/* The edges into m from what leads to it, and those that lead past it; 0: too many ways. */
static int find_edges(struct meet *w, const struct blk *m, struct edge *edge, struct blk **past,
                      unsigned *ways)
{
    int n = 0;
    *ways = 0;
    for (int k = 0; k < w->to.n; k++) {
        struct blk *b = w->to.list[k];
        for (int s = 0; s < b->nsucc && b != m; s++) {
            struct blk *to = b->succ[s];
            unsigned way = 0;
            if (to->layer != b->layer || (to != m && w->to.has[to->id])) continue;
            while (to != m && way < *ways && past[way] != to) way++;
            if (way == MAX_WAYS) return 0;
            if (to != m && way == *ways) past[(*ways)++] = to;
            edge[n++] = (struct edge){ b, to, s, to == m ? 0 : way + 1 };
        }
    }
    return *ways ? n : 0;
}

/* Every way into m, and every way past it, goes to a new block in front of m. */
static bool meet_before(struct meet *w, struct blk *m)
{
    struct fn *f = w->f;
    struct blk *past[MAX_WAYS];
    int most = 0, n;
    unsigned ways;
    for (int k = 0; k < w->to.n; k++) most += w->to.list[k]->nsucc;
    struct edge *edge = arena_alloc(f->m->arena, (size_t)most * sizeof *edge + 1);
    if (!(n = find_edges(w, m, edge, past, &ways))) return false;
    int reg = new_reg(f, T_B32);
    struct blk *first = cfg_block_new(f), *front = first;
    for (int k = 0; k < n; k++) {
        struct blk *e = cfg_split_edge(f, edge[k].from, edge[k].s);
        struct ins *jump = blk_terminator(e);
        if (!jump) jump = cfg_jump(f, e, first);
        jump->targets[0] = first;
        e->layer = m->layer;
        ins_before(e, jump, set_way(f, reg, edge[k].way));
    }
    for (unsigned k = 0; k < ways; k++) {
        front->divergent = true;
        front->layer = m->layer;
        front = ask(f, front, reg, k + 1, past[k]);
    }
    front->layer = m->layer;
    cfg_jump(f, front, m);
    cfg_refresh(f);
    dom_build(f);
    loop_build(f);
    stack_layers(f);
    return true;
}

static bool one_more(struct fn *f)
{
    struct meet w = { f, blkset_new(f), blkset_new(f), blkset_new(f) };
    for (int k = 0; k < f->nrpo; k++) {
        struct blk *d = f->rpo[k], *m;
        if (!d->divergent || d->nsucc < 2 || !(m = barrier_between(&w, d))) continue;
        lead_to(&w, d, m);
        if (meet_before(&w, m)) return true;
    }
    return false;
}

bool stack_meet(struct fn *f)
{
    fn_requires(f, KNOWN_EDGES | KNOWN_DIVERGENCE);
    int rounds = 0;
    bool any = false;
    for (int k = 0; k < f->nblocks; k++) any |= has_barrier(f->blocks[k]);
    if (!any) return false;
    while (rounds < MAX_ROUNDS && one_more(f)) rounds++;
    if (!rounds) return false;
    loop_build(f);
    order_run(f, true);
    stack_layers(f);
    loop_build(f);
    return true;
}
