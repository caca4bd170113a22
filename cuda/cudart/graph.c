/* Graphs: what a stream was given while it was recorded, or what was put together node by node, to
 * be done again.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nodes of an instance are done one after the other, each after those that it waits for, and else
 * in the order in which they were added. */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/graph.h"

void graph_drop_parts(const struct CUgraphNode_st *n)
{
    free(n->params);
    free(n->args);
    free(n->attributes);
    for (unsigned k = 0; k < n->nchildren; k++)
        graph_drop(n->children[k]);
    free(n->children);
}

void graph_drop(struct CUgraph_st *g)
{
    for (struct CUgraphNode_st *n = g->first, *next; n; n = next) {
        next = n->next;
        graph_drop_parts(n);
        rt_nodes_drop(&n->after);
        free(n);
    }
    rt_disown_all(&g->conditions);
    rt_disown_all(&g->blocks);
    rt_disown_all(&g->users);
    free(g);
}

cudaError_t graph_add(struct CUgraph_st *g, const cudaGraphNode_t *after, size_t nafter,
                      const struct CUgraphNode_st *node, cudaGraphNode_t *out)
{
    struct CUgraphNode_st *n = malloc(sizeof *n);
    if (n) {
        *n = *node;
        n->graph = g, n->after = (struct rt_nodes){ 0 }, n->next = NULL;
    }
    if (!n || rt_nodes_add(&n->after, after, nafter) != cudaSuccess) {
        graph_drop_parts(node);
        free(n);
        return cudaErrorMemoryAllocation;
    }
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

cudaError_t graph_copy_attributes(struct CUgraphNode_st *to, const struct CUgraphNode_st *from)
{
    size_t bytes = GRAPH_ATTRIBUTES * sizeof *to->attributes;
    if (!to->attributes && !(to->attributes = calloc(1, bytes)))
        return cudaErrorMemoryAllocation;
    if (from->attributes)
        memcpy(to->attributes, from->attributes, bytes);
    else
        memset(to->attributes, 0, bytes);
    return cudaSuccess;
}

/* Another node that does the same, and owns what it needs. */
static cudaError_t twin(const struct CUgraphNode_st *node, struct CUgraphNode_st *out);

cudaError_t graph_copy(const struct CUgraph_st *from, struct CUgraph_st **out)
{
    struct CUgraph_st *g = calloc(1, sizeof *g);
    cudaError_t e = g ? rt_own_all(&g->conditions, &from->conditions) : cudaErrorMemoryAllocation;
    if (e == cudaSuccess)
        e = rt_own_all(&g->blocks, &from->blocks);
    if (e == cudaSuccess)
        e = rt_own_all(&g->users, &from->users);
    for (struct CUgraphNode_st *k = from->first; k && e == cudaSuccess; k = k->next) {
        struct CUgraphNode_st n;
        e = twin(k, &n);
        if (e == cudaSuccess)
            e = graph_add(g, NULL, 0, &n, &k->twin);
    }
    for (struct CUgraphNode_st *k = from->first; k && e == cudaSuccess; k = k->next)
        for (size_t i = 0; i < k->after.n && e == cudaSuccess; i++)
            e = rt_nodes_add(&k->twin->after, &k->after.all[i]->twin, 1);
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
    out->params = NULL, out->args = NULL, out->attributes = NULL;
    out->children = NULL, out->nchildren = 0;
    if (node->kind == NODE_KERNEL && !(out->params = graph_copy_params(node->fn, node->params)))
        return cudaErrorMemoryAllocation;
    if (node->attributes && graph_copy_attributes(out, node) != cudaSuccess)
        e = cudaErrorMemoryAllocation;
    if (e == cudaSuccess && node->nchildren &&
        !(out->children = calloc(node->nchildren, sizeof *out->children)))
        e = cudaErrorMemoryAllocation;
    for (unsigned k = 0; k < node->nchildren && e == cudaSuccess; k++) {
        e = graph_copy(node->children[k], &out->children[k]);
        out->nchildren += e == cudaSuccess;
    }
    if (e != cudaSuccess)
        graph_drop_parts(out);
    return e;
}

cudaError_t graph_add_alloc(struct CUgraph_st *g, const cudaGraphNode_t *after, size_t nafter,
                            void **p, size_t bytes, const void *site, cudaGraphNode_t *out)
{
    struct CUgraphNode_st n = { .kind = NODE_ALLOC, .bytes = bytes };
    cudaError_t e = p ? rt_block_new(&g->blocks, bytes, site, p) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return e;
    n.dst = *p;
    return graph_add(g, after, nafter, &n, out);
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
    if (!g || g == rt_recorded())
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
    if (e == cudaSuccess && !graph_order(copy)) {
        graph_drop(copy);
        e = cudaErrorInvalidValue;
    }
    if (e == cudaSuccess) {
        copy->flags = flags;
        *exec = (cudaGraphExec_t)copy;
    }
    return rt_error(e);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t g,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(exec, g, flags);
}
/* The instance lies on the device at once: uploading it is nothing. */
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t g,
                                           cudaGraphInstantiateParams *p)
{
    RT_BEGIN;
    cudaError_t e = p ? cudaGraphInstantiate(exec, g, p->flags) : cudaErrorInvalidValue;
    if (p) {
        p->errNode_out = NULL;
        p->result_out = e == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    }
    return rt_error(e);
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    RT_BEGIN;
    if (!exec || !flags)
        return rt_error(cudaErrorInvalidValue);
    *flags = exec->nodes.flags;
    return cudaSuccess;
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

/* What it is in its graph. */
static void keep(struct CUgraphNode_st *n, const struct CUgraphNode_st *old)
{
    n->origin = old->origin, n->older = old->older;
    n->graph = old->graph, n->after = old->after, n->off = old->off;
    n->place = old->place, n->next = old->next;
}
void graph_swap(struct CUgraphNode_st *n, struct CUgraphNode_st *by)
{
    const struct CUgraphNode_st old = *n, new = *by;
    *n = new, *by = old;
    keep(n, &old);
    keep(by, &new);
}

/* Nodes of two graphs in order that do the same sort of thing and wait for the same ones. */
static enum cudaGraphExecUpdateResult same(const struct CUgraphNode_st *a,
                                           const struct CUgraphNode_st *b)
{
    bool found = a->after.n == b->after.n;
    for (size_t k = 0; found && k < a->after.n; k++) {
        found = false;
        for (size_t i = 0; i < b->after.n && !found; i++)
            found = a->after.all[k]->place == b->after.all[i]->place;
    }
    return graph_type(a) != graph_type(b) ? cudaGraphExecUpdateErrorNodeTypeChanged
           : !found                       ? cudaGraphExecUpdateErrorTopologyChanged
                                          : cudaGraphExecUpdateSuccess;
}

static void swap_owns(struct rt_owns *a, struct rt_owns *b)
{
    const struct rt_owns old = *a;
    *a = *b, *b = old;
}

/* Of a graph whose nodes are of the same kinds: their parameters. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g,
                                struct cudaGraphExecUpdateResultInfo *info)
{
    RT_BEGIN;
    struct CUgraph_st *copy;
    cudaError_t e = exec && g ? graph_copy(g, &copy) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return rt_error(e);
    enum cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
    struct CUgraphNode_st *n = exec->nodes.first, *from = copy->first;
    if (graph_order(copy) && graph_order(&exec->nodes)) {
        n = exec->nodes.first, from = copy->first;
        while (n && from && (result = same(n, from)) == cudaGraphExecUpdateSuccess)
            n = n->next, from = from->next;
        if (!n != !from)
            result = cudaGraphExecUpdateErrorTopologyChanged;
    }
    if (info)
        *info = (struct cudaGraphExecUpdateResultInfo){
            .result = n || from ? result : cudaGraphExecUpdateSuccess,
            .errorNode = from ? (cudaGraphNode_t)(uintptr_t)from->origin : NULL
        };
    if (!n && !from) {
        swap_owns(&exec->nodes.conditions, &copy->conditions);
        swap_owns(&exec->nodes.blocks, &copy->blocks);
        swap_owns(&exec->nodes.users, &copy->users);
        for (n = exec->nodes.first, from = copy->first; n; n = n->next, from = from->next) {
            graph_swap(n, from);
            n->older = n->older ? n->older : n->origin;
            n->origin = from->origin;
        }
        n = from = NULL;
    }
    graph_drop(copy);
    return rt_error(n || from ? cudaErrorGraphExecUpdateFailure : cudaSuccess);
}

enum cudaGraphNodeType graph_type(const struct CUgraphNode_st *n)
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
                                                    [NODE_FREE] = cudaGraphNodeTypeMemFree,
                                                    [NODE_RECORD] = cudaGraphNodeTypeEventRecord,
                                                    [NODE_WAIT] = cudaGraphNodeTypeWaitEvent };
    return types[n->kind];
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    RT_BEGIN;
    if (!node || !type)
        return rt_error(cudaErrorInvalidValue);
    *type = graph_type(node);
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t s)
{
    RT_BEGIN;
    (void)s;
    return rt_error(exec ? cudaSuccess : cudaErrorInvalidValue);
}
