/* Which nodes of a graph wait for which: edges, and an order that keeps to them.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/graph.h"

cudaError_t rt_nodes_add(struct rt_nodes *to, const cudaGraphNode_t *nodes, size_t n)
{
    cudaGraphNode_t *all = n ? realloc(to->all, (to->n + n) * sizeof *all) : NULL;
    if (!all)
        return n ? cudaErrorMemoryAllocation : cudaSuccess;
    to->all = all;
    for (size_t k = 0; k < n; k++) {
        size_t i = 0;
        while (i < to->n && all[i] != nodes[k])
            i++;
        all[i] = nodes[k];
        to->n += i == to->n;
    }
    return cudaSuccess;
}

void rt_nodes_drop(struct rt_nodes *nodes)
{
    free(nodes->all);
    *nodes = (struct rt_nodes){ 0 };
}

/* Takes one away; false: it is not there. */
static bool take(struct rt_nodes *from, const struct CUgraphNode_st *node)
{
    size_t k = 0;
    while (k < from->n && from->all[k] != node)
        k++;
    if (k == from->n)
        return false;
    memmove(from->all + k, from->all + k + 1, (--from->n - k) * sizeof *from->all);
    return true;
}

bool graph_has(const struct CUgraph_st *g, const cudaGraphNode_t *nodes, size_t n)
{
    bool ok = nodes || !n;
    for (size_t k = 0; ok && k < n; k++) {
        const struct CUgraphNode_st *old = g->first;
        while (old && old != nodes[k])
            old = old->next;
        ok = old;
    }
    return ok;
}

/* Whether all that it waits for has a place already. */
static bool ready(const struct CUgraphNode_st *n)
{
    for (size_t k = 0; k < n->after.n; k++)
        if (n->after.all[k]->place == SIZE_MAX)
            return false;
    return true;
}

bool graph_order(struct CUgraph_st *g)
{
    struct CUgraphNode_st *rest = g->first, **end = &g->first;
    size_t placed = 0, before;
    bool ok = true;
    for (struct CUgraphNode_st *n = rest; n; n = n->next) {
        n->place = SIZE_MAX;
        for (unsigned k = 0; k < n->nchildren; k++)
            ok &= graph_order(n->children[k]);
    }
    g->last = NULL;
    do {                                    /* one round where they are in order already */
        before = placed;
        for (struct CUgraphNode_st **k = &rest, *n = *k; (n = *k);)
            if (ready(n)) {
                *k = n->next;
                n->place = placed++;
                n->next = NULL;
                *end = g->last = n;
                end = &n->next;
            } else {
                k = &n->next;
            }
    } while (rest && placed > before);
    *end = rest;                            /* those wait for each other */
    for (; rest; rest = rest->next)
        g->last = rest, ok = false;
    return ok;
}

/* ---- questions ---- */

/* The answer to `which, and how many': as many as there is room for. */
static void answer_nodes(cudaGraphNode_t node, cudaGraphNode_t *to, size_t room, size_t *n)
{
    if (to && *n < room)
        to[*n] = node;
    ++*n;
}
/* Places that are left over hold nothing. */
static cudaError_t answered(cudaGraphNode_t *to, size_t room, size_t found, size_t *n)
{
    for (size_t k = found; to && k < room; k++)
        to[k] = NULL;
    *n = to && found > room ? room : found;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n)
{
    RT_BEGIN;
    size_t found = 0;
    if (!g || !n)
        return rt_error(cudaErrorInvalidValue);
    for (struct CUgraphNode_st *k = g->first; k; k = k->next)
        answer_nodes(k, nodes, *n, &found);
    return answered(nodes, *n, found, n);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n)
{
    RT_BEGIN;
    size_t found = 0;
    if (!g || !n)
        return rt_error(cudaErrorInvalidValue);
    for (struct CUgraphNode_st *k = g->first; k; k = k->next)
        if (!k->after.n)
            answer_nodes(k, nodes, *n, &found);
    return answered(nodes, *n, found, n);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n)
{
    RT_BEGIN;
    size_t found = 0;
    if (!g || !n || !from != !to)
        return rt_error(cudaErrorInvalidValue);
    for (struct CUgraphNode_st *k = g->first; k; k = k->next)
        for (size_t i = 0; i < k->after.n; i++) {
            size_t same = found;
            answer_nodes(k->after.all[i], from, *n, &same);
            answer_nodes(k, to, *n, &found);
        }
    answered(from, *n, found, &(size_t){ 0 });
    return answered(to, *n, found, n);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n)
{
    RT_BEGIN;
    size_t found = 0;
    if (!node || !n)
        return rt_error(cudaErrorInvalidValue);
    for (size_t k = 0; k < node->after.n; k++)
        answer_nodes(node->after.all[k], nodes, *n, &found);
    return answered(nodes, *n, found, n);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n)
{
    RT_BEGIN;
    size_t found = 0;
    if (!node || !n)
        return rt_error(cudaErrorInvalidValue);
    for (struct CUgraphNode_st *k = node->graph->first; k; k = k->next)
        for (size_t i = 0; i < k->after.n; i++)
            if (k->after.all[i] == node)
                answer_nodes(k, nodes, *n, &found);
    return answered(nodes, *n, found, n);
}

/* The same with what is said of each edge: that the one node has ended. */
#define PLAIN(edges, n) do { if (edges) memset(edges, 0, n * sizeof *edges); } while (0)
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edges, size_t *n)
{
    if (edges && n)
        PLAIN(edges, *n);
    return cudaGraphGetEdges(g, from, to, n);
}
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                            cudaGraphEdgeData *edges, size_t *n)
{
    if (edges && n)
        PLAIN(edges, *n);
    return cudaGraphNodeGetDependencies(node, nodes, n);
}
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                              cudaGraphEdgeData *edges, size_t *n)
{
    if (edges && n)
        PLAIN(edges, *n);
    return cudaGraphNodeGetDependentNodes(node, nodes, n);
}

/* ---- changes ---- */

cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t n)
{
    RT_BEGIN;
    if (!g || !graph_has(g, from, n) || !graph_has(g, to, n))
        return rt_error(cudaErrorInvalidValue);
    for (size_t k = 0; k < n; k++) {
        size_t before = to[k]->after.n;
        if (from[k] == to[k])
            return rt_error(cudaErrorInvalidValue);
        cudaError_t e = rt_nodes_add(&to[k]->after, &from[k], 1);
        if (e != cudaSuccess || to[k]->after.n == before)
            return rt_error(e != cudaSuccess ? e : cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t n)
{
    RT_BEGIN;
    if (!g || !graph_has(g, from, n) || !graph_has(g, to, n))
        return rt_error(cudaErrorInvalidValue);
    for (size_t k = 0; k < n; k++)
        if (!take(&to[k]->after, from[k]))
            return rt_error(cudaErrorInvalidValue);
    return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t g, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t n)
{
    (void)edges;
    return cudaGraphAddDependencies(g, from, to, n);
}
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t g, const cudaGraphNode_t *from,
                                           const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edges, size_t n)
{
    (void)edges;
    return cudaGraphRemoveDependencies(g, from, to, n);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    RT_BEGIN;
    struct CUgraph_st *g = node ? node->graph : NULL;
    if (!g || g == rt_recorded())           /* streams wait for its nodes */
        return rt_error(cudaErrorInvalidValue);
    struct CUgraphNode_st **k = &g->first;
    g->last = NULL;
    while (*k) {
        if (*k == node)
            *k = node->next;
        if (*k) {
            take(&(*k)->after, node);
            g->last = *k;
            k = &(*k)->next;
        }
    }
    graph_drop_parts(node);
    rt_nodes_drop(&node->after);
    free(node);
    return cudaSuccess;
}
