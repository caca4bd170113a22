/* What is put into a graph node by node, and nodes that are given other parameters.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "runtime/cudart/graph.h"

static bool follows(const struct CUgraph_st *g, const cudaGraphNode_t *after, size_t n)
{
    bool ok = after || !n;
    for (size_t k = 0; ok && k < n; k++) {
        const struct CUgraphNode_st *old = g->first;
        while (old && old != after[k])
            old = old->next;
        ok = old;
    }
    return ok;
}

/* Nodes that it depends on are there already, so their order needs no list. */
static cudaError_t add_after(cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *after,
                             size_t n, const struct CUgraphNode_st *node)
{
    if (out && g && follows(g, after, n))
        return graph_add(g, node, out);
    graph_drop_parts(node);
    return cudaErrorInvalidValue;
}

static cudaError_t kernel_node(struct CUgraphNode_st *n, const struct cudaKernelNodeParams *p)
{
    struct rt_function *f = p ? rt_function(p->func) : NULL;
    cudaError_t e = !p  ? cudaErrorInvalidValue
                    : f ? rt_kernel(f)
                        : cudaErrorInvalidDeviceFunction;
    if (e == cudaSuccess && f->kernel->nparams && !p->kernelParams)
        e = cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return e;
    *n = (struct CUgraphNode_st){ .kind = NODE_KERNEL,
                                  .fn = f,
                                  .grid = p->gridDim,
                                  .block = p->blockDim,
                                  .shared = p->sharedMemBytes,
                                  .params = rt_params(f->kernel, p->kernelParams) };
    return n->params ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t fill_node(struct CUgraphNode_st *n, const struct cudaMemsetParams *p)
{
    if (!p || !p->width || !p->height ||
        (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return cudaErrorInvalidValue;
    *n = (struct CUgraphNode_st){ .kind = NODE_FILL, .fill = *p };
    return cudaSuccess;
}

static cudaError_t child_node(struct CUgraphNode_st *n, const struct CUgraph_st *child)
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
    cudaError_t e = kernel_node(&k, p);
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
    return rt_error(!p ? cudaErrorInvalidValue
                       : add_after(node, g, after, n, &(struct CUgraphNode_st){
                             .kind = NODE_BOX, .box = *p }));
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t g,
                                       const cudaGraphNode_t *after, size_t n, cudaGraph_t child)
{
    RT_BEGIN;
    struct CUgraphNode_st k;
    cudaError_t e = g && g != child ? child_node(&k, child) : cudaErrorInvalidValue;
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
    cudaError_t e = fill_node(&k, p);
    return rt_error(e == cudaSuccess ? add_after(node, g, after, n, &k) : e);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after,
                                 size_t n, const struct cudaHostNodeParams *p)
{
    RT_BEGIN;
    if (!p || !p->fn)
        return rt_error(cudaErrorInvalidValue);
    return rt_error(add_after(node, g, after, n, &(struct CUgraphNode_st){
        .kind = NODE_HOST, .call = p->fn, .user = p->userData }));
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
    if (!p || p->poolProps.location.id || !node || !g || !follows(g, after, n))
        return rt_error(cudaErrorInvalidValue);
    return rt_error(graph_add_alloc(g, &p->dptr, p->bytesize, __builtin_return_address(0), node));
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
static cudaError_t any_node(struct CUgraphNode_st *n, struct cudaGraphNodeParams *p)
{
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return kernel_node(n, &(struct cudaKernelNodeParams){
            .func = p->kernel.func, .gridDim = p->kernel.gridDim, .blockDim = p->kernel.blockDim,
            .sharedMemBytes = p->kernel.sharedMemBytes, .kernelParams = p->kernel.kernelParams });
    case cudaGraphNodeTypeMemcpy:
        *n = (struct CUgraphNode_st){ .kind = NODE_BOX, .box = p->memcpy.copyParams };
        return cudaSuccess;
    case cudaGraphNodeTypeMemset:
        return fill_node(n, &(struct cudaMemsetParams){
            .dst = p->memset.dst, .pitch = p->memset.pitch, .value = p->memset.value,
            .elementSize = p->memset.elementSize, .width = p->memset.width,
            .height = p->memset.height });
    case cudaGraphNodeTypeHost:
        *n = (struct CUgraphNode_st){
            .kind = NODE_HOST, .call = p->host.fn, .user = p->host.userData
        };
        return n->call ? cudaSuccess : cudaErrorInvalidValue;
    case cudaGraphNodeTypeGraph: return child_node(n, p->graph.graph);
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
    cudaError_t e = p && g && !itself ? any_node(&k, p) : cudaErrorInvalidValue;
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

/* ---- changes ---- */

static cudaError_t change_kernel(struct CUgraphNode_st *n, const struct cudaKernelNodeParams *p)
{
    struct CUgraphNode_st by;
    if (!n || n->kind != NODE_KERNEL)
        return cudaErrorInvalidValue;
    cudaError_t e = kernel_node(&by, p);
    return e == cudaSuccess ? graph_replace(n, &by) : e;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    RT_BEGIN;
    return rt_error(change_kernel(node, p));
}

/* The instance's node of a node of the graph. */
static struct CUgraphNode_st *instance_of(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    struct CUgraphNode_st *n = exec && node ? exec->nodes.first : NULL;
    while (n && n->origin != node)
        n = n->next;
    return n;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *p)
{
    RT_BEGIN;
    return rt_error(change_kernel(instance_of(exec, node), p));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t bytes,
                                               enum cudaMemcpyKind kind)
{
    RT_BEGIN;
    struct CUgraphNode_st *n = instance_of(exec, node);
    if (!n || n->kind != NODE_COPY)
        return rt_error(cudaErrorInvalidValue);
    n->dst = dst, n->src = src, n->bytes = bytes, n->how = kind;
    return cudaSuccess;
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *p)
{
    RT_BEGIN;
    struct CUgraphNode_st *n = instance_of(exec, node);
    if (!n || n->kind != NODE_BOX || !p)
        return rt_error(cudaErrorInvalidValue);
    n->box = *p;
    return cudaSuccess;
}
