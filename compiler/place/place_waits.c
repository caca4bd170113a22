/* YIELD where a lane may wait for another, WARPSYNC where a program names the lanes that must come
 * together.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A YIELD stands at the head of every loop that may wait (wait.c), as in NVIDIA's code.  Where the
 * first block of a loop that spins begins with a load, it stands after that: a lane that finds what
 * it waits for at once has seen it before the others go on and overwrite it (p_spin_same_warp).
 * One stands at the entry of every device function, where NVIDIA's compiler has one: lanes that
 * call from different places meet there.  Not in the library: a lane that yields in a division
 * would release the barriers at which others wait for it, and the warp would fall apart for good.
 * vote, shfl, match and bar.warp.sync with .sync wait for the lanes of their mask.
 *
 * After a call a warp may be apart: while some lanes yielded in the function, whose entry saves and
 * clears the barrier registers of its caller, the others passed the BSYNC at which they should have
 * waited.  The function then writes back a mask that names them, and its lanes would wait at that
 * BSYNC for lanes that wait for them at a block barrier.  So lanes meet at a WARPSYNC before a
 * block barrier that may follow a call, where NVIDIA's compiler has one too: there the BSYNC gives
 * way.
 *
 * Requires: a finished placement, with edges, dominators, loops, divergence.
 * Ensures:  YIELD and WARPSYNC stand, no bar.warp.sync is left; blocks and barriers stay. */
#include <string.h>
#include "compiler/analysis/blkset.h"
#include "compiler/predict.h"

/* After the waits, and where lanes have left the regions that they came from. */
static struct ins *first_behind_bsync(const struct blk *b)
{
    struct ins *i = b->first;
    while (i && (i->op == P_BSYNC || i->op == P_PRAGMA || (i->op == P_BREAK && i->sub == CANCEL)))
        i = i->next;
    return i;
}

/* Where the YIELD of a loop stands. */
static struct ins *place_in_loop(const struct loop *l)
{
    for (struct ins *i = l->header->first; i && l->spins && i->op != P_ATOM; i = i->next)
        if (i->op == P_LD && i->space != SP_PARAM && i->space != SP_CONST && i->space != SP_LOCAL)
            return i->next;
    return first_behind_bsync(l->header);
}

static void add_yield(struct fn *f, struct blk *b, struct ins *at)
{
    struct ins *y = ins_new(f->m, P_YIELD);
    if (at && at->op == P_YIELD) return;
    if (at) y->loc = at->loc, y->sfile = at->sfile, y->sline = at->sline;
    ins_before(b, at, y);
}

/* ---- blocks that the whole warp executes together -------------------------------------------- */

static bool waits_at(const struct blk *b)
{
    for (const struct ins *i = b->first; i; i = i->next)
        if (i->op == P_BSYNC) return true;
    return false;
}

/* All that can be reached from d's successors without passing `stop`. */
static void reach(const struct blk *d, const struct blk *stop, struct blkset *seen)
{
    int at = seen->n;
    for (const struct blk *b = d;; b = seen->list[at++]) {
        for (int s = 0; s < b->nsucc; s++)
            if (b->succ[s] != stop) blkset_add(seen, b->succ[s]);
        if (at == seen->n) return;
    }
}

/* After d lanes are apart until they wait at its post-dominator; else to the end, in `always`. */
static void mark_apart(struct blk *d, bool *apart, struct blkset *seen, struct blkset *always)
{
    if (!d->ipdom || !waits_at(d->ipdom)) {
        reach(d, NULL, always);
        return;
    }
    blkset_clear(seen);
    reach(d, d->ipdom, seen);
    for (int k = 0; k < seen->n; k++) apart[seen->list[k]->id] = true;
}

/* Selection makes some of these a call of the library, from which lanes need not return
 * together. */
static bool may_call(const struct ins *i)
{
    switch (i->op) {
    case P_DIV: case P_REM: case P_RCP: case P_SQRT: case P_RSQRT: case P_FNS: return true;
    case P_BFE: case P_BFI: return type_size(i->type) == 8;
    case P_ATOM: case P_RED:
        if (type_half(i->type) || type_size(i->type) < 4) return true;
        return i->type == T_F64 || (i->op == P_ATOM && type_float(i->type));
    default: return i->type == T_F64 || i->stype == T_F64;
    }
}

static bool calls_library(const struct fn *f)
{
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (may_call(i)) return true;
    return false;
}

/* While lanes wait at a block barrier, the BSYNC at which the others of their warp wait for them
 * gives way. */
static bool apart_at_block_barrier(const struct fn *f, const bool *apart)
{
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (apart[f->blocks[k]->id] && (i->op == P_BAR || i->op == P_BARRED)) return true;
    return false;
}

/* Where a part of a warp may be by itself.  YIELDs, calls and block barriers in such places let
 * lanes pass a BSYNC that others have not reached: then anywhere. */
static bool *find_apart(struct fn *f)
{
    bool *apart = arena_alloc(f->m->arena, (size_t)f->nblocks);
    bool drifts = !f->entry || f->npredictions || f->has_calls || calls_library(f);
    for (int k = 0; k < f->nloops; k++) drifts |= f->loops[k]->may_wait;
    if (drifts) {
        memset(apart, true, (size_t)f->nblocks);
        return apart;
    }
    struct blkset seen = blkset_new(f), always = blkset_new(f);
    for (int k = 0; k < f->nblocks; k++)
        if (f->blocks[k]->divergent && f->blocks[k]->nsucc > 1)
            mark_apart(f->blocks[k], apart, &seen, &always);
    for (int k = 0; k < always.n; k++) apart[always.list[k]->id] = true;
    if (apart_at_block_barrier(f, apart)) memset(apart, true, (size_t)f->nblocks);
    return apart;
}

static bool full_mask(const struct opd *o)
{
    return o->kind == O_IMM && (uint32_t)o->imm == 0xffffffffu;
}

static const struct opd *member_mask(const struct ins *i)
{
    switch (i->op) {
    case P_BARWARP: return &i->o[0];
    case P_VOTE: return i->sync ? &i->o[2] : NULL;
    case P_MATCH: case P_REDUX: return &i->o[2];
    case P_SHFL: return i->sync ? &i->o[4] : NULL;
    default: return NULL;
    }
}

bool names_lanes(const struct ins *i) { return member_mask(i); }

static void add_warpsync(struct fn *f, struct blk *b, struct ins *before, struct opd mask)
{
    struct ins *w = ins_new(f->m, P_WARPSYNC);
    w->nops = 1;
    w->o[0] = mask;
    w->loc = before->loc;
    w->sfile = before->sfile;
    w->sline = before->sline;
    ins_before(b, before, w);
}

/* ---- lanes that come together and name different masks --------------------------------------- */

static struct ins *split_ins(struct fn *f, struct blk *b, const struct ins *w, enum pop op, int reg,
                             struct opd a)
{
    struct ins *i = ins_new(f->m, op);
    i->type = i->stype = T_B32;
    i->nops = 2;
    i->o[0] = (struct opd){ .kind = O_REG, .reg = reg, .reg2 = -1 };
    i->o[1] = a;
    i->loc = w->loc, i->sfile = w->sfile, i->sline = w->sline;
    ins_append(b, i);
    return i;
}

static int split_reg(struct fn *f, enum ptype t)
{
    int reg = reg_new(f, t);
    f->reg_divergent = arena_grow(f->m->arena, f->reg_divergent, (size_t)reg, (size_t)reg + 1);
    f->reg_divergent[reg] = true;
    return reg;
}

/* PICK: those whose mask is that of the lowest lane go on, the others execute this again.  A
 * WARPSYNC takes one mask. */
static void split_by_mask(struct fn *f, struct blk *b, struct ins *w)
{
    cfg_split(f, b, w);
    struct blk *pick = cfg_split(f, b, NULL);
    int here = split_reg(f, T_B32), low = split_reg(f, T_B32), first = split_reg(f, T_B32);
    int mask = split_reg(f, T_B32), other = split_reg(f, T_PRED);
    struct opd none = { .kind = O_NONE };
    split_ins(f, pick, w, P_ACTIVEMASK, here, none)->nops = 1;
    struct ins *i = split_ins(f, pick, w, P_BREV, low, none);
    i->o[1] = (struct opd){ .kind = O_REG, .reg = here, .reg2 = -1 };
    i = split_ins(f, pick, w, P_CLZ, first, i->o[0]);
    struct ins *shfl = split_ins(f, pick, w, P_SHFL, mask, w->o[0]);
    shfl->sub = PS_IDX;
    shfl->nops = 4;
    shfl->o[2] = i->o[0];
    shfl->o[3] = (struct opd){ .kind = O_IMM, .imm = 31 };
    i = split_ins(f, pick, w, P_SETP, other, shfl->o[0]);
    i->cmp = CMP_NE;
    i->nops = 3;
    i->o[2] = w->o[0];
    struct ins *again = cfg_jump(f, pick, pick);
    again->guard = other;
    again->loc = w->loc, again->sfile = w->sfile, again->sline = w->sline;
    cfg_refresh(f);
}

static void split_masks(struct fn *f, const bool *apart)
{
    for (int k = 0, n = f->nblocks; k < n; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == P_WARPSYNC)
                i->sub = apart[k] && i->o[0].kind == O_REG && f->reg_divergent[i->o[0].reg];
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == P_WARPSYNC && i->sub) {
                i->sub = 0;
                split_by_mask(f, f->blocks[k], i);
                break;
            }
    if (f->known & KNOWN_LOOPS) return;
    dom_build(f);
    loop_build(f);
}

void place_warpsync(struct fn *f, const bool *apart)
{
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        for (struct ins *i = b->first, *next; i; i = next) {
            next = i->next;
            const struct opd *mask = member_mask(i);
            if (!mask || i->meets >= MEETS_HERE) continue;
            if (apart[b->id] || !full_mask(mask)) add_warpsync(f, b, i, *mask);
            if (i->op == P_BARWARP) ins_remove(b, i);
        }
    }
}

/* ---- block barriers after calls -------------------------------------------------------------- */

/* All that may be executed after a call: true for the blocks that calls lead to. */
static bool *find_after_calls(struct fn *f)
{
    bool *after = arena_alloc(f->m->arena, (size_t)f->nblocks);
    struct blkset seen = blkset_new(f);
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next)
            if (i->op == P_CALL) {
                reach(f->blocks[k], NULL, &seen);
                break;
            }
    for (int k = 0; k < f->nblocks; k++) after[k] = !f->entry;
    for (int k = 0; k < seen.n; k++) after[seen.list[k]->id] = true;
    return after;
}

/* A barrier that a part of a warp may execute by itself (`barrier.sync`) asks for no others. */
static bool asks_for_warp(const struct ins *i)
{
    return i->op == P_BARRED || (i->op == P_BAR && i->sub == BAR_ALIGNED);
}

static void meet_before_block_barriers(struct fn *f)
{
    static const struct opd all = { .kind = O_IMM, .imm = 0xffffffffu };
    const bool *after = find_after_calls(f);
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        bool called = after[k];
        for (struct ins *i = b->first; i; i = i->next) {
            called |= i->op == P_CALL;
            if (called && asks_for_warp(i)) add_warpsync(f, b, i, all);
        }
    }
}

void place_waits(struct fn *f)
{
    fn_requires(f, KNOWN_GRAPH | KNOWN_DIVERGENCE | KNOWN_PLACED);
    const bool *apart = find_apart(f);
    place_warpsync(f, apart);
    if (f->has_calls || !f->entry) meet_before_block_barriers(f);
    for (int k = 0; k < f->nloops; k++)
        if (f->loops[k]->may_wait)
            add_yield(f, f->loops[k]->header, place_in_loop(f->loops[k]));
    if (!f->entry && !f->m->is_library && !f->in_region)
        add_yield(f, f->blocks[0], first_behind_bsync(f->blocks[0]));
    split_masks(f, apart);
}
