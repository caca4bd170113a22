/* Recording: what a stream is given becomes nodes, each after what the stream has waited for.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "cuda/cudart/graph.h"

static struct CUgraph_st *recorded;         /* NULL: no stream is */
static bool recorded_new;                   /* recording made it */

cudaGraph_t rt_recorded(void) { return recorded; }

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

/* The stream waits for this node alone from now on. */
static cudaError_t then(cudaStream_t s, cudaGraphNode_t node)
{
    struct rt_nodes *after = rt_stream_after(s);
    after->n = 0;
    return rt_nodes_add(after, &node, 1);
}
static cudaError_t record(cudaStream_t s, const struct CUgraphNode_st *n)
{
    const struct rt_nodes *after = rt_stream_after(s);
    cudaGraphNode_t node;
    cudaError_t e = graph_add(recorded, after->all, after->n, n, &node);
    return e == cudaSuccess ? then(s, node) : e;
}

cudaError_t rt_record_kernel(cudaStream_t s, struct rt_function *f, dim3 grid, dim3 block,
                             const void *params, size_t shared)
{
    struct CUgraphNode_st n = { .kind = NODE_KERNEL,
                                .fn = f,
                                .grid = grid,
                                .block = block,
                                .shared = shared,
                                .params = graph_copy_params(f, params) };
    return n.params ? record(s, &n) : cudaErrorMemoryAllocation;
}
cudaError_t rt_record_copy(cudaStream_t s, void *dst, const void *src, size_t bytes,
                           enum cudaMemcpyKind how)
{
    return record(s, &(struct CUgraphNode_st){
        .kind = NODE_COPY, .dst = dst, .src = src, .bytes = bytes, .how = how });
}
cudaError_t rt_record_symbol(cudaStream_t s, void *dst, const void *src, const void *symbol,
                             size_t bytes, size_t offset, enum cudaMemcpyKind how)
{
    struct CUgraphNode_st n;
    cudaError_t e = graph_symbol(&n, dst, src, symbol, bytes, offset, how);
    return e == cudaSuccess ? record(s, &n) : e;
}
cudaError_t rt_record_box(cudaStream_t s, const struct cudaMemcpy3DParms *p)
{
    struct CUgraphNode_st n;
    cudaError_t e = graph_box(&n, p);
    return e == cudaSuccess ? record(s, &n) : e;
}
cudaError_t rt_record_fill(cudaStream_t s, const struct cudaMemsetParams *p)
{
    struct CUgraphNode_st n;
    if (!p->width || !p->height)
        return cudaSuccess;
    cudaError_t e = graph_fill(&n, p);
    return e == cudaSuccess ? record(s, &n) : e;
}
cudaError_t rt_record_host(cudaStream_t s, cudaHostFn_t call, void *user)
{
    return record(s, &(struct CUgraphNode_st){ .kind = NODE_HOST, .call = call, .user = user });
}
cudaError_t rt_record_event(cudaStream_t s, cudaEvent_t event, bool wait)
{
    return record(s, &(struct CUgraphNode_st){ .kind = wait ? NODE_WAIT : NODE_RECORD,
                                               .event = event });
}
cudaError_t rt_record_alloc(cudaStream_t s, void **p, size_t bytes, const void *site)
{
    const struct rt_nodes *after = rt_stream_after(s);
    cudaGraphNode_t node;
    cudaError_t e = graph_add_alloc(recorded, after->all, after->n, p, bytes, site, &node);
    return e == cudaSuccess ? then(s, node) : e;
}
cudaError_t rt_record_free(cudaStream_t s, void *p)
{
    return rt_block(p) ? record(s, &(struct CUgraphNode_st){ .kind = NODE_FREE, .dst = p })
                       : cudaErrorInvalidValue;
}
