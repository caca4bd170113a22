/* Streams and events.  SPDX-License-Identifier: Apache-2.0
 *
 * Whatever is put into a stream has ended when the call returns, so that a stream needs no state,
 * and an event is the time at which it was recorded. */
#include <stdlib.h>
#include "cuda/cudart/stream.h"

struct CUstream_st *rt_streams;
struct CUevent_st *rt_events;

bool rt_stream(cudaStream_t s)
{
    const struct CUstream_st *k = rt_streams;
    while (k && k != s)
        k = k->next;
    return (uintptr_t)s <= 2 || k;          /* the default ones have numbers */
}

bool rt_event(cudaEvent_t e)
{
    const struct CUevent_st *k = rt_events;
    while (k && k != e)
        k = k->next;
    return k;
}

static cudaError_t valid(cudaStream_t s)
{
    return rt_stream(s) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static unsigned long long ids = 2;          /* those of the default ones are their numbers */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority)
{
    RT_BEGIN;
    if (!s || flags > cudaStreamNonBlocking)
        return rt_error(cudaErrorInvalidValue);
    struct CUstream_st *new = malloc(sizeof *new);
    if (!new)
        return rt_error(cudaErrorMemoryAllocation);
    *new = (struct CUstream_st){ .flags = flags, .priority = priority,
                                 .id = ++ids, .next = rt_streams };
    *s = rt_streams = new;
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
    struct CUstream_st **k = &rt_streams;
    while (*k && *k != s)
        k = &(*k)->next;
    if (!*k)
        return rt_error(cudaErrorInvalidResourceHandle);
    if (rt_recorded() && s == rt_record_origin)     /* nobody can end it any more */
        rt_record_drop();
    *k = s->next;
    rt_nodes_drop(&s->after);
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
    if (!rt_event(e) || !rt_stream(s))
        return rt_error(cudaErrorInvalidResourceHandle);
    if (flags & cudaEventWaitExternal && rt_stream_recorded(s))
        return rt_error(rt_record_event(s, e, true));
    if (!e->captured || !rt_recorded() || (uintptr_t)s <= 2)
        return cudaSuccess;
    s->recorded = true;
    return rt_error(rt_nodes_add(&s->after, e->after.all, e->after.n));
}
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *flags)
{
    RT_BEGIN;
    *flags = rt_stream(s) && (uintptr_t)s > 2 ? s->flags : 0;
    return rt_error(valid(s));
}
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id)
{
    RT_BEGIN;
    if (!id || !rt_stream(s))
        return rt_error(id ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *id = (uintptr_t)s > 2 ? s->id : (uintptr_t)s;
    return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t s, int *device)
{
    RT_BEGIN;
    if (!device)
        return rt_error(cudaErrorInvalidValue);
    *device = 0;
    return rt_error(valid(s));
}
cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority)
{
    RT_BEGIN;
    *priority = rt_stream(s) && (uintptr_t)s > 2 ? s->priority : 0;
    return rt_error(valid(s));
}
/* Attributes are kept, and change nothing: there is no cache to be divided. */
static cudaStreamAttrValue *attribute(cudaStream_t s, cudaStreamAttrID id)
{
    static struct CUstream_st first;        /* for the default ones */
    bool known = id == cudaStreamAttributeAccessPolicyWindow ||
                 id == cudaStreamAttributeSynchronizationPolicy ||
                 id == cudaStreamAttributePriority;
    return !known || !rt_stream(s) ? NULL : &((uintptr_t)s > 2 ? s : &first)->attr[id];
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
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    static const cudaStreamAttrID all[] = { cudaStreamAttributeAccessPolicyWindow,
                                            cudaStreamAttributeSynchronizationPolicy,
                                            cudaStreamAttributePriority };
    cudaError_t e = cudaSuccess;
    for (size_t k = 0; e == cudaSuccess && k < sizeof all / sizeof *all; k++) {
        cudaStreamAttrValue v;
        e = cudaStreamGetAttribute(from, all[k], &v);
        if (e == cudaSuccess)
            e = cudaStreamSetAttribute(to, all[k], &v);
    }
    return e;
}
/* One recording at a time, which forbids other streams nothing: the mode is kept, and no more. */
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    static _Thread_local enum cudaStreamCaptureMode now = cudaStreamCaptureModeGlobal;
    RT_BEGIN;
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
        return rt_error(cudaErrorInvalidValue);
    enum cudaStreamCaptureMode old = now;
    now = *mode, *mode = old;
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
        if (!fn || !rt_stream(s))
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
        if (!fn || !rt_stream(s))
            return rt_error(fn ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
        if (rt_stream_recorded(s))
            return rt_error(rt_record_host(s, fn, user));
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
    *new = (struct CUevent_st){ .flags = flags, .next = rt_events };
    *e = rt_events = new;
    return rt_error(rt_open());
}
cudaError_t cudaEventCreate(cudaEvent_t *e) { return cudaEventCreateWithFlags(e, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    RT_BEGIN;
    struct CUevent_st **k = &rt_events;
    while (*k && *k != e)
        k = &(*k)->next;
    if (!*k)
        return rt_error(cudaErrorInvalidResourceHandle);
    *k = e->next;
    rt_nodes_drop(&e->after);
    free(e);
    return cudaSuccess;
}
cudaError_t rt_event_record(cudaEvent_t e)
{
    if (!rt_event(e))
        return cudaErrorInvalidResourceHandle;
    e->recorded = true;
    e->when = rt_now();
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags)
{
    RT_BEGIN;
    if (!rt_event(e) || !rt_stream(s))
        return rt_error(cudaErrorInvalidResourceHandle);
    bool in_graph = rt_stream_recorded(s);
    if (in_graph && flags & cudaEventRecordExternal)
        return rt_error(rt_record_event(s, e, false));
    rt_nodes_drop(&e->after);
    e->captured = in_graph;
    return rt_error(in_graph ? rt_nodes_add(&e->after, s->after.all, s->after.n)
                             : rt_event_record(e));
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    return cudaEventRecordWithFlags(e, s, 0);
}
cudaError_t cudaEventQuery(cudaEvent_t e)
{
    RT_BEGIN;
    return rt_error(!rt_event(e)  ? cudaErrorInvalidResourceHandle
                    : e->captured ? cudaErrorCapturedEvent
                                  : cudaSuccess);
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) { return cudaEventQuery(e); }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    RT_BEGIN;
    if (!rt_event(from) || !rt_event(to) || !from->recorded || !to->recorded ||
        (from->flags | to->flags) & cudaEventDisableTiming)
        return rt_error(cudaErrorInvalidResourceHandle);
    *ms = (float)((to->when - from->when) * 1e3);
    return cudaSuccess;
}
