/* The order in which barriers take registers, as in NVIDIA's compiler: Chaitin's simplification.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A barrier that meets fewer than k others leaves the graph: of k registers one is free for it,
 * whatever the others take.  Those that do so at first leave from the last in the code on; the
 * others as soon as enough have left.  Registers are taken in the opposite order.  So of two
 * barriers, one in the other, the inner one has the lower number if it holds several more.  With k
 * the most barriers that are in use at once this gives the numbers of 104 of the 106 recorded
 * kernels that have nested barriers and no BREAK.
 *
 * Requires: meets: for each barrier those it meets, some more than once.
 * Ensures:  order: all of by_place. */
#include "compiler/select/minsn.h"

struct graph {
    const struct lists *meets;
    int *rank, *degree, *seen;      /* rank: of by_place */
    int now;
};

/* Whether o is met for the first time since `now` changed. */
static bool fresh(struct graph *g, int o)
{
    bool is = g->seen[o] != g->now;
    g->seen[o] = g->now;
    return is;
}

/* Puts v before those from `from` on that stand after it in the code. */
static void put_by_rank(const struct graph *g, int *queue, int from, int n, int v)
{
    for (; n > from && g->rank[queue[n - 1]] > g->rank[v]; n--) queue[n] = queue[n - 1];
    queue[n] = v;
}

void colour_order(struct arena *a, const struct lists *meets, const int *by_place, int n, int nvb,
                  int k, int *order)
{
    const size_t bytes = ((size_t)nvb + 1) * sizeof(int);
    struct graph g = { .meets = meets, .rank = arena_alloc(a, bytes),
                       .degree = arena_alloc(a, bytes), .seen = arena_alloc(a, bytes) };
    int *queue = arena_alloc(a, bytes), tail = 0;
    bool *in = arena_alloc(a, bytes);
    for (int i = 0; i < n; i++) g.rank[by_place[i]] = i + 1;        /* 0: not in the graph */
    for (int i = n; i-- > 0;) {
        const int v = by_place[i];
        g.now++;
        for (int j = meets->first[v]; j < meets->first[v + 1]; j++)
            g.degree[v] += g.rank[meets->item[j]] && fresh(&g, meets->item[j]);
        if (g.degree[v] < k) in[v] = true, queue[tail++] = v;
    }
    for (int head = 0; head < n; head++) {
        for (int i = 0; head == tail && i < n; i++)     /* none is below k: the first leaves */
            if (!in[by_place[i]]) in[by_place[i]] = true, queue[tail++] = by_place[i];
        const int v = queue[head], from = tail;
        g.now++;
        for (int j = meets->first[v]; j < meets->first[v + 1]; j++) {
            const int o = meets->item[j];
            if (!g.rank[o] || !fresh(&g, o) || in[o] || --g.degree[o] >= k) continue;
            in[o] = true;
            put_by_rank(&g, queue, from, tail++, o);
        }
    }
    for (int i = 0; i < n; i++) order[i] = queue[n - 1 - i];
}
