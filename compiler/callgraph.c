/* Who calls whom: which functions may be active twice at once.
 * SPDX-License-Identifier: Apache-2.0
 * An indirect call may reach every function whose address is taken. */
#include "compiler/all.h"

static void reach(struct module *m, const struct fn *f, bool *seen);

static void reach_fn(struct module *m, const struct fn *f, bool *seen)
{
    for (int k = 0; k < m->nfns; k++)
        if (m->fns[k] == f) {
            if (seen[k]) return;
            seen[k] = true;
            reach(m, f, seen);
            return;
        }
}

static void reach(struct module *m, const struct fn *f, bool *seen)
{
    for (int b = 0; b < f->nblocks; b++)
        for (const struct ins *i = f->blocks[b]->first; i; i = i->next) {
            if (i->op != P_CALL) continue;
            if (i->o[0].kind == O_SYM) reach_fn(m, i->o[0].sym->fn, seen);
            for (int k = 0; i->o[0].kind == O_REG && k < m->nfns; k++)
                if (m->fns[k]->address_taken) reach_fn(m, m->fns[k], seen);
        }
}

void callgraph_run(struct module *m)
{
    for (int k = 0; k < m->nfns; k++) {
        bool *seen = arena_alloc(m->arena, (size_t)m->nfns);
        reach(m, m->fns[k], seen);
        m->fns[k]->recursive = seen[k];
    }
}
