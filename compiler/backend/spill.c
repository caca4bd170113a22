/* Spilling: registers that found no colour live in local memory, or, predicates, in a general
 * register.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each use loads into a register of its own and each definition stores from one, so short-lived
 * that they always find a colour.  All spilled registers are rewritten in one pass over the code.
 *
 * Requires: the webs of regalloc.c and those of them that go to memory.
 * Ensures:  no code names a spilled register; what is new never needs to be spilled; edges stay. */
#include "compiler/select/minsn.h"

struct spill { struct mfn *mf; struct arena *a; const int *web; int nwebs; const bool *on; };

/* The register that r was coalesced into; registers made here are their own. */
static int web_of(const struct spill *x, int r) { return r < x->nwebs ? x->web[r] : r; }

static struct mins *slot_access(struct spill *x, bool store, int reg, int sub, int words,
                                uint32_t at, const struct mins *near)
{
    struct mins *m = mins_new(x->mf, store ? OP_STL : OP_LDL);
    int which = store ? R_B : R_D;
    m->r[which] = reg;
    m->sub[which] = (uint8_t)sub;
    m->i.ra = REG_SP;
    m->i.sz = (uint8_t)(words == 4 ? SZ_128 : words == 2 ? SZ_64 : SZ_32);
    m->i.off = (int32_t)at + 4 * sub;
    m->frame = FR_SLOT;
    m->sfile = near->sfile, m->sline = near->sline;
    return m;
}

static int spill_temp(struct spill *x, int like)
{
    int t = mreg_new(x->mf, x->mf->regs[like].pred ? 0 : x->mf->regs[like].n);
    x->mf->regs[t].nospill = true;
    return t;
}

/* A predicate in a general register g: 1 or 0. */
static struct mins *from_general(struct spill *x, int p, int g)
{
    struct mins *m = mins_new(x->mf, OP_ISETP);
    m->p[PR_D] = p;
    m->r[R_A] = g;
    m->i.bi = 1;
    m->i.icmp = ICMP_NE;
    return m;
}

static struct mins *to_general(struct spill *x, int g, int p)
{
    struct mins *m = mins_new(x->mf, OP_SEL);        /* !p ? 0 : 1 */
    m->r[R_D] = g;
    m->i.bi = 1;
    m->i.imm = 1;
    m->p[PR_S] = p;
    m->i.sn = 1;
    return m;
}

/* Rewrites what m reads and writes of register r (an alias of a spilled one). */
static void spill_in(struct spill *x, struct mblk *b, struct mins *m, int v, uint32_t at,
                     int general)
{
    bool pred = x->mf->regs[v].pred;
    int t = -1;
    struct mins *in = NULL;
    for (int k = R_A; k <= R_C; k++) {
        if (m->r[k] < 0 || web_of(x, m->r[k]) != v) continue;
        if (t < 0) {
            t = spill_temp(x, v);
            in = slot_access(x, false, t, 0, x->mf->regs[v].n, at, m);
            mins_before(b, m, in);
        }
        m->r[k] = t;
    }
    for (int k = 0; pred && k < PR_COUNT; k++) {
        if (k == PR_D || m->p[k] < 0 || web_of(x, m->p[k]) != v) continue;
        if (t < 0) {
            t = spill_temp(x, v);
            mins_before(b, m, from_general(x, t, general));
        }
        m->p[k] = t;
    }
    int def = pred ? m->p[PR_D] : m->r[R_D];
    if (def < 0 || web_of(x, def) != v) return;
    int d = spill_temp(x, v), n = pred ? 1 : mins_width(x->mf, m, R_D);
    struct mins *out = pred ? to_general(x, general, d)
                            : slot_access(x, true, d, m->sub[R_D], n, at, m);
    /* A write under a guard leaves what was there, so that must be loaded; without, d would live
     * from the entry on. */
    if (m->p[PR_G] >= 0)
        mins_before(b, m,
                    pred ? from_general(x, d, general)
                         : slot_access(x, false, d, m->sub[R_D], n, at, m));
    if (pred) m->p[PR_D] = d; else m->r[R_D] = d;
    out->p[PR_G] = m->p[PR_G];
    out->i.pn = m->i.pn;
    mins_before(b, m->next, out);
}

/* Where the spilled registers are named, in the order of the code. */
struct place_of { struct mblk *b; struct mins *m; };
struct places { struct place_of *place; struct lists of; }; /* of: numbers of places, by register */
struct namer { struct spill *x; struct pairs named; int at; };

static void see_name(void *user, int reg, int sub, int words)
{
    struct namer *s = user;
    int v = web_of(s->x, reg);
    (void)sub, (void)words;
    if (v >= s->x->nwebs || !s->x->on[v]) return;
    for (int k = s->named.n; k > 0 && s->named.p[k - 1].item == s->at; k--)
        if (s->named.p[k - 1].key == v) return;
    pairs_add(s->x->a, &s->named, v, s->at);
}

static struct places spilled_places(struct spill *x)
{
    struct namer s = { .x = x };
    struct mfn *mf = x->mf;
    int n = 0;
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next) n++;
    struct places p = { arena_alloc(x->a, ((size_t)n + 1) * sizeof *p.place), { 0 } };
    for (int k = 0; k < mf->nblks; k++)
        for (struct mins *m = mf->blks[k]->first; m; m = m->next, s.at++) {
            p.place[s.at] = (struct place_of){ mf->blks[k], m };
            mins_uses(mf, m, see_name, &s);
            mins_defs(mf, m, see_name, &s);
        }
    p.of = pairs_sort(x->a, &s.named, mf->nregs);
    return p;
}

void spill_run(struct mfn *mf, struct arena *scratch, const int *web, int nwebs, const bool *on)
{
    struct spill s = { mf, scratch, web, nwebs, on }, *x = &s;
    struct places at_all = spilled_places(x);
    for (int v = 0; v < nwebs; v++) {
        if (!on[v]) continue;
        struct mvreg *r = &mf->regs[v];
        uint32_t at = mf->slot_bytes, bytes = 4u * r->n;
        int general = -1;
        if (r->pred) {
            general = mreg_new(mf, 1);
        } else {
            at = (at + bytes - 1) & -bytes;
            mf->slot_bytes = at + bytes;
        }
        for (int k = at_all.of.first[v]; k < at_all.of.first[v + 1]; k++) {
            struct place_of p = at_all.place[at_all.of.item[k]];
            struct mins *after = p.m->next;        /* may be spill code under the same guard */
            spill_in(x, p.b, p.m, v, at, general);
            if (after) spill_in(x, p.b, after, v, at, general);
        }
    }
}
