/* Where the lanes of an arm of a branch meet, if loops end arms.
 * SPDX-License-Identifier: Apache-2.0
 *
 * As measured kernels of NVIDIA's compiler show it.  An arm is what some block dominates; it ends
 * with the block of it that stands last.  If a loop ends an arm, and a jump stands after it to
 * where the arms meet, all lanes of the arm meet at that jump.  So do those of each arm before it
 * that ends with a jump to the same place, if the loop is left to there alone.  Not where the loop
 * counts.
 *
 * Requires: the order of blocks (order.c), edges; loops from before it.
 * Ensures:  edges and dominators have to be found again. */
#include "compiler/all.h"

/* at: the place of a block in the layout; last: that of the last block that it dominates. */
struct arms { struct fn *f; struct blk **stands; int *at, *last; };

/* The last definition of a register in a block; NULL: none. */
static const struct ins *defined(const struct blk *b, int reg)
{
    for (const struct ins *i = b->last; i; i = i->prev)
        if (i->nops && i->o[0].kind == O_REG && i->o[0].reg == reg && i->op != P_ST) return i;
    return NULL;
}

/* The only way out of a loop that counts: its branch compares what each turn adds a constant to. */
static bool counts(const struct blk *latch)
{
    const struct ins *t = blk_terminator(latch), *test = defined(latch, t->guard), *step = NULL;
    const struct loop *l = t->targets[0]->loop;
    if (!test || test->op != P_SETP || test->o[1].kind != O_REG || !l) return false;
    for (int k = 0; k < l->nblocks; k++)
        for (int n = 0; n < l->blocks[k]->nsucc; n++)
            if (l->blocks[k] != latch && !loop_has(l, l->blocks[k]->succ[n])) return false;
    int reg = test->o[1].reg;
    for (int turn = 0; turn < 3; turn++) {
        step = NULL;
        for (int k = 0; k < l->nblocks && !step; k++) step = defined(l->blocks[k], reg);
        if (!step || step->op != P_MOV || step->o[1].kind != O_REG) break;
        reg = step->o[1].reg;
    }
    return step && (step->op == P_ADD || step->op == P_SUB) && step->o[2].kind == O_IMM;
}

/* What is before a block that ends an arm: the arm's first block. */
static struct blk *arm_of(const struct arms *g, struct blk *end)
{
    struct blk *arm = end;
    while (arm->idom && g->last[arm->idom->id] == g->at[end->id]) arm = arm->idom;
    return arm;
}

static bool leads_on(const struct arms *g, const struct blk *tail)
{
    return g->at[tail->succ[0]->id] > g->at[tail->id] &&
           !(counts(tail->pred[0]) && !rotates(g->f, tail->pred[0]));
}

/* Branches of the arm to `to` go to e. */
static void gather(const struct blk *arm, const struct blk *to, struct blk *e)
{
    for (int k = to->npred; k-- > 0;)
        if (to->pred[k] != e && dom_over(arm, to->pred[k])) cfg_retarget(to->pred[k], to, e);
}

/* The jump that b ends with, as a block of its own. */
static struct blk *jump_alone(struct arms *g, struct blk *b)
{
    struct ins *t = blk_terminator(b);
    if (b->first == t) return b;
    ins_remove(b, t);
    struct blk *e = cfg_split_edge(g->f, b, 0);
    struct ins *jump = cfg_jump(g->f, e, t->targets[0]);
    jump->loc = t->loc, jump->sfile = t->sfile, jump->sline = t->sline;
    return e;
}

/* Lanes leave the tail's loop to the tail, or to where it jumps. */
static bool left_to_tail(const struct blk *tail)
{
    const struct loop *l = blk_terminator(tail->pred[0])->targets[0]->loop;
    for (int k = 0; l && k < l->nblocks; k++)
        for (int n = 0; n < l->blocks[k]->nsucc; n++) {
            const struct blk *s = l->blocks[k]->succ[n];
            if (!loop_has(l, s) && s != tail && s != tail->succ[0]) return false;
        }
    return l;
}

static bool jumps_to(const struct blk *b, const struct blk *to)
{
    const struct ins *t = blk_terminator(b);
    return t && t->op == P_BRA && t->guard < 0 && b->nsucc == 1 && t->targets[0] == to;
}

/* Arms before the tail, from the last on, and so the outer ones first. */
static void gather_before(struct arms *g, const struct blk *tail, struct blk *const *tails, int n)
{
    const struct blk *to = tail->succ[0];
    for (int k = g->at[tail->id]; k-- > 0;) {
        struct blk *end = g->stands[k], *arm = jumps_to(end, to) ? arm_of(g, end) : end;
        bool apart = arm != end, others = false;
        for (int j = 0; apart && j < n; j++)
            apart = tails[j]->succ[0] != to || !dom_over(arm, tails[j]);
        for (int j = 0; apart && !others && j < to->npred; j++) {
            const struct ins *t = blk_terminator(to->pred[j]);
            for (int q = 0; t && q < t->ntargets; q++)
                others |= t->targets[q] == to && to->pred[j] != end && dom_over(arm, to->pred[j]);
        }
        if (others) gather(arm, to, jump_alone(g, end));
    }
}

void gather_run(struct fn *f, struct blk *const *tails, int n)
{
    const size_t bytes = ((size_t)f->nblocks + 1) * sizeof(int);
    struct arena *a = f->m->arena;
    struct arms g = { f, arena_alloc(a, ((size_t)f->nblocks + 1) * sizeof *g.stands),
                      arena_alloc(a, bytes), arena_alloc(a, bytes) };
    cfg_refresh(f);
    dom_build(f);
    for (int k = 0; k < f->nblocks; k++) {
        g.stands[k] = f->blocks[k];
        g.at[f->blocks[k]->id] = g.last[f->blocks[k]->id] = k;
    }
    for (int k = f->nrpo; k-- > 1;) {
        const struct blk *b = f->rpo[k];
        if (g.last[b->idom->id] < g.last[b->id]) g.last[b->idom->id] = g.last[b->id];
    }
    for (int k = 0; k < n; k++)
        if (leads_on(&g, tails[k])) gather(arm_of(&g, tails[k]), tails[k]->succ[0], tails[k]);
    for (int k = 0; k < n; k++)
        if (leads_on(&g, tails[k]) && left_to_tail(tails[k])) gather_before(&g, tails[k], tails, n);
}
