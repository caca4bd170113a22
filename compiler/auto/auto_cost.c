/* Metric 1 of section 4.5: instructions of each block, weighted by their latency.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The back end selects a trial copy of the module: what an instruction of PTX becomes, calls of
 * the library included, is known nowhere else.  Cycles are those that the core was measured to need
 * until a warp's next instruction (cmodel/timing/core.ini).  Copies, of which register allocation
 * leaves few, count nothing.  Of a routine that is called, blocks count as often as auto_freq.c
 * guesses.
 *
 * Requires: a parsed module with edges and loops; it need not be placed.
 * Ensures:  a cost for every block of it; its functions, and the addresses of its symbols, stay as
 *           they were. */
#include "compiler/auto/auto.h"
#include "compiler/select/minsn.h"

enum { RECURSIVE = 1000 /* cycles; a guess that only says: much */ };

struct total { const struct mfn *mf; double cycles; int insns; bool busy; };
struct sums { struct auto_cost *cost; struct module *m; struct total *of; };

static struct total *total_of(struct sums *s, const struct mfn *mf);

/* Cycles of an instruction, those of a library routine apart. */
static double cycles_of(struct sums *s, const struct mins *m, int *insns, double *library)
{
    if (m->i.op >= OP_COUNT) return 0;           /* M_COPY */
    double own = s->cost->t->next[m->i.op];
    ++*insns;
    if (!m->call || !m->call->callee) return own;
    const struct total *callee = total_of(s, m->call->callee);
    double there = callee->busy ? RECURSIVE : callee->cycles;
    *insns += callee->insns;
    if (callee->mf->f->m == s->m) return own + there;
    *library += there;
    return own;
}

static struct total *total_of(struct sums *s, const struct mfn *mf)
{
    struct total *t = s->of;
    while (t->mf && t->mf != mf) t++;
    if (t->mf) return t;
    *t = (struct total){ .mf = mf, .busy = true };
    const double *times = auto_fn_freq(mf->f);
    for (int b = 0; b < mf->nblks; b++)
        for (const struct mins *m = mf->blks[b]->first; m; m = m->next) {
            double library = 0, own = cycles_of(s, m, &t->insns, &library);
            t->cycles += (own + library) * (m->home ? times[m->home - 1] : 1);
        }
    t->busy = false;
    return t;
}

static void by_block(struct sums *s, const struct mfn *mf, struct auto_fn_cost *out)
{
    for (int b = 0; b < mf->nblks; b++)
        for (const struct mins *m = mf->blks[b]->first; m; m = m->next)
            if (m->home)
                out->cycles[m->home - 1] += cycles_of(s, m, &out->insns[m->home - 1],
                                                      &out->library[m->home - 1]);
}

/* Selects what the real back end would; layout writes addresses into symbols, which stay as they
 * are. */
static bool select_all(struct backend *be)
{
    struct module *m = be->m;
    uint64_t *addr = arena_alloc(be->a, ((size_t)m->nfns + 1) * sizeof *addr);
    for (int k = 0; k < m->nfns; k++) addr[k] = m->fns[k]->sym->addr;
    layout_run(be);
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k]->defined) backend_fn(be, m->fns[k]);
    for (struct mfn *mf = be->fns; mf && !be->err->status; mf = mf->next) {
        select_fn(be, mf);
        if (!be->err->status) peephole_run(mf);
    }
    for (int k = 0; k < m->nfns; k++) m->fns[k]->sym->addr = addr[k];
    return !be->err->status;
}

bool auto_cost_open(struct auto_cost *cost, struct module *m, const struct cc_options *opt)
{
    struct hd_err err = { 0 };
    struct cc_options plain = { .maxregs = opt->maxregs };
    struct backend be = { .a = m->arena, .m = m, .opt = &plain, .err = &err };
    *cost = (struct auto_cost){ .t = timing_open("core", &err) };
    be.tail = &be.fns;
    if (!cost->t || !select_all(&be)) return false;
    int n = 0;
    for (const struct mfn *mf = be.fns; mf; mf = mf->next) n++;
    struct sums s = { cost, m, arena_alloc(m->arena, ((size_t)n + 1) * sizeof *s.of) };
    cost->fns = arena_alloc(m->arena, ((size_t)n + 1) * sizeof *cost->fns);
    for (const struct mfn *mf = be.fns; mf; mf = mf->next) {
        if (mf->f->m != m) continue;
        struct auto_fn_cost *out = &cost->fns[cost->nfns++];
        size_t blocks = (size_t)mf->f->nblocks + 1;
        *out = (struct auto_fn_cost){ mf->f, arena_alloc(m->arena, blocks * sizeof(double)),
                                      arena_alloc(m->arena, blocks * sizeof(double)),
                                      arena_alloc(m->arena, blocks * sizeof(int)) };
        by_block(&s, mf, out);
    }
    return true;
}

const struct auto_fn_cost *auto_cost_of(const struct auto_cost *cost, const struct fn *f)
{
    for (int k = 0; k < cost->nfns; k++)
        if (cost->fns[k].f == f) return &cost->fns[k];
    return NULL;
}
