/* Small improvements of selected code, before barriers and registers are allocated.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Address arithmetic mul.wide, add.s64 becomes one IMAD.W; loads of constants become operands
 * (constants.c); what is never read goes.  Only
 * registers that are written once take part, as nearly all of clang's are, and a product only if
 * no factor is written before the addition, as the next turn's is in a loop.
 *
 * Requires: selected code, its registers still virtual.
 * Ensures:  the same results and effects from fewer instructions; edges stay. */
#include <string.h>
#include "compiler/select/minsn.h"

struct count {
    int *uses, *defs, *when;     /* when: the number of what writes it, in the order of the text */
    struct mins **def;
    struct mblk **home;
    struct mins *at;
    struct mblk *in;
    int now;
};

static void see_use(void *user, int reg, int sub, int words)
{
    (void)sub, (void)words;
    ((struct count *)user)->uses[reg]++;
}

static void see_def(void *user, int reg, int sub, int words)
{
    struct count *c = user;
    (void)sub, (void)words;
    c->defs[reg]++;
    c->def[reg] = c->at;
    c->home[reg] = c->in;
    c->when[reg] = c->now;
}

static void see_unuse(void *user, int reg, int sub, int words)
{
    (void)sub, (void)words;
    ((struct count *)user)->uses[reg]--;
}

static void count(struct mfn *mf, struct count *c)
{
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next) {
            c->at = m, c->in = mf->blks[k], c->now++;
            mins_uses(mf, m, see_use, c);
            mins_defs(mf, m, see_def, c);
        }
}

/* Written once, and not after that product, which stands before the instruction c->now. */
static bool still(const struct count *c, int reg, int product)
{
    return reg < 0 || (c->defs[reg] == 1 &&
                       (c->when[reg] < c->when[product] || c->when[reg] >= c->now));
}

/* IADD.64 d, product, other: whichever operand is a product without an addend, written for this
 * alone. */
static void fuse(struct mfn *mf, struct count *c, struct mblk *b, struct mins *m)
{
    if (m->i.op != OP_IADDW || m->i.bi || m->p[PR_G] >= 0) return;
    for (int k = R_A; k <= R_B; k++) {
        int r = m->r[k], other = R_A + R_B - k;
        if (r < 0 || c->uses[r] != 1 || c->defs[r] != 1 || c->home[r] != b || m->r[other] == r)
            continue;
        struct mins *p = c->def[r];
        if ((p->i.op != OP_IMADWU && p->i.op != OP_IMADWS) || p->r[R_C] >= 0 || p->p[PR_G] >= 0)
            continue;
        if (c->when[r] >= c->now || !still(c, p->r[R_A], r) || !still(c, p->r[R_B], r)) continue;
        struct mins *f = mins_new(mf, p->i.op);
        f->i = p->i;
        f->r[R_A] = p->r[R_A], f->sub[R_A] = p->sub[R_A];
        f->r[R_B] = p->r[R_B], f->sub[R_B] = p->sub[R_B];
        f->r[R_C] = m->r[other], f->sub[R_C] = m->sub[other];
        f->r[R_D] = m->r[R_D], f->sub[R_D] = m->sub[R_D];
        f->sfile = m->sfile, f->sline = m->sline;
        mins_before(b, m, f);
        mins_remove(b, m);
        mins_remove(b, p);
        c->uses[r] = 0;
        c->def[f->r[R_D]] = f;
        return;
    }
}

static bool removable(const struct mfn *mf, const struct count *c, const struct mins *m)
{
    if (m->call || m->vb >= 0) return false;
    if (m->i.op != M_COPY && !constants_load(m) &&
        (hd_ops[m->i.op].unit == UNIT_LSU || hd_ops[m->i.op].unit == UNIT_CTL))
        return false;
    if (m->r[R_D] < 0 && m->p[PR_D] < 0) return false;
    if (m->r[R_D] >= 0 && (c->uses[m->r[R_D]] || mf->regs[m->r[R_D]].fixed >= 0)) return false;
    return m->p[PR_D] < 0 || !c->uses[m->p[PR_D]];
}

void peephole_run(struct mfn *mf)
{
    size_t n = (size_t)mf->nregs + 1;
    struct arena *a = arena_new();
    struct count c = { arena_alloc(a, n * sizeof *c.uses),
                       arena_alloc(a, n * sizeof *c.defs),
                       arena_alloc(a, n * sizeof *c.when),
                       arena_alloc(a, n * sizeof *c.def),
                       arena_alloc(a, n * sizeof *c.home),
                       NULL,
                       NULL,
                       0 };
    count(mf, &c);
    c.now = 0;
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first, *next; m; m = next) {
            next = m->next;
            c.now++;
            fuse(mf, &c, mf->blks[k], m);
        }
    if (!mf->be->opt->constant_loads) {
        constants_run(mf);
        memset(c.uses, 0, n * sizeof *c.uses);
        memset(c.defs, 0, n * sizeof *c.defs);
        count(mf, &c);
    }
    for (bool again = true; again; ) {
        again = false;
        for (int k = mf->nblks - 1; k >= 0; k--)
            for (struct mins *m = mf->blks[k]->last, *prev; m; m = prev) {
                prev = m->prev;
                if (!removable(mf, &c, m)) continue;
                mins_uses(mf, m, see_unuse, &c);
                mins_remove(mf->blks[k], m);
                again = true;
            }
    }
    arena_free(a);
}
