/* Streams and events.  SPDX-License-Identifier: Apache-2.0
 *
 * Whatever is put into a stream has ended when the call returns, so that a stream needs no state,
 * and an event is the time at which it was recorded. */
#include <stdlib.h>
#include "runtime/cudart/rt.h"

enum { ATTRIBUTES = cudaStreamAttributePriority + 1 };
struct CUstream_st {
    unsigned flags;
    int priority;
    bool recorded;
    cudaStreamAttrValue attr[ATTRIBUTES];
    struct CUstream_st *next;
};
struct CUevent_st {
    unsigned flags;
    bool recorded, captured;
    double when;
    struct CUevent_st *next;
};
static struct CUstream_st *streams;
static struct CUevent_st *events;

static bool is_stream(cudaStream_t s)
{
    const struct CUstream_st *k = streams;
    while (k && k != s)
        k = k->next;
    return (uintptr_t)s <= 2 || k;          /* the default ones have numbers */
}

static bool is_event(cudaEvent_t e)
{
    const struct CUevent_st *k = events;
    while (k && k != e)
        k = k->next;
    return k;
}

static cudaError_t valid(cudaStream_t s)
{
    return is_stream(s) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* ---- recording a graph: a stream, and those that wait for events recorded in it ---- */

static cudaStream_t origin;                 /* where recording began */
static unsigned long long recordings;

bool rt_stream_recorded(cudaStream_t s)
{
    return rt_recording() && (uintptr_t)s > 2 && is_stream(s) && s->recorded;
}

static cudaGraph_t end_recording(bool *new)
{
    for (struct CUstream_st *k = streams; k; k = k->next)
        k->recorded = false;
    for (struct CUevent_st *k = events; k; k = k->next)
        k->captured = false;
    return rt_record_end(new);
}
void rt_record_drop(void)
{
    bool new;
    cudaGraph_t g = rt_recording() ? end_recording(&new) : NULL;
    if (g && new)
        cudaGraphDestroy(g);
}

static cudaError_t begin_recording(cudaStream_t s, cudaGraph_t g)
{
    if ((uintptr_t)s <= 2 || !is_stream(s))
        return rt_error(is_stream(s) ? cudaErrorStreamCaptureUnsupported
                                     : cudaErrorInvalidResourceHandle);
    if (rt_recording())                     /* one graph at a time */
        return rt_error(cudaErrorIllegalState);
    cudaError_t e = rt_record_begin(g);
    if (e == cudaSuccess)
        origin = s, s->recorded = true, recordings++;
    return rt_error(e);
}
cudaError_t cudaStreamBeginCapture(cudaStream_t s, enum cudaStreamCaptureMode mode)
{
    RT_BEGIN;
    (void)mode;
    return begin_recording(s, NULL);
}
/* What is recorded comes after all that the graph has. */
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t g,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t n,
                                          enum cudaStreamCaptureMode mode)
{
    RT_BEGIN;
    (void)edges, (void)mode;
    return g && (after || !n) ? begin_recording(s, g) : rt_error(cudaErrorInvalidValue);
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *g,
                                        const cudaGraphNode_t **after,
                                        const cudaGraphEdgeData **edges, size_t *n)
{
    RT_BEGIN;
    const cudaGraphNode_t *last;
    size_t nlast;
    bool is = rt_stream_recorded(s);
    cudaGraph_t graph = rt_recorded(&last, &nlast);
    if (!status)
        return rt_error(cudaErrorInvalidValue);
    *status = is ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (is && id)
        *id = recordings;
    if (is && g)
        *g = graph;
    if (is && after)
        *after = last;
    if (is && edges)
        *edges = NULL;
    if (is && n)
        *n = nlast;
    return rt_error(valid(s));
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
/* Each node comes after all that were there before it, whatever it is said to wait for. */
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t s, cudaGraphNode_t *after,
                                                   const cudaGraphEdgeData *edges, size_t n,
                                                   unsigned flags)
{
    RT_BEGIN;
    (void)edges;
    if ((!after && n) || flags > cudaStreamSetCaptureDependencies)
        return rt_error(cudaErrorInvalidValue);
    return rt_error(rt_stream_recorded(s) ? cudaSuccess : cudaErrorIllegalState);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *after, size_t n,
                                                unsigned flags)
{
    return cudaStreamUpdateCaptureDependencies_v2(s, after, NULL, n, flags);
}
/* Whoever gave the graph need not be told which it is. */
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *g)
{
    RT_BEGIN;
    if (!rt_recording() || s != origin)
        return rt_error(rt_recording() ? cudaErrorStreamCaptureUnmatched : cudaErrorIllegalState);
    bool new;
    cudaGraph_t made = end_recording(&new);
    if (g)
        *g = made;
    else if (new)
        cudaGraphDestroy(made);
    return rt_error(g || !new ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority)
{
    RT_BEGIN;
    if (!s || flags > cudaStreamNonBlocking)
        return rt_error(cudaErrorInvalidValue);
    struct CUstream_st *new = malloc(sizeof *new);
    if (!new)
        return rt_error(cudaErrorMemoryAllocation);
    *new = (struct CUstream_st){ .flags = flags, .priority = priority, .next = streams };
    *s = streams = new;
    return rt_error(rt_open());
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
    return cudaStreamCreateWithPriority(s, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t *s) { return cudaStreamCreateWithPriority(s, 0, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    RT_BEGIN;
    struct CUstream_st **k = &streams;
    while (*k && *k != s)
        k = &(*k)->next;
    if (!*k)
        return rt_error(cudaErrorInvalidResourceHandle);
    if (rt_recording() && s == origin)      /* nobody can end it any more */
        rt_record_drop();
    *k = s->next;
    free(s);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    RT_BEGIN;
    return rt_error(rt_stream_recorded(s) ? cudaErrorStreamCaptureUnsupported : valid(s));
}
cudaError_t cudaStreamQuery(cudaStream_t s) { return cudaStreamSynchronize(s); }
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
    RT_BEGIN;
    (void)flags;
    if (is_event(e) && e->captured && rt_recording() && (uintptr_t)s > 2 && is_stream(s))
        s->recorded = true;
    return rt_error(is_event(e) ? valid(s) : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *flags)
{
    RT_BEGIN;
    *flags = is_stream(s) && (uintptr_t)s > 2 ? s->flags : 0;
    return rt_error(valid(s));
}
cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority)
{
    RT_BEGIN;
    *priority = is_stream(s) && (uintptr_t)s > 2 ? s->priority : 0;
    return rt_error(valid(s));
}
/* Attributes are kept, and change nothing: there is no cache to be divided. */
static cudaStreamAttrValue *attribute(cudaStream_t s, cudaStreamAttrID id)
{
    static struct CUstream_st first;        /* for the default ones */
    bool known = id == cudaStreamAttributeAccessPolicyWindow ||
                 id == cudaStreamAttributeSynchronizationPolicy ||
                 id == cudaStreamAttributePriority;
    return !known || !is_stream(s) ? NULL : &((uintptr_t)s > 2 ? s : &first)->attr[id];
}
cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID id,
                                   const cudaStreamAttrValue *value)
{
    RT_BEGIN;
    cudaStreamAttrValue *a = attribute(s, id);
    if (!a || !value)
        return rt_error(cudaErrorInvalidValue);
    *a = *value;
    if (id == cudaStreamAttributePriority && (uintptr_t)s > 2)
        s->priority = value->priority;
    return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID id, cudaStreamAttrValue *value)
{
    RT_BEGIN;
    const cudaStreamAttrValue *a = attribute(s, id);
    if (!a || !value)
        return rt_error(cudaErrorInvalidValue);
    *value = *a;
    if (id == cudaStreamAttributePriority && (uintptr_t)s > 2)
        value->priority = s->priority;
    return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    RT_BEGIN;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    RT_BEGIN;
    /* As GPUs have it; one launch runs after the other, whatever its stream's. */
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, enum cudaStreamCaptureStatus *status)
{
    RT_BEGIN;
    *status = rt_stream_recorded(s) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return rt_error(valid(s));
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t fn, void *user,
                                  unsigned flags)
{
    {
        RT_BEGIN;
        (void)flags;
        if (!fn || !is_stream(s))
            return rt_error(fn ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
        if (rt_stream_recorded(s))
            return rt_error(cudaErrorStreamCaptureUnsupported);
    }
    fn(s, cudaSuccess, user);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t fn, void *user)
{
    {
        RT_BEGIN;
        if (!fn || !is_stream(s))
            return rt_error(fn ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
        if (rt_stream_recorded(s))
            return rt_error(rt_record_host(fn, user));
    }
    fn(user);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags)
{
    RT_BEGIN;
    struct CUevent_st *new = e && flags < 8 ? malloc(sizeof *new) : NULL;
    if (!new)
        return rt_error(e && flags < 8 ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    *new = (struct CUevent_st){ .flags = flags, .next = events };
    *e = events = new;
    return rt_error(rt_open());
}
cudaError_t cudaEventCreate(cudaEvent_t *e) { return cudaEventCreateWithFlags(e, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    RT_BEGIN;
    struct CUevent_st **k = &events;
    while (*k && *k != e)
        k = &(*k)->next;
    if (!*k)
        return rt_error(cudaErrorInvalidResourceHandle);
    *k = e->next;
    free(e);
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags)
{
    RT_BEGIN;
    (void)flags;
    if (!is_event(e) || !is_stream(s))
        return rt_error(cudaErrorInvalidResourceHandle);
    e->captured = rt_stream_recorded(s);
    if (e->captured)
        return cudaSuccess;
    e->recorded = true;
    e->when = rt_now();
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    return cudaEventRecordWithFlags(e, s, 0);
}
cudaError_t cudaEventQuery(cudaEvent_t e)
{
    RT_BEGIN;
    return rt_error(!is_event(e)  ? cudaErrorInvalidResourceHandle
                    : e->captured ? cudaErrorCapturedEvent
                                  : cudaSuccess);
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) { return cudaEventQuery(e); }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    RT_BEGIN;
    if (!is_event(from) || !is_event(to) || !from->recorded || !to->recorded ||
        (from->flags | to->flags) & cudaEventDisableTiming)
        return rt_error(cudaErrorInvalidResourceHandle);
    *ms = (float)((to->when - from->when) * 1e3);
    return cudaSuccess;
}
