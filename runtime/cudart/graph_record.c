/* Recording: what a stream is given becomes nodes, each after all that were there before it.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "runtime/cudart/graph.h"

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
    if (last)
        *last = &node;
    if (n)
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
                                .params = graph_copy_params(f, params) };
    return n.params ? graph_add(recorded, &n, NULL) : cudaErrorMemoryAllocation;
}
cudaError_t rt_record_copy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind how)
{
    struct CUgraphNode_st n = {
        .kind = NODE_COPY, .dst = dst, .src = src, .bytes = bytes, .how = how
    };
    return graph_add(recorded, &n, NULL);
}
cudaError_t rt_record_box(const struct cudaMemcpy3DParms *p)
{
    return graph_add(recorded, &(struct CUgraphNode_st){ .kind = NODE_BOX, .box = *p }, NULL);
}
cudaError_t rt_record_fill(void *dst, int value, size_t bytes)
{
    struct cudaMemsetParams fill = {
        .dst = dst, .value = (unsigned)value & 255, .elementSize = 1, .width = bytes, .height = 1
    };
    return graph_add(recorded, &(struct CUgraphNode_st){ .kind = NODE_FILL, .fill = fill }, NULL);
}
cudaError_t rt_record_host(cudaHostFn_t call, void *user)
{
    struct CUgraphNode_st n = { .kind = NODE_HOST, .call = call, .user = user };
    return graph_add(recorded, &n, NULL);
}
cudaError_t rt_record_alloc(void **p, size_t bytes, const void *site)
{
    return graph_add_alloc(recorded, p, bytes, site, NULL);
}
cudaError_t rt_record_free(void *p)
{
    struct CUgraphNode_st n = { .kind = NODE_FREE, .dst = p };
    return rt_block(p) ? graph_add(recorded, &n, NULL) : cudaErrorInvalidValue;
}

cudaError_t rt_not_recorded(const char *call)
{
    rt_say("%s cannot be recorded into a graph yet", call);
    return rt_error(cudaErrorStreamCaptureUnsupported);
}
