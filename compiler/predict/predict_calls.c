/* The function form (paper A, section 4.4): lanes meet at the entry of a function, whichever code
 * calls it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The wait stands at the function's entry; what callers must know of it is handed up the call
 * graph: in the function with the prediction each call that may lead there counts as the
 * WaitBarrier, in the functions between (and in a recursive one itself) the barriers around such a
 * call are left, as at any label.  That wait has a P_BSYNC like others (sub = IN_CALLEE), of which
 * no instruction comes.  One barrier in several functions needs one register in all of them: these
 * take the highest, one each (fn.fixed), and no function allocates them otherwise.
 *
 * A function called from several regions waits for each at its entry; lanes of no region pass.  A
 * function that is only declared has no entry of ours: its caller has to be one.
 *
 * Requires: predictions of every function (predict_find.c).
 * Ensures:  callers have predictions of their own at such calls, fn.fixed names shared barriers,
 *           fn.in_region is set; edges, dominators and loops are true again. */
#include <string.h>
#include "cmodel/isa/commit.h"
#include "compiler/predict.h"
#include "isa_gen.h"

static bool named(const struct fn *f, const char *name)
{
    char mangled[160];
    size_t len = strlen(name);
    if (!strcmp(f->name, name)) return true;
    snprintf(mangled, sizeof mangled, "%zu%s", len, name);
    const char *at = strncmp(f->name, "_Z", 2) ? NULL : strstr(f->name, mangled);
    return at && len < 150 && (at[-1] < '0' || at[-1] > '9');
}

struct fn *predict_callee(const struct fn *f, const struct prediction *p, struct hd_err *err)
{
    struct fn *found = NULL;
    for (int k = 0; k < f->m->nfns; k++) {
        struct fn *g = f->m->fns[k];
        if (!named(g, p->name) || g->entry) continue;
        if (found)
            cc_error(err, f->m, p->loc, "`%s` may be %s or %s", p->name, found->name, g->name);
        if (!g->defined)
            cc_error(
                err, f->m, p->loc,
                "function `%s` is defined elsewhere: call it in a function of this source, and "
                "name that one",
                p->name);
        found = g;
    }
    return found;
}

/* The call i may come to one of these, by fn.id. */
static bool may_come(const struct module *m, const struct ins *i, const bool *to)
{
    const struct fn *f = callgraph_callee(i);
    bool any = f && to[f->id];
    for (int k = 0; callgraph_by_register(i) && k < m->nfns && !any; k++)
        any = m->fns[k]->address_taken && to[k];
    return any;
}

/* By fn.id: g, and functions that may call one of these. */
static const bool *leading(struct fn *g)
{
    const struct module *m = g->m;
    if (g->leading) return g->leading;
    g->leading = arena_alloc(m->arena, (size_t)m->nfns);
    g->leading[g->id] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < m->nfns; k++)
            for (int b = 0; b < m->fns[k]->nblocks && !g->leading[k]; b++)
                for (const struct ins *i = m->fns[k]->blocks[b]->first; i && !g->leading[k];
                     i = i->next)
                    if (may_come(m, i, g->leading)) g->leading[k] = changed = true;
    }
    return g->leading;
}

static bool leads_to(const struct ins *i, struct fn *g)
{
    return i->op == P_CALL && may_come(g->m, i, leading(g));
}

struct ins *predict_call(const struct blk *b, struct fn *callee)
{
    struct ins *i = b->first;
    while (i && i->op != P_CALL) i = i->op >= P_BSSY ? i->next : NULL;
    return i && callee && leads_to(i, callee) ? i : NULL;
}

void predict_split_calls(struct fn *f, struct fn *callee)
{
    bool changed = false;
    for (int k = 0; k < f->nblocks; k++) {
        struct blk *b = f->blocks[k];
        b->id = k;
        for (struct ins *i = b->first; i; i = i->next)
            if (i != b->first && leads_to(i, callee)) {
                cfg_split(f, b, i);
                changed = true;
                break;
            }
    }
    if (changed) cfg_refresh(f);
}

/* ---- up the call graph ----------------------------------------------------------------------- */

void predict_fix(struct fn *f, int vb, int reg)
{
    size_t n = (size_t)f->nfixed, size = sizeof *f->fixed;
    f->fixed = arena_grow(f->m->arena, f->fixed, n * size, (n + 1) * size);
    f->fixed[f->nfixed++] = (struct fixed){ .vb = vb, .reg = reg };
}

/* Calls in g that may lead to p's function: a prediction of g that lanes have joined already. */
static void propagate(struct fn *g, const struct prediction *p)
{
    struct prediction up = { .name = p->name, .loc = p->loc, .callee = p->callee, .vb = g->nvb++,
                             .exit = -1, .count = -1, .all = -1 };
    predict_split_calls(g, p->callee);
    for (int k = 0; k < g->nblocks; k++)
        if (predict_call(g->blocks[k], p->callee)) {
            size_t n = (size_t)up.npoints, size = sizeof *up.points;
            up.points = arena_grow(g->m->arena, up.points, n * size, (n + 1) * size);
            up.points[up.npoints++] = g->blocks[k];
        }
    if (!up.npoints) return;
    size_t n = (size_t)g->npredictions, size = sizeof *g->predictions;
    g->predictions = arena_grow(g->m->arena, g->predictions, n * size, (n + 1) * size);
    g->predictions[g->npredictions++] = up;
    predict_fix(g, up.vb, p->reg);
    dom_build(g);
    loop_build(g);
}

/* Functions that calls in the region lead through: lanes must not yield in them, or barriers stop
 * waiting. */
static void mark_region(struct fn *f, const struct prediction *p)
{
    bool *seen = arena_alloc(f->m->arena, (size_t)f->m->nfns);
    callgraph_reach(f, predict_region(f, p), seen);
    for (int k = 0; k < f->m->nfns; k++) f->m->fns[k]->in_region |= seen[k];
}

/* From a call in the region another one can be reached. */
static bool comes_again(const struct fn *f, const struct prediction *p)
{
    const bool *in = predict_region(f, p);
    bool again = false;
    for (int k = 0; k < p->npoints; k++)
        for (int s = 0; s < p->points[k]->nsucc; s++)
            again |= in[p->points[k]->succ[s]->id] && p->points[k]->succ[s] != p->starts[0];
    return again;
}

bool predict_calls(struct module *m, struct hd_err *err)
{
    enum { MOST = 8 };
    for (int k = 0; k < m->nfns; k++) {
        struct fn *f = m->fns[k];
        const int own = f->npredictions;
        for (int j = 0; j < own; j++) {
            struct prediction *p = &f->predictions[j];
            if (!p->nstarts) continue;
            mark_region(f, p);
            if (!p->callee) continue;
            if (m->nfixed == MOST) {
                cc_error(err, m, p->loc,
                         "more than %d predictions name functions: each takes a barrier register",
                         MOST);
                return false;
            }
            p->reg = HD_BARRIERS - 1 - m->nfixed++;
            p->again = comes_again(f, p);
            const struct prediction self = *p;
            for (int g = 0; g < m->nfns; g++)
                if (m->fns[g]->in_region && m->fns[g] != f && m->fns[g]->defined)
                    propagate(m->fns[g], &self);
            predict_fix(self.callee, self.callee->nvb++, self.reg);
            struct fixed *entry = &self.callee->fixed[self.callee->nfixed - 1];
            entry->entry = true;
            entry->again = p->again;
        }
    }
    return true;
}

static struct ins *put(struct fn *f, struct ins *at, enum pop op, int dst)
{
    struct ins *i = predict_op(f, op, -1, at);
    i->type = T_U32;
    i->nops = 1;
    i->o[0] = (struct opd){ .kind = O_REG, .reg = dst, .reg2 = -1 };
    ins_before(f->blocks[0], at, i);
    return i;
}

static void add(struct ins *i, enum okind kind, int reg, uint64_t k)
{
    i->o[i->nops++] = (struct opd){ .kind = kind, .reg = reg, .reg2 = -1, .imm = k,
                                    .sreg = SREG_LANEID };
}

/* A predicate: this lane is in vb. */
static int test_lane(struct fn *f, struct ins *at, int vb)
{
    int mask = reg_new(f, T_U32),
        lane = reg_new(f, T_U32), bit = reg_new(f, T_U32), p = reg_new(f, T_PRED);
    put(f, at, P_BMOV_SAVE, mask)->vb = vb;
    add(put(f, at, P_MOV, lane), O_SREG, -1, 0);
    struct ins *i = put(f, at, P_SHR, bit);
    add(i, O_REG, mask, 0);
    add(i, O_REG, lane, 0);
    i = put(f, at, P_AND, bit);
    add(i, O_REG, bit, 0);
    add(i, O_IMM, -1, 1);
    i = put(f, at, P_SETP, p);
    i->cmp = CMP_NE;
    add(i, O_REG, bit, 0);
    add(i, O_IMM, -1, 0);
    return p;
}

/* Lanes that were in the barrier rejoin as they are released, not when they have come back: the
 * first to come back would find no lane to wait for.  Lanes of other callers were not. */
void predict_entry_waits(struct fn *f)
{
    struct ins *at = f->blocks[0]->first;
    for (int k = 0; k < f->nfixed; k++) {
        const struct fixed *x = &f->fixed[k];
        if (!x->entry) continue;
        int p = x->again ? test_lane(f, at, x->vb) : -1;
        struct ins *wait = predict_op(f, P_BSYNC, x->vb, at);
        wait->sub = FROM_CALLER;
        ins_before(f->blocks[0], at, wait);
        if (!x->again) continue;
        struct ins *again = predict_join(f, x->vb, REJOIN_FOR_CALLER, f->blocks[0], at);
        again->guard = p;
        ins_before(f->blocks[0], at, again);
    }
}
