/* Loops that may wait for another lane: they get a YIELD, so that the lane they wait for can run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A loop may wait when one of its exits, or a branch back to its header (a loop inside with the
 * same header ends where that is not taken), depends, through data and control inside the loop, on
 * a value that another lane may change meanwhile: an atomic's result, a volatile (or acquiring)
 * load, or a plain load that reads one address again and again.  A loop that calls a function may
 * wait in it: NVIDIA's assembler gives it a YIELD too.  Not in the region of a prediction, whose
 * barriers would stop waiting for a lane that yields: there it counts whether an exit depends on
 * what a call returns.
 *
 * Requires: edges, post-dominators, loops; regions of predictions.
 * Ensures:  loop.spins, loop.may_wait; changes nothing else. */
#include "compiler/analysis/livelist.h"
#include "compiler/predict.h"

struct slice {
    struct fn *f; const struct loop *l;
    int *reg, *blk;             /* registers, blocks that an exit depends on: when equal to `now` */
    int *written;                    /* registers that the loop writes: likewise */
    int now;                         /* number of the loop */
    struct lists deciders;           /* per block: the branches that decide whether it runs */
    bool changed, waits;
};

static bool may_change(const struct slice *s, const struct ins *i)
{
    if (i->op == P_ATOM) return true;
    if (i->op == P_LD && i->space == SP_PARAM) return i->o[1].sym && i->o[1].sym->call_param;
    if (i->op != P_LD || i->nc) return false;
    if (i->space != SP_GLOBAL && i->space != SP_SHARED && i->space != SP_GENERIC) return false;
    return i->vol || i->o[1].reg < 0 || s->written[i->o[1].reg] != s->now;
}

static void want_reg(struct slice *s, int r)
{
    if (s->reg[r] == s->now) return;
    s->reg[r] = s->now;
    s->changed = true;
}

/* Block b matters: so do the branches of the loop that decide whether it runs. */
static void want_block(struct slice *s, const struct blk *b)
{
    if (s->blk[b->id] == s->now) return;
    s->blk[b->id] = s->now;
    s->changed = true;
    for (int k = s->deciders.first[b->id]; k < s->deciders.first[b->id + 1]; k++) {
        const struct blk *c = s->f->blocks[s->deciders.item[k]];
        const struct ins *t = blk_terminator(c);
        if (!loop_has(s->l, c)) continue;
        if (t->guard >= 0) want_reg(s, t->guard);
        if (t->op == P_BRX) want_reg(s, t->o[0].reg);
        want_block(s, c);
    }
}

static void sweep(struct slice *s)
{
    int r[MAX_INS_REGS];
    for (int k = 0; k < s->l->nblocks; k++)
        for (const struct ins *i = s->l->blocks[k]->first; i; i = i->next) {
            bool wanted = false;
            for (int n = ins_dests(i, r), d = 0; d < n; d++) wanted |= s->reg[r[d]] == s->now;
            if (!wanted) continue;
            if (may_change(s, i)) s->waits = true;
            for (int n = ins_sources(i, r), d = 0; d < n; d++) want_reg(s, r[d]);
            want_block(s, s->l->blocks[k]);
        }
}

/* Control dependence (Ferrante et al.): a branch decides what stands between its successors and its
 * post-dominator. */
static struct lists find_deciders(const struct fn *f, struct arena *a)
{
    struct pairs p = { 0 };
    for (int k = 0; k < f->nblocks; k++) {
        const struct blk *c = f->blocks[k];
        if (c->nsucc < 2 || !blk_terminator(c) || !c->loop) continue;
        for (int e = 0; e < c->nsucc; e++)
            for (const struct blk *x = c->succ[e]; x && x != c->ipdom; x = x->ipdom)
                if (x->loop) pairs_add(a, &p, x->id, k);
    }
    return pairs_sort(a, &p, f->nblocks);
}

static bool loop_spins(struct slice *s, const struct loop *l)
{
    int r[MAX_INS_REGS];
    bool interesting = false;
    s->l = l;
    s->now++;
    s->waits = false;
    for (int k = 0; k < l->nblocks; k++)
        for (const struct ins *i = l->blocks[k]->first; i; i = i->next)
            for (int n = ins_dests(i, r), d = 0; d < n; d++) s->written[r[d]] = s->now;
    for (int k = 0; k < l->nblocks; k++)
        for (const struct ins *i = l->blocks[k]->first; i; i = i->next)
            interesting |= may_change(s, i);
    if (!interesting) return false;
    for (int k = 0; k < l->nblocks; k++) {
        const struct blk *b = l->blocks[k];
        struct ins *t = blk_terminator(b);
        for (int e = 0; e < b->nsucc && t; e++) {
            if (loop_has(l, b->succ[e]) && (b->nsucc < 2 || b->succ[e] != l->header)) continue;
            if (t->guard >= 0) want_reg(s, t->guard);
            if (t->op == P_BRX) want_reg(s, t->o[0].reg);
        }
    }
    do {
        s->changed = false;
        sweep(s);
    } while (s->changed && !s->waits);
    return s->waits;
}

static bool calls(const struct loop *l)
{
    for (int k = 0; k < l->nblocks; k++)
        for (const struct ins *i = l->blocks[k]->first; i; i = i->next)
            if (i->op == P_CALL) return true;
    return false;
}

/* An outer loop whose exit hangs on an inner waiting loop only needs no YIELD of its own for
 * progress, but a value handed out of the inner loop may still be waited for outside: both keep
 * theirs. */
void wait_run(struct fn *f)
{
    fn_requires(f, KNOWN_GRAPH);
    struct arena *a = arena_new();
    size_t nregs = (size_t)f->nregs + 1;
    struct slice s = { .f = f,
                       .reg = arena_alloc(a, nregs * sizeof(int)),
                       .written = arena_alloc(a, nregs * sizeof(int)),
                       .blk = arena_alloc(a, ((size_t)f->nblocks + 1) * sizeof(int)),
                       .deciders = find_deciders(f, a) };
    for (int k = 0; k < f->nloops; k++) {
        struct loop *l = f->loops[k];
        l->spins = loop_spins(&s, l);
        l->may_wait = l->spins || (calls(l) && !predict_covers(f, l->header));
    }
    arena_free(a);
}
