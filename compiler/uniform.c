/* Divergence analysis: which registers may differ between the lanes of a warp, which branches may
 * part them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: rpo, dominators, loops.  Starts from what differs by itself (lane numbers, loads,
 * atomics, parameters of device functions) and follows data; a divergent branch also makes differ
 *   - a register that different ways into a join of the branch have written (joins are found by
 *     labels: Karrenberg and Hack, "Improving Performance of OpenCL on CPUs", section 4), or that
 *     was written on any way, rounds of loops included, to where all meet (the post-dominator), and
 *   - a register written in a loop that lanes leave in different iterations, used outside it.
 * Only registers with several definitions are of the first kind, only those that outlive a loop of
 * the second: for these the answer depends on the place, for all others it does not.  The answer
 * "uniform" means: equal in all lanes that execute an instruction together, if they came here
 * together.  Where a prediction lets lanes of different iterations meet, whatever its region writes may
 * differ: paper A's loop counters must not live in scalar registers. */
#include <string.h>
#include "compiler/predict.h"
#include "isa_gen.h"

struct uni {
    struct fn *f;
    bool *div;
    int *multi, nmulti;                  /* numbers of the registers that are tracked by place, -1: others */
    uint64_t *live; int words;           /* of those: live into a block */
    uint64_t *defs;                      /* of those: written in a block */
    uint64_t *in, *now;                  /* of those: may differ at a block's start; here */
    int *label; struct blk **joins;
    bool changed;
};

/* ---- joins of a branch ----------------------------------------------------------------------- */

int uniform_joins(struct fn *f, const struct blk *d, int *label, struct blk **joins)
{
    int n = 0, last = f->nrpo;
    for (int k = 0; k < f->nblocks; k++) label[k] = -1;
    for (int s = 0; s < d->nsucc; s++)
        if (d->succ[s] != d->ipdom && d->succ[s]->rpo > d->rpo)
            label[d->succ[s]->id] = d->succ[s]->id;
    if (d->ipdom && d->ipdom->rpo > d->rpo) last = d->ipdom->rpo;
    for (int k = d->rpo + 1; k < last; k++) {
        struct blk *b = f->rpo[k];
        if (label[b->id] < 0) continue;
        for (int s = 0; s < b->nsucc; s++) {
            struct blk *t = b->succ[s];
            if (t != d->ipdom && t->rpo > b->rpo) {
                if (label[t->id] < 0) {
                    label[t->id] = label[b->id];
                } else if (label[t->id] != label[b->id]) {
                    label[t->id] = t->id;
                    bool known = false;
                    for (int j = 0; j < n && !known; j++) known = joins[j] == t;
                    if (!known) joins[n++] = t;
                }
            }
        }
    }
    if (d->ipdom) joins[n++] = d->ipdom;
    return n;
}

/* ---- registers whose difference depends on the place, and where they are live ---------------- */

/* Tracked by place: what has several definitions or outlives the loop that writes it. */
static void find_tracked(struct uni *u)
{
    struct fn *f = u->f;
    int r[MAX_INS_REGS];
    struct loop **home = arena_alloc(f->m->arena, ((size_t)f->nregs + 1) * sizeof *home);
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            for (int n = ins_dests(i, r), d = 0; d < n; d++) {
                u->multi[r[d]]++;
                home[r[d]] = f->blocks[k]->loop;
            }
    for (int p = 0; p < f->npredictions; p++) {
        const bool *in = predict_region(f, &f->predictions[p]);
        for (int k = 0; k < f->nblocks; k++)
            for (struct ins *i = f->blocks[k]->first; i && in[k]; i = i->next)
                for (int n = ins_dests(i, r), d = 0; d < n; d++) u->multi[r[d]] = 2;
    }
    for (int k = 0; k < f->nblocks; k++)
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            for (int n = ins_sources(i, r), s = 0; s < n; s++)
                if (home[r[s]] && !loop_has(home[r[s]], f->blocks[k])) u->multi[r[s]] = 2;
    for (int k = 0; k < f->nregs; k++) u->multi[k] = u->multi[k] > 1 ? u->nmulti++ : -1;
}

static void live_multi(struct uni *u)
{
    struct fn *f = u->f;
    struct arena *a = f->m->arena;
    int r[MAX_INS_REGS];
    u->words = (u->nmulti + 63) / 64;
    size_t bytes = (size_t)u->words * (size_t)f->nblocks * 8;
    u->live = arena_alloc(a, bytes + 8);
    u->defs = arena_alloc(a, bytes + 8);
    uint64_t *kill = arena_alloc(a, bytes + 8);
    for (int k = 0; k < f->nblocks; k++) {
        uint64_t *in = u->live + k * u->words, *def = u->defs + k * u->words,
                 *kl = kill + k * u->words;
        for (struct ins *i = f->blocks[k]->first; i; i = i->next) {
            for (int n = ins_sources(i, r), s = 0; s < n; s++) {
                int m = u->multi[r[s]];
                if (m >= 0 && !(kl[m / 64] >> (m % 64) & 1)) in[m / 64] |= 1ull << (m % 64);
            }
            for (int n = ins_dests(i, r), s = 0; s < n; s++) {
                int m = u->multi[r[s]];
                if (m >= 0) def[m / 64] |= 1ull << (m % 64);
                if (m >= 0 && i->guard < 0) kl[m / 64] |= 1ull << (m % 64);
            }
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = f->nrpo - 1; k >= 0; k--) {
            struct blk *b = f->rpo[k];
            for (int w = 0; w < u->words; w++) {
                uint64_t out = 0, *in = &u->live[b->id * u->words + w];
                for (int s = 0; s < b->nsucc; s++) out |= u->live[b->succ[s]->id * u->words + w];
                uint64_t now = *in | (out & ~kill[b->id * u->words + w]);
                if (now != *in) *in = now, changed = true;
            }
        }
    }
}

/* ---- data ------------------------------------------------------------------------------------ */

static bool sreg_uniform(int sreg)
{
    switch (sreg) {
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z:
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z:
    case SREG_WARPID:
    case SREG_NWARPID:
    case SREG_SMID:
    case SREG_NSMID: case SREG_GRIDID: case SREG_ZERO: case SREG_DYNAMIC_SMEM: case SREG_TOTAL_SMEM:
        return true;
    default:
        return false;
    }
}

/* Differs between lanes even where all its sources are equal. */
static bool makes_difference(const struct uni *u, const struct ins *i)
{
    switch (i->op) {
    case P_LD: case P_LDU:
        if (i->space == SP_CONST || i->nc) return false;
        return i->space != SP_PARAM || !u->f->entry || (i->o[1].sym && i->o[1].sym->call_param);
    case P_ATOM:
    case P_SHFL:
    case P_MATCH:
    case P_ACTIVEMASK:
    case P_CALL:
    case P_ISSPACEP: return true;
    case P_VOTE: return true;                  /* which lanes vote may differ by group */
    case P_MOV:
        if (i->o[1].kind == O_SYM && i->o[1].sym->space == SP_LOCAL) return true;
        return i->o[1].kind == O_SREG && !sreg_uniform(i->o[1].sreg);
    default: return false;
    }
}

static void mark(struct uni *u, int reg)
{
    if (u->div[reg]) return;
    u->div[reg] = true;
    u->changed = true;
}

/* A register with several definitions differs from block b's start on. */
static void mark_at(struct uni *u, int reg, const struct blk *b)
{
    int m = u->multi[reg];
    uint64_t *w = &u->in[b->id * u->words + m / 64], bit = 1ull << (m % 64);
    mark(u, reg);
    if (*w & bit) return;
    *w |= bit;
    u->changed = true;
}

static bool differs(const struct uni *u, int reg)
{
    int m = u->multi[reg];
    return m < 0 ? u->div[reg] : u->now[m / 64] >> (m % 64) & 1;
}

static bool sources_differ(const struct uni *u, const struct ins *i)
{
    int r[MAX_INS_REGS];
    for (int n = ins_sources(i, r), k = 0; k < n; k++)
        if (differs(u, r[k])) return true;
    return false;
}

static void write_dests(struct uni *u, const struct ins *i, bool differ)
{
    int r[MAX_INS_REGS];
    for (int n = ins_dests(i, r), d = 0; d < n; d++) {
        int m = u->multi[r[d]];
        if (differ) mark(u, r[d]);
        if (m < 0) continue;
        if (differ) u->now[m / 64] |= 1ull << (m % 64);
        else if (i->guard < 0) u->now[m / 64] &= ~(1ull << (m % 64));
    }
}

/* ---- control --------------------------------------------------------------------------------- */

static bool live_at(const struct uni *u, const struct blk *b, int m)
{
    return u->live[b->id * u->words + m / 64] >> (m % 64) & 1;
}

/* Lanes leave l in different iterations: what it computes differs outside. */
static void leave_loop(struct uni *u, const struct loop *l)
{
    struct fn *f = u->f;
    int r[MAX_INS_REGS];
    bool *in = arena_alloc(f->m->arena, (size_t)f->nregs + 1);
    for (int k = 0; k < l->nblocks; k++)
        for (struct ins *i = l->blocks[k]->first; i; i = i->next)
            for (int n = ins_dests(i, r), d = 0; d < n; d++) in[r[d]] = true;
    for (int k = 0; k < f->nblocks; k++) {
        const struct blk *b = f->blocks[k];
        for (int s = 0; s < b->nsucc && loop_has(l, b); s++)
            for (int x = 0; x < f->nregs && !loop_has(l, b->succ[s]); x++)
                if (in[x] && u->multi[x] >= 0 && live_at(u, b->succ[s], u->multi[x]))
                    mark_at(u, x, b->succ[s]);
    }
}

/* Different ways into b have written these. */
static void meet_at(struct uni *u, const struct blk *b, const uint64_t *written)
{
    for (int r = 0; r < u->f->nregs; r++) {
        int m = u->multi[r];
        if (m >= 0 && (written[m / 64] >> (m % 64) & 1) && live_at(u, b, m)) mark_at(u, r, b);
    }
}

/* What any lane may write on its way from d to where all meet again; it may come to d once more, so
 * that lanes of different iterations meet. */
static void write_between(struct uni *u, const struct blk *d, uint64_t *written)
{
    struct fn *f = u->f;
    bool *seen = arena_alloc(f->m->arena, (size_t)f->nblocks);
    const struct blk **stack = arena_alloc(f->m->arena, ((size_t)f->nblocks + 1) * sizeof *stack);
    int top = 0;
    stack[top++] = d;
    while (top) {
        const struct blk *b = stack[--top];
        for (int s = 0; s < b->nsucc; s++) {
            const struct blk *to = b->succ[s];
            if (to == d->ipdom || seen[to->id]) continue;
            seen[to->id] = true;
            stack[top++] = to;
            for (int w = 0; w < u->words; w++) written[w] |= u->defs[to->id * u->words + w];
        }
    }
}

static void part_lanes(struct uni *u, struct blk *d)
{
    struct fn *f = u->f;
    d->divergent = true;
    u->changed = true;
    for (struct loop *l = d->loop; l && !(d->ipdom && loop_has(l, d->ipdom)); l = l->parent)
        leave_loop(u, l);
    int n = uniform_joins(f, d, u->label, u->joins), last = d->ipdom ? d->ipdom->rpo : -1;
    if (!u->words || !n) return;
    uint64_t *written = arena_alloc(f->m->arena, (size_t)u->words * 8);
    bool *join = arena_alloc(f->m->arena, (size_t)f->nblocks);
    for (int j = 0; j < n; j++) join[u->joins[j]->id] = true;
    for (int k = d->rpo + 1; k < f->nrpo && k != last; k++) {   /* what stands before a join reaches it */
        const struct blk *b = f->rpo[k];
        if (u->label[b->id] < 0) continue;
        if (join[b->id]) meet_at(u, b, written);
        for (int w = 0; w < u->words; w++) written[w] |= u->defs[b->id * u->words + w];
    }
    if (!d->ipdom) return;
    write_between(u, d, written);
    meet_at(u, d->ipdom, written);
}

/* Lanes of different iterations meet at a prediction's labels. */
static void meet_predicted(struct uni *u)
{
    struct fn *f = u->f;
    for (int k = 0; k < f->npredictions && u->words; k++) {
        const struct prediction *p = &f->predictions[k];
        const bool *in = predict_region(f, p);
        uint64_t *written = arena_alloc(f->m->arena, (size_t)u->words * 8);
        for (int b = 0; b < f->nblocks; b++)
            for (int w = 0; w < u->words && in[b]; w++) written[w] |= u->defs[b * u->words + w];
        for (int j = 0; j < p->npoints; j++) meet_at(u, p->points[j], written);
    }
}

static void visit(struct uni *u, struct blk *b)
{
    memcpy(u->now, u->in + b->id * u->words, (size_t)u->words * 8);
    struct ins *t = blk_terminator(b);
    for (struct ins *i = b->first; i; i = i->next)
        write_dests(u, i, makes_difference(u, i) || sources_differ(u, i));
    for (int s = 0; s < b->nsucc; s++)
        for (int w = 0; w < u->words; w++) {
            uint64_t *in = &u->in[b->succ[s]->id * u->words + w], all = *in | u->now[w];
            if (all != *in) *in = all, u->changed = true;
        }
    if (!t || b->divergent) return;
    bool parts =
        (t->guard >= 0 && differs(u, t->guard)) || (t->op == P_BRX && differs(u, t->o[0].reg));
    if (parts && b->nsucc + (t->op == P_RET || t->op == P_EXIT) > 1) part_lanes(u, b);
}

static void analyse(struct fn *f)
{
    struct arena *a = f->m->arena;
    size_t n = (size_t)f->nregs + 1, blocks = (size_t)f->nblocks;
    struct uni u = { .f = f,
                     .div = arena_alloc(a, n),
                     .multi = arena_alloc(a, n * sizeof(int)),
                     .label = arena_alloc(a, blocks * sizeof(int)),
                     .joins = arena_alloc(a, (blocks + 1) * sizeof(struct blk *)) };
    find_tracked(&u);
    live_multi(&u);
    u.in = arena_alloc(a, (size_t)u.words * blocks * 8 + 8);
    u.now = arena_alloc(a, (size_t)u.words * 8 + 8);
    for (int k = 0; k < f->nblocks; k++) f->blocks[k]->divergent = false;
    meet_predicted(&u);
    do {
        u.changed = false;
        for (int k = 0; k < f->nrpo; k++) visit(&u, f->rpo[k]);
    } while (u.changed);
    f->reg_divergent = u.div;
}

void uniform_run(struct module *m)
{
    for (int k = 0; k < m->nfns; k++) {
        struct fn *f = m->fns[k];
        if (!f->defined) continue;
        analyse(f);
        wait_run(f);
    }
    callgraph_run(m);
}
