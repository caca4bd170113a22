/* Graphs: what a stream was given while it was recorded, or what was put together node by node, to
 * be done again.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nodes are done in the order in which they were added: each was added after those that it depends
 * on, so that is a legal order of any graph. */
#include <stdlib.h>
#include <string.h>
#include "runtime/cudart/graph.h"

void graph_drop_parts(const struct CUgraphNode_st *n)
{
    free(n->params);
    for (unsigned k = 0; k < n->nchildren; k++)
        graph_drop(n->children[k]);
    free(n->children);
}

void graph_drop(struct CUgraph_st *g)
{
    for (struct CUgraphNode_st *n = g->first, *next; n; n = next) {
        next = n->next;
        graph_drop_parts(n);
        free(n);
    }
    rt_disown_all(&g->conditions);
    rt_disown_all(&g->blocks);
    free(g);
}

cudaError_t graph_add(struct CUgraph_st *g, const struct CUgraphNode_st *node,
                      cudaGraphNode_t *out)
{
    struct CUgraphNode_st *n = malloc(sizeof *n);
    if (!n) {
        graph_drop_parts(node);
        return cudaErrorMemoryAllocation;
    }
    *n = *node;
    n->next = NULL;
    *(g->last ? &g->last->next : &g->first) = n;
    g->last = n;
    if (out)
        *out = n;
    return cudaSuccess;
}

void *graph_copy_params(const struct rt_function *f, const void *params)
{
    size_t n = (size_t)f->kernel->params_size + 1;
    void *copy = malloc(n);
    return copy ? memcpy(copy, params, n) : NULL;
}

/* Another node that does the same, and owns what it needs. */
static cudaError_t twin(const struct CUgraphNode_st *node, struct CUgraphNode_st *out);

cudaError_t graph_copy(const struct CUgraph_st *from, struct CUgraph_st **out)
{
    struct CUgraph_st *g = calloc(1, sizeof *g);
    cudaError_t e = g ? rt_own_all(&g->conditions, &from->conditions) : cudaErrorMemoryAllocation;
    if (e == cudaSuccess)
        e = rt_own_all(&g->blocks, &from->blocks);
    for (const struct CUgraphNode_st *k = from->first; k && e == cudaSuccess; k = k->next) {
        struct CUgraphNode_st n;
        e = twin(k, &n);
        if (e == cudaSuccess)
            e = graph_add(g, &n, NULL);
    }
    if (e != cudaSuccess && g)
        graph_drop(g);
    *out = e == cudaSuccess ? g : NULL;
    return e;
}

static cudaError_t twin(const struct CUgraphNode_st *node, struct CUgraphNode_st *out)
{
    cudaError_t e = cudaSuccess;
    *out = *node;
    out->origin = node;
    out->params = NULL, out->children = NULL, out->nchildren = 0;
    if (node->kind == NODE_KERNEL && !(out->params = graph_copy_params(node->fn, node->params)))
        return cudaErrorMemoryAllocation;
    if (node->nchildren && !(out->children = calloc(node->nchildren, sizeof *out->children)))
        e = cudaErrorMemoryAllocation;
    for (unsigned k = 0; k < node->nchildren && e == cudaSuccess; k++) {
        e = graph_copy(node->children[k], &out->children[k]);
        out->nchildren += e == cudaSuccess;
    }
    if (e != cudaSuccess)
        graph_drop_parts(out);
    return e;
}

cudaError_t graph_add_alloc(struct CUgraph_st *g, void **p, size_t bytes, const void *site,
                            cudaGraphNode_t *out)
{
    struct CUgraphNode_st n = { .kind = NODE_ALLOC, .bytes = bytes };
    cudaError_t e = p ? rt_block_new(&g->blocks, bytes, site, p) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return e;
    n.dst = *p;
    return graph_add(g, &n, out);
}

/* ---- graphs ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *g, unsigned flags)
{
    RT_BEGIN;
    if (!g || flags)
        return rt_error(cudaErrorInvalidValue);
    *g = calloc(1, sizeof **g);
    return rt_error(*g ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n)
{
    RT_BEGIN;
    size_t count = 0;
    if (!g || !n)
        return rt_error(cudaErrorInvalidValue);
    for (struct CUgraphNode_st *k = g->first; k; k = k->next, count++)
        if (nodes && count < *n)
            nodes[count] = k;
    *n = nodes && count > *n ? *n : count;
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t g)
{
    RT_BEGIN;
    return rt_error(out && g ? graph_copy(g, out) : cudaErrorInvalidValue);
}
/* Of a clone, the node that came of this one. */
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t node, cudaGraph_t clone)
{
    RT_BEGIN;
    struct CUgraphNode_st *n = out && node && clone ? clone->first : NULL;
    while (n && n->origin != node)
        n = n->next;
    if (!n)
        return rt_error(cudaErrorInvalidValue);
    *out = n;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    RT_BEGIN;
    if (!g || g == rt_recorded(NULL, NULL))
        return rt_error(cudaErrorInvalidValue);
    graph_drop(g);
    return cudaSuccess;
}

/* ---- running ---- */

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long flags)
{
    RT_BEGIN;
    struct CUgraph_st *copy;
    cudaError_t e = exec && g ? graph_copy(g, &copy) : cudaErrorInvalidValue;
    if (e == cudaSuccess) {
        copy->frees = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
        *exec = (cudaGraphExec_t)copy;
    }
    return rt_error(e);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t g,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(exec, g, flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    RT_BEGIN;
    if (!exec)
        return rt_error(cudaErrorInvalidValue);
    graph_drop(&exec->nodes);
    return cudaSuccess;
}

/* ---- changes ---- */

cudaError_t graph_replace(struct CUgraphNode_st *n, const struct CUgraphNode_st *by)
{
    const struct CUgraphNode_st old = *n;
    *n = *by;
    n->origin = old.origin;
    n->next = old.next;
    graph_drop_parts(&old);
    return cudaSuccess;
}

/* Of a graph whose nodes are of the same kinds: their parameters. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g,
                                struct cudaGraphExecUpdateResultInfo *info)
{
    RT_BEGIN;
    struct CUgraphNode_st *n = exec ? exec->nodes.first : NULL, *from = g ? g->first : NULL;
    if (!exec || !g)
        return rt_error(cudaErrorInvalidValue);
    while (n && from && n->kind == from->kind)
        n = n->next, from = from->next;
    if (info)
        *info = (struct cudaGraphExecUpdateResultInfo){
            .result = n || from ? cudaGraphExecUpdateErrorTopologyChanged
                                : cudaGraphExecUpdateSuccess,
            .errorNode = from
        };
    if (n || from)
        return rt_error(cudaErrorGraphExecUpdateFailure);
    struct rt_owns conditions = { 0 }, blocks = { 0 };
    cudaError_t e = rt_own_all(&conditions, &g->conditions);
    if (e != cudaSuccess || (e = rt_own_all(&blocks, &g->blocks)) != cudaSuccess) {
        rt_disown_all(&conditions);
        rt_disown_all(&blocks);
        return rt_error(e);
    }
    rt_disown_all(&exec->nodes.conditions);
    rt_disown_all(&exec->nodes.blocks);
    exec->nodes.conditions = conditions;
    exec->nodes.blocks = blocks;
    for (n = exec->nodes.first, from = g->first; n; n = n->next, from = from->next) {
        struct CUgraphNode_st by;
        e = twin(from, &by);
        if (e != cudaSuccess)
            return rt_error(e);
        graph_replace(n, &by);
        n->origin = from;
    }
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    static const enum cudaGraphNodeType types[] = { [NODE_EMPTY] = cudaGraphNodeTypeEmpty,
                                                    [NODE_KERNEL] = cudaGraphNodeTypeKernel,
                                                    [NODE_COPY] = cudaGraphNodeTypeMemcpy,
                                                    [NODE_BOX] = cudaGraphNodeTypeMemcpy,
                                                    [NODE_FILL] = cudaGraphNodeTypeMemset,
                                                    [NODE_HOST] = cudaGraphNodeTypeHost,
                                                    [NODE_GRAPH] = cudaGraphNodeTypeGraph,
                                                    [NODE_CONDITION] =
                                                        cudaGraphNodeTypeConditional,
                                                    [NODE_ALLOC] = cudaGraphNodeTypeMemAlloc,
                                                    [NODE_FREE] = cudaGraphNodeTypeMemFree };
    RT_BEGIN;
    if (!node || !type)
        return rt_error(cudaErrorInvalidValue);
    *type = types[node->kind];
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t s)
{
    RT_BEGIN;
    (void)s;
    return rt_error(exec ? cudaSuccess : cudaErrorInvalidValue);
}

