/* How often blocks of a loop run: from a profile, or by guess.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Section 4.5 weights instructions "by loop trip count, nest depth" and finds static analysis "too
 * conservative".  Without a profile: a branch goes either way with equal chance, save where a test
 * of single bits says more (of `x & 7 == 0`, one in eight) and where it leaves a loop (once in its
 * trips); trips are counted where start, step and end are constants, half of what masks allow the
 * end to be, and GUESS elsewhere.  Frequencies follow from the innermost loop outwards, as in Wu
 * and Larus, "Static Branch Frequency and Program Profile Analysis" (MICRO 1994).  With a profile,
 * they are counts of lanes.
 *
 * Requires: edges, rpo, loops; the profile, if there is one, is of this very code (prof_shape).
 * Ensures:  a frequency for every block of the candidate's outer loop; changes nothing. */
#include "compiler/auto/auto.h"

enum { GUESS = 10 };             /* rounds of a loop of which nothing is known */

/* ---- constants after a branch --------------------------------------------------------------- */

struct def { const struct blk *b; const struct ins *i; };
enum { DEEP = 16 };

static bool writes(const struct ins *i, int reg)
{
    int d[MAX_INS_REGS];
    for (int n = ins_dests(i, d), j = 0; j < n; j++)
        if (d[j] == reg) return true;
    return false;
}

/* The definition of reg that `at` in block b reads, if it is known: the last one before it in
 * b, or the last of the only block that writes it.  With a loop: of the blocks inside, or outside,
 * of that. */
static struct def define(const struct fn *f, const struct blk *b, const struct ins *at, int reg,
                         const struct loop *l, bool inside)
{
    struct def d = { NULL, NULL };
    for (const struct ins *i = at ? at->prev : NULL; i; i = i->prev)
        if (writes(i, reg)) return (struct def){ b, i };
    for (int k = 0; k < f->nblocks; k++) {
        if (l && loop_has(l, f->blocks[k]) != inside) continue;
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next) {
            if (!writes(i, reg)) continue;
            if (d.b && d.b != f->blocks[k]) return (struct def){ NULL, NULL };
            d = (struct def){ f->blocks[k], i };
        }
    }
    return d;
}

static bool imm(const struct opd *o, double *v)
{
    *v = (double)(int32_t)o->imm;
    return o->kind == O_IMM;
}

/* The most that an operand of i can be, from masks and shifts; 0: not known. */
static double most(const struct fn *f, const struct blk *b, const struct ins *i,
                   const struct opd *o, int deep)
{
    double k;
    if (imm(o, &k)) return k;
    if (o->kind != O_REG || deep == DEEP) return 0;
    struct def d = define(f, b, i, o->reg, NULL, false);
    if (!d.i || d.i->guard >= 0) return 0;
    double a = d.i->nops > 1 ? most(f, d.b, d.i, &d.i->o[1], deep + 1) : 0;
    bool by = d.i->nops > 2 && imm(&d.i->o[2], &k);
    switch (d.i->op) {
    case P_MOV: case P_CVT: return a;
    case P_AND: return by ? k : 0;
    case P_ADD: return by && a > 0 && a + k > 0 ? a + k : 0;
    case P_SHR:
        return by && !type_signed(d.i->type) && k >= 12 && k < 32 ? (double)(0xffffffffu >> (int)k)
                                                                  : 0;
    case P_BFE:
        return d.i->nops > 3 && imm(&d.i->o[3], &k) && k > 0 && k < 20
                   ? (double)((1u << (int)k) - 1)
                   : 0;
    case P_REM: return by && !type_signed(d.i->type) ? k - 1 : 0;
    case P_MIN: return by ? k : 0;
    default: return 0;
    }
}

/* A counter: its start, its step and what it is compared with.  *fixed: that is a constant. */
static bool counted(const struct fn *f, const struct loop *l, struct def test, double *trips,
                    bool *fixed)
{
    double to, by, from;
    if (test.i->nops < 3 || test.i->o[1].kind != O_REG) return false;
    *fixed = test.i->o[2].kind == O_IMM;
    to = most(f, test.b, test.i, &test.i->o[2], 0);
    struct def step = define(f, NULL, NULL, test.i->o[1].reg, l, true);
    if (step.i && step.i->op == P_MOV && step.i->o[1].kind == O_REG)
        step = define(f, NULL, NULL, step.i->o[1].reg, l, true);
    if (!step.i || step.i->op != P_ADD || step.i->o[1].kind != O_REG || !imm(&step.i->o[2], &by) ||
        by == 0) return false;
    struct def start = define(f, NULL, NULL, step.i->o[1].reg, l, false);
    if (!start.i || start.i->op != P_MOV || !imm(&start.i->o[1], &from)) return false;
    *trips = (to - from) / by;
    return (*fixed || to > 0) && *trips >= 1 && *trips <= 1e6;
}

double auto_trips(const struct fn *f, const struct loop *l, double *bound)
{
    double mean = GUESS;
    *bound = 0;
    for (int k = 0; k < l->nblocks; k++) {
        const struct blk *b = l->blocks[k];
        const struct ins *t = blk_terminator(b);
        bool leaves = false, fixed = false;
        double n;
        for (int s = 0; s < b->nsucc; s++) leaves |= !loop_has(l, b->succ[s]);
        if (!leaves || !t || t->guard < 0) continue;
        struct def test = define(f, b, t, t->guard, NULL, false);
        if (!test.i || test.i->op != P_SETP || !counted(f, l, test, &n, &fixed)) continue;
        if (*bound == 0 || n < *bound) *bound = n;
        if (fixed && !b->divergent) mean = n;
    }
    if (*bound > 0 && (mean == GUESS || *bound < mean))
        mean = mean == GUESS ? (*bound + 1) / 2 : *bound;
    return mean;
}

/* Chance that the guard of b's branch holds, where it tests single bits; else one half. */
static double chance(const struct fn *f, const struct blk *b, const struct ins *branch)
{
    struct def test = define(f, b, branch, branch->guard, NULL, false), bits = { NULL, NULL };
    double to;
    if (!test.i || test.i->op != P_SETP || test.i->nops < 3 || test.i->o[1].kind != O_REG ||
        !imm(&test.i->o[2], &to)) return 0.5;
    bits = define(f, test.b, test.i, test.i->o[1].reg, NULL, false);
    if (!bits.i || bits.i->op != P_AND || bits.i->o[2].kind != O_IMM ||
        (test.i->cmp != CMP_EQ && test.i->cmp != CMP_NE)) return 0.5;
    double p = 1.0 / (double)(1ull << (__builtin_popcountll((uint32_t)bits.i->o[2].imm) & 63));
    return test.i->cmp == CMP_EQ ? p : 1 - p;
}

/* ---- frequencies ----------------------------------------------------------------------------- */

static double edge(const struct fn *f, const struct blk *b, int s)
{
    const struct ins *t = blk_terminator(b);
    int stay = 0;
    double bound;
    if (b->nsucc < 2) return 1;
    for (int k = 0; b->loop && k < b->nsucc; k++) stay += loop_has(b->loop, b->succ[k]);
    if (b->loop && stay && stay < b->nsucc) {
        double leave = 1 / auto_trips(f, b->loop, &bound);
        return loop_has(b->loop, b->succ[s]) ? (1 - leave) / stay : leave / (b->nsucc - stay);
    }
    if (b->nsucc != 2 || !t || t->guard < 0) return 1.0 / b->nsucc;
    double p = chance(f, b, t);
    if (t->guard_neg) p = 1 - p;
    return s == 0 ? p : 1 - p;
}

/* Frequencies within l (NULL: the function) for one round of it; times[h] of a loop's header inside
 * is known already. */
static void round_of(const struct fn *f, const struct loop *l, double *lane, double *times)
{
    struct blk *const *list = l ? l->blocks : f->rpo, *head = l ? l->header : f->blocks[0];
    double again = 0;
    int n = l ? l->nblocks : f->nrpo;
    for (int k = 0; k < n; k++) lane[list[k]->id] = 0;
    lane[head->id] = 1;
    for (int k = 0; k < n; k++) {                /* in reverse post-order */
        struct blk *b = list[k];
        if ((!l || b != head) && b->loop && b->loop->header == b) lane[b->id] *= times[b->id];
        for (int s = 0; s < b->nsucc; s++) {
            struct blk *to = b->succ[s];
            double flow = lane[b->id] * edge(f, b, s);
            if (l && to == head) again += flow;
            else if ((!l || loop_has(l, to)) && to->rpo > b->rpo) lane[to->id] += flow;
        }
    }
    if (l) times[head->id] = again > 0.9999 ? 10000 : 1 / (1 - again);
}

double *auto_fn_freq(struct fn *f)
{
    size_t n = (size_t)f->nblocks + 1;
    double *lane = arena_alloc(f->m->arena, n * sizeof *lane),
          *times = arena_alloc(f->m->arena, n * sizeof *times);
    /* smaller ones first */
    for (int k = 0; k < f->nloops; k++) round_of(f, f->loops[k], lane, times);
    round_of(f, NULL, lane, times);
    return lane;
}

static void guess(struct freq *q, const struct cand *c)
{
    struct fn *f = c->f;
    double *times = arena_alloc(f->m->arena, ((size_t)f->nblocks + 1) * sizeof *times);
    double bound;
    for (int k = 0; k < f->nloops; k++) {
        const struct loop *l = f->loops[k];
        if (l != c->outer && loop_has(c->outer, l->header)) round_of(f, l, q->lane, times);
    }
    round_of(f, c->outer, q->lane, times);
    q->stay = c->inner ? times[c->inner->header->id] : 1;
    q->lanes = WARP;
    q->trips_outer = auto_trips(f, c->outer, &bound);
    q->entries = 1;
    for (const struct loop *l = c->outer->parent; l; l = l->parent)
        q->entries *= auto_trips(f, l, &bound);
}

/* Times that lanes came to the loop of header h; 0: never, or it is not in the profile. */
static double stays(const struct prof_fn *p, const struct blk *h)
{
    double n = 0;
    for (int k = 0; k < p->nloops; k++)
        for (int j = 0; p->loops[k].header == h->id && j < p->loops[k].ntrips; j++)
            n += (double)p->loops[k].trips[j].count;
    return n;
}

static void measured(struct freq *q, const struct cand *c, const struct prof_fn *p)
{
    const struct prof_blk *h = &p->blocks[c->outer->header->id];
    double rounds = h->lanes ? (double)h->lanes : 1, warps = h->warps ? (double)h->warps : 1,
           came = stays(p, c->outer->header), entered = c->inner ? stays(p, c->inner->header) : 0;
    q->warp = arena_alloc(c->f->m->arena, ((size_t)c->f->nblocks + 1) * sizeof *q->warp);
    q->group = arena_alloc(c->f->m->arena, ((size_t)c->f->nblocks + 1) * sizeof *q->group);
    for (int k = 0; k < c->outer->nblocks; k++) {
        int b = c->outer->blocks[k]->id;
        q->lane[b] = (double)p->blocks[b].lanes / rounds;
        q->warp[b] = (double)p->blocks[b].warps / warps;
        q->group[b] = p->blocks[b].warps ? (double)p->blocks[b].lanes / (double)p->blocks[b].warps
                                         : 0;
    }
    /* a group at the loop may be a part of the warp */
    const struct prof_blk *entry = &p->blocks[0];
    double called = entry->lanes ? (double)entry->lanes : 1,
           warp = entry->warps ? called / (double)entry->warps : WARP;
    q->lanes = came < called ? warp * came / called : warp;
    q->stay = entered > 0 ? (double)p->blocks[c->inner->header->id].lanes / entered : 1;
    q->trips_outer = came > 0 ? (double)h->lanes / came : 1;
    q->entries = came / called;
}

void auto_freq(struct freq *q, const struct cand *c, const struct prof_fn *p)
{
    *q = (struct freq){ .lane = arena_alloc(c->f->m->arena,
                                            ((size_t)c->f->nblocks + 1) * sizeof *q->lane) };
    if (p) measured(q, c, p);
    else guess(q, c);
}
