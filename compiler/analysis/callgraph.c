/* The call graph: which functions may be active twice at once, and what a piece of code leads to.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A call through a register may reach every function whose address is taken: one more node, after
 * those of the functions, stands for all such calls.  Functions are recursive that lie on a circle
 * (Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972).
 *
 * Requires: blocks; fn.address_taken.
 * Ensures:  fn.recursive of every function; changes nothing else. */
#include "compiler/all.h"

struct node { int index, low; bool open; };
struct search { struct module *m; struct node *node; int *open, nopen, met; };

struct fn *callgraph_callee(const struct ins *i)
{
    return i->op == P_CALL && i->o[0].kind == O_SYM ? i->o[0].sym->fn : NULL;
}

bool callgraph_by_register(const struct ins *i) { return i->op == P_CALL && i->o[0].kind == O_REG; }

/* ---- circles --------------------------------------------------------------------------------- */

static void visit(struct search *, int v);

static void edge(struct search *s, int v, int to)
{
    if (!s->node[to].index) visit(s, to);
    if (s->node[to].open && s->node[to].low < s->node[v].low) s->node[v].low = s->node[to].low;
    if (to == v) s->m->fns[v]->recursive = true;
}

static void edges(struct search *s, int v)
{
    const struct module *m = s->m;
    for (int k = 0; v == m->nfns && k < m->nfns; k++)
        if (m->fns[k]->address_taken) edge(s, v, k);
    for (int b = 0; v < m->nfns && b < m->fns[v]->nblocks; b++)
        for (const struct ins *i = m->fns[v]->blocks[b]->first; i; i = i->next) {
            if (callgraph_callee(i)) edge(s, v, callgraph_callee(i)->id);
            if (callgraph_by_register(i)) edge(s, v, m->nfns);
        }
}

static void visit(struct search *s, int v)
{
    s->node[v] = (struct node){ .index = ++s->met, .low = s->met, .open = true };
    s->open[s->nopen++] = v;
    edges(s, v);
    if (s->node[v].low < s->node[v].index) return;
    const bool circle = s->open[s->nopen - 1] != v;
    for (int last = -1; last != v;) {
        last = s->open[--s->nopen];
        s->node[last].open = false;
        if (circle && last < s->m->nfns) s->m->fns[last]->recursive = true;
    }
}

void callgraph_run(struct module *m)
{
    const size_t n = (size_t)m->nfns + 1;
    struct search s = { .m = m, .node = arena_alloc(m->arena, n * sizeof *s.node),
                        .open = arena_alloc(m->arena, n * sizeof *s.open) };
    for (int k = 0; k < m->nfns; k++) m->fns[k]->recursive = false;
    for (int k = 0; k < m->nfns; k++)
        if (!s.node[k].index) visit(&s, k);
}

/* ---- reach ----------------------------------------------------------------------------------- */

static void reach_fn(const struct fn *f, bool *seen)
{
    if (seen[f->id]) return;
    seen[f->id] = true;
    callgraph_reach(f, NULL, seen);
}

void callgraph_reach(const struct fn *f, const bool *in, bool *seen)
{
    const struct module *m = f->m;
    for (int b = 0; b < f->nblocks; b++)
        for (const struct ins *i = f->blocks[b]->first; i && (!in || in[b]); i = i->next) {
            if (callgraph_callee(i)) reach_fn(callgraph_callee(i), seen);
            for (int k = 0; callgraph_by_register(i) && k < m->nfns; k++)
                if (m->fns[k]->address_taken) reach_fn(m->fns[k], seen);
        }
}
