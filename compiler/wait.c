/* Loops that may wait for another lane: they get a YIELD, so that the lane they wait for can run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: post-dominators, loops.  A loop may wait when one of its exits, or a branch back to its
 * header (a loop inside with the same header ends where that is not taken), depends, through data
 * and control inside the loop, on a value that another lane may change meanwhile: an atomic's
 * result, a volatile (or acquiring) load, or a plain load that reads one address again and again.
 * A loop that calls a function may wait in it: NVIDIA's assembler gives it a YIELD too. */
#include "compiler/all.h"

struct slice {
    struct fn *f; const struct loop *l;
    bool *reg, *blk;                 /* registers, blocks that an exit depends on */
    bool *written;                   /* registers that the loop writes */
    bool changed, waits;
};

static bool may_change(const struct slice *s, const struct ins *i)
{
    if (i->op == P_ATOM) return true;
    if (i->op != P_LD || i->nc) return false;
    if (i->space != SP_GLOBAL && i->space != SP_SHARED && i->space != SP_GENERIC) return false;
    return i->vol || i->o[1].reg < 0 || !s->written[i->o[1].reg];
}

static void want_reg(struct slice *s, int r)
{
    if (s->reg[r]) return;
    s->reg[r] = true;
    s->changed = true;
}

/* Block b matters: so do the branches of the loop that decide whether it runs. */
static void want_block(struct slice *s, const struct blk *b)
{
    if (s->blk[b->id]) return;
    s->blk[b->id] = true;
    s->changed = true;
    for (int k = 0; k < s->l->nblocks; k++) {
        const struct blk *c = s->l->blocks[k];
        struct ins *t = blk_terminator(c);
        if (c->nsucc < 2 || !t) continue;
        bool decides = false;
        for (int e = 0; e < c->nsucc && !decides; e++)
            for (const struct blk *x = c->succ[e]; x && x != c->ipdom && !decides; x = x->ipdom)
                decides = x == b;
        if (!decides) continue;
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
            for (int n = ins_dests(i, r), d = 0; d < n; d++) wanted |= s->reg[r[d]];
            if (!wanted) continue;
            if (may_change(s, i)) s->waits = true;
            for (int n = ins_sources(i, r), d = 0; d < n; d++) want_reg(s, r[d]);
            want_block(s, s->l->blocks[k]);
        }
}

static bool loop_waits(struct fn *f, const struct loop *l)
{
    struct arena *a = f->m->arena;
    struct slice s = { f,
                       l,
                       arena_alloc(a, (size_t)f->nregs + 1),
                       arena_alloc(a, (size_t)f->nblocks),
                       arena_alloc(a, (size_t)f->nregs + 1),
                       false,
                       false };
    int r[MAX_INS_REGS];
    bool interesting = false, calls = false;
    for (int k = 0; k < l->nblocks; k++)
        for (const struct ins *i = l->blocks[k]->first; i; i = i->next)
            for (int n = ins_dests(i, r), d = 0; d < n; d++) s.written[r[d]] = true;
    for (int k = 0; k < l->nblocks; k++)
        for (const struct ins *i = l->blocks[k]->first; i; i = i->next) {
            interesting |= may_change(&s, i);
            calls |= i->op == P_CALL;
        }
    if (calls) return true;
    if (!interesting) return false;
    for (int k = 0; k < l->nblocks; k++) {
        const struct blk *b = l->blocks[k];
        struct ins *t = blk_terminator(b);
        for (int e = 0; e < b->nsucc && t; e++) {
            if (loop_has(l, b->succ[e]) && (b->nsucc < 2 || b->succ[e] != l->header)) continue;
            if (t->guard >= 0) want_reg(&s, t->guard);
            if (t->op == P_BRX) want_reg(&s, t->o[0].reg);
        }
    }
    do {
        s.changed = false;
        sweep(&s);
    } while (s.changed && !s.waits);
    return s.waits;
}

/* An outer loop whose exit hangs on an inner waiting loop only needs no YIELD of its own for
 * progress, but a value handed out of the inner loop may still be waited for outside: both keep
 * theirs. */
void wait_run(struct fn *f)
{
    for (int k = 0; k < f->nloops; k++) f->loops[k]->may_wait = loop_waits(f, f->loops[k]);
}
