/* Recording a graph: a stream, and those that wait for events recorded in it.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "cuda/cudart/graph.h"
#include "cuda/cudart/stream.h"

cudaStream_t rt_record_origin;
static unsigned long long recordings;

bool rt_stream_recorded(cudaStream_t s)
{
    return rt_recorded() && (uintptr_t)s > 2 && rt_stream(s) && s->recorded;
}
struct rt_nodes *rt_stream_after(cudaStream_t s) { return &s->after; }

static cudaGraph_t end_recording(bool *new)
{
    for (struct CUstream_st *k = rt_streams; k; k = k->next) {
        k->recorded = false;
        rt_nodes_drop(&k->after);
    }
    for (struct CUevent_st *k = rt_events; k; k = k->next) {
        k->captured = false;
        rt_nodes_drop(&k->after);
    }
    return rt_record_end(new);
}
void rt_record_drop(void)
{
    bool new;
    cudaGraph_t g = rt_recorded() ? end_recording(&new) : NULL;
    if (g && new)
        cudaGraphDestroy(g);
}

static cudaError_t begin_recording(cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t *after,
                                   size_t n)
{
    if ((uintptr_t)s <= 2 || !rt_stream(s))
        return rt_error(rt_stream(s) ? cudaErrorStreamCaptureUnsupported
                                     : cudaErrorInvalidResourceHandle);
    if (rt_recorded())                      /* one graph at a time */
        return rt_error(cudaErrorIllegalState);
    cudaError_t e = rt_record_begin(g);
    if (e == cudaSuccess)
        rt_record_origin = s, s->recorded = true, recordings++;
    return rt_error(e == cudaSuccess ? rt_nodes_add(&s->after, after, n) : e);
}
cudaError_t cudaStreamBeginCapture(cudaStream_t s, enum cudaStreamCaptureMode mode)
{
    RT_BEGIN;
    (void)mode;
    return begin_recording(s, NULL, NULL, 0);
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t g,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t n,
                                          enum cudaStreamCaptureMode mode)
{
    RT_BEGIN;
    (void)edges, (void)mode;
    return g && graph_has(g, after, n) ? begin_recording(s, g, after, n)
                                       : rt_error(cudaErrorInvalidValue);
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *g,
                                        const cudaGraphNode_t **after,
                                        const cudaGraphEdgeData **edges, size_t *n)
{
    RT_BEGIN;
    bool is = rt_stream_recorded(s);
    if (!status)
        return rt_error(cudaErrorInvalidValue);
    *status = is ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (is && id)
        *id = recordings;
    if (is && g)
        *g = rt_recorded();
    if (is && after)
        *after = s->after.all;
    if (is && edges)
        *edges = NULL;
    if (is && n)
        *n = s->after.n;
    return rt_error(rt_stream(s) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *g,
                                        const cudaGraphNode_t **after, size_t *n)
{
    return cudaStreamGetCaptureInfo_v3(s, status, id, g, after, NULL, n);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id)
{
    return cudaStreamGetCaptureInfo_v3(s, status, id, NULL, NULL, NULL, NULL);
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t s, cudaGraphNode_t *after,
                                                   const cudaGraphEdgeData *edges, size_t n,
                                                   unsigned flags)
{
    RT_BEGIN;
    (void)edges;
    if (!rt_stream_recorded(s))
        return rt_error(cudaErrorIllegalState);
    if (!graph_has(rt_recorded(), after, n) || flags > cudaStreamSetCaptureDependencies)
        return rt_error(cudaErrorInvalidValue);
    struct rt_nodes now = { 0 };            /* the old ones may be where `after' points to */
    bool more = flags == cudaStreamAddCaptureDependencies;
    cudaError_t e = more ? rt_nodes_add(&now, s->after.all, s->after.n) : cudaSuccess;
    if (e == cudaSuccess && (e = rt_nodes_add(&now, after, n)) == cudaSuccess) {
        const struct rt_nodes old = s->after;
        s->after = now, now = old;
    }
    rt_nodes_drop(&now);
    return rt_error(e);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *after, size_t n,
                                                unsigned flags)
{
    return cudaStreamUpdateCaptureDependencies_v2(s, after, NULL, n, flags);
}
/* Marks nodes, and those that they wait for; those that are marked stand in `all'. */
static size_t mark(const struct rt_nodes *n, cudaGraphNode_t *all, size_t marked)
{
    for (size_t k = 0; k < n->n; k++)
        if (!n->all[k]->place)
            n->all[k]->place = 1, all[marked++] = n->all[k];
    return marked;
}
/* Whether what the recording's other streams did last is waited for by what this one did. */
static bool all_joined(const struct CUgraph_st *g, cudaStream_t s)
{
    size_t n = 0;
    for (struct CUgraphNode_st *k = g->first; k; k = k->next)
        k->place = 0, n++;
    cudaGraphNode_t *all = calloc(n + 1, sizeof *all);
    size_t marked = all ? mark(&s->after, all, 0) : 0;
    for (size_t k = 0; k < marked; k++)
        marked = mark(&all[k]->after, all, marked);
    free(all);
    bool joined = all != NULL;
    for (const struct CUstream_st *k = rt_streams; k; k = k->next)
        for (size_t j = 0; k->recorded && j < k->after.n; j++)
            joined = joined && k->after.all[j]->place;
    return joined;
}

/* Whoever gave the graph need not be told which it is. */
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *g)
{
    RT_BEGIN;
    if (!rt_recorded() || s != rt_record_origin)
        return rt_error(rt_recorded() ? cudaErrorStreamCaptureUnmatched : cudaErrorIllegalState);
    bool new, joined = all_joined(rt_recorded(), s);
    cudaGraph_t made = end_recording(&new);
    if (g)
        *g = joined ? made : NULL;
    if ((!g || !joined) && new)
        cudaGraphDestroy(made);
    return rt_error(!joined     ? cudaErrorStreamCaptureUnjoined
                    : g || !new ? cudaSuccess
                                : cudaErrorInvalidValue);
}
