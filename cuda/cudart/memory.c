/* Allocation, and questions about memory.  SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cudart/rt.h"

#define SITE __builtin_return_address(0)
enum { PITCH = 256 };

static cudaError_t allocate(enum rt_kind kind, void **p, size_t bytes, const void *site)
{
    if (!p)
        return cudaErrorInvalidValue;
    *p = NULL;
    /* Whole words: an atomic addition to a half goes by the word that holds it. */
    return !bytes            ? cudaSuccess
           : bytes > ~(size_t)3 ? cudaErrorMemoryAllocation
                             : rt_buffer_new(kind, (bytes + 3) & ~(size_t)3, site, p);
}

cudaError_t cudaMalloc(void **p, size_t n)
{
    RT_BEGIN;
    return rt_error(allocate(RT_DEVICE, p, n, SITE));
}
static cudaError_t allocate_from(cudaMemPool_t pool, void **p, size_t n, const void *site)
{
    cudaError_t e = pool ? allocate(RT_DEVICE, p, n, site) : cudaErrorInvalidValue;
    if (e == cudaSuccess && n && (e = rt_pool_takes(pool, rt_buffer((uintptr_t)*p))) != cudaSuccess)
        rt_buffer_free(*p, false), *p = NULL;
    return e;
}
/* From the device's pool of the moment. */
cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t s)
{
    RT_BEGIN;
    return rt_error(rt_stream_recorded(s) ? rt_record_alloc(s, p, n, SITE)
                                          : allocate_from(rt_pool(NULL), p, n, SITE));
}
cudaError_t cudaMallocFromPoolAsync(void **p, size_t n, cudaMemPool_t pool, cudaStream_t s)
{
    RT_BEGIN;
    if (!pool)
        return rt_error(cudaErrorInvalidValue);
    return rt_error(rt_stream_recorded(s) ? rt_record_alloc(s, p, n, SITE)
                                          : allocate_from(rt_pool(pool), p, n, SITE));
}
cudaError_t cudaMallocHost(void **p, size_t n)
{
    RT_BEGIN;
    return rt_error(allocate(RT_HOST, p, n, SITE));
}
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned flags)
{
    RT_BEGIN;
    cudaError_t e = flags & ~7u ? cudaErrorInvalidValue : allocate(RT_HOST, p, n, SITE);
    if (e == cudaSuccess && flags & cudaHostAllocMapped)
        rt_buffer_share((uintptr_t)*p);
    return rt_error(e);
}
cudaError_t cudaMallocManaged(void **p, size_t n, unsigned flags)
{
    RT_BEGIN;
    return rt_error(!n || !flags || flags > 2 ? cudaErrorInvalidValue
                                              : allocate(RT_MANAGED, p, n, SITE));
}
/* Of a row this wide; SIZE_MAX: it is too wide. */
static size_t pitch_of(size_t w)
{
    return w > SIZE_MAX - PITCH ? SIZE_MAX : (w + PITCH - 1) / PITCH * PITCH;
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t w, size_t h)
{
    RT_BEGIN;
    if (!p || !pitch)
        return rt_error(cudaErrorInvalidValue);
    *pitch = pitch_of(w);
    return rt_error(allocate(RT_DEVICE, p, rt_times(*pitch, h), SITE));
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent n)
{
    RT_BEGIN;
    if (!p)
        return rt_error(cudaErrorInvalidValue);
    *p = (struct cudaPitchedPtr){
        .pitch = pitch_of(n.width), .xsize = n.width, .ysize = n.height
    };
    size_t bytes = rt_times(rt_times(p->pitch, n.height), n.depth);
    return rt_error(allocate(RT_DEVICE, &p->ptr, bytes, SITE));
}

cudaError_t cudaFree(void *p)
{
    RT_BEGIN;
    return rt_error(p ? rt_buffer_free(p, false) : rt_open());
}
cudaError_t cudaFreeAsync(void *p, cudaStream_t s)
{
    RT_BEGIN;
    return rt_stream_recorded(s) ? rt_error(rt_record_free(s, p)) : cudaFree(p);
}
cudaError_t cudaFreeHost(void *p)
{
    RT_BEGIN;
    return rt_error(p ? rt_buffer_free(p, true) : cudaSuccess);
}

cudaError_t cudaHostRegister(void *p, size_t n, unsigned flags)
{
    RT_BEGIN;
    (void)flags;
    return rt_error(rt_buffer_register(p, n, SITE));
}
cudaError_t cudaHostUnregister(void *p)
{
    RT_BEGIN;
    struct rt_buffer *b = rt_buffer((uintptr_t)p);
    return rt_error(b && b->registered && !b->apart ? rt_buffer_free(p, true)
                                                    : cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    RT_BEGIN;
    struct rt_buffer *b = rt_buffer((uintptr_t)host);
    (void)flags;
    if (!b || b->kind == RT_DEVICE)
        return rt_error(cudaErrorInvalidValue);
    if (b->registered) {
        rt_say(
            b->apart
                ? "cudaHostGetDevicePointer: there is no room for this memory on the device"
                : "cudaHostGetDevicePointer: kernels cannot see memory that cudaHostRegister was "
                  "given; "
                  "cudaHostAlloc gives memory that they can");
        return rt_error(cudaErrorNotSupported);
    }
    rt_buffer_share((uintptr_t)host);
    *device = host;
    return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    RT_BEGIN;
    struct rt_buffer *b = rt_buffer((uintptr_t)host);
    *flags = cudaHostAllocMapped;
    return rt_error(b && b->kind == RT_HOST ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    RT_BEGIN;
    size_t used = 0;
    const cudaError_t e = rt_open();
    *total = e == cudaSuccess ? hd_memory(rt.dev) : 0;
    for (size_t k = 0; k < rt.nbuffers; k++)
        used += rt.buffers[k].registered ? 0 : rt.buffers[k].bytes;
    *left = *total > used ? *total - used : 0;
    return rt_error(e);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
    RT_BEGIN;
    const struct rt_buffer *b = rt_buffer((uintptr_t)p);
    bool host = !b || b->kind == RT_HOST;
    *a = (struct cudaPointerAttributes){
        .type = !b                     ? cudaMemoryTypeUnregistered
                : host                 ? cudaMemoryTypeHost
                : b->kind == RT_DEVICE ? cudaMemoryTypeDevice
                                       : cudaMemoryTypeManaged,
        .device = b ? 0 : cudaInvalidDeviceId,
        .devicePointer = b && !b->registered ? (void *)(uintptr_t)p : NULL,
        .hostPointer = b && b->kind == RT_DEVICE ? NULL : (void *)(uintptr_t)p
    };
    return cudaSuccess;
}

/* Advice is kept, and changes nothing here: memory has one place, and every byte of it the same
 * cost. */
static struct rt_buffer *managed(const void *p)
{
    struct rt_buffer *b = rt_buffer((uintptr_t)p);
    return b && b->kind == RT_MANAGED ? b : NULL;
}
cudaError_t cudaMemAdvise(const void *p, size_t n, enum cudaMemoryAdvise advice, int device)
{
    RT_BEGIN;
    struct rt_buffer *b = managed(p);
    (void)n;
    if (!b)
        return rt_error(cudaErrorInvalidValue);
    switch (advice) {
    case cudaMemAdviseSetReadMostly: case cudaMemAdviseUnsetReadMostly:
        b->advice.read_mostly = advice == cudaMemAdviseSetReadMostly;
        break;
    case cudaMemAdviseSetPreferredLocation: case cudaMemAdviseUnsetPreferredLocation:
        b->advice.prefers = advice == cudaMemAdviseSetPreferredLocation;
        b->advice.preferred = device;
        break;
    case cudaMemAdviseSetAccessedBy: case cudaMemAdviseUnsetAccessedBy:
        b->advice.accessed = advice == cudaMemAdviseSetAccessedBy;
        break;
    }
    return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device, cudaStream_t s)
{
    RT_BEGIN;
    struct rt_buffer *b = managed(p);
    (void)s, (void)n;
    if (!b)
        return rt_error(cudaErrorInvalidValue);
    b->advice.prefetched = true, b->advice.last = device;
    return cudaSuccess;
}
/* Places have kinds since CUDA 12.2. */
static int device_of(struct cudaMemLocation where)
{
    return where.type == cudaMemLocationTypeDevice ? where.id : cudaCpuDeviceId;
}
cudaError_t cudaMemAdvise_v2(const void *p, size_t n, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation where)
{
    return cudaMemAdvise(p, n, advice, device_of(where));
}
cudaError_t cudaMemPrefetchAsync_v2(const void *p, size_t n, struct cudaMemLocation where,
                                    unsigned flags, cudaStream_t s)
{
    (void)flags;
    return cudaMemPrefetchAsync(p, n, device_of(where), s);
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t n, unsigned flags)
{
    RT_BEGIN;
    (void)s, (void)n, (void)flags;
    return rt_error(managed(p) ? cudaSuccess : cudaErrorInvalidValue);
}

static int type_of_place(bool known, int device)
{
    return !known ? cudaMemLocationTypeInvalid
           : device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
}
/* Of the whole buffer that it begins in. */
cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, enum cudaMemRangeAttribute attr,
                                     const void *p, size_t n)
{
    RT_BEGIN;
    const struct rt_buffer *b = managed(p);
    int *to = data;
    if (!b || !data || !n || size < sizeof *to || size % sizeof *to)
        return rt_error(cudaErrorInvalidValue);
    int preferred = b->advice.prefers ? b->advice.preferred : cudaInvalidDeviceId;
    int last = b->advice.prefetched ? b->advice.last : cudaInvalidDeviceId;
    switch (attr) {
    case cudaMemRangeAttributeReadMostly: *to = b->advice.read_mostly; break;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId: *to = preferred; break;
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId: *to = last; break;
    case cudaMemRangeAttributePreferredLocationType:
        *to = type_of_place(b->advice.prefers, preferred);
        break;
    case cudaMemRangeAttributeLastPrefetchLocationType:
        *to = type_of_place(b->advice.prefetched, last);
        break;
    case cudaMemRangeAttributeAccessedBy:
        for (size_t k = 0; k < size / sizeof *to; k++)
            to[k] = !k && b->advice.accessed ? 0 : cudaInvalidDeviceId;
        break;
    default: return rt_error(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes, enum cudaMemRangeAttribute *attrs,
                                      size_t n, const void *p, size_t bytes)
{
    cudaError_t e = data && sizes && attrs && n ? cudaSuccess : rt_error(cudaErrorInvalidValue);
    for (size_t k = 0; k < n && e == cudaSuccess; k++)
        e = cudaMemRangeGetAttribute(data[k], sizes[k], attrs[k], p, bytes);
    return e;
}
