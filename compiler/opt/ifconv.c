/* If-conversion: short branches become guards.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A branch around a few plain instructions (triangle) or between two short sides (diamond) costs
 * less as predicated code, and it can't split the warp.  Of a diamond, one side may run in all
 * lanes and be overwritten by the other: "What is warp divergence?" (GPU glossary) shows it on real
 * machine code.  Sides with memory order, lane communication, calls or a clock keep their branch:
 * what they do depends on which lanes run together.  A branch to the end of a kernel becomes a
 * guarded exit.
 *
 * Requires: edges.
 * Ensures:  edges; fewer branches; dominators and loops have to be found again. */
#include "compiler/analysis/blkset.h"
#include "isa_gen.h"

enum { MAX_SIDE = 6 };              /* instructions: about what a taken branch costs */

struct conv {
    struct fn *f;
    int *reads;                     /* by how many instructions each register is read */
    /* touched: edges or contents are new; looked at again in the next sweep */
    struct blkset seen, touched;
};

static bool library_call(const struct ins *i)
{
    switch (i->op) {
    case P_DIV: case P_REM: return !i->approx;
    case P_SQRT: case P_RCP: return !i->approx;
    default:
        return (i->type == T_F64 || i->stype == T_F64) && i->op != P_MOV && i->op != P_LD &&
               i->op != P_ST && i->op != P_SELP;
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
    case P_BARRED:
    case P_BARWARP:
    case P_VOTE:
    case P_MATCH:
    case P_REDUX:
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

static int reads_of(const struct ins *i, int reg)
{
    int r[MAX_INS_REGS], found = 0;
    for (int n = ins_sources(i, r), k = 0; k < n; k++) found += r[k] == reg;
    return found;
}

/* Whether some way from b's start reads reg before it is overwritten. */
static bool live_into(struct conv *c, struct blk *b, int reg)
{
    blkset_clear(&c->seen);
    blkset_add(&c->seen, b);
    for (int at = 0; at < c->seen.n; at++) {
        bool over = false;
        b = c->seen.list[at];
        for (const struct ins *i = b->first; i && !over; i = i->next) {
            if (reads_of(i, reg)) return true;
            over = i->guard < 0 && writes(i, reg);
        }
        for (int s = 0; s < b->nsucc && !over; s++) blkset_add(&c->seen, b->succ[s]);
    }
    return false;
}

/* a writes reg before all reads that there are. */
static bool stays_in(const struct conv *c, const struct blk *a, int reg)
{
    int found = 0;
    bool written = false;
    for (const struct ins *i = a->first; i; i = i->next) {
        found += reads_of(i, reg);
        if (found && !written) return false;
        written |= i->guard < 0 && writes(i, reg);
    }
    return found == c->reads[reg];
}

/* May `a` run in the lanes of the other side `b` too, before b?  Then nothing that b or what
 * follows needs may be lost, and nothing of `a` may be seen from outside. */
static bool harmless(struct conv *c, const struct blk *a, struct blk *b, struct blk *meet)
{
    int r[MAX_INS_REGS];
    for (const struct ins *i = a->first; i; i = i->next) {
        if (i == blk_terminator(a)) break;
        if (i->op == P_LD || i->op == P_ST) return false;
        for (int n = ins_dests(i, r), k = 0; k < n; k++) {
            bool again = false;
            if (stays_in(c, a, r[k])) continue;
            for (const struct ins *j = b->first; j; j = j->next) again |= writes(j, r[k]);
            if (live_into(c, b, r[k]) || (live_into(c, meet, r[k]) && !again)) return false;
        }
    }
    return true;
}

/* ---- conversion ------------------------------------------------------------------------------ */

static void move_side(struct conv *c, struct blk *d, struct blk *side, int guard, bool neg)
{
    struct ins *end = blk_terminator(side), *next;
    for (struct ins *i = side->first; i && i != end; i = next) {
        next = i->next;
        ins_remove(side, i);
        i->guard = guard;
        i->guard_neg = guard >= 0 && neg;
        if (guard >= 0) c->reads[guard]++;
        ins_append(d, i);
    }
}

static void jump_to(struct blk *d, struct blk *to, struct ins *t)
{
    t->guard = -1;
    t->guard_neg = false;
    t->targets[0] = to;
    ins_append(d, t);
}

static bool convert(struct conv *c, struct blk *d)
{
    struct ins *t = blk_terminator(d);
    if (!t || t->op != P_BRA || t->guard < 0 || d->nsucc != 2) return false;
    struct blk *taken = d->succ[0], *next = d->succ[1], *meet;
    if (c->touched.has[taken->id] || c->touched.has[next->id]) return false;
    int p = t->guard;
    bool neg = t->guard_neg;
    bool tside = is_side(taken, p), nside = is_side(next, p);
    if (nside && next->succ[0] == taken) {
        meet = taken;
        ins_remove(d, t);
        move_side(c, d, next, p, !neg);
    } else if (tside && taken->succ[0] == next) {
        meet = next;
        ins_remove(d, t);
        move_side(c, d, taken, p, neg);
    } else if (tside && nside && taken->succ[0] == next->succ[0] && taken->succ[0] != d) {
        meet = taken->succ[0];
        bool free_next = harmless(c, next, taken, meet),
             free_taken = !free_next && harmless(c, taken, next, meet);
        ins_remove(d, t);
        if (free_taken) {
            move_side(c, d, taken, -1, false);
            move_side(c, d, next, p, !neg);
        } else {
            move_side(c, d, next, free_next ? -1 : p, !neg);
            move_side(c, d, taken, p, neg);
        }
    } else {
        return false;
    }
    jump_to(d, meet, t);
    blkset_add(&c->touched, taken);
    blkset_add(&c->touched, next);
    blkset_add(&c->touched, meet);
    return true;
}

/* Can m, which stands after d, be joined to it?  Nothing else leads there. */
static bool mergeable(const struct blk *d, const struct blk *m)
{
    const struct ins *t = blk_terminator(d);
    if (d->nsucc != 1 || d->succ[0] != m || m->npred != 1 ||
        (t && (t->op != P_BRA || t->guard >= 0)))
        return false;
    for (const struct ins *i = m->first; i; i = i->next)
        if (i->op == P_PRAGMA) return false;    /* a label in the text means this block's start */
    return true;
}

/* An unguarded jump to the next block is no instruction. */
static void drop_jump(struct blk *d, const struct blk *next)
{
    struct ins *t = blk_terminator(d);
    if (t && t->op == P_BRA && t->guard < 0 && d->succ[0] == next) ins_remove(d, t);
}

/* Joins blocks with their only successors, and drops jumps to what follows. */
static void merge_all(struct fn *f)
{
    int n = 0;
    cfg_refresh(f);
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *m = f->blocks[k], *d = n ? f->blocks[n - 1] : NULL;
        if (d) drop_jump(d, m);
        if (!d || !mergeable(d, m)) {
            f->blocks[n++] = m;
            continue;
        }
        for (struct ins *i = m->first, *next; i; i = next) {
            next = i->next;
            ins_remove(m, i);
            ins_append(d, i);
        }
        d->succ = m->succ;
        d->nsucc = m->nsucc;
    }
    f->nblocks = n;
    cfg_refresh(f);
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

static int *count_reads(const struct fn *f)
{
    int r[MAX_INS_REGS], *reads = arena_alloc(f->m->arena, ((size_t)f->nregs + 1) * sizeof *reads);
    for (int k = 0; k < f->nblocks; k++)
        for (const struct ins *i = f->blocks[k]->first; i; i = i->next)
            for (int n = ins_sources(i, r), d = 0; d < n; d++) reads[r[d]]++;
    return reads;
}

/* Inner branches first, each sweep one level, so that sweeps are few. */
void ifconv_run(struct fn *f)
{
    fn_requires(f, KNOWN_EDGES);
    struct conv c = { f, count_reads(f), blkset_new(f), blkset_new(f) };
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = f->nblocks - 1; k >= 0; k--) {
            struct blk *d = f->blocks[k];
            if (c.touched.has[k] || (!exit_early(f, d) && !convert(&c, d))) continue;
            blkset_add(&c.touched, d);
            changed = true;
        }
        blkset_clear(&c.touched);
        blkset_clear(&c.seen);
        if (changed) merge_all(f);
    }
}
