/* Which words of which registers hold a value that is still needed, at the ends of every block.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lanes have registers of their own, so what a single thread needs is what counts: divergence does
 * not change it.  A guarded write may leave the old value, so it ends no live range. */
#include <string.h>
#include "compiler/minsn.h"

struct flow { const struct live *lv; uint64_t *gen, *kill; bool guarded; };

static void each(const struct live *lv, int reg, int sub, int words, uint64_t *set, const uint64_t *unless)
{
    for (int w = lv->base[reg] + sub; w < lv->base[reg] + sub + words; w++)
        if (!unless || !(unless[w >> 6] >> (w & 63) & 1)) set[w >> 6] |= (uint64_t)1 << (w & 63);
}

static void see_use(void *user, int reg, int sub, int words)
{
    struct flow *f = user;
    each(f->lv, reg, sub, words, f->gen, f->kill);
}

static void see_def(void *user, int reg, int sub, int words)
{
    struct flow *f = user;
    if (!f->guarded) each(f->lv, reg, sub, words, f->kill, NULL);
}

/* out = union of the successors' in; true if `in` grew. */
static bool update(const struct live *lv, const struct mfn *mf, int k, uint64_t *const *gen, uint64_t *const *kill)
{
    const struct mblk *b = mf->blks[k];
    bool grew = false;
    for (int w = 0; w < lv->nset; w++) {
        uint64_t out = 0;
        for (int j = 0; j < b->nsucc; j++) out |= lv->in[b->succ[j]->id][w];
        for (int j = 0; j < b->ntable; j++) out |= lv->in[b->table[j]->id][w];
        lv->out[k][w] = out;
        uint64_t in = gen[k][w] | (out & ~kill[k][w]);
        if (in != lv->in[k][w]) lv->in[k][w] = in, grew = true;
    }
    return grew;
}

struct live *live_run(struct mfn *mf)
{
    struct arena *a = mf->be->a;
    struct live *lv = arena_alloc(a, sizeof *lv);
    lv->base = arena_alloc(a, ((size_t)mf->nregs + 1) * sizeof *lv->base);
    for (int r = 0; r < mf->nregs; r++) {
        lv->base[r] = lv->nwords;
        lv->nwords += mf->regs[r].n;
    }
    lv->nset = (lv->nwords + 63) / 64;
    size_t n = (size_t)mf->nblks, bytes = (size_t)(lv->nset + 1) * sizeof(uint64_t);
    lv->in = arena_alloc(a, (n + 1) * sizeof *lv->in);
    lv->out = arena_alloc(a, (n + 1) * sizeof *lv->out);
    uint64_t **gen = arena_alloc(a, (n + 1) * sizeof *gen), **kill = arena_alloc(a, (n + 1) * sizeof *kill);
    for (int k = 0; k < mf->nblks; k++) {
        lv->in[k] = arena_alloc(a, bytes), lv->out[k] = arena_alloc(a, bytes);
        gen[k] = arena_alloc(a, bytes), kill[k] = arena_alloc(a, bytes);
        struct flow f = { lv, gen[k], kill[k], false };
        for (struct mins *m = mf->blks[k]->first; m; m = m->next) {
            mins_uses(mf, m, see_use, &f);
            f.guarded = m->p[PR_G] >= 0;
            mins_defs(mf, m, see_def, &f);
        }
    }
    for (bool again = true; again; ) {
        again = false;
        for (int k = mf->nblks - 1; k >= 0; k--) again |= update(lv, mf, k, gen, kill);
    }
    return lv;
}
