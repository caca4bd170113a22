/* Device memory, managed memory, and host memory that kernels see.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory, and what cudaMallocHost gives, lies at one address for host and device: an
 * allocation of the device, and host memory mapped at that very address: below HD_ADDR_END the host
 * puts nothing by itself.  The contents go to the device before a launch and come
 * back after it.  Host memory does so only once a kernel was handed its address. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "cuda/cudart/rt.h"

enum { PAGE = 4096 };

struct rt_buffer *rt_buffer(uint64_t addr)
{
    size_t low = 0, high = rt.nbuffers;
    while (low < high) {
        size_t mid = (low + high) / 2;
        struct rt_buffer *b = &rt.buffers[mid];
        if (addr < b->addr)
            high = mid;
        else if (addr - b->addr < (b->bytes ? b->bytes : 1))
            return b;
        else
            low = mid + 1;
    }
    return NULL;
}

struct rt_buffer *rt_buffer_near(uint64_t addr, int64_t *off)
{
    struct rt_buffer *best = NULL;
    uint64_t nearest = UINT64_MAX;
    for (size_t k = 0; k < rt.nbuffers; k++) {
        struct rt_buffer *b = &rt.buffers[k];
        uint64_t end = b->addr + b->bytes, away = addr < b->addr ? b->addr - addr
                                                  : addr < end   ? 0
                                                                 : addr - end + 1;
        if (away < nearest && !b->registered) {
            nearest = away;
            best = b;
            *off = addr < end ? (int64_t)(addr - b->addr) : (int64_t)(addr - end);
        }
    }
    return best;
}

static cudaError_t insert(const struct rt_buffer *new)
{
    struct rt_buffer *grown = realloc(rt.buffers, (rt.nbuffers + 1) * sizeof *grown);
    if (!grown)
        return cudaErrorMemoryAllocation;
    size_t k = rt.nbuffers++;
    rt.buffers = grown;
    for (; k && grown[k - 1].addr > new->addr; k--)
        grown[k] = grown[k - 1];
    grown[k] = *new;
    grown[k].number = ++rt.allocations;
    return cudaSuccess;
}

/* Pinned memory for which the device's space has no room: the host's alone, as far as no kernel
 * asks for it. */
static cudaError_t host_alone(struct rt_buffer *b, void **out)
{
    void *got = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    b->addr = (uintptr_t)got;
    b->registered = b->apart = true;
    *out = got;
    return insert(b);
}

cudaError_t rt_buffer_new(enum rt_kind kind, size_t bytes, const void *site, void **out)
{
    struct rt_buffer b = {
        .bytes = bytes, .kind = kind, .shared = kind == RT_MANAGED, .site = site
    };
    size_t slack = kind == RT_DEVICE ? 0 : 2 * PAGE, pages = (bytes + PAGE - 1) / PAGE * PAGE;
    cudaError_t e = rt_open();
    if (e != cudaSuccess)
        return e;
    if (bytes > HD_ADDR_END ||
        hd_malloc(rt.dev, (bytes ? bytes : 1) + slack, &b.base) != HD_OK)
        return kind == RT_HOST ? host_alone(&b, out) : cudaErrorMemoryAllocation;
    b.addr = b.base;
    if (kind != RT_DEVICE) {
        b.addr = (b.base + PAGE - 1) / PAGE * PAGE;
        void *want = (void *)(uintptr_t)b.addr;
        void *got = mmap(want, pages ? pages : PAGE, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (got != want) {
            if (got != MAP_FAILED)
                munmap(got, pages ? pages : PAGE);
            hd_free(rt.dev, b.base);
            return kind == RT_HOST ? host_alone(&b, out) : cudaErrorMemoryAllocation;
        }
    }
    *out = (void *)(uintptr_t)b.addr;
    return insert(&b);
}

cudaError_t rt_buffer_register(void *p, size_t bytes, const void *site)
{
    struct rt_buffer b = {
        .addr = (uintptr_t)p, .bytes = bytes, .kind = RT_HOST, .registered = true, .site = site
    };
    return !p || !bytes        ? cudaErrorInvalidValue
           : rt_buffer(b.addr) ? cudaErrorHostMemoryAlreadyRegistered
                               : insert(&b);
}

cudaError_t rt_buffer_free(void *p, bool of_host)
{
    struct rt_buffer *b = rt_buffer((uintptr_t)p);
    if (!b || b->addr != (uintptr_t)p || (b->kind == RT_HOST) != of_host)
        return cudaErrorInvalidValue;
    if (b->block)
        return rt_block_return(p);
    if (!b->registered)
        hd_free(rt.dev, b->base);
    if (b->pool)
        rt_pool_returns(b->pool, b->bytes);
    if (b->kind != RT_DEVICE && (!b->registered || b->apart))
        munmap(p, (b->bytes + PAGE - 1) / PAGE * PAGE);
    size_t k = (size_t)(b - rt.buffers);
    memmove(b, b + 1, (--rt.nbuffers - k) * sizeof *b);
    return cudaSuccess;
}

void rt_buffer_share(uint64_t addr)
{
    struct rt_buffer *b = rt_buffer(addr);
    if (b && b->kind == RT_HOST && !b->registered)
        b->shared = true;
}

/* Variables of host and device: those of the module in use; another's keep what they hold on the
 * device. */
static cudaError_t vars(bool out)
{
    for (struct rt_var *v = rt.vars; v; v = v->next) {
        uint64_t addr;
        size_t bytes;
        if (v->managed && v->module->image)
            rt_var_begin(v);
        if (!v->managed || !v->module->image || rt_var_place(v, &addr, &bytes) != cudaSuccess)
            continue;
        enum hd_status s = out ? hd_write(rt.dev, addr, v->host, v->bytes)
                               : hd_read(rt.dev, addr, (void *)(uintptr_t)v->host, v->bytes);
        if (s != HD_OK)
            return cudaErrorUnknown;
    }
    return cudaSuccess;
}

static cudaError_t contents(bool out)
{
    for (size_t k = 0; k < rt.nbuffers; k++) {
        const struct rt_buffer *b = &rt.buffers[k];
        void *host = (void *)(uintptr_t)b->addr;
        if (!b->shared)
            continue;
        enum hd_status s = out ? hd_write(rt.dev, b->addr, host, b->bytes)
                               : hd_read(rt.dev, b->addr, host, b->bytes);
        if (s != HD_OK)
            return cudaErrorUnknown;
    }
    return vars(out);
}

cudaError_t rt_shared_out(void) { return contents(true); }
cudaError_t rt_shared_in(void) { return contents(false); }
