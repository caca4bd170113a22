/* Nodes that are given other parameters, of a graph or of its instance alone, and asked for them.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/graph.h"

/* ---- questions ---- */

static bool is(const struct CUgraphNode_st *n, enum cudaGraphNodeType type)
{
    return n && graph_type(n) == type;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t n, struct cudaKernelNodeParams *p)
{
    RT_BEGIN;
    if (!is(n, cudaGraphNodeTypeKernel) || !p)
        return rt_error(cudaErrorInvalidValue);
    const struct hd_kernel *k = n->fn->kernel;
    if (!n->args && !(n->args = calloc((size_t)k->nparams + 1, sizeof *n->args)))
        return rt_error(cudaErrorMemoryAllocation);
    for (uint32_t i = 0; i < k->nparams; i++)
        n->args[i] = (char *)n->params + k->params[i].off;
    *p = (struct cudaKernelNodeParams){ .func = (void *)(uintptr_t)n->fn->host, .gridDim = n->grid,
                                        .blockDim = n->block,
                                        .sharedMemBytes = (unsigned)n->shared,
                                        .kernelParams = n->args };
    return cudaSuccess;
}
/* A copy of bytes is one of a row. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t n, struct cudaMemcpy3DParms *p)
{
    RT_BEGIN;
    if (!is(n, cudaGraphNodeTypeMemcpy) || !p)
        return rt_error(cudaErrorInvalidValue);
    *p = n->kind == NODE_BOX ? n->box : (struct cudaMemcpy3DParms){
        .srcPtr = { (void *)(uintptr_t)n->src, n->bytes, n->bytes, 1 },
        .dstPtr = { n->dst, n->bytes, n->bytes, 1 }, .extent = { n->bytes, 1, 1 }, .kind = n->how };
    return cudaSuccess;
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t n, struct cudaMemsetParams *p)
{
    RT_BEGIN;
    if (!is(n, cudaGraphNodeTypeMemset) || !p)
        return rt_error(cudaErrorInvalidValue);
    *p = n->fill;
    return cudaSuccess;
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t n, struct cudaHostNodeParams *p)
{
    RT_BEGIN;
    if (!is(n, cudaGraphNodeTypeHost) || !p)
        return rt_error(cudaErrorInvalidValue);
    *p = (struct cudaHostNodeParams){ n->call, n->user };
    return cudaSuccess;
}
static cudaError_t event_of(cudaGraphNode_t n, enum node_kind kind, cudaEvent_t *event)
{
    if (!n || n->kind != kind || !event)
        return rt_error(cudaErrorInvalidValue);
    *event = n->event;
    return cudaSuccess;
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t n, cudaEvent_t *event)
{
    RT_BEGIN;
    return event_of(n, NODE_RECORD, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t n, cudaEvent_t *event)
{
    RT_BEGIN;
    return event_of(n, NODE_WAIT, event);
}

/* ---- changes ---- */

/* The instance's node of a node of the graph: of the last one that it was updated by, or else of
 * the first one, whose nodes programs go on naming. */
static struct CUgraphNode_st *within(const struct CUgraph_st *g, cudaGraphNode_t node, bool older)
{
    struct CUgraphNode_st *found = NULL;
    for (struct CUgraphNode_st *n = g->first; n && !found; n = n->next) {
        found = (older ? n->older : n->origin) == node ? n : NULL;
        for (unsigned k = 0; k < n->nchildren && !found; k++)
            found = within(n->children[k], node, older);
    }
    return found;
}
static struct CUgraphNode_st *instance_of(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    struct CUgraphNode_st *n = exec && node ? within(&exec->nodes, node, false) : NULL;
    return n || !exec || !node ? n : within(&exec->nodes, node, true);
}

/* Parameters of the same kernel stay where they were: the program may have been told where. */
static void keep_place(struct CUgraphNode_st *n, struct CUgraphNode_st *by)
{
    if (n->kind != NODE_KERNEL || n->fn != by->fn)
        return;
    void *params = n->params;
    memcpy(params, by->params, n->fn->kernel->params_size);
    n->params = by->params, by->params = params;
    by->args = n->args, n->args = NULL;
}
/* What was asked for is in `by', if e says so; attributes are the node's own. */
static cudaError_t change(struct CUgraphNode_st *n, cudaError_t e, struct CUgraphNode_st *by)
{
    if (e != cudaSuccess)
        return rt_error(e);
    bool fits = is(n, graph_type(by));
    if (fits) {
        keep_place(n, by);
        by->attributes = n->attributes, n->attributes = NULL;
        graph_swap(n, by);
    }
    graph_drop_parts(by);
    return rt_error(fits ? cudaSuccess : cudaErrorInvalidValue);
}
/* Two calls: one changes the graph's node, the other its instance's. */
#define CHANGE(name, exec_name, params, fill) \
    cudaError_t name(cudaGraphNode_t node, UNPACK params) \
    { \
        RT_BEGIN; \
        struct CUgraphNode_st by = { 0 }; \
        cudaError_t e = fill; \
        return change(node, e, &by); \
    } \
    cudaError_t exec_name(cudaGraphExec_t exec, cudaGraphNode_t node, UNPACK params) \
    { \
        RT_BEGIN; \
        struct CUgraphNode_st by = { 0 }; \
        cudaError_t e = fill; \
        return change(instance_of(exec, node), e, &by); \
    }
#define UNPACK(...) __VA_ARGS__

static cudaError_t copy(struct CUgraphNode_st *n, void *dst, const void *src, size_t bytes,
                        enum cudaMemcpyKind how)
{
    *n = (struct CUgraphNode_st){
        .kind = NODE_COPY, .dst = dst, .src = src, .bytes = bytes, .how = how
    };
    return cudaSuccess;
}
static cudaError_t event_node(struct CUgraphNode_st *n, enum node_kind kind, cudaEvent_t event)
{
    *n = (struct CUgraphNode_st){ .kind = kind, .event = event };
    return rt_event(event) ? cudaSuccess : cudaErrorInvalidValue;
}
CHANGE(cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams,
       (const struct cudaKernelNodeParams *p), graph_kernel(&by, p))
CHANGE(cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams,
       (const struct cudaMemcpy3DParms *p), graph_box(&by, p))
CHANGE(cudaGraphMemcpyNodeSetParams1D, cudaGraphExecMemcpyNodeSetParams1D,
       (void *dst, const void *src, size_t n, enum cudaMemcpyKind how), copy(&by, dst, src, n, how))
CHANGE(cudaGraphMemcpyNodeSetParamsToSymbol, cudaGraphExecMemcpyNodeSetParamsToSymbol,
       (const void *symbol, const void *src, size_t n, size_t offset, enum cudaMemcpyKind how),
       graph_symbol(&by, NULL, src, symbol, n, offset, how))
CHANGE(cudaGraphMemcpyNodeSetParamsFromSymbol, cudaGraphExecMemcpyNodeSetParamsFromSymbol,
       (void *dst, const void *symbol, size_t n, size_t offset, enum cudaMemcpyKind how),
       graph_symbol(&by, dst, NULL, symbol, n, offset, how))
CHANGE(cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams,
       (const struct cudaMemsetParams *p), graph_fill(&by, p))
CHANGE(cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams,
       (const struct cudaHostNodeParams *p), graph_host(&by, p))
CHANGE(cudaGraphEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent, (cudaEvent_t event),
       event_node(&by, NODE_RECORD, event))
CHANGE(cudaGraphEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent, (cudaEvent_t event),
       event_node(&by, NODE_WAIT, event))
/* Of any kind but those that own graphs or memory. */
static cudaError_t any(struct CUgraphNode_st *n, struct cudaGraphNodeParams *p)
{
    bool can = p && p->type != cudaGraphNodeTypeConditional && p->type != cudaGraphNodeTypeGraph;
    return can ? graph_any(n, p) : cudaErrorInvalidValue;
}
CHANGE(cudaGraphNodeSetParams, cudaGraphExecNodeSetParams, (struct cudaGraphNodeParams *p),
       any(&by, p))

/* The child's nodes are put in order, as the instance's are. */
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
    RT_BEGIN;
    struct CUgraphNode_st by = { 0 };
    cudaError_t e = graph_child(&by, child);
    if (e == cudaSuccess && !graph_order(by.children[0])) {
        graph_drop_parts(&by);
        e = cudaErrorInvalidValue;
    }
    return change(instance_of(exec, node), e, &by);
}

static bool can_be_off(const struct CUgraphNode_st *n)
{
    return is(n, cudaGraphNodeTypeKernel) || is(n, cudaGraphNodeTypeMemcpy) ||
           is(n, cudaGraphNodeTypeMemset);
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled)
{
    RT_BEGIN;
    struct CUgraphNode_st *n = instance_of(exec, node);
    if (!can_be_off(n))
        return rt_error(cudaErrorInvalidValue);
    n->off = !enabled;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled)
{
    RT_BEGIN;
    const struct CUgraphNode_st *n = instance_of(exec, node);
    if (!can_be_off(n) || !enabled)
        return rt_error(cudaErrorInvalidValue);
    *enabled = !n->off;
    return cudaSuccess;
}

/* ---- attributes of kernels: kept, and as with streams they change nothing ---- */

static bool has(const struct CUgraphNode_st *n, cudaLaunchAttributeID id)
{
    return is(n, cudaGraphNodeTypeKernel) && (unsigned)id < GRAPH_ATTRIBUTES;
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t n, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue *value)
{
    RT_BEGIN;
    if (!has(n, id) || !value)
        return rt_error(cudaErrorInvalidValue);
    if (!n->attributes && graph_copy_attributes(n, n) != cudaSuccess)
        return rt_error(cudaErrorMemoryAllocation);
    n->attributes[id] = *value;
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t n, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue *value)
{
    RT_BEGIN;
    if (!has(n, id) || !value)
        return rt_error(cudaErrorInvalidValue);
    memset(value, 0, sizeof *value);
    if (n->attributes)
        *value = n->attributes[id];
    return cudaSuccess;
}
/* The second is the one that is changed. */
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to)
{
    RT_BEGIN;
    if (!is(from, cudaGraphNodeTypeKernel) || !is(to, cudaGraphNodeTypeKernel))
        return rt_error(cudaErrorInvalidValue);
    return rt_error(graph_copy_attributes(to, from));
}
