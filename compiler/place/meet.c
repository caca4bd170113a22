/* Collectives of a warp at several places: lanes of two arms of a branch take part in one.
 * SPDX-License-Identifier: Apache-2.0
 *
 * PTX: a lane waits "until all non-exited threads corresponding to membermask have executed
 * shfl.sync with the same qualifiers and same membermask"; at which place is not asked.  The
 * machine's instructions work among the lanes that execute them together.  So places that lanes
 * may be at, at the same time, call one routine of the library: its WARPSYNC lets the lanes of all
 * of them go on together.  Where the member mask is exactly the lanes that are here, nothing needs
 * to wait, and the instruction stands beside the call.
 *
 * Lanes are at two places at the same time if a divergent branch has sent them two ways: a place on
 * one of the ways alone meets any place on another.  Places after a join that every way leads to
 * meet none by that branch: lanes come there together.  Functions that a way calls belong to it.
 * Qualifiers have to be equal, so each kind is looked at by itself.
 *
 * Requires: edges, dominators, divergence of every function; barrier mode.
 * Ensures:  ins.meets, with edges, dominators and loops as they are now. */
#include <string.h>
#include "compiler/analysis/blkset.h"

/* vote 0 to 3, shfl 4 to 7, match 8 to 11, redux 12 to 23 */
enum { KINDS = 24 };
enum { MAX_SIDES = 64 };
/* What lies on one way from a branch. */
struct side { struct blkset blocks; bool *fns; int n[KINDS]; };
struct meet {
    struct module *m; struct fn *f;
    int (*own)[KINDS];           /* of each function: its places */
    bool *todo;                  /* functions in which places were found to meet */
    struct side side[MAX_SIDES], all;
    struct blkset common;
    struct joins joins;
};

static int kind_of(const struct ins *i)
{
    switch (i->op) {
    case P_VOTE: return i->sync ? i->sub : -1;
    case P_SHFL: return i->sync ? 4 + i->sub : -1;
    case P_MATCH: return 8 + 2 * i->sub + (type_size(i->type) == 8);
    case P_REDUX:               /* a sum is the same of both types */
        return 12 + 2 * i->sub + (i->sub != AT_ADD && type_signed(i->type));
    default: return -1;
    }
}

static const struct opd *mask_of(const struct ins *i)
{
    return &i->o[i->op == P_SHFL ? 4 : 2];
}

/* The mask is what activemask found just before: those lanes are here. */
static bool mask_is_here(const struct ins *i)
{
    const struct opd *mask = mask_of(i);
    for (const struct ins *k = i->prev; k && mask->kind == O_REG && k->op != P_CALL; k = k->prev) {
        int r[MAX_INS_REGS];
        for (int n = ins_dests(k, r), d = 0; d < n; d++)
            if (r[d] == mask->reg) return k->op == P_ACTIVEMASK && k->guard < 0;
    }
    return false;
}

static int place_kind(const struct ins *i)
{
    int kind = kind_of(i);
    return kind >= 0 && mask_is_here(i) ? -1 : kind;
}

/* ---- what lies on a way ---------------------------------------------------------------------- */

static void count_block(const struct blk *b, int n[KINDS])
{
    for (const struct ins *i = b->first; i; i = i->next)
        if (place_kind(i) >= 0) n[place_kind(i)]++;
}

static bool calls(const struct blk *b)
{
    for (const struct ins *i = b->first; i; i = i->next)
        if (i->op == P_CALL) return true;
    return false;
}

static void fill_side(struct side *s, struct blk *from, const struct blk *join,
                      const struct blk *other)
{
    blkset_clear(&s->blocks);
    if (from != join && from != other) blkset_add(&s->blocks, from);
    for (int at = 0; at < s->blocks.n; at++) {
        const struct blk *b = s->blocks.list[at];
        for (int k = 0; k < b->nsucc; k++)
            if (b->succ[k] != join && b->succ[k] != other) blkset_add(&s->blocks, b->succ[k]);
    }
}

/* The functions that the side's blocks lead to, and how many places of each kind it has. */
static void count_side(struct meet *w, struct side *s)
{
    const struct module *m = w->m;
    bool any = false;
    memset(s->n, 0, sizeof s->n);
    memset(s->fns, 0, (size_t)m->nfns);
    for (int k = 0; k < s->blocks.n; k++) {
        count_block(s->blocks.list[k], s->n);
        any |= calls(s->blocks.list[k]);
    }
    if (!any) return;
    callgraph_reach(w->f, s->blocks.has, s->fns);
    for (int k = 0; k < m->nfns; k++)
        for (int kind = 0; s->fns[k] && kind < KINDS; kind++) s->n[kind] += w->own[k][kind];
}

static void mark_block(struct blk *b, int kind)
{
    for (struct ins *i = b->first; i; i = i->next)
        if (place_kind(i) == kind) i->meets = MEETS_ELSEWHERE;
}

static void mark_side(struct meet *w, const struct side *s, int kind)
{
    w->todo[w->f->id] = true;
    for (int k = 0; k < s->blocks.n; k++) mark_block(s->blocks.list[k], kind);
    for (int k = 0; k < w->m->nfns; k++) {
        const struct fn *f = w->m->fns[k];
        for (int b = 0; s->fns[k] && b < f->nblocks; b++) mark_block(f->blocks[b], kind);
        w->todo[k] |= s->fns[k];
    }
}

/* ---- a branch -------------------------------------------------------------------------------- */

static void fill(struct meet *w, struct blk *d, const struct blk *join, const struct blk *other)
{
    for (int s = 0; s < d->nsucc; s++) fill_side(&w->side[s], d->succ[s], join, other);
}

/* Blocks that more than one way leads to; all that any leads to. */
static bool find_common(struct meet *w, const struct blk *d)
{
    blkset_clear(&w->common);
    blkset_clear(&w->all.blocks);
    for (int s = 0; s < d->nsucc; s++)
        for (int k = 0; k < w->side[s].blocks.n; k++) {
            struct blk *b = w->side[s].blocks.list[k];
            if (!blkset_add(&w->all.blocks, b)) blkset_add(&w->common, b);
        }
    return w->common.n > 0;
}

static bool only_ends(const struct blk *b)
{
    return b->first && b->first == b->last && (b->first->op == P_RET || b->first->op == P_EXIT);
}

/* Where lanes that do not end come together.  An end on one of the ways moves the post-dominator to
 * the end of all: then it is the join by which every way goes that goes on to another's blocks. */
static const struct blk *find_join(struct meet *w, struct blk *d)
{
    struct blk *join = d->ipdom;
    if (join && !only_ends(join)) return join;
    joins_find(&w->joins, w->f, d);
    for (int k = 0; k < w->joins.n; k++) {
        struct blk *at = w->joins.join[k];
        if (at == join) continue;
        fill(w, d, join, at);
        if (!find_common(w, d)) return at;
    }
    return join;
}

/* What is common begins at one block: lanes come to it together, so it meets itself nowhere. */
static bool one_entry(struct meet *w, struct blk *d, const struct blk *join)
{
    joins_find(&w->joins, w->f, d);
    for (int k = 0; k < w->joins.n; k++) {
        fill(w, d, join, w->joins.join[k]);
        if (!find_common(w, d)) return true;
    }
    return false;
}

static bool has_kind(const struct blkset *blocks, int kind)
{
    int n[KINDS] = { 0 };
    for (int k = 0; k < blocks->n; k++) count_block(blocks->list[k], n);
    return n[kind] > 0;
}

/* Where every way leads to the same places, by one block or in the same functions, lanes come to
 * them in the same order. */
static bool same_order(struct meet *w, struct blk *d, const struct blk *join, int kind)
{
    for (int s = 0; s < d->nsucc; s++)
        if (w->side[s].n[kind] && w->side[s].n[kind] != w->all.n[kind]) return false;
    if (!has_kind(&w->common, kind)) return true;
    bool one = one_entry(w, d, join);
    fill(w, d, join, NULL);
    find_common(w, d);
    return one;
}

static void meet_at_branch(struct meet *w, struct blk *d)
{
    const struct blk *join = find_join(w, d);
    int ways[KINDS] = { 0 };
    fill(w, d, join, NULL);
    find_common(w, d);
    for (int s = 0; s < d->nsucc; s++) {
        count_side(w, &w->side[s]);
        for (int kind = 0; kind < KINDS; kind++) ways[kind] += w->side[s].n[kind] > 0;
    }
    count_side(w, &w->all);
    for (int kind = 0; kind < KINDS; kind++)
        if (ways[kind] > 1 && w->all.n[kind] > 1 && !same_order(w, d, join, kind))
            mark_side(w, &w->all, kind);
}

/* ---- a call by a register that lanes have differently: each function is a way ---------------- */

static void meet_at_call(struct meet *w)
{
    int ways[KINDS] = { 0 };
    for (int k = 0; k < w->m->nfns; k++)
        for (int kind = 0; w->m->fns[k]->address_taken && kind < KINDS; kind++)
            ways[kind] += w->own[k][kind] > 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; ways[kind] > 1 && k < w->m->nfns; k++) {
            struct fn *f = w->m->fns[k];
            if (!f->address_taken) continue;
            w->todo[k] = true;
            for (int b = 0; b < f->nblocks; b++) mark_block(f->blocks[b], kind);
        }
}

static bool parts(const struct fn *f, const struct ins *i)
{
    return callgraph_by_register(i) && f->reg_divergent[i->o[0].reg];
}

/* ---- a function ------------------------------------------------------------------------------ */

static void meet_in(struct meet *w, struct fn *f)
{
    struct arena *keep = w->m->arena, *a = w->m->arena = arena_new();
    w->f = f;
    w->joins = joins_new(f);
    for (int s = 0; s < MAX_SIDES; s++) {
        w->side[s].blocks = blkset_new(f);
        w->side[s].fns = arena_alloc(a, (size_t)w->m->nfns + 1);
    }
    w->common = blkset_new(f);
    w->all.blocks = blkset_new(f);
    w->all.fns = arena_alloc(a, (size_t)w->m->nfns + 1);
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        if (b->divergent && b->nsucc > 1 && b->nsucc <= MAX_SIDES) meet_at_branch(w, b);
        for (const struct ins *i = b->first; i; i = i->next)
            if (parts(f, i)) meet_at_call(w);
    }
    w->m->arena = keep;
    arena_free(a);
}

/* ---- the call, and the instruction where all are here ---------------------------------------- */

static struct ins *like(struct fn *f, const struct ins *i, enum pop op, enum ptype t)
{
    struct ins *c = ins_new(f->m, op);
    c->type = c->stype = t;
    c->loc = i->loc, c->sfile = i->sfile, c->sline = i->sline, c->home = i->home;
    return c;
}

/* A register that lanes may have differently. */
static struct opd reg_opd(struct fn *f, enum ptype t)
{
    int reg = reg_new(f, t);
    f->reg_divergent = arena_grow(f->m->arena, f->reg_divergent, (size_t)reg, (size_t)reg + 1);
    f->reg_divergent[reg] = true;
    return (struct opd){ .kind = O_REG, .reg = reg, .reg2 = -1 };
}

/* activemask here; setp.ne away, here, mask; @away bra AWAY; the instruction; AFTER: ...
 * out of the way, AWAY: the call; bra AFTER.  All lanes that are here decide alike. */
static void call_if_apart(struct fn *f, struct blk *b, struct ins *i)
{
    struct ins *here = like(f, i, P_ACTIVEMASK, T_B32), *test = like(f, i, P_SETP, T_B32);
    struct ins *call = ins_new(f->m, i->op);
    here->nops = 1;
    here->o[0] = reg_opd(f, T_B32);
    test->cmp = CMP_NE;
    test->nops = 3;
    test->o[0] = reg_opd(f, T_PRED);
    test->o[1] = here->o[0];
    test->o[2] = *mask_of(i);
    *call = *i;
    call->next = call->prev = NULL;
    call->meets = MEETS_CALL;
    i->meets = MEETS_HERE;
    struct blk *after = cfg_split(f, b, i->next), *away;
    after->divergent = b->divergent;
    b->divergent = false;
    cfg_split(f, b, i);
    ins_append(b, here);
    ins_append(b, test);
    away = cfg_block_new(f);
    struct ins *jump = cfg_jump(f, b, away);
    jump->guard = test->o[0].reg;
    jump->loc = i->loc, jump->sfile = i->sfile, jump->sline = i->sline;
    ins_append(away, call);
    cfg_jump(f, away, after);
    cfg_refresh(f);
}

/* Blocks of predictions stay as they are: the call stands alone. */
static void expand(struct fn *f)
{
    bool changed = false;
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        struct ins *i = b->first;
        while (i && i->meets != MEETS_ELSEWHERE) i = i->next;
        if (!i) continue;
        if (f->npredictions) i->meets = MEETS_CALL;
        else call_if_apart(f, b, i);
        k -= f->npredictions > 0;
        changed = true;
    }
    if (!changed || f->npredictions) return;
    dom_build(f);
    loop_build(f);
}

void meet_run(struct module *m)
{
    struct meet w = { .m = m };
    size_t n = (size_t)m->nfns + 1;
    int total[KINDS] = { 0 };
    bool any = false;
    w.own = arena_alloc(m->arena, n * sizeof *w.own);
    w.todo = arena_alloc(m->arena, n);
    for (int k = 0; k < m->nfns; k++) {
        const struct fn *f = m->fns[k];
        for (int b = 0; b < f->nblocks; b++) count_block(f->blocks[b], w.own[k]);
        for (int kind = 0; kind < KINDS; kind++) any |= (total[kind] += w.own[k][kind]) > 1;
    }
    for (int k = 0; any && k < m->nfns; k++)
        if (m->fns[k]->defined) meet_in(&w, m->fns[k]);
    for (int k = 0; k < m->nfns; k++)
        if (w.todo[k]) expand(m->fns[k]);
}
