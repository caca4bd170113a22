/* Metric 2 of section 4.5: accesses that are coalesced now and would not be any more.
 * SPDX-License-Identifier: Apache-2.0
 *
 * "Convergent memory accesses may suffer if previously convergent accesses become divergent."  An
 * address is now the same in all lanes, or grows by a constant from lane to lane (found by
 * following the definitions back to %tid.x), or is anything.  Lanes that are collected from
 * different rounds of the outer loop keep that only where the address does not change from round to
 * round; else each touches a piece of its own.
 *
 * Requires: a candidate of auto_find.c; divergent registers.
 * Ensures:  at most `max` accesses of the block, each with its pieces now and after; changes
 *           nothing. */
#include "compiler/auto/auto.h"
#include "isa_gen.h"

/* MOST registers are looked at for an address: sums of sums double */
enum { SECTOR = 32, DEEP = 64, MOST = 400 };
enum kind { SAME, STRIDED, ANY, OPEN };          /* OPEN: asked again while still being answered */
struct form { enum kind kind; int64_t step; };   /* STRIDED: bytes from lane to lane */
struct walk { const struct fn *f; bool *open; int depth; int steps; };

static struct form form_of(struct walk *w, const struct opd *o);

static struct form strided(int64_t step) { return (struct form){ step ? STRIDED : SAME, step }; }

static struct form sum(struct form a, struct form b, int sign)
{
    if (a.kind == ANY || b.kind == ANY) return (struct form){ ANY, 0 };
    if (a.kind == OPEN) return (struct form){ b.kind == STRIDED ? ANY : OPEN, 0 };
    if (b.kind == OPEN) return (struct form){ a.kind == STRIDED ? ANY : OPEN, 0 };
    return strided(a.step + sign * b.step);
}

static struct form scaled(struct form a, struct form b, const struct opd *by)
{
    if (a.kind == SAME && b.kind == SAME) return a;
    if (a.kind == STRIDED && by->kind == O_IMM) return strided(a.step * (int32_t)by->imm);
    return (struct form){ ANY, 0 };
}

static struct form defined(struct walk *w, const struct ins *i)
{
    struct form a = i->nops > 1 ? form_of(w, &i->o[1]) : strided(0),
                b = i->nops > 2 ? form_of(w, &i->o[2]) : strided(0);
    switch (i->op) {
    case P_MOV:
        if (i->o[1].kind == O_SREG && i->o[1].sreg == SREG_TID_X) return strided(1);
        return a;
    case P_CVT: case P_CVTA: return a;
    case P_ADD: return sum(a, b, 1);
    case P_SUB: return sum(a, b, -1);
    case P_MUL: return i->o[1].kind == O_IMM ? scaled(b, a, &i->o[1]) : scaled(a, b, &i->o[2]);
    case P_SHL:
        if (a.kind != STRIDED || i->o[2].kind != O_IMM) return scaled(a, b, &i->o[1]);
        return strided((int64_t)((uint64_t)a.step << (i->o[2].imm & 31)));
    case P_MAD:
        a = i->o[1].kind == O_IMM ? scaled(b, a, &i->o[1]) : scaled(a, b, &i->o[2]);
        return sum(a, form_of(w, &i->o[3]), 1);
    case P_OR: return a.kind == SAME || b.kind == SAME ? sum(a, b, 1) : (struct form){ ANY, 0 };
    default: return (struct form){ ANY, 0 };
    }
}

/* All definitions of a register must agree; a pointer that moves by the same amount in all lanes
 * does. */
static struct form form_of(struct walk *w, const struct opd *o)
{
    const struct fn *f = w->f;
    struct form all = { OPEN, 0 };
    int d[MAX_INS_REGS];
    if (o->kind == O_SREG)
        return (struct form){ o->sreg == SREG_TID_X ? STRIDED : ANY, o->sreg == SREG_TID_X };
    if ((o->kind != O_REG && o->kind != O_ADDR) || o->reg < 0) return strided(0);
    if (!f->reg_divergent[o->reg]) return strided(0);
    if (w->open[o->reg]) return all;
    if (w->depth == DEEP || ++w->steps > MOST) return (struct form){ ANY, 0 };
    w->open[o->reg] = true;
    w->depth++;
    for (int k = 0; k < f->nblocks && all.kind != ANY; k++)
        for (const struct ins *i = f->blocks[k]->first; i && all.kind != ANY; i = i->next)
            for (int n = ins_dests(i, d), j = 0; j < n; j++) {
                if (d[j] != o->reg) continue;
                struct form one = i->guard >= 0 ? (struct form){ ANY, 0 } : defined(w, i);
                if (all.kind == OPEN) all = one;
                else if (one.kind != OPEN && (one.kind != all.kind || one.step != all.step))
                    all.kind = ANY;
            }
    w->depth--;
    w->open[o->reg] = false;
    return all.kind == OPEN ? (struct form){ ANY, 0 } : all;
}

static bool reads(const struct ins *i, int reg)
{
    int r[MAX_INS_REGS];
    for (int n = ins_sources(i, r), j = 0; j < n; j++)
        if (r[j] == reg) return true;
    return false;
}

static bool writes(const struct ins *i, int reg)
{
    int r[MAX_INS_REGS];
    for (int n = ins_dests(i, r), j = 0; j < n; j++)
        if (r[j] == reg) return true;
    return false;
}

/* The only block of l that writes the register, and starts again each time; NULL: there is no
 * such. */
static const struct blk *made_in(const struct loop *l, int reg, int *defs)
{
    const struct blk *home = NULL;
    bool anew = true;
    *defs = 0;
    for (int k = 0; k < l->nblocks; k++)
        for (const struct ins *i = l->blocks[k]->first; i; i = i->next) {
            if (!writes(i, reg)) continue;
            if (*defs ? home != l->blocks[k] : reads(i, reg)) anew = false;
            if (i->op >= P_LD || i->guard >= 0) anew = false;
            home = l->blocks[k];
            ++*defs;
        }
    return anew ? home : NULL;
}

/* May the register hold another value in another round of l? */
static bool varies(struct walk *w, const struct loop *l, int reg)
{
    int r[MAX_INS_REGS], defs = 0;
    const struct blk *home = reg < 0 ? NULL : made_in(l, reg, &defs);
    if (!defs) return false;
    if (!home || w->open[reg] || w->depth == DEEP) return true;
    bool yes = false;
    w->open[reg] = true;
    w->depth++;
    for (const struct ins *i = home->first; i && !yes; i = i->next)
        for (int n = writes(i, reg) ? ins_sources(i, r) : 0, j = 0; j < n && !yes; j++)
            yes = r[j] != reg && varies(w, l, r[j]);
    w->depth--;
    w->open[reg] = false;
    return yes;
}

static double pieces(struct form a, int bytes, int n)
{
    double step = (double)(a.step < 0 ? -a.step : a.step);
    if (a.kind == SAME) return 1;
    if (a.kind != STRIDED || step >= SECTOR) return n;
    double whole = ((n - 1) * step + bytes) / SECTOR;
    return whole < 1 ? 1 : whole;
}

int auto_accesses(const struct cand *c, const struct blk *b, struct access *out, int max)
{
    struct fn *f = c->f;
    struct walk w = { f, arena_alloc(f->m->arena, (size_t)f->nregs + 1), 0, 0 };
    int found = 0;
    for (const struct ins *i = b->first; i && found < max; i = i->next) {
        bool store = i->op == P_ST || i->op == P_RED;
        if (!store && i->op != P_LD && i->op != P_LDU && i->op != P_ATOM) continue;
        if (i->space != SP_GLOBAL && i->space != SP_GENERIC) continue;
        const struct opd *at = &i->o[store ? 0 : 1];
        struct form now = form_of(&w, at), any = { ANY, 0 };
        bool moves = varies(&w, c->outer, at->reg);
        int bytes = type_size(i->type) * (i->vecn ? i->vecn : 1);
        struct access *x = &out[found++];
        *x = (struct access){ .i = i };
        for (int n = 1; n <= WARP; n++) {
            x->now[n] = pieces(now, bytes, n);
            x->apart[n] = pieces(moves ? any : now, bytes, n);
        }
        x->loses = x->apart[WARP] > x->now[WARP];
    }
    return found;
}
