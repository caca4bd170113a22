/* If-conversion: short branches become guards.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: edges; keeps them.  A branch around a few plain instructions (triangle) or between two
 * short sides (diamond) costs less as predicated code, and it can't part the warp.  Of a diamond,
 * one side may run in all lanes and be overwritten by the other: "What is warp divergence?" (GPU
 * glossary) shows it on real machine code.  Sides with memory order, lane communication, calls or
 * a clock keep their branch: what they do depends on which lanes run together.  A branch to the
 * end of a kernel becomes a guarded exit. */
#include <string.h>
#include "compiler/all.h"
#include "isa_gen.h"

enum { MAX_SIDE = 6 };              /* instructions: about what a taken branch costs */

struct conv { struct fn *f; uint64_t *live; size_t words; };

static bool library_call(const struct ins *i)
{
    switch (i->op) {
    case P_DIV: case P_REM: return !i->approx;
    case P_SQRT: case P_RCP: return !i->approx;
    default:
        return i->type == T_F64 && i->op != P_MOV && i->op != P_LD && i->op != P_ST &&
               i->op != P_SELP;
    }
}

static bool may_guard(const struct ins *i)
{
    if (i->guard >= 0 || i->cc || library_call(i)) return false;
    switch (i->op) {
    case P_LD: case P_ST: return !i->vol && i->space != SP_PARAM;
    case P_MOV:
        return i->o[1].kind != O_SREG ||
               (i->o[1].sreg >= 0 && i->o[1].sreg != SREG_CLOCKLO && i->o[1].sreg != SREG_CLOCKHI);
    case P_ADDC:
    case P_SUBC:
    case P_MADC:
    case P_LDU:
    case P_ATOM:
    case P_RED:
    case P_MEMBAR:
    case P_FENCE:
    case P_BAR:
    case P_BARWARP:
    case P_VOTE:
    case P_MATCH:
    case P_SHFL:
    case P_ACTIVEMASK:
    case P_BRA:
    case P_BRX:
    case P_CALL:
    case P_RET:
    case P_EXIT:
    case P_TRAP:
    case P_BRKPT:
    case P_PRAGMA:
    case P_NANOSLEEP:
    case P_NOP: return false;
    default:
        return i->op < P_BSSY;
    }
}

static bool writes(const struct ins *i, int reg)
{
    int r[MAX_INS_REGS];
    for (int n = ins_dests(i, r), k = 0; k < n; k++)
        if (r[k] == reg) return true;
    return false;
}

/* b runs only from d, only goes on to one block, and every instruction of it can carry d's
 * predicate. */
static bool is_side(const struct blk *b, int pred)
{
    int n = 0;
    if (b->npred != 1 || b->nsucc != 1) return false;
    const struct ins *t = blk_terminator(b);
    for (const struct ins *i = b->first; i && i != t; i = i->next)
        if (++n > MAX_SIDE || !may_guard(i) || writes(i, pred)) return false;
    return !t || (t->op == P_BRA && t->guard < 0);
}

/* ---- the side that runs unguarded ------------------------------------------------------------ */

static void find_live(struct conv *c)
{
    struct fn *f = c->f;
    int r[MAX_INS_REGS];
    c->words = (size_t)(f->nregs + 63) / 64;
    uint64_t *live = c->live = arena_alloc(f->m->arena, c->words * (size_t)f->nblocks * 8 + 8);
    uint64_t *now = arena_alloc(f->m->arena, c->words * 8 + 8);
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = f->nrpo - 1; k >= 0; k--) {
            struct blk *b = f->rpo[k];
            memset(now, 0, c->words * 8);
            for (int s = 0; s < b->nsucc; s++)
                for (size_t w = 0; w < c->words; w++)
                    now[w] |= live[(size_t)b->succ[s]->id * c->words + w];
            for (const struct ins *i = b->last; i; i = i->prev) {
                int n = i->guard < 0 ? ins_dests(i, r) : 0;
                for (int d = 0; d < n; d++) now[r[d] / 64] &= ~(1ull << (r[d] % 64));
                n = ins_sources(i, r);
                for (int d = 0; d < n; d++) now[r[d] / 64] |= 1ull << (r[d] % 64);
            }
            uint64_t *in = live + (size_t)b->id * c->words;
            if (memcmp(in, now, c->words * 8)) {
                memcpy(in, now, c->words * 8);
                changed = true;
            }
        }
    }
}

static bool live_into(struct conv *c, const struct blk *b, int reg)
{
    if (!c->live) find_live(c);
    return c->live[(size_t)b->id * c->words + (size_t)reg / 64] >> (reg % 64) & 1;
}

/* May `a` run in the lanes of the other side `b` too, before b?  Then nothing that b or what
 * follows needs may be lost, and nothing of `a` may be seen from outside. */
static bool harmless(struct conv *c, const struct blk *a, const struct blk *b,
                     const struct blk *meet)
{
    int r[MAX_INS_REGS];
    for (const struct ins *i = a->first; i; i = i->next) {
        if (i == blk_terminator(a)) break;
        if (i->op == P_LD || i->op == P_ST) return false;
        for (int n = ins_dests(i, r), k = 0; k < n; k++) {
            bool again = false;
            for (const struct ins *j = b->first; j; j = j->next) again |= writes(j, r[k]);
            if (live_into(c, b, r[k]) || (live_into(c, meet, r[k]) && !again)) return false;
        }
    }
    return true;
}

/* ---- conversion ------------------------------------------------------------------------------ */

static void move_side(struct blk *d, struct blk *side, int guard, bool neg)
{
    struct ins *end = blk_terminator(side), *next;
    for (struct ins *i = side->first; i && i != end; i = next) {
        next = i->next;
        ins_remove(side, i);
        i->guard = guard;
        i->guard_neg = guard >= 0 && neg;
        ins_append(d, i);
    }
}

static void jump_to(struct fn *f, struct blk *d, struct blk *to, struct ins *t)
{
    (void)f;
    t->guard = -1;
    t->guard_neg = false;
    t->targets[0] = to;
    ins_append(d, t);
}

static bool convert(struct conv *c, struct blk *d)
{
    struct fn *f = c->f;
    struct ins *t = blk_terminator(d);
    if (!t || t->op != P_BRA || t->guard < 0 || d->nsucc != 2) return false;
    struct blk *taken = d->succ[0], *next = d->succ[1], *meet;
    int p = t->guard;
    bool neg = t->guard_neg;
    bool tside = is_side(taken, p), nside = is_side(next, p);
    if (nside && next->succ[0] == taken) {
        meet = taken;
        ins_remove(d, t);
        move_side(d, next, p, !neg);
    } else if (tside && taken->succ[0] == next) {
        meet = next;
        ins_remove(d, t);
        move_side(d, taken, p, neg);
    } else if (tside && nside && taken->succ[0] == next->succ[0] && taken->succ[0] != d) {
        meet = taken->succ[0];
        bool free_next = harmless(c, next, taken, meet),
             free_taken = !free_next && harmless(c, taken, next, meet);
        ins_remove(d, t);
        if (free_taken) {
            move_side(d, taken, -1, false);
            move_side(d, next, p, !neg);
        } else {
            move_side(d, next, free_next ? -1 : p, !neg);
            move_side(d, taken, p, neg);
        }
    } else {
        return false;
    }
    jump_to(f, d, meet, t);
    c->live = NULL;
    return true;
}

/* Joins a block with its only successor when nothing else leads there. */
static bool merge(struct fn *f, struct blk *d)
{
    if (d->nsucc != 1 || d->id + 1 >= f->nblocks) return false;
    struct blk *m = d->succ[0];
    struct ins *t = blk_terminator(d);
    if (m->npred != 1 || m != f->blocks[d->id + 1] || (t && (t->op != P_BRA || t->guard >= 0)))
        return false;
    for (const struct ins *i = m->first; i; i = i->next)
        if (i->op == P_PRAGMA) return false;    /* a label in the text means this block's start */
    if (t) ins_remove(d, t);
    for (struct ins *i = m->first, *next; i; i = next) {
        next = i->next;
        ins_remove(m, i);
        ins_append(d, i);
    }
    for (int k = m->id; k + 1 < f->nblocks; k++) f->blocks[k] = f->blocks[k + 1];
    f->nblocks--;
    return true;
}

/* An unguarded jump to the next block is no instruction. */
static void drop_jump(struct fn *f, struct blk *d)
{
    struct ins *t = blk_terminator(d);
    if (t && t->op == P_BRA && t->guard < 0 && d->id + 1 < f->nblocks &&
        d->succ[0] == f->blocks[d->id + 1])
        ins_remove(d, t);
}

static bool exit_early(struct fn *f, struct blk *d)
{
    struct ins *t = blk_terminator(d);
    if (!f->entry || !t || t->op != P_BRA) return false;
    const struct blk *to = t->targets[0];
    if (to->first != to->last || !to->first || to->first->guard >= 0) return false;
    if (to->first->op != P_RET && to->first->op != P_EXIT) return false;
    t->op = P_EXIT;
    t->ntargets = t->nops = 0;
    return true;
}

void ifconv_run(struct fn *f)
{
    struct conv c = { f, NULL, 0 };
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = f->nblocks - 1; k >= 0; k--) {      /* inner branches first */
            struct blk *d = f->blocks[k];
            if (!exit_early(f, d) && !convert(&c, d)) continue;
            cfg_refresh(f);
            for (int j = 0; j < f->nblocks; j++) {
                drop_jump(f, f->blocks[j]);
                if (merge(f, f->blocks[j])) cfg_refresh(f), j--;
            }
            cfg_refresh(f);
            c.live = NULL;
            changed = true;
            if (k > f->nblocks) k = f->nblocks;
        }
    }
}
