/* Liveness as lists: for every block the variables that are live at its ends.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each variable on its own: from the blocks that use it first, backwards until a block overwrites
 * it (Boissinot et al., "Computing Liveness Sets for SSA-Form Programs", section 5.2, by-variable
 * path exploration).  Time and memory are those of the result, where bit sets would cost blocks
 * times variables, of which nearly all are dead nearly everywhere. */
#include "compiler/analysis/livelist.h"

void pairs_add(struct arena *a, struct pairs *p, int key, int item)
{
    if (p->n == p->cap) {
        int want = p->cap ? 2 * p->cap : 64;
        p->p = arena_grow(a, p->p, (size_t)p->cap * sizeof *p->p, (size_t)want * sizeof *p->p);
        p->cap = want;
    }
    p->p[p->n++] = (struct pair){ key, item };
}

struct lists pairs_sort(struct arena *a, const struct pairs *p, int nkeys)
{
    struct lists l = { arena_alloc(a, ((size_t)nkeys + 2) * sizeof *l.first),
                       arena_alloc(a, ((size_t)p->n + 1) * sizeof *l.item) };
    for (int k = 0; k < p->n; k++) l.first[p->p[k].key + 2]++;
    for (int k = 0; k < nkeys; k++) l.first[k + 2] += l.first[k + 1];
    for (int k = 0; k < p->n; k++) l.item[l.first[p->p[k].key + 1]++] = p->p[k].item;
    return l;
}

bool lists_has(const struct lists *l, int key, int item)
{
    int low = l->first[key], high = l->first[key + 1];
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (l->item[mid] < item) low = mid + 1;
        else high = mid;
    }
    return low < l->first[key + 1] && l->item[low] == item;
}

struct livelist livelist_new(struct arena *a, int nblks, int nvars)
{
    size_t n = (size_t)nvars + 1;
    return (struct livelist){ .a = a,
                              .nblks = nblks,
                              .nvars = nvars,
                              .used_in = arena_alloc(a, n * sizeof(int)),
                              .killed_in = arena_alloc(a, n * sizeof(int)) };
}

void livelist_edge(struct livelist *l, int from, int to) { pairs_add(l->a, &l->edges, to, from); }

void livelist_use(struct livelist *l, int blk, int var)
{
    if (l->used_in[var] == blk + 1 || l->killed_in[var] == blk + 1) return;
    l->used_in[var] = blk + 1;
    pairs_add(l->a, &l->uses, var, blk);
}

void livelist_kill(struct livelist *l, int blk, int var)
{
    if (l->killed_in[var] == blk + 1) return;
    l->killed_in[var] = blk + 1;
    pairs_add(l->a, &l->kills, var, blk);
}

struct walk {
    struct livelist *l;
    struct pairs in, out;
    int *in_of, *out_of, *killed_by, *stack, top;
};

static void live_into(struct walk *w, int blk, int var)
{
    if (w->in_of[blk] == var + 1) return;
    w->in_of[blk] = var + 1;
    pairs_add(w->l->a, &w->in, blk, var);
    w->stack[w->top++] = blk;
}

static void explore(struct walk *w, const struct lists *preds, int var)
{
    while (w->top) {
        int blk = w->stack[--w->top];
        for (int k = preds->first[blk]; k < preds->first[blk + 1]; k++) {
            int from = preds->item[k];
            if (w->out_of[from] != var + 1) {
                w->out_of[from] = var + 1;
                pairs_add(w->l->a, &w->out, from, var);
            }
            if (w->killed_by[from] != var + 1) live_into(w, from, var);
        }
    }
}

void livelist_solve(struct livelist *l)
{
    size_t n = ((size_t)l->nblks + 1) * sizeof(int);
    struct walk w = { .l = l, .in_of = arena_alloc(l->a, n), .out_of = arena_alloc(l->a, n),
                      .killed_by = arena_alloc(l->a, n), .stack = arena_alloc(l->a, n) };
    struct lists preds = pairs_sort(l->a, &l->edges, l->nblks),
                 uses = pairs_sort(l->a, &l->uses, l->nvars),
                 kills = pairs_sort(l->a, &l->kills, l->nvars);
    for (int var = 0; var < l->nvars; var++) {
        if (uses.first[var] == uses.first[var + 1]) continue;
        for (int k = kills.first[var]; k < kills.first[var + 1]; k++)
            w.killed_by[kills.item[k]] = var + 1;
        for (int k = uses.first[var]; k < uses.first[var + 1]; k++)
            live_into(&w, uses.item[k], var);
        explore(&w, &preds, var);
    }
    l->in = pairs_sort(l->a, &w.in, l->nblks);
    l->out = pairs_sort(l->a, &w.out, l->nblks);
}
