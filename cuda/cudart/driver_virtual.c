/* The driver API's address ranges, and memory that is mapped into them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A range has memory of its own here, for the device has one address space.  So what is mapped
 * brings its contents along, and takes them with it when it is unmapped; it can be at one place at
 * a time.  A kernel that reads what nothing is mapped to reads the range's zeros: no fault. */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/driver.h"

enum { GRANULE = 2 << 20 };

struct range { uint64_t base, addr, bytes; struct range *next; };   /* base: the allocation's */
struct memory {
    CUmemGenericAllocationHandle handle;
    uint64_t bytes, addr;                   /* addr 0: it is mapped nowhere */
    unsigned long long access;
    void *contents;                         /* while it is mapped nowhere; NULL: zeros */
    bool released;
    struct memory *next;
};
static struct range *ranges;
static struct memory *memories;

static bool granules(uint64_t n) { return n && n % GRANULE == 0; }

static bool own_device(const CUmemLocation *l)
{
    return l->type == CU_MEM_LOCATION_TYPE_DEVICE && !l->id;
}

static bool usable(const CUmemAllocationProp *p)
{
    return p && p->type == CU_MEM_ALLOCATION_TYPE_PINNED && own_device(&p->location);
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags which)
{
    (void)which;
    if (!bytes || !usable(prop))
        return CUDA_ERROR_INVALID_VALUE;
    *bytes = GRANULE;
    return CUDA_SUCCESS;
}

/* Where it lies is ours to choose, whatever address is wished for. */
CUresult cuMemAddressReserve(CUdeviceptr *p, size_t bytes, size_t align, CUdeviceptr near,
                             unsigned long long flags)
{
    RT_HOLD;
    (void)near;
    if (align < GRANULE)
        align = GRANULE;
    if (!p || !granules(bytes) || align & (align - 1) || flags)
        return CUDA_ERROR_INVALID_VALUE;
    void *got = NULL;
    struct range *r = malloc(sizeof *r);
    if (!r || bytes > SIZE_MAX - align ||
        rt_buffer_new(RT_DEVICE, bytes + align, __builtin_return_address(0), &got) != cudaSuccess) {
        free(r);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    uint64_t base = (uintptr_t)got, addr = (base + align - 1) & ~(uint64_t)(align - 1);
    *r = (struct range){ base, addr, bytes, ranges };
    ranges = r;
    *p = addr;
    return CUDA_SUCCESS;
}

/* The first piece of memory that is mapped there; NULL: none is. */
static struct memory *mapped(uint64_t addr, uint64_t bytes)
{
    struct memory *m = memories;
    while (m && !(m->addr && m->addr < addr + bytes && addr < m->addr + m->bytes))
        m = m->next;
    return m;
}

/* Whether all of it is mapped, by whole pieces if `whole`. */
static bool all_mapped(uint64_t addr, uint64_t bytes, bool whole)
{
    uint64_t sum = 0;
    for (const struct memory *m = memories; m; m = m->next) {
        uint64_t from = m->addr > addr ? m->addr : addr, to = addr + bytes;
        if (!m->addr || m->addr >= to || m->addr + m->bytes <= addr)
            continue;
        to = m->addr + m->bytes < to ? m->addr + m->bytes : to;
        if (whole && to - from != m->bytes)
            return false;
        sum += to - from;
    }
    return bytes && sum == bytes;
}

CUresult cuMemAddressFree(CUdeviceptr p, size_t bytes)
{
    RT_HOLD;
    struct range **at = &ranges;
    while (*at && (*at)->addr != p)
        at = &(*at)->next;
    struct range *r = *at;
    if (!r || r->bytes != bytes || mapped(p, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    *at = r->next;
    CUresult e = answer(rt_buffer_free(DEVICE_POINTER(r->base), false));
    free(r);
    return e;
}

static struct memory **memory_of(CUmemGenericAllocationHandle handle)
{
    struct memory **at = &memories;
    while (*at && ((*at)->handle != handle || (*at)->released))
        at = &(*at)->next;
    return at;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *prop, unsigned long long flags)
{
    static CUmemGenericAllocationHandle last;
    RT_HOLD;
    if (!handle || !granules(bytes) || flags || !usable(prop))
        return CUDA_ERROR_INVALID_VALUE;
    if (prop->requestedHandleTypes) {
        rt_say("cuMemCreate: memory cannot be given to other processes");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    struct memory *m = calloc(1, sizeof *m);
    if (!m)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *m = (struct memory){ .handle = ++last, .bytes = bytes, .next = memories };
    memories = m;
    *handle = m->handle;
    return CUDA_SUCCESS;
}

/* Takes out what is neither mapped nor asked for any more. */
static void sweep(void)
{
    for (struct memory **at = &memories, *m; (m = *at);) {
        if (m->addr || !m->released) {
            at = &m->next;
            continue;
        }
        *at = m->next;
        free(m->contents);
        free(m);
    }
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    RT_HOLD;
    struct memory *m = *memory_of(handle);
    if (!m)
        return CUDA_ERROR_INVALID_VALUE;
    m->released = true;
    sweep();
    return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    RT_HOLD;
    struct memory *m = *memory_of(handle);
    const struct range *r = ranges;
    while (r && !(p >= r->addr && bytes <= r->bytes && p - r->addr <= r->bytes - bytes))
        r = r->next;
    if (!m || !r || !granules(bytes) || offset || bytes != m->bytes || flags || p % GRANULE ||
        mapped(p, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (m->addr) {
        rt_say("cuMemMap: memory can be mapped at one place at a time");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    cudaError_t e = m->contents
                        ? rt_copy(DEVICE_POINTER(p), m->contents, bytes, cudaMemcpyHostToDevice)
                        : rt_fill(DEVICE_POINTER(p), 0, bytes);
    if (e != cudaSuccess)
        return answer(e);
    free(m->contents);
    m->contents = NULL;
    m->addr = p;
    m->access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr p, size_t bytes)
{
    RT_HOLD;
    if (!all_mapped(p, bytes, true))
        return CUDA_ERROR_INVALID_VALUE;
    for (struct memory *m; (m = mapped(p, bytes)); m->addr = 0) {
        if (m->released)
            continue;
        if (!(m->contents = malloc(m->bytes)))
            return CUDA_ERROR_OUT_OF_MEMORY;
        cudaError_t e = rt_copy(m->contents, DEVICE_POINTER(m->addr), m->bytes,
                                cudaMemcpyDeviceToHost);
        if (e != cudaSuccess)
            return answer(e);
    }
    sweep();
    return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr p, size_t bytes, const CUmemAccessDesc *access, size_t n)
{
    RT_HOLD;
    if (!access || !all_mapped(p, bytes, true))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t k = 0; k < n; k++)
        if (!own_device(&access[k].location))
            return CUDA_ERROR_INVALID_VALUE;
    for (struct memory *m = memories; m; m = m->next)
        if (n && m->addr >= p && m->addr < p + bytes)
            m->access = (unsigned long long)access[n - 1].flags;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *where, CUdeviceptr p)
{
    RT_HOLD;
    const struct memory *m = mapped(p, 1);
    if (!flags || !where || !own_device(where) || !m)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = m->access;
    return CUDA_SUCCESS;
}
