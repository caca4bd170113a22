/* A launch of a graph's instance: its nodes, one after the other.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "cuda/cudart/graph.h"

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
    if (n->off)
        return cudaSuccess;
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
    case NODE_RECORD: return rt_event_record(n->event);
    case NODE_EMPTY: case NODE_WAIT: break;         /* what it waits for has ended */
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
    if (exec && exec->nodes.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)
        rt_blocks_return(&exec->nodes.blocks);
    cudaError_t e = exec ? begin(&exec->nodes) : cudaErrorInvalidValue;
    return rt_error(e == cudaSuccess ? do_graph(&exec->nodes) : e);
}
