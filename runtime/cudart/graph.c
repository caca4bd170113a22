/* Graphs: what a stream was given while it was recorded, or what was put together node by node, to
 * be done again.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nodes are done in the order in which they were added: each was added after those that it depends
 * on, so that is a legal order of any graph. */
#include <stdlib.h>
#include <string.h>
#include "runtime/cudart/rt.h"

enum node_kind { NODE_EMPTY, NODE_KERNEL, NODE_COPY, NODE_BOX, NODE_FILL, NODE_HOST, NODE_GRAPH,
                 NODE_CONDITION, NODE_ALLOC, NODE_FREE };
struct CUgraphNode_st {
    enum node_kind kind;
    struct rt_function *fn;
    dim3 grid, block;
    void *params;                /* of a kernel; its own */
    size_t shared;
    void *dst;
    const void *src;
    size_t bytes;
    enum cudaMemcpyKind how;
    struct cudaMemsetParams fill;
    struct cudaMemcpy3DParms box;           /* of a copy of rows and slices */
    cudaHostFn_t call;
    void *user;
    struct CUgraph_st **children;           /* its own */
    unsigned nchildren;
    cudaGraphConditionalHandle handle;      /* of the value by which they are done, */
    enum cudaGraphConditionalNodeType type; /* in this way */
    const struct CUgraphNode_st *origin;    /* of an instance's: the graph's, which names it */
    struct CUgraphNode_st *next;
};
struct CUgraph_st {
    struct CUgraphNode_st *first, *last;
    struct rt_conditions conditions;        /* which it and its nodes' graphs read */
    struct rt_blocks blocks;                /* which its nodes allocate */
    bool frees;                             /* of an instance: what a launch left, at the next */
};
struct CUgraphExec_st { struct CUgraph_st nodes; };  /* as the graph was when it was instantiated */

static void drop(struct CUgraph_st *g);

/* What a node owns. */
static void drop_parts(const struct CUgraphNode_st *n)
{
    free(n->params);
    for (unsigned k = 0; k < n->nchildren; k++)
        drop(n->children[k]);
    free(n->children);
}

static void drop(struct CUgraph_st *g)
{
    for (struct CUgraphNode_st *n = g->first, *next; n; n = next) {
        next = n->next;
        drop_parts(n);
        free(n);
    }
    rt_conditions_drop(&g->conditions);
    rt_blocks_drop(&g->blocks);
    free(g);
}

/* Adds a copy of a node; what that owns is the graph's from now on. */
static cudaError_t add(struct CUgraph_st *g, const struct CUgraphNode_st *node,
                       cudaGraphNode_t *out)
{
    struct CUgraphNode_st *n = malloc(sizeof *n);
    if (!n) {
        drop_parts(node);
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

static void *copy_params(const struct rt_function *f, const void *params)
{
    size_t n = (size_t)f->kernel->params_size + 1;
    void *copy = malloc(n);
    return copy ? memcpy(copy, params, n) : NULL;
}

/* Another node that does the same, and owns what it needs. */
static cudaError_t twin(const struct CUgraphNode_st *node, struct CUgraphNode_st *out);

static cudaError_t copy_graph(const struct CUgraph_st *from, struct CUgraph_st **out)
{
    struct CUgraph_st *g = calloc(1, sizeof *g);
    cudaError_t e = g ? rt_conditions_copy(&from->conditions, &g->conditions)
                      : cudaErrorMemoryAllocation;
    if (e == cudaSuccess)
        e = rt_blocks_copy(&from->blocks, &g->blocks);
    for (const struct CUgraphNode_st *k = from->first; k && e == cudaSuccess; k = k->next) {
        struct CUgraphNode_st n;
        e = twin(k, &n);
        if (e == cudaSuccess)
            e = add(g, &n, NULL);
    }
    if (e != cudaSuccess && g)
        drop(g);
    *out = e == cudaSuccess ? g : NULL;
    return e;
}

static cudaError_t twin(const struct CUgraphNode_st *node, struct CUgraphNode_st *out)
{
    cudaError_t e = cudaSuccess;
    *out = *node;
    out->origin = node;
    out->params = NULL, out->children = NULL, out->nchildren = 0;
    if (node->kind == NODE_KERNEL && !(out->params = copy_params(node->fn, node->params)))
        return cudaErrorMemoryAllocation;
    if (node->nchildren && !(out->children = calloc(node->nchildren, sizeof *out->children)))
        return cudaErrorMemoryAllocation;
    for (unsigned k = 0; k < node->nchildren && e == cudaSuccess; k++) {
        e = copy_graph(node->children[k], &out->children[k]);
        out->nchildren += e == cudaSuccess;
    }
    if (e != cudaSuccess)
        drop_parts(out);
    return e;
}

/* ---- recording streams ---- */

static struct CUgraph_st *recorded;         /* NULL: no stream is */
static bool recorded_new;                   /* recording made it */

bool rt_recording(void) { return recorded; }

cudaError_t rt_record_begin(cudaGraph_t g)
{
    recorded_new = !g;
    recorded = g ? g : calloc(1, sizeof *recorded);
    return recorded ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaGraph_t rt_record_end(bool *new)
{
    struct CUgraph_st *g = recorded;
    recorded = NULL;
    *new = recorded_new;
    return g;
}

cudaGraph_t rt_recorded(const cudaGraphNode_t **last, size_t *n)
{
    static cudaGraphNode_t node;
    node = recorded ? recorded->last : NULL;
    *last = &node;
    *n = node != NULL;
    return recorded;
}

cudaError_t rt_record_kernel(struct rt_function *f, dim3 grid, dim3 block, const void *params,
                             size_t shared)
{
    struct CUgraphNode_st n = { .kind = NODE_KERNEL,
                                .fn = f,
                                .grid = grid,
                                .block = block,
                                .shared = shared,
                                .params = copy_params(f, params) };
    return n.params ? add(recorded, &n, NULL) : cudaErrorMemoryAllocation;
}
cudaError_t rt_record_copy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind how)
{
    return add(recorded,
               &(struct CUgraphNode_st){
                   .kind = NODE_COPY, .dst = dst, .src = src, .bytes = bytes, .how = how },
               NULL);
}
cudaError_t rt_record_box(const struct cudaMemcpy3DParms *p)
{
    return add(recorded, &(struct CUgraphNode_st){ .kind = NODE_BOX, .box = *p }, NULL);
}
cudaError_t rt_record_fill(void *dst, int value, size_t bytes)
{
    return add(recorded,
               &(struct CUgraphNode_st){ .kind = NODE_FILL,
                                         .fill = { .dst = dst,
                                                   .value = (unsigned)value & 255,
                                                   .elementSize = 1,
                                                   .width = bytes,
                                                   .height = 1 } },
               NULL);
}
cudaError_t rt_record_host(cudaHostFn_t call, void *user)
{
    return add(recorded, &(struct CUgraphNode_st){ .kind = NODE_HOST, .call = call, .user = user },
               NULL);
}

static cudaError_t add_alloc(struct CUgraph_st *g, void **p, size_t bytes, const void *site,
                             cudaGraphNode_t *out)
{
    struct CUgraphNode_st n = { .kind = NODE_ALLOC, .bytes = bytes };
    cudaError_t e = p ? rt_block_new(&g->blocks, bytes, site, p) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return e;
    n.dst = *p;
    return add(g, &n, out);
}
cudaError_t rt_record_alloc(void **p, size_t bytes, const void *site)
{
    return add_alloc(recorded, p, bytes, site, NULL);
}
cudaError_t rt_record_free(void *p)
{
    struct CUgraphNode_st n = { .kind = NODE_FREE, .dst = p };
    return rt_block(p) ? add(recorded, &n, NULL) : cudaErrorInvalidValue;
}

cudaError_t rt_not_recorded(const char *call)
{
    rt_say("%s cannot be recorded into a graph yet", call);
    return rt_error(cudaErrorStreamCaptureUnsupported);
}

/* ---- node by node ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *g, unsigned flags)
{
    RT_BEGIN;
    if (!g || flags)
        return rt_error(cudaErrorInvalidValue);
    *g = calloc(1, sizeof **g);
    return rt_error(*g ? cudaSuccess : cudaErrorMemoryAllocation);
}

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
        return add(g, node, out);
    drop_parts(node);
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
    cudaError_t e = n->children ? copy_graph(child, n->children) : cudaErrorMemoryAllocation;
    n->nchildren = e == cudaSuccess;
    if (e != cudaSuccess)
        drop_parts(n);
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
    drop_parts(n);
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
    return rt_error(add_alloc(g, &p->dptr, p->bytesize, __builtin_return_address(0), node));
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
    return rt_error(out && g ? copy_graph(g, out) : cudaErrorInvalidValue);
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
    if (!g)
        return rt_error(cudaErrorInvalidValue);
    drop(g);
    return cudaSuccess;
}

/* ---- running ---- */

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g, unsigned long long flags)
{
    RT_BEGIN;
    struct CUgraph_st *copy;
    cudaError_t e = exec && g ? copy_graph(g, &copy) : cudaErrorInvalidValue;
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
    drop(&exec->nodes);
    return cudaSuccess;
}

/* ---- changes ---- */

/* A node does what another does from now on, whose parameters become its own. */
static cudaError_t replace(struct CUgraphNode_st *n, const struct CUgraphNode_st *by)
{
    const struct CUgraphNode_st old = *n;
    *n = *by;
    n->origin = old.origin;
    n->next = old.next;
    drop_parts(&old);
    return cudaSuccess;
}

static cudaError_t change_kernel(struct CUgraphNode_st *n, const struct cudaKernelNodeParams *p)
{
    struct CUgraphNode_st by;
    if (!n || n->kind != NODE_KERNEL)
        return cudaErrorInvalidValue;
    cudaError_t e = kernel_node(&by, p);
    return e == cudaSuccess ? replace(n, &by) : e;
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
    for (n = exec->nodes.first, from = g->first; n; n = n->next, from = from->next) {
        struct CUgraphNode_st by;
        cudaError_t e = twin(from, &by);
        if (e != cudaSuccess)
            return rt_error(e);
        replace(n, &by);
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

static cudaError_t do_graph(const struct CUgraph_st *g);

/* Rows of elements.  One row of its own shape is made on the host where bytes are not equal. */
static cudaError_t do_fill(const struct cudaMemsetParams *p)
{
    size_t bytes = rt_times(p->width, p->elementSize), pitch = p->height == 1 ? bytes : p->pitch;
    uint32_t all = 0xffffffffu >> (32 - 8 * p->elementSize);
    if ((p->value & all) == ((p->value & 255) * 0x01010101u & all))
        return cudaMemset2D(p->dst, pitch, (int)(p->value & 255), bytes, p->height);
    char *row = bytes == SIZE_MAX ? NULL : malloc(bytes);
    for (size_t k = 0; row && k < bytes; k++)
        row[k] = (char)(p->value >> 8 * (k % p->elementSize));
    cudaError_t e = row ? cudaSuccess : cudaErrorMemoryAllocation;
    for (size_t y = 0; y < p->height && e == cudaSuccess; y++)
        e = rt_copy((char *)p->dst + y * pitch, row, bytes, cudaMemcpyHostToDevice);
    free(row);
    return e;
}

/* A value above all numbers of its graphs does none of them. */
static cudaError_t do_conditional(const struct CUgraphNode_st *n)
{
    unsigned value;
    cudaError_t e = rt_condition_value(n->handle, &value);
    while (e == cudaSuccess && n->type == cudaGraphCondTypeWhile && value) {
        e = do_graph(n->children[0]);
        if (e == cudaSuccess)
            e = rt_condition_value(n->handle, &value);
    }
    if (e != cudaSuccess || n->type == cudaGraphCondTypeWhile)
        return e;
    unsigned which = n->type == cudaGraphCondTypeIf ? !value : value;
    return which < n->nchildren ? do_graph(n->children[which]) : cudaSuccess;
}

static cudaError_t do_node(const struct CUgraphNode_st *n)
{
    cudaError_t e;
    switch (n->kind) {
    case NODE_KERNEL:
        e = rt_kernel(n->fn);
        return e == cudaSuccess ? rt_launch(n->fn, n->grid, n->block, n->params, n->shared) : e;
    case NODE_COPY: return rt_copy(n->dst, n->src, n->bytes, n->how);
    case NODE_BOX: return cudaMemcpy3D(&n->box);
    case NODE_FILL: return do_fill(&n->fill);
    case NODE_HOST: n->call(n->user); return cudaSuccess;
    case NODE_GRAPH: return do_graph(n->children[0]);
    case NODE_CONDITION: return do_conditional(n);
    case NODE_ALLOC: return rt_block_take(n->dst);
    case NODE_FREE: return rt_block_return(n->dst);
    case NODE_EMPTY: break;
    }
    return cudaSuccess;
}

static cudaError_t do_graph(const struct CUgraph_st *g)
{
    cudaError_t e = cudaSuccess;
    for (const struct CUgraphNode_st *n = g->first; n && e == cudaSuccess; n = n->next)
        e = do_node(n);
    return e;
}

/* The values that begin anew with each launch. */
static cudaError_t begin(const struct CUgraph_st *g)
{
    cudaError_t e = rt_conditions_begin(&g->conditions);
    for (const struct CUgraphNode_st *n = g->first; n; n = n->next)
        for (unsigned k = 0; k < n->nchildren && e == cudaSuccess; k++)
            e = begin(n->children[k]);
    return e;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s)
{
    RT_BEGIN;
    if (rt_stream_recorded(s))
        return rt_error(cudaErrorStreamCaptureUnsupported);
    if (exec && exec->nodes.frees)
        rt_blocks_return(&exec->nodes.blocks);
    cudaError_t e = exec ? begin(&exec->nodes) : cudaErrorInvalidValue;
    return rt_error(e == cudaSuccess ? do_graph(&exec->nodes) : e);
}
