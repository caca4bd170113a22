/* Machine functions: making registers, blocks and instructions, and what an instruction reads and
 * writes.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "compiler/select/minsn.h"

int mreg_new(struct mfn *mf, int words)
{
    if (mf->nregs == mf->cap) {
        int want = mf->cap ? 2 * mf->cap : 64;
        mf->regs = arena_grow(mf->be->a, mf->regs, (size_t)mf->cap * sizeof *mf->regs,
                              (size_t)want * sizeof *mf->regs);
        mf->cap = want;
    }
    mf->regs[mf->nregs] = (struct mvreg){
        .n = (uint8_t)(words ? words : 1), .pred = !words, .temp = true, .fixed = -1
    };
    return mf->nregs++;
}

struct mblk *mblk_new(struct mfn *mf)
{
    int n = mf->nblks;
    if ((n & (n - 1)) == 0)
        mf->blks = arena_grow(mf->be->a, mf->blks, (size_t)n * sizeof *mf->blks,
                              (size_t)(n ? 2 * n : 1) * sizeof *mf->blks);
    struct mblk *b = arena_alloc(mf->be->a, sizeof *b);
    b->id = n;
    return mf->blks[mf->nblks++] = b;
}

struct mins *mins_new(struct mfn *mf, int op)
{
    struct mins *m = arena_alloc(mf->be->a, sizeof *m);
    m->i = hd_insn_make(op == M_COPY ? OP_MOV : (enum hd_op)op);
    m->i.op = (uint16_t)op;
    for (int k = 0; k < 4; k++) m->r[k] = -1;
    for (int k = 0; k < PR_COUNT; k++) m->p[k] = -1;
    m->vb = -1;
    return m;
}

void mins_before(struct mblk *b, struct mins *at, struct mins *m)
{
    m->next = at;
    m->prev = at ? at->prev : b->last;
    if (m->prev) m->prev->next = m; else b->first = m;
    if (at) at->prev = m; else b->last = m;
}

void mins_remove(struct mblk *b, struct mins *m)
{
    if (m->prev) m->prev->next = m->next; else b->first = m->next;
    if (m->next) m->next->prev = m->prev; else b->last = m->prev;
}

int mins_width(const struct mfn *mf, const struct mins *m, int which)
{
    if (m->i.op == M_COPY) return which > R_A ? 0 : m->r[R_D] < 0 ? 1 : mf->regs[m->r[R_D]].n;
    return hd_insn_width(&m->i, which);
}

void mins_uses(const struct mfn *mf, const struct mins *m, mins_see *see, void *user)
{
    for (int k = R_A; k <= R_C; k++)
        if (m->r[k] >= 0) see(user, m->r[k], m->sub[k], mins_width(mf, m, k));
    for (int k = 0; k < PR_COUNT; k++)
        if (k != PR_D && m->p[k] >= 0) see(user, m->p[k], 0, 1);
    for (int k = 0; m->call && k < m->call->nuses; k++)
        see(user, m->call->uses[k], 0, mf->regs[m->call->uses[k]].n);
}

void mins_defs(const struct mfn *mf, const struct mins *m, mins_see *see, void *user)
{
    if (m->r[R_D] >= 0) see(user, m->r[R_D], m->sub[R_D], mins_width(mf, m, R_D));
    if (m->p[PR_D] >= 0) see(user, m->p[PR_D], 0, 1);
    for (int k = 0; m->call && k < m->call->ndefs; k++)
        see(user, m->call->defs[k], 0, mf->regs[m->call->defs[k]].n);
}

bool mins_ends(const struct mins *m)
{
    bool always = m->p[PR_G] < 0;
    if (m->i.pop) return true;
    switch (m->i.op) {
    case OP_BRX: return true;
    case OP_BRA: case OP_EXIT: case OP_RET: case OP_RETT: case OP_TRAP: return always;
    default: return false;
    }
}

void mfn_edges(struct mfn *mf)
{
    for (int k = 0; k < mf->nblks; k++) {
        struct mblk *b = mf->blks[k];
        b->id = k;
        b->nsucc = b->ntable = 0;
        if (b->last && (b->last->i.op == OP_BRA || b->last->i.pop))
            b->succ[b->nsucc++] = b->last->target;
        if (b->last && b->last->i.op == OP_BRX)
            b->table = b->last->table, b->ntable = b->last->ntable;
        if ((!b->last || !mins_ends(b->last)) && k + 1 < mf->nblks)
            b->succ[b->nsucc++] = mf->blks[k + 1];
    }
}

struct mfn *backend_fn(struct backend *be, struct fn *f)
{
    for (struct mfn *mf = be->fns; mf; mf = mf->next)
        if (mf->f == f) return mf;
    struct mfn *mf = arena_alloc(be->a, sizeof *mf);
    mf->be = be;
    mf->f = f;
    mf->name = f->name;
    *be->tail = mf;
    be->tail = &mf->next;
    return mf;
}

/* The function whose address is asked for.  One that is only declared is the library's from now
 * on. */
struct mfn *backend_addressed(struct backend *be, struct sym *sym)
{
    if (!sym->fn || !sym->fn->defined) {
        struct mfn *lib = backend_lib(be, sym->name);
        if (!lib) return NULL;
        sym->fn = lib->f;
    }
    sym->fn->address_taken = true;
    return backend_fn(be, sym->fn);
}

struct mfn *backend_lib(struct backend *be, const char *name)
{
    struct fn *f = be->m->library(be, name);
    if (!f) hd_err_set(be->err, 2, "%s: function %s is not defined", be->m->path, name);
    return f ? backend_fn(be, f) : NULL;
}
