/* What is put into a graph node by node.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "cuda/cudart/graph.h"

static cudaError_t add_after(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
                             size_t n, const struct CUgraphNode_st *node)
{
    if (out && g && graph_has(g, after, n))
        return graph_add(g, after, n, node, out);
    graph_drop_parts(node);
    return cudaErrorInvalidValue;
}

cudaError_t graph_kernel(struct CUgraphNode_st *n, const struct cudaKernelNodeParams *p)
{
    struct rt_function *f = p ? rt_function(p->func) : NULL;
    cudaError_t e = !p  ? cudaErrorInvalidValue
                    : f ? rt_kernel(f)
                        : cudaErrorInvalidDeviceFunction;
    if (e != cudaSuccess)
        return e;
    *n = (struct CUgraphNode_st){ .kind = NODE_KERNEL,
                                  .fn = f,
                                  .grid = p->gridDim,
                                  .block = p->blockDim,
                                  .shared = p->sharedMemBytes,
                                  .params = rt_params(f->kernel, p->kernelParams, p->extra) };
    return n->params ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t graph_fill(struct CUgraphNode_st *n, const struct cudaMemsetParams *p)
{
    if (!p || !p->width || !p->height ||
        (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return cudaErrorInvalidValue;
    *n = (struct CUgraphNode_st){ .kind = NODE_FILL, .fill = *p };
    return cudaSuccess;
}

cudaError_t graph_box(struct CUgraphNode_st *n, const struct cudaMemcpy3DParms *p)
{
    if (!p)
        return cudaErrorInvalidValue;
    *n = (struct CUgraphNode_st){ .kind = NODE_BOX, .box = *p };
    return cudaSuccess;
}

cudaError_t graph_host(struct CUgraphNode_st *n, const struct cudaHostNodeParams *p)
{
    if (!p || !p->fn)
        return cudaErrorInvalidValue;
    *n = (struct CUgraphNode_st){ .kind = NODE_HOST, .call = p->fn, .user = p->userData };
    return cudaSuccess;
}

/* A managed variable's bytes are those of the host between launches, as with other copies. */
cudaError_t graph_symbol(struct CUgraphNode_st *n, void *dst, const void *src, const void *symbol,
                         size_t bytes, size_t offset, enum cudaMemcpyKind how)
{
    uint64_t addr;
    size_t size;
    const struct rt_var *v = rt_var(symbol);
    cudaError_t e = v ? rt_var_address(v, &addr, &size) : cudaErrorInvalidSymbol;
    if (e != cudaSuccess)
        return e;
    if (offset > size || bytes > size - offset || !dst == !src)
        return cudaErrorInvalidValue;
    char *at = (v->managed ? (char *)(uintptr_t)symbol : (char *)(uintptr_t)addr) + offset;
    *n = (struct CUgraphNode_st){ .kind = NODE_COPY, .dst = dst ? dst : at,
                                  .src = src ? src : at, .bytes = bytes,
                                  .how = v->managed ? cudaMemcpyDefault : how };
    return cudaSuccess;
}

cudaError_t graph_child(struct CUgraphNode_st *n, const struct CUgraph_st *child)
{
    *n = (struct CUgraphNode_st){ .kind = NODE_GRAPH };
    if (!child)
        return cudaErrorInvalidValue;
    n->children = calloc(1, sizeof *n->children);
    cudaError_t e = n->children ? graph_copy(child, n->children) : cudaErrorMemoryAllocation;
    n->nchildren = e == cudaSuccess;
    if (e != cudaSuccess)
        graph_drop_parts(n);
    return e;
}

/* Its graphs are empty at first. */
static cudaError_t conditional_node(struct CUgraphNode_st *n, struct cudaConditionalNodeParams *p)
{
    unsigned most = p->type == cudaGraphCondTypeIf      ? 2
                    : p->type == cudaGraphCondTypeWhile ? 1
                                                        : ~0u;
    if (!rt_condition(p->handle) || (unsigned)p->type > cudaGraphCondTypeSwitch || !p->size ||
        p->size > most)
        return cudaErrorInvalidValue;
    *n = (struct CUgraphNode_st){ .kind = NODE_CONDITION, .handle = p->handle, .type = p->type };
    n->children = calloc(p->size, sizeof *n->children);
    while (n->children && n->nchildren < p->size &&
           (n->children[n->nchildren] = calloc(1, sizeof **n->children)))
        n->nchildren++;
    if (n->nchildren == p->size) {
        p->phGraph_out = n->children;
        return cudaSuccess;
    }
    graph_drop_parts(n);
    return cudaErrorMemoryAllocation;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t g,
                                   const cudaGraphNode_t *after, size_t n,
                                   const struct cudaKernelNodeParams *p)
{
    RT_BEGIN;
    struct CUgraphNode_st k;
    cudaError_t e = graph_kernel(&k, p);
    return rt_error(e == cudaSuccess ? add_after(node, g, after, n, &k) : e);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t g,
                                     const cudaGraphNode_t *after, size_t n, void *dst,
                                     const void *src, size_t bytes, enum cudaMemcpyKind how)
{
    RT_BEGIN;
    return rt_error(add_after(node, g, after, n, &(struct CUgraphNode_st){
        .kind = NODE_COPY, .dst = dst, .src = src, .bytes = bytes, .how = how }));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t g,
                                   const cudaGraphNode_t *after, size_t n,
                                   const struct cudaMemcpy3DParms *p)
{
    RT_BEGIN;
    struct CUgraphNode_st k;
    cudaError_t e = graph_box(&k, p);
    return rt_error(e == cudaSuccess ? add_after(node, g, after, n, &k) : e);
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t g,
                                           const cudaGraphNode_t *after, size_t n,
                                           const void *symbol, const void *src, size_t bytes,
                                           size_t offset, enum cudaMemcpyKind how)
{
    RT_BEGIN;
    struct CUgraphNode_st k;
    cudaError_t e = graph_symbol(&k, NULL, src, symbol, bytes, offset, how);
    return rt_error(e == cudaSuccess ? add_after(node, g, after, n, &k) : e);
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t g,
                                             const cudaGraphNode_t *after, size_t n, void *dst,
                                             const void *symbol, size_t bytes, size_t offset,
                                             enum cudaMemcpyKind how)
{
    RT_BEGIN;
    struct CUgraphNode_st k;
    cudaError_t e = graph_symbol(&k, dst, NULL, symbol, bytes, offset, how);
    return rt_error(e == cudaSuccess ? add_after(node, g, after, n, &k) : e);
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t g,
                                       const cudaGraphNode_t *after, size_t n, cudaGraph_t child)
{
    RT_BEGIN;
    struct CUgraphNode_st k;
    cudaError_t e = g && g != child ? graph_child(&k, child) : cudaErrorInvalidValue;
    return rt_error(e == cudaSuccess ? add_after(node, g, after, n, &k) : e);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child)
{
    RT_BEGIN;
    if (!node || node->kind != NODE_GRAPH || !child)
        return rt_error(cudaErrorInvalidValue);
    *child = node->children[0];
    return cudaSuccess;
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t g,
                                   const cudaGraphNode_t *after, size_t n,
                                   const struct cudaMemsetParams *p)
{
    RT_BEGIN;
    struct CUgraphNode_st k;
    cudaError_t e = graph_fill(&k, p);
    return rt_error(e == cudaSuccess ? add_after(node, g, after, n, &k) : e);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after,
                                 size_t n, const struct cudaHostNodeParams *p)
{
    RT_BEGIN;
    struct CUgraphNode_st k;
    cudaError_t e = graph_host(&k, p);
    return rt_error(e == cudaSuccess ? add_after(node, g, after, n, &k) : e);
}
static cudaError_t add_event(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after,
                             size_t n, enum node_kind kind, cudaEvent_t event)
{
    return rt_error(!rt_event(event)
                        ? cudaErrorInvalidValue
                        : add_after(node, g, after, n, &(struct CUgraphNode_st){
                              .kind = kind, .event = event }));
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t g,
                                        const cudaGraphNode_t *after, size_t n, cudaEvent_t event)
{
    RT_BEGIN;
    return add_event(node, g, after, n, NODE_RECORD, event);
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t g,
                                      const cudaGraphNode_t *after, size_t n, cudaEvent_t event)
{
    RT_BEGIN;
    return add_event(node, g, after, n, NODE_WAIT, event);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t g,
                                  const cudaGraphNode_t *after, size_t n)
{
    RT_BEGIN;
    return rt_error(add_after(node, g, after, n, &(struct CUgraphNode_st){ .kind = NODE_EMPTY }));
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t g,
                                     const cudaGraphNode_t *after, size_t n,
                                     struct cudaMemAllocNodeParams *p)
{
    RT_BEGIN;
    if (!p || p->poolProps.location.id || !node || !g || !graph_has(g, after, n))
        return rt_error(cudaErrorInvalidValue);
    return rt_error(graph_add_alloc(g, after, n, &p->dptr, p->bytesize,
                                    __builtin_return_address(0), node));
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t g,
                                    const cudaGraphNode_t *after, size_t n, void *p)
{
    RT_BEGIN;
    return rt_error(!rt_block(p) ? cudaErrorInvalidValue
                                 : add_after(node, g, after, n, &(struct CUgraphNode_st){
                                       .kind = NODE_FREE, .dst = p }));
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *p)
{
    RT_BEGIN;
    if (!node || node->kind != NODE_FREE || !p)
        return rt_error(cudaErrorInvalidValue);
    *(void **)p = node->dst;
    return cudaSuccess;
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *p)
{
    RT_BEGIN;
    if (!node || node->kind != NODE_ALLOC || !p)
        return rt_error(cudaErrorInvalidValue);
    *p = (struct cudaMemAllocNodeParams){ .bytesize = node->bytes, .dptr = node->dst };
    p->poolProps.allocType = cudaMemAllocationTypePinned;
    p->poolProps.location.type = cudaMemLocationTypeDevice;
    return cudaSuccess;
}

/* A node of any kind. */
cudaError_t graph_any(struct CUgraphNode_st *n, struct cudaGraphNodeParams *p)
{
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return graph_kernel(n, &(struct cudaKernelNodeParams){
            .func = p->kernel.func, .gridDim = p->kernel.gridDim, .blockDim = p->kernel.blockDim,
            .sharedMemBytes = p->kernel.sharedMemBytes, .kernelParams = p->kernel.kernelParams,
            .extra = p->kernel.extra });
    case cudaGraphNodeTypeMemcpy: return graph_box(n, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return graph_fill(n, &(struct cudaMemsetParams){
            .dst = p->memset.dst, .pitch = p->memset.pitch, .value = p->memset.value,
            .elementSize = p->memset.elementSize, .width = p->memset.width,
            .height = p->memset.height });
    case cudaGraphNodeTypeHost:
        return graph_host(n, &(struct cudaHostNodeParams){ p->host.fn, p->host.userData });
    case cudaGraphNodeTypeEventRecord: case cudaGraphNodeTypeWaitEvent:
        *n = (struct CUgraphNode_st){
            .kind = p->type == cudaGraphNodeTypeWaitEvent ? NODE_WAIT : NODE_RECORD,
            .event = p->eventRecord.event
        };
        return rt_event(n->event) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaGraphNodeTypeGraph: return graph_child(n, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
        *n = (struct CUgraphNode_st){ .kind = NODE_EMPTY };
        return cudaSuccess;
    case cudaGraphNodeTypeConditional: return conditional_node(n, &p->conditional);
    default:
        rt_say("cudaGraphAddNode: nodes of type %d are not supported", (int)p->type);
        return cudaErrorNotSupported;
    }
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after,
                             size_t n, struct cudaGraphNodeParams *p)
{
    RT_BEGIN;
    struct CUgraphNode_st k;
    if (p && p->type == cudaGraphNodeTypeMemAlloc)
        return cudaGraphAddMemAllocNode(node, g, after, n, &p->alloc);
    if (p && p->type == cudaGraphNodeTypeMemFree)
        return cudaGraphAddMemFreeNode(node, g, after, n, p->free.dptr);
    bool itself = p && p->type == cudaGraphNodeTypeGraph && p->graph.graph == g;
    cudaError_t e = p && g && !itself ? graph_any(&k, p) : cudaErrorInvalidValue;
    return rt_error(e == cudaSuccess ? add_after(node, g, after, n, &k) : e);
}
/* Every edge says that the one node has ended. */
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after,
                                const cudaGraphEdgeData *edges, size_t n,
                                struct cudaGraphNodeParams *p)
{
    (void)edges;
    return cudaGraphAddNode(node, g, after, n, p);
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t g,
                                             unsigned value, unsigned flags)
{
    RT_BEGIN;
    return rt_error(!handle || !g || flags & ~1u
                        ? cudaErrorInvalidValue
                        : rt_condition_new(&g->conditions, value, flags, handle));
}
