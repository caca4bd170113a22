/* Memory that graphs allocate and free.  Its address is the node's from the beginning, so what lies
 * there is kept as long as a graph or an instance has the node; whether it is allocated is a mark.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is still allocated when the last graph goes is the program's, as other memory is. */
#include <stdlib.h>
#include "cuda/cudart/rt.h"

struct rt_block {
    struct rt_owned owned;
    void *p;
    size_t bytes;
    bool live;                           /* allocated by a launch, and not freed since */
    bool gone;                           /* the device was reset */
    struct rt_block *next;
};
static struct rt_block *blocks;
static uint64_t high[2];                 /* most bytes allocated, and kept */

static void count(uint64_t now[2])
{
    now[0] = now[1] = 0;
    for (const struct rt_block *b = blocks; b; b = b->next)
        if (!b->gone)
            now[0] += b->live ? b->bytes : 0, now[1] += b->bytes;
    for (int k = 0; k < 2; k++)
        high[k] = now[k] > high[k] ? now[k] : high[k];
}

static void go(struct rt_owned *o)
{
    struct rt_block *b = (struct rt_block *)o, **k = &blocks;
    while (*k != b)
        k = &(*k)->next;
    *k = b->next;
    struct rt_buffer *buffer = b->gone ? NULL : rt_buffer((uintptr_t)b->p);
    if (buffer)
        buffer->block = NULL;
    if (buffer && !b->live)
        rt_buffer_free(b->p, false);
    free(b);
}

cudaError_t rt_block_new(struct rt_owns *to, size_t bytes, const void *site, void **p)
{
    uint64_t now[2];
    struct rt_block *b = bytes ? malloc(sizeof *b) : NULL;
    cudaError_t e = !bytes                    ? cudaErrorInvalidValue
                    : !b || bytes > SIZE_MAX - 3 ? cudaErrorMemoryAllocation
                                 : rt_buffer_new(RT_DEVICE, (bytes + 3) & ~(size_t)3, site, p);
    if (e != cudaSuccess) {
        free(b);
        return e;
    }
    *b = (struct rt_block){
        .owned.go = go, .p = *p, .bytes = (bytes + 3) & ~(size_t)3, .next = blocks
    };
    blocks = rt_buffer((uintptr_t)*p)->block = b;
    e = rt_own(to, &b->owned);
    count(now);
    return e;
}

static struct rt_block *find(const void *p)
{
    struct rt_block *b = blocks;
    while (b && (b->gone || b->p != p))
        b = b->next;
    return b;
}

bool rt_block(const void *p) { return find(p); }

cudaError_t rt_block_take(const void *p)
{
    uint64_t now[2];
    struct rt_block *b = find(p);
    if (!b || b->live)
        return cudaErrorInvalidValue;
    b->live = true;
    count(now);
    return cudaSuccess;
}

cudaError_t rt_block_return(const void *p)
{
    struct rt_block *b = find(p);
    if (!b || !b->live)
        return cudaErrorInvalidValue;
    b->live = false;
    return cudaSuccess;
}

void rt_blocks_return(const struct rt_owns *of)
{
    for (size_t k = 0; k < of->n; k++)
        ((struct rt_block *)of->all[k])->live = false;
}

void rt_blocks_forget(void)
{
    for (struct rt_block *b = blocks; b; b = b->next) {
        struct rt_buffer *buffer = b->gone ? NULL : rt_buffer((uintptr_t)b->p);
        if (buffer)
            buffer->block = NULL;
        b->gone = true;
    }
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    RT_BEGIN;
    uint64_t now[2];
    if (device || !value || (unsigned)attr > cudaGraphMemAttrReservedMemHigh)
        return rt_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    count(now);
    *(uint64_t *)value = attr % 2 ? high[attr / 2] : now[attr / 2];
    return cudaSuccess;
}
/* The highest begin anew. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    RT_BEGIN;
    if (device || !value || *(uint64_t *)value ||
        (attr != cudaGraphMemAttrUsedMemHigh && attr != cudaGraphMemAttrReservedMemHigh))
        return rt_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    high[attr / 2] = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGraphMemTrim(int device)
{
    RT_BEGIN;
    return rt_error(device ? cudaErrorInvalidDevice : cudaSuccess);
}
