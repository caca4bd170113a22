/* Divergence analysis: which registers may differ between the lanes of a warp, which branches may
 * part them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Starts from what differs by itself (lane numbers, loads, atomics, parameters of device functions)
 * and follows data; a divergent branch also makes differ
 *   - a register that different ways into a join of the branch have written (joins are found by
 *     labels: Karrenberg and Hack, "Improving Performance of OpenCL on CPUs", section 4), or that
 *     was written on any way, rounds of loops included, to where all meet (the post-dominator), and
 *   - a register written in a loop that lanes leave in different iterations, used outside it.
 * Only registers with several definitions are of the first kind, only those that outlive a loop of
 * the second: for these the answer depends on the place, for all others it does not.  The answer
 * "uniform" means: equal in all lanes that execute an instruction together, if they came here
 * together.  Where a prediction lets lanes of different iterations meet, whatever its region writes
 * may differ: paper A's loop counters must not live in scalar registers.
 *
 * Requires: edges, dominators, post-dominators, loops and predictions of every function.
 * Ensures:  blk.divergent, fn.reg_divergent; loop.spins and may_wait (wait.c); fn.recursive
 *           (callgraph.c). */
#include <stdlib.h>
#include "compiler/analysis/blkset.h"
#include "compiler/analysis/livelist.h"
#include "compiler/predict.h"
#include "isa_gen.h"

struct uni {
    struct fn *f;
    bool *div;
    /* numbers of the registers that are tracked by place, -1: others; back */
    int *multi, *reg, nmulti;
    struct livelist live;                /* of those: what is live into a block */
    struct lists defs;                   /* of those: written in a block */
    bool *in, *now;                      /* may differ: parallel to live.in; here, by number */
    int *written, writing;               /* by number: in the last set, when equal to `writing` */
    struct joins joins;
    struct blkset seen, left;  /* blocks between branch and join; headers of loops that were left */
    bool changed;
};

/* ---- joins of a branch ----------------------------------------------------------------------- */

struct joins joins_new(const struct fn *f)
{
    struct arena *a = f->m->arena;
    size_t n = (size_t)f->nblocks + 1;
    struct joins j = { .join = arena_alloc(a, n * sizeof *j.join),
                       .label = arena_alloc(a, n * sizeof *j.label),
                       .labelled = arena_alloc(a, n * sizeof *j.labelled),
                       .pending = arena_alloc(a, n * sizeof *j.pending) };
    for (size_t k = 0; k < n; k++) j.label[k] = -1;
    return j;
}

static void give_label(struct joins *j, struct blk *b, int label, int *alive)
{
    int *old = &j->label[b->id];
    if (*old < 0) j->labelled[j->nlabelled++] = b;
    else if (!--j->pending[*old]) --*alive;
    if (!j->pending[label]++) ++*alive;
    *old = label;
}

static void join_at(struct joins *j, struct blk *b)
{
    for (int k = 0; k < j->n; k++)
        if (j->join[k] == b) return;
    j->join[j->n++] = b;
}

/* While one label alone is on its way, none can meet another. */
void joins_find(struct joins *j, struct fn *f, const struct blk *d)
{
    int last = f->nrpo, alive = 0;
    while (j->nlabelled) {
        int id = j->labelled[--j->nlabelled]->id;
        j->pending[j->label[id]] = 0;
        j->label[id] = -1;
    }
    j->n = 0;
    for (int s = 0; s < d->nsucc; s++)
        if (d->succ[s] != d->ipdom && d->succ[s]->rpo > d->rpo)
            give_label(j, d->succ[s], d->succ[s]->id, &alive);
    if (d->ipdom && d->ipdom->rpo > d->rpo) last = d->ipdom->rpo;
    for (int k = d->rpo + 1; k < last && alive > 1; k++) {
        struct blk *b = f->rpo[k];
        int label = j->label[b->id];
        if (label < 0) continue;
        for (int s = 0; s < b->nsucc; s++) {
            struct blk *t = b->succ[s];
            if (t == d->ipdom || t->rpo <= b->rpo || j->label[t->id] == label) continue;
            bool meets = j->label[t->id] >= 0;
            give_label(j, t, meets ? t->id : label, &alive);
            if (meets) join_at(j, t);
        }
        if (!--j->pending[label]) alive--;
    }
    if (d->ipdom) j->join[j->n++] = d->ipdom;
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
    u->reg = arena_alloc(f->m->arena, ((size_t)f->nregs + 1) * sizeof *u->reg);
    for (int k = 0; k < f->nregs; k++) {
        bool tracked = u->multi[k] > 1;
        if (tracked) u->reg[u->nmulti] = k;
        u->multi[k] = tracked ? u->nmulti++ : -1;
    }
}

static void live_multi(struct uni *u)
{
    struct fn *f = u->f;
    struct arena *a = f->m->arena;
    struct pairs defs = { 0 };
    int r[MAX_INS_REGS];
    u->live = livelist_new(a, f->nblocks, u->nmulti);
    for (int k = 0; k < f->nblocks; k++) {
        for (int s = 0; s < f->blocks[k]->nsucc; s++)
            livelist_edge(&u->live, k, f->blocks[k]->succ[s]->id);
        for (struct ins *i = f->blocks[k]->first; i; i = i->next) {
            for (int n = ins_sources(i, r), s = 0; s < n; s++)
                if (u->multi[r[s]] >= 0) livelist_use(&u->live, k, u->multi[r[s]]);
            for (int n = ins_dests(i, r), s = 0; s < n; s++) {
                int m = u->multi[r[s]];
                if (m < 0) continue;
                pairs_add(a, &defs, k, m);
                if (i->guard < 0) livelist_kill(&u->live, k, m);
            }
        }
    }
    u->defs = pairs_sort(a, &defs, f->nblocks);
    livelist_solve(&u->live);
    u->in = arena_alloc(a, (size_t)u->live.in.first[f->nblocks] + 1);
    u->now = arena_alloc(a, (size_t)u->nmulti + 1);
    u->written = arena_alloc(a, ((size_t)u->nmulti + 1) * sizeof *u->written);
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
    case SREG_NSMID: case SREG_GRIDID: case SREG_ZERO:
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
    case P_REDUX:
    case P_BARRED:
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

static bool differs(const struct uni *u, int reg)
{
    int m = u->multi[reg];
    return m < 0 ? u->div[reg] : u->now[m];
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
        if (differ) u->now[m] = true;
        else if (i->guard < 0) u->now[m] = false;
    }
}

/* ---- control --------------------------------------------------------------------------------- */

static void written_in(struct uni *u, const struct blk *b)
{
    for (int k = u->defs.first[b->id]; k < u->defs.first[b->id + 1]; k++)
        u->written[u->defs.item[k]] = u->writing;
}

/* Different ways into b have written these: they differ from its start on. */
static void meet_at(struct uni *u, const struct blk *b)
{
    for (int k = u->live.in.first[b->id]; k < u->live.in.first[b->id + 1]; k++) {
        int m = u->live.in.item[k];
        if (u->written[m] != u->writing) continue;
        mark(u, u->reg[m]);
        if (!u->in[k]) u->in[k] = u->changed = true;
    }
}

/* Lanes leave l in different iterations: what it computes differs outside. */
static void leave_loop(struct uni *u, const struct loop *l)
{
    if (!blkset_add(&u->left, l->header)) return;
    u->writing++;
    for (int k = 0; k < l->nblocks; k++) written_in(u, l->blocks[k]);
    for (int k = 0; k < l->nblocks; k++)
        for (int s = 0; s < l->blocks[k]->nsucc; s++)
            if (!loop_has(l, l->blocks[k]->succ[s])) meet_at(u, l->blocks[k]->succ[s]);
}

/* What any lane may write on its way from d to where all meet again; it may come to d once more, so
 * that lanes of different iterations meet. */
static void write_between(struct uni *u, const struct blk *d)
{
    blkset_clear(&u->seen);
    for (int at = -1; at < u->seen.n; at++) {
        const struct blk *b = at < 0 ? d : u->seen.list[at];
        for (int s = 0; s < b->nsucc; s++)
            if (b->succ[s] != d->ipdom && blkset_add(&u->seen, b->succ[s]))
                written_in(u, b->succ[s]);
    }
}

static int by_rpo(const void *a, const void *b)
{
    const struct blk *const *x = a, *const *y = b;
    return (*x)->rpo - (*y)->rpo;
}

static void part_lanes(struct uni *u, struct blk *d)
{
    struct joins *j = &u->joins;
    d->divergent = true;
    u->changed = true;
    for (struct loop *l = d->loop; l && !(d->ipdom && loop_has(l, d->ipdom)); l = l->parent)
        leave_loop(u, l);
    if (!u->nmulti) return;
    joins_find(j, u->f, d);
    u->writing++;
    qsort(j->labelled, (size_t)j->nlabelled, sizeof *j->labelled, by_rpo);
    blkset_clear(&u->seen);
    for (int k = 0; k < j->n; k++) blkset_add(&u->seen, j->join[k]);
    for (int k = 0; k < j->nlabelled; k++) {        /* what stands before a join reaches it */
        const struct blk *b = j->labelled[k];
        if (d->ipdom && b->rpo >= d->ipdom->rpo && d->ipdom->rpo > d->rpo) break;
        if (u->seen.has[b->id]) meet_at(u, b);
        written_in(u, b);
    }
    if (!d->ipdom) return;
    write_between(u, d);
    meet_at(u, d->ipdom);
}

/* Lanes of different iterations meet at a prediction's labels. */
static void meet_predicted(struct uni *u)
{
    struct fn *f = u->f;
    for (int k = 0; k < f->npredictions; k++) {
        const struct prediction *p = &f->predictions[k];
        const bool *in = predict_region(f, p);
        u->writing++;
        for (int b = 0; b < f->nblocks; b++)
            if (in[b]) written_in(u, f->blocks[b]);
        for (int j = 0; j < p->npoints; j++) meet_at(u, p->points[j]);
    }
}

static void visit(struct uni *u, struct blk *b)
{
    const struct lists *live = &u->live.in;
    for (int k = live->first[b->id]; k < live->first[b->id + 1]; k++)
        u->now[live->item[k]] = u->in[k];
    struct ins *t = blk_terminator(b);
    for (struct ins *i = b->first; i; i = i->next)
        write_dests(u, i, makes_difference(u, i) || sources_differ(u, i));
    for (int s = 0; s < b->nsucc; s++)
        for (int id = b->succ[s]->id, k = live->first[id]; k < live->first[id + 1]; k++)
            if (u->now[live->item[k]] && !u->in[k]) u->in[k] = u->changed = true;
    if (!t || b->divergent) return;
    bool parts =
        (t->guard >= 0 && differs(u, t->guard)) || (t->op == P_BRX && differs(u, t->o[0].reg));
    if (parts && b->nsucc + (t->op == P_RET || t->op == P_EXIT) > 1) part_lanes(u, b);
}

static void analyse(struct fn *f)
{
    fn_requires(f, KNOWN_GRAPH);
    struct arena *keep = f->m->arena, *a = f->m->arena = arena_new();
    size_t n = (size_t)f->nregs + 1;
    struct uni u = { .f = f, .div = arena_alloc(keep, n), .multi = arena_alloc(a, n * sizeof(int)),
                     .joins = joins_new(f), .seen = blkset_new(f), .left = blkset_new(f) };
    find_tracked(&u);
    live_multi(&u);
    for (int k = 0; k < f->nblocks; k++) f->blocks[k]->divergent = false;
    meet_predicted(&u);
    do {
        u.changed = false;
        for (int k = 0; k < f->nrpo; k++) visit(&u, f->rpo[k]);
    } while (u.changed);
    f->reg_divergent = u.div;
    f->m->arena = keep;
    arena_free(a);
}

void uniform_run(struct module *m)
{
    for (int k = 0; k < m->nfns; k++) {
        struct fn *f = m->fns[k];
        if (!f->defined) continue;
        analyse(f);
        wait_run(f);
        f->known |= KNOWN_DIVERGENCE;
    }
    callgraph_run(m);
}
