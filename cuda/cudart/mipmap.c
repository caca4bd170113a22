/* Mipmapped arrays: one array for each level.  SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "cuda/cudart/rt.h"
#include "cuda/include/texture_types.h"

static struct cudaMipmappedArray *mipmaps;

bool rt_mipmap(const struct cudaMipmappedArray *m)
{
    const struct cudaMipmappedArray *k = mipmaps;
    while (k && k != m)
        k = k->next;
    return k;
}

static void drop(struct cudaMipmappedArray *m)
{
    for (unsigned k = 0; k < m->n; k++)
        rt_array_free(m->level[k]);
    free(m);
}

/* Layers and faces stay as many. */
static struct cudaExtent half(struct cudaExtent n, unsigned flags)
{
    bool whole = flags & (cudaArrayLayered | cudaArrayCubemap);
    return (struct cudaExtent){ n.width > 1 ? n.width / 2 : n.width,
                                n.height > 1 ? n.height / 2 : n.height,
                                n.depth > 1 && !whole ? n.depth / 2 : n.depth };
}
static bool smallest(struct cudaExtent n, unsigned flags)
{
    struct cudaExtent h = half(n, flags);
    return h.width == n.width && h.height == n.height && h.depth == n.depth;
}

/* As many levels as were asked for, but none below one element. */
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *to,
                                     const struct cudaChannelFormatDesc *desc, struct cudaExtent n,
                                     unsigned levels, unsigned flags)
{
    RT_BEGIN;
    struct cudaMipmappedArray *m = to && levels ? calloc(1, sizeof *m) : NULL;
    cudaError_t e = m ? cudaSuccess : to && levels ? cudaErrorMemoryAllocation
                                                   : cudaErrorInvalidValue;
    for (bool more = true; e == cudaSuccess && more && m->n < levels && m->n < RT_LEVELS;) {
        e = rt_array_new(&m->level[m->n], desc, n, flags, __builtin_return_address(0));
        if (e == cudaSuccess)
            m->level[m->n++]->level = true;
        more = !smallest(n, flags);
        n = half(n, flags);
    }
    if (e != cudaSuccess) {
        if (m)
            drop(m);
        return rt_error(e);
    }
    m->next = mipmaps;
    *to = mipmaps = m;
    return cudaSuccess;
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *to, cudaMipmappedArray_const_t m,
                                       unsigned level)
{
    RT_BEGIN;
    if (!to || !rt_mipmap(m) || level >= m->n)
        return rt_error(to && rt_mipmap(m) ? cudaErrorInvalidValue
                                           : cudaErrorInvalidResourceHandle);
    *to = m->level[level];
    return cudaSuccess;
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t m)
{
    RT_BEGIN;
    if (!m)
        return cudaSuccess;
    struct cudaMipmappedArray **k = &mipmaps;
    while (*k && *k != m)
        k = &(*k)->next;
    if (!*k)
        return rt_error(cudaErrorInvalidResourceHandle);
    *k = m->next;
    drop(m);
    return cudaSuccess;
}
