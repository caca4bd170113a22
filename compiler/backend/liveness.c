/* Which words of which registers hold a value that is still needed, at the ends of every block.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lanes have registers of their own, so what a single thread needs is what counts: divergence does
 * not change it.  A guarded write may leave the old value, so it ends no live range.
 *
 * Requires: edges of the machine function.
 * Ensures:  the words live at both ends of every block; changes nothing. */
#include "compiler/select/minsn.h"

struct flow { struct live *lv; int blk; bool guarded; };

static void see_use(void *user, int reg, int sub, int words)
{
    struct flow *f = user;
    for (int w = f->lv->base[reg] + sub; w < f->lv->base[reg] + sub + words; w++)
        livelist_use(&f->lv->list, f->blk, w);
}

static void see_def(void *user, int reg, int sub, int words)
{
    struct flow *f = user;
    for (int w = f->lv->base[reg] + sub; w < f->lv->base[reg] + sub + words && !f->guarded; w++)
        livelist_kill(&f->lv->list, f->blk, w);
}

struct live *live_run(struct mfn *mf)
{
    struct arena *a = mf->be->a;
    struct live *lv = arena_alloc(a, sizeof *lv);
    int nwords = 0;
    lv->base = arena_alloc(a, ((size_t)mf->nregs + 1) * sizeof *lv->base);
    for (int r = 0; r < mf->nregs; r++) {
        lv->base[r] = nwords;
        nwords += mf->regs[r].n;
    }
    lv->reg = arena_alloc(a, ((size_t)nwords + 1) * sizeof *lv->reg);
    for (int r = 0; r < mf->nregs; r++)
        for (int w = 0; w < mf->regs[r].n; w++) lv->reg[lv->base[r] + w] = r;
    lv->nwords = nwords;
    lv->list = livelist_new(a, mf->nblks, nwords);
    for (int k = 0; k < mf->nblks; k++) {
        const struct mblk *b = mf->blks[k];
        struct flow f = { lv, k, false };
        for (int j = 0; j < b->nsucc; j++) livelist_edge(&lv->list, k, b->succ[j]->id);
        for (int j = 0; j < b->ntable; j++) livelist_edge(&lv->list, k, b->table[j]->id);
        for (struct mins *m = b->first; m; m = m->next) {
            mins_uses(mf, m, see_use, &f);
            f.guarded = m->p[PR_G] >= 0;
            mins_defs(mf, m, see_def, &f);
        }
    }
    livelist_solve(&lv->list);
    return lv;
}
