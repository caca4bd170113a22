/* Launches from kernels (compiler/children.h): made when the grid that asked for them has ended,
 * in the order in which it did, each with its own children before the next.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/children.h"
#include "cuda/cudart/rt.h"

static uint32_t nested;                  /* of the grid that runs or begins: 0 for the host's */

/* Where the image in use has its struct hd_children; false: its kernels launch nothing. */
static bool place(uint64_t *addr)
{
    size_t bytes;
    return hd_symbol(rt.dev, CHILDREN_SYMBOL, addr, &bytes) == HD_OK &&
           bytes == sizeof(struct hd_children);
}

static int by_entry(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

cudaError_t rt_children_begin(const struct rt_module *m)
{
    uint64_t addr;
    uint32_t n = m->image->nkernels;
    struct hd_children_head head = { .depth = nested, .nkernels = n };
    if (!place(&addr))
        return cudaSuccess;
    if (n > CHILDREN_KERNELS) {
        rt_say("device code whose kernels launch others has %u kernels, more than %d", n,
               CHILDREN_KERNELS);
        return cudaErrorInvalidDeviceFunction;
    }
    size_t most = rt_limit(cudaLimitDevRuntimePendingLaunchCount);
    head.most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    struct hd_children_kernel *table = calloc(n ? n : 1, sizeof *table);
    if (!table)
        return cudaErrorMemoryAllocation;
    for (uint32_t k = 0; k < n; k++) {
        table[k].entry = m->image->kernels[k].entry;
        table[k].params = m->image->kernels[k].params_size;
    }
    qsort(table, n, sizeof *table, by_entry);
    enum hd_status s = hd_write(rt.dev, addr, &head, sizeof head);
    if (s == HD_OK && n)
        s = hd_write(rt.dev, addr + offsetof(struct hd_children, kernel), table,
                     n * sizeof *table);
    free(table);
    return rt_of_status(s);
}

static int by_ticket(const void *a, const void *b)
{
    struct hd_child *const *x = a, *const *y = b;
    bool x_last = (*x)->stream == CHILDREN_TAIL, y_last = (*y)->stream == CHILDREN_TAIL;
    return x_last != y_last ? x_last - y_last
                            : ((*x)->ticket > (*y)->ticket) - ((*x)->ticket < (*y)->ticket);
}

static cudaError_t run(struct rt_module *m, const struct hd_child *c)
{
    const struct hd_image *img = m->image;
    struct hd_child_copy copy;
    uint32_t k = 0;
    if (c->kind != CHILD_KERNEL) {
        if (c->params != sizeof copy)
            return cudaErrorInvalidValue;
        memcpy(&copy, c + 1, sizeof copy);
        void *dst = (void *)(uintptr_t)copy.dst, *src = (void *)(uintptr_t)copy.src;
        return c->kind == CHILD_FILL ? rt_fill(dst, (int)copy.src, copy.bytes)
                                     : rt_copy(dst, src, copy.bytes, cudaMemcpyDefault);
    }
    while (k < img->nkernels && img->kernels[k].entry != c->function)
        k++;
    if (k == img->nkernels)
        return cudaErrorInvalidDeviceFunction;
    struct rt_function *f = rt_function_named(m, img->kernels[k].name);
    cudaError_t e = rt_kernel(f);
    return e != cudaSuccess ? e
                            : rt_launch(f, (dim3){ c->grid[0], c->grid[1], c->grid[2] },
                                        (dim3){ c->block[0], c->block[1], c->block[2] }, c + 1,
                                        c->shared);
}

/* The records that were launched, in order; how many.  A record is as a kernel left it: it may be
 * anything. */
static size_t sorted(char *data, uint32_t bytes, struct hd_child **list)
{
    size_t n = 0;
    for (uint32_t at = 0; bytes - at >= sizeof(struct hd_child);) {
        struct hd_child *c = (struct hd_child *)(void *)(data + at);
        if (c->bytes < sizeof *c || c->bytes % 16 || c->bytes > bytes - at)
            break;                       /* the first that there was no room for */
        if (c->ticket && c->params <= c->bytes - sizeof *c)
            list[n++] = c;
        at += c->bytes;
    }
    qsort(list, n, sizeof *list, by_ticket);
    return n;
}

cudaError_t rt_children_run(struct rt_module *m)
{
    static const uint32_t none[2];
    uint64_t addr;
    uint32_t used;
    cudaError_t e = cudaSuccess;
    if (!place(&addr))
        return cudaSuccess;
    if (hd_read(rt.dev, addr, &used, sizeof used) != HD_OK)
        return cudaErrorUnknown;
    if (!used)
        return cudaSuccess;
    uint32_t bytes = used < CHILDREN_BYTES ? used : CHILDREN_BYTES;
    char *data = malloc(bytes);
    struct hd_child **list = malloc((bytes / sizeof **list + 1) * sizeof *list);
    uint64_t from = addr + offsetof(struct hd_children, data);
    if (!data || !list)
        e = cudaErrorMemoryAllocation;
    else if (hd_read(rt.dev, from, data, bytes) != HD_OK ||
             hd_write(rt.dev, addr, none, sizeof none) != HD_OK)
        e = cudaErrorUnknown;
    size_t n = e == cudaSuccess ? sorted(data, bytes, list) : 0;
    nested++;
    for (size_t k = 0; k < n && e == cudaSuccess; k++)
        e = run(m, list[k]);
    nested--;
    free(list);
    free(data);
    return e;
}
