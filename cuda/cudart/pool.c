/* Pools of device memory.  What is freed is free at once, so a pool is a count of what came out of
 * it, and holds nothing else.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "cuda/cudart/rt.h"

struct CUmemPoolHandle_st {
    uint64_t threshold, used, high;      /* bytes; the highest since it was asked to begin anew */
    size_t most;                         /* 0: all that the device has */
    int reuse[3];                        /* how streams may share: they need not */
    bool gone;                           /* and nothing but its allocations is left of it */
    struct CUmemPoolHandle_st *next;
};
#define REUSE { 1, 1, 1 }
static struct CUmemPoolHandle_st first = { .reuse = REUSE }, *pools = &first;
static struct CUmemPoolHandle_st *current = &first;

static struct CUmemPoolHandle_st *pool_of(cudaMemPool_t pool)
{
    struct CUmemPoolHandle_st *p = pools;
    while (p && (p != pool || p->gone))
        p = p->next;
    return p;
}

/* Of one that is gone, when its last allocation is free. */
static void drop(struct CUmemPoolHandle_st *p)
{
    struct CUmemPoolHandle_st **k = &pools;
    while (*k != p)
        k = &(*k)->next;
    *k = p->next;
    free(p);
}

void rt_pool_returns(cudaMemPool_t p, size_t bytes)
{
    p->used -= bytes;
    if (p->gone && !p->used)
        drop(p);
}

cudaError_t rt_pool_takes(cudaMemPool_t p, struct rt_buffer *b)
{
    if (p->most && (b->bytes > p->most || p->used > p->most - b->bytes))
        return cudaErrorMemoryAllocation;
    b->pool = p;
    p->used += b->bytes;
    p->high = p->used > p->high ? p->used : p->high;
    return cudaSuccess;
}

cudaMemPool_t rt_pool(cudaMemPool_t pool) { return pool_of(pool ? pool : current); }

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *p)
{
    RT_BEGIN;
    if (!pool || !p || p->allocType != cudaMemAllocationTypePinned ||
        p->location.type != cudaMemLocationTypeDevice)
        return rt_error(cudaErrorInvalidValue);
    if (p->location.id)
        return rt_error(cudaErrorInvalidDevice);
    if (p->handleTypes) {
        rt_say("cudaMemPoolCreate: memory cannot be shared with other processes");
        return rt_error(cudaErrorNotSupported);
    }
    struct CUmemPoolHandle_st *new = malloc(sizeof *new);
    if (!new)
        return rt_error(cudaErrorMemoryAllocation);
    *new = (struct CUmemPoolHandle_st){ .most = p->maxSize, .reuse = REUSE, .next = pools };
    *pool = pools = new;
    return rt_error(rt_open());
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    RT_BEGIN;
    struct CUmemPoolHandle_st *p = pool_of(pool);
    if (!p || p == &first)
        return rt_error(cudaErrorInvalidValue);
    if (current == p)
        current = &first;
    p->gone = true;
    if (!p->used)
        drop(p);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    RT_BEGIN;
    if (!pool)
        return rt_error(cudaErrorInvalidValue);
    *pool = &first;
    return rt_error(device ? cudaErrorInvalidDevice : cudaSuccess);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    RT_BEGIN;
    if (!pool)
        return rt_error(cudaErrorInvalidValue);
    *pool = current;
    return rt_error(device ? cudaErrorInvalidDevice : cudaSuccess);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    RT_BEGIN;
    struct CUmemPoolHandle_st *p = pool_of(pool);
    if (device || !p)
        return rt_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    current = p;
    return cudaSuccess;
}

/* One of the three ways of sharing; NULL: another attribute. */
static int *reuse_of(struct CUmemPoolHandle_st *p, enum cudaMemPoolAttr attr)
{
    return attr >= cudaMemPoolReuseFollowEventDependencies &&
                   attr <= cudaMemPoolReuseAllowInternalDependencies
               ? &p->reuse[attr - cudaMemPoolReuseFollowEventDependencies]
               : NULL;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    RT_BEGIN;
    struct CUmemPoolHandle_st *p = pool_of(pool);
    if (!p || !value)
        return rt_error(cudaErrorInvalidValue);
    int *reuse = reuse_of(p, attr);
    switch (attr) {
    case cudaMemPoolAttrReleaseThreshold: p->threshold = *(uint64_t *)value; return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:         /* they begin anew from what there is */
    case cudaMemPoolAttrUsedMemHigh:
        if (*(uint64_t *)value)
            return rt_error(cudaErrorInvalidValue);
        p->high = p->used;
        return cudaSuccess;
    default:
        if (!reuse)
            return rt_error(cudaErrorInvalidValue);
        *reuse = *(int *)value;
        return cudaSuccess;
    }
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    RT_BEGIN;
    struct CUmemPoolHandle_st *p = pool_of(pool);
    if (!p || !value)
        return rt_error(cudaErrorInvalidValue);
    const int *reuse = reuse_of(p, attr);
    switch (attr) {
    case cudaMemPoolAttrReleaseThreshold: *(uint64_t *)value = p->threshold; return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent: *(uint64_t *)value = p->used; return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: *(uint64_t *)value = p->high; return cudaSuccess;
    default:
        if (!reuse)
            return rt_error(cudaErrorInvalidValue);
        *(int *)value = *reuse;
        return cudaSuccess;
    }
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    RT_BEGIN;
    (void)keep;
    return rt_error(pool_of(pool) ? cudaSuccess : cudaErrorInvalidValue);
}
/* The one device reads and writes all of them. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t n)
{
    RT_BEGIN;
    bool ok = pool_of(pool) && (list || !n);
    for (size_t k = 0; ok && k < n; k++)
        ok = list[k].location.type == cudaMemLocationTypeDevice && !list[k].location.id &&
             list[k].flags == cudaMemAccessFlagsProtReadWrite;
    return rt_error(ok ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *where)
{
    RT_BEGIN;
    if (!flags || !pool_of(pool) || !where || where->type != cudaMemLocationTypeDevice || where->id)
        return rt_error(cudaErrorInvalidValue);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}
