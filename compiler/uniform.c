/* Divergence analysis: which registers may differ between the lanes of a warp, which branches may part them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requires: rpo, dominators, loops.  Starts from what differs by itself (lane numbers, loads, atomics,
 * parameters of device functions) and follows data; a divergent branch also makes differ
 *   - a register that different ways into a join of the branch have written (joins are found by
 *     labels: Karrenberg and Hack, "Improving Performance of OpenCL on CPUs", section 4), and
 *   - a register written in a loop that lanes leave in different iterations, used outside it.
 * Only registers with several definitions can be of the first kind.  The answer "uniform" means: equal
 * in all lanes that execute an instruction together, if they came here together. */
#include <string.h>
#include "compiler/all.h"
#include "isa_gen.h"

struct uni {
    struct fn *f;
    bool *div;
    int *ndefs, *multi, nmulti;          /* registers with several definitions are numbered */
    uint64_t *live; int words;           /* of those: live into a block */
    uint64_t *defs;                      /* of those: written in a block */
    int *label; struct blk **joins;
    bool changed;
};

/* ---- joins of a branch ---------------------------------------------------------------------------- */

int uniform_joins(struct fn *f, const struct blk *d, int *label, struct blk **joins)
{
    int n = 0, last = f->nrpo;
    for (int k = 0; k < f->nblocks; k++) label[k] = -1;
    for (int s = 0; s < d->nsucc; s++)
        if (d->succ[s]->rpo > d->rpo) label[d->succ[s]->id] = d->succ[s]->id;
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

/* ---- liveness of registers with several definitions ------------------------------------------------- */

static void count_defs(struct uni *u)
{
    int r[MAX_INS_REGS];
    for (int k = 0; k < u->f->nblocks; k++)
        for (struct ins *i = u->f->blocks[k]->first; i; i = i->next)
            for (int n = ins_dests(i, r), d = 0; d < n; d++) u->ndefs[r[d]]++;
    for (int k = 0; k < u->f->nregs; k++) u->multi[k] = u->ndefs[k] > 1 ? u->nmulti++ : -1;
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
        uint64_t *in = u->live + k * u->words, *def = u->defs + k * u->words, *kl = kill + k * u->words;
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

/* ---- data ---------------------------------------------------------------------------------------------- */

static bool sreg_uniform(int sreg)
{
    switch (sreg) {
    case SREG_NTID_X: case SREG_NTID_Y: case SREG_NTID_Z: case SREG_CTAID_X: case SREG_CTAID_Y: case SREG_CTAID_Z:
    case SREG_NCTAID_X: case SREG_NCTAID_Y: case SREG_NCTAID_Z: case SREG_WARPID: case SREG_NWARPID: case SREG_SMID:
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
    case P_ATOM: case P_SHFL: case P_MATCH: case P_ACTIVEMASK: case P_CALL: case P_ISSPACEP: return true;
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

static bool sources_differ(const struct uni *u, const struct ins *i)
{
    int r[MAX_INS_REGS];
    for (int n = ins_sources(i, r), k = 0; k < n; k++)
        if (u->div[r[k]]) return true;
    return false;
}

/* ---- control --------------------------------------------------------------------------------------------- */

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
        if (loop_has(l, f->blocks[k])) continue;
        for (struct ins *i = f->blocks[k]->first; i; i = i->next)
            for (int n = ins_sources(i, r), s = 0; s < n; s++)
                if (in[r[s]]) mark(u, r[s]);
    }
}

static void part_lanes(struct uni *u, struct blk *d)
{
    struct fn *f = u->f;
    d->divergent = true;
    u->changed = true;
    for (struct loop *l = d->loop; l && !(d->ipdom && loop_has(l, d->ipdom)); l = l->parent) leave_loop(u, l);
    int n = uniform_joins(f, d, u->label, u->joins);
    if (!u->words) return;
    uint64_t *written = arena_alloc(f->m->arena, (size_t)u->words * 8);
    for (int k = 0; k < f->nblocks; k++)
        for (int w = 0; u->label[k] >= 0 && w < u->words; w++) written[w] |= u->defs[k * u->words + w];
    for (int r = 0; r < f->nregs; r++) {
        int m = u->multi[r];
        if (m < 0 || u->div[r] || !(written[m / 64] >> (m % 64) & 1)) continue;
        for (int j = 0; j < n; j++)
            if (u->live[u->joins[j]->id * u->words + m / 64] >> (m % 64) & 1) mark(u, r);
    }
}

static void visit(struct uni *u, struct blk *b)
{
    int r[MAX_INS_REGS];
    for (struct ins *i = b->first; i; i = i->next) {
        if (!makes_difference(u, i) && !sources_differ(u, i)) continue;
        for (int n = ins_dests(i, r), d = 0; d < n; d++) mark(u, r[d]);
    }
    struct ins *t = blk_terminator(b);
    if (!t || b->divergent) return;
    bool parts = (t->guard >= 0 && u->div[t->guard]) || (t->op == P_BRX && u->div[t->o[0].reg]);
    if (parts && b->nsucc + (t->op == P_RET || t->op == P_EXIT) > 1) part_lanes(u, b);
}

static void analyse(struct fn *f)
{
    struct arena *a = f->m->arena;
    size_t n = (size_t)f->nregs + 1, blocks = (size_t)f->nblocks;
    struct uni u = { .f = f, .div = arena_alloc(a, n), .ndefs = arena_alloc(a, n * sizeof(int)),
                     .multi = arena_alloc(a, n * sizeof(int)), .label = arena_alloc(a, blocks * sizeof(int)),
                     .joins = arena_alloc(a, (blocks + 1) * sizeof(struct blk *)) };
    count_defs(&u);
    live_multi(&u);
    for (int k = 0; k < f->nblocks; k++) f->blocks[k]->divergent = false;
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
