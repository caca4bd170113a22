/* Loops that may wait for another lane: they get a YIELD, so that the lane they wait for can run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A loop may wait when one of its exits (an edge out of it, or a guarded exit, ret or trap), or a
 * branch back to its header (a loop inside with the same header ends where that is not taken),
 * depends, through data, local memory and control inside the loop, on a value that another lane may
 * change meanwhile: an atomic's result, a volatile, acquiring or .cg load, or a plain load that
 * reads one address again and again.  It does not where a constant ends it after a few rounds.  A
 * loop gets a YIELD, too, if a call stands in it or anywhere after it in the order of blocks, as in
 * NVIDIA's code: so it is for each of the 197 loops of recorded kernels that call.  Not in the
 * region of a prediction, whose barriers would stop waiting for a lane that yields: there it counts
 * whether an exit depends on what a call returns.
 *
 * Requires: edges, dominators, post-dominators, loops; regions of predictions.
 * Ensures:  loop.spins, loop.may_wait; changes nothing else. */
#include "compiler/analysis/livelist.h"
#include "compiler/predict.h"
#include "isa_gen.h"

enum { VARIES = 1, SAME, ASKED };     /* slice.same */
struct slice {
    struct fn *f; const struct loop *l;
    int *reg, *blk;             /* registers, blocks that an exit depends on: when equal to `now` */
    int *written, *in;          /* registers that the loop writes, its blocks: likewise */
    struct ins **by;            /* the one instruction of the loop that writes it; NULL: several */
    const struct blk **home;    /* where that is */
    unsigned char *same;        /* of a register that it writes: has one value in all rounds */
    int now, deep;                   /* number of the loop; calls of same_in_rounds */
    struct lists deciders;           /* per block: the branches that decide whether it runs */
    bool changed, waits, memory;     /* memory: what the lane stored itself matters */
};

static bool is_time(int sreg)
{
    return sreg == SREG_CLOCKLO || sreg == SREG_CLOCKHI || sreg == SREG_CLOCK64 ||
           sreg == SREG_GLOBALTIMER;
}

/* Gives one result whenever its sources are the same. */
static bool pure(const struct ins *i)
{
    switch (i->op) {
    case P_LD: case P_LDU: return i->space == SP_PARAM && !(i->o[1].sym && i->o[1].sym->call_param);
    case P_MOV: case P_CVT: return i->o[1].kind != O_SREG || !is_time(i->o[1].sreg);
    case P_ATOM: case P_VOTE: case P_MATCH: case P_REDUX: case P_SHFL: case P_ACTIVEMASK:
    case P_BARRED: case P_CALL: case P_ADDC: case P_SUBC: case P_MADC: return false;
    default: return i->op < P_BSSY;
    }
}

/* Whether every round computes the same: written once, from what is the same. */
static bool same_in_rounds(struct slice *s, int reg)
{
    int r[MAX_INS_REGS];
    if (s->written[reg] != s->now) return true;
    if (s->same[reg]) return s->same[reg] == SAME;
    s->same[reg] = ASKED;
    const struct ins *i = s->by[reg];
    bool same = i && i->guard < 0 && !i->cc && pure(i) && s->deep < 64;
    s->deep++;
    for (int n = same ? ins_sources(i, r) : 0, k = 0; k < n && same; k++)
        same = same_in_rounds(s, r[k]);
    s->deep--;
    s->same[reg] = same ? SAME : VARIES;
    return same;
}

static bool may_change(struct slice *s, const struct ins *i)
{
    if (i->op == P_ATOM) return true;
    if (i->op == P_LD && i->space == SP_PARAM) return i->o[1].sym && i->o[1].sym->call_param;
    if (i->op != P_LD || i->nc) return false;
    if (i->space != SP_GLOBAL && i->space != SP_SHARED && i->space != SP_GENERIC) return false;
    return i->vol || i->fresh || i->o[1].reg < 0 || same_in_rounds(s, i->o[1].reg);
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
        if (s->in[c->id] != s->now) continue;
        if (t->guard >= 0) want_reg(s, t->guard);
        if (t->op == P_BRX) want_reg(s, t->o[0].reg);
        want_block(s, c);
    }
}

/* What the lane may have stored itself and read again. */
static bool own_memory(const struct ins *i)
{
    return (i->op == P_LD || i->op == P_ST) && (i->space == SP_LOCAL || i->space == SP_GENERIC);
}

static void sweep(struct slice *s)
{
    int r[MAX_INS_REGS];
    for (int k = 0; k < s->l->nblocks; k++)
        for (const struct ins *i = s->l->blocks[k]->first; i; i = i->next) {
            bool wanted = s->memory && i->op == P_ST && own_memory(i);
            for (int n = ins_dests(i, r), d = 0; d < n; d++) wanted |= s->reg[r[d]] == s->now;
            if (!wanted) continue;
            if (may_change(s, i)) s->waits = true;
            if (i->op == P_LD && own_memory(i) && !s->memory) s->memory = s->changed = true;
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

static void begin(struct slice *s, const struct loop *l)
{
    int r[MAX_INS_REGS];
    s->l = l;
    s->now++;
    s->waits = s->memory = false;
    for (int k = 0; k < l->nblocks; k++) {
        s->in[l->blocks[k]->id] = s->now;
        for (struct ins *i = l->blocks[k]->first; i; i = i->next)
            for (int n = ins_dests(i, r), d = 0; d < n; d++) {
                s->by[r[d]] = s->written[r[d]] == s->now ? NULL : i;
                s->home[r[d]] = l->blocks[k];
                s->written[r[d]] = s->now;
                s->same[r[d]] = 0;
            }
    }
}

/* What decides whether lanes leave at the end of b. */
static void want_exits(struct slice *s, const struct blk *b)
{
    const struct ins *t = blk_terminator(b);
    if (!t) return;
    bool leaves = t->op == P_EXIT || t->op == P_RET || t->op == P_TRAP;
    for (int e = 0; e < b->nsucc; e++) {
        bool in = s->in[b->succ[e]->id] == s->now;
        leaves |= !in || (b->nsucc > 1 && b->succ[e] == s->l->header);
    }
    if (!leaves) return;
    if (t->guard >= 0) want_reg(s, t->guard);
    if (t->op == P_BRX) want_reg(s, t->o[0].reg);
    want_block(s, b);
}

/* Every round executes b. */
static bool in_every_round(const struct slice *s, const struct blk *b)
{
    const struct blk *header = s->l->header;
    for (int k = 0; k < header->npred; k++)
        if (s->in[header->pred[k]->id] == s->now && !dom_over(b, header->pred[k])) return false;
    return true;
}

/* What reg holds after a few rounds: moves of the loop, each executed in every round, lead from it
 * to an immediate. */
static bool becomes(const struct slice *s, int reg, uint64_t *value)
{
    for (int steps = 0; steps < s->l->nblocks && s->written[reg] == s->now; steps++) {
        const struct ins *i = s->by[reg];
        if (!i || i->op != P_MOV || i->guard >= 0 || !in_every_round(s, s->home[reg])) return false;
        *value = i->o[1].imm;
        if (i->o[1].kind == O_IMM) return true;
        if (i->o[1].kind != O_REG) return false;
        reg = i->o[1].reg;
    }
    return false;
}

/* Whether every lane leaves at the end of b after a few rounds, as in a loop of two rounds that
 * clang does not unroll (paper B's ec). */
static bool ends_by_constant(const struct slice *s, const struct blk *b)
{
    const struct ins *t = blk_terminator(b);
    uint64_t value;
    if (!t || t->guard < 0 || !in_every_round(s, b) || !becomes(s, t->guard, &value)) return false;
    bool taken = (value != 0) != t->guard_neg;
    if (t->op == P_EXIT || t->op == P_RET || t->op == P_TRAP) return taken;
    return t->op == P_BRA && b->nsucc == 2 && s->in[b->succ[!taken]->id] != s->now;
}

static bool loop_spins(struct slice *s, const struct loop *l)
{
    bool interesting = false;
    begin(s, l);
    for (int k = 0; k < l->nblocks && !l->irreducible; k++)
        if (ends_by_constant(s, l->blocks[k])) return false;
    for (int k = 0; k < l->nblocks; k++)
        for (const struct ins *i = l->blocks[k]->first; i; i = i->next)
            interesting |= may_change(s, i);
    if (!interesting) return false;
    for (int k = 0; k < l->nblocks; k++) want_exits(s, l->blocks[k]);
    do {
        s->changed = false;
        sweep(s);
    } while (s->changed && !s->waits);
    return s->waits;
}

static bool has_call(const struct blk *b)
{
    for (const struct ins *i = b->first; i; i = i->next)
        if (i->op == P_CALL) return true;
    return false;
}

/* The last block that calls; -1: none does. */
static int last_call(const struct fn *f)
{
    int k = f->nblocks - 1;
    while (k >= 0 && !has_call(f->blocks[k])) k--;
    return k;
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
                       .by = arena_alloc(a, nregs * sizeof(struct ins *)),
                       .home = arena_alloc(a, nregs * sizeof(struct blk *)),
                       .same = arena_alloc(a, nregs),
                       .in = arena_alloc(a, ((size_t)f->nblocks + 1) * sizeof(int)),
                       .blk = arena_alloc(a, ((size_t)f->nblocks + 1) * sizeof(int)),
                       .deciders = find_deciders(f, a) };
    const int call = last_call(f);
    for (int k = 0; k < f->nloops; k++) {
        struct loop *l = f->loops[k];
        l->spins = loop_spins(&s, l);
        l->may_wait = l->spins || (l->header->id <= call && !predict_covers(f, l->header));
    }
    arena_free(a);
}
