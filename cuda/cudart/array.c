/* Arrays, which textures and surfaces are made of, and copies to and from them.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/rt.h"
#include "cuda/include/texture_types.h"

static struct cudaArray *arrays;

bool rt_array(cudaArray_const_t a)
{
    const struct cudaArray *k = arrays;
    while (k && k != a)
        k = k->next;
    return k;
}

unsigned rt_channels(const struct cudaChannelFormatDesc *d, unsigned *bits)
{
    const int each[] = { d->x, d->y, d->z, d->w };
    unsigned n = 0;
    while (n < 4 && each[n])
        n++;
    for (unsigned k = 0; k < 4; k++)
        if (each[k] != (k < n ? d->x : 0))
            return 0;
    *bits = (unsigned)d->x;
    bool integer = d->f == cudaChannelFormatKindSigned || d->f == cudaChannelFormatKindUnsigned;
    bool known = (d->x == 8 && integer) || ((d->x == 16 || d->x == 32) &&
                                            (integer || d->f == cudaChannelFormatKindFloat));
    return known && n != 3 ? n : 0;
}

/* Rows and layers, and memory for them. */
cudaError_t rt_array_new(cudaArray_t *to, const struct cudaChannelFormatDesc *desc,
                         struct cudaExtent n, unsigned flags, const void *site)
{
    unsigned bits = 0, channels = desc ? rt_channels(desc, &bits) : 0;
    bool layered = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap;
    if (!to)
        return cudaErrorInvalidValue;
    *to = NULL;
    if (!channels || !n.width || (n.depth && !n.height && !layered) || (layered && !n.depth) ||
        (cube && (n.width != n.height || n.depth % 6 || !n.depth)) ||
        flags & ~(unsigned)(cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                            cudaArrayTextureGather))
        return cudaErrorInvalidValue;
    struct cudaArray *a = calloc(1, sizeof *a);
    if (!a)
        return cudaErrorMemoryAllocation;
    *a = (struct cudaArray){ .desc = *desc, .extent = n, .flags = flags, .next = arrays,
                             .element = channels * bits / 8, .width = n.width,
                             .height = n.height ? n.height : 1, .depth = n.depth ? n.depth : 1 };
    a->row = rt_times(a->width, a->element);
    a->slice = rt_times(a->row, a->height);
    void *data = NULL;
    cudaError_t e = rt_buffer_new(RT_DEVICE, rt_times(a->slice, a->depth), site, &data);
    a->data = data;
    if (e != cudaSuccess) {
        free(a);
        return e;
    }
    *to = arrays = a;
    return cudaSuccess;
}

#define SITE __builtin_return_address(0)

cudaError_t cudaMallocArray(cudaArray_t *a, const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned flags)
{
    RT_BEGIN;
    return rt_error(rt_array_new(a, desc, (struct cudaExtent){ width, height, 0 }, flags, SITE));
}
cudaError_t cudaMalloc3DArray(cudaArray_t *a, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent n, unsigned flags)
{
    RT_BEGIN;
    return rt_error(rt_array_new(a, desc, n, flags, SITE));
}
cudaError_t rt_array_free(cudaArray_t a)
{
    struct cudaArray **k = &arrays;
    while (*k && *k != a)
        k = &(*k)->next;
    if (!*k)
        return cudaErrorInvalidResourceHandle;
    *k = a->next;
    rt_buffer_free(a->data, false);
    free(a);
    return cudaSuccess;
}
cudaError_t cudaFreeArray(cudaArray_t a)
{
    RT_BEGIN;
    if (!a)
        return cudaSuccess;
    bool level = rt_array(a) && a->level;   /* it goes with its mipmap */
    return rt_error(level ? cudaErrorInvalidResourceHandle : rt_array_free(a));
}
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t a)
{
    RT_BEGIN;
    if (!rt_array(a))
        return rt_error(cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = a->desc;
    if (extent)
        *extent = a->extent;
    if (flags)
        *flags = a->flags;
    return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t a)
{
    RT_BEGIN;
    if (!rt_array(a))
        return rt_error(cudaErrorInvalidResourceHandle);
    *desc = a->desc;
    return cudaSuccess;
}
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){ x, y, z, w, f };
}

/* ---- copies: x in bytes, as their API has it ---- */

/* Where a rectangle lies; NULL: outside. */
static char *within(cudaArray_const_t a, size_t x, size_t y, size_t width, size_t height)
{
    bool ok = rt_array(a) && x <= a->row && width <= a->row - x && y <= a->height * a->depth &&
              height <= a->height * a->depth - y;
    return ok ? a->data + y * a->row + x : NULL;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t a, size_t x, size_t y, const void *src, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    RT_BEGIN;
    char *to = within(a, x, y, width, height);
    return rt_error(to ? rt_copy_rows(to, a->row, src, pitch, width, height, kind)
                       : cudaErrorInvalidValue);
}
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t a, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind)
{
    RT_BEGIN;
    const char *from = within(a, x, y, width, height);
    return rt_error(from ? rt_copy_rows(dst, pitch, from, a->row, width, height, kind)
                         : cudaErrorInvalidValue);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t tx, size_t ty, cudaArray_const_t from,
                                     size_t fx, size_t fy, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    RT_BEGIN;
    char *dst = within(to, tx, ty, width, height);
    const char *src = within(from, fx, fy, width, height);
    return rt_error(dst && src ? rt_copy_rows(dst, to->row, src, from->row, width, height, kind)
                               : cudaErrorInvalidValue);
}

/* Bytes from one place on, over the ends of rows. */
static char *onward(cudaArray_const_t a, size_t x, size_t y, size_t bytes)
{
    if (!rt_array(a) || x > a->row || y > a->height)
        return NULL;
    return bytes <= a->slice * a->depth - (x + y * a->row) ? a->data + y * a->row + x : NULL;
}
cudaError_t cudaMemcpyToArray(cudaArray_t a, size_t x, size_t y, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    RT_BEGIN;
    char *to = onward(a, x, y, bytes);
    return rt_error(to ? rt_copy(to, src, bytes, kind) : cudaErrorInvalidValue);
}
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t a, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{
    RT_BEGIN;
    const char *from = onward(a, x, y, bytes);
    return rt_error(from ? rt_copy(dst, from, bytes, kind) : cudaErrorInvalidValue);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t tx, size_t ty, cudaArray_const_t from,
                                   size_t fx, size_t fy, size_t bytes, enum cudaMemcpyKind kind)
{
    RT_BEGIN;
    char *dst = onward(to, tx, ty, bytes);
    const char *src = onward(from, fx, fy, bytes);
    return rt_error(dst && src ? rt_copy(dst, src, bytes, kind) : cudaErrorInvalidValue);
}

/* Recorded, a rectangle's place is counted in elements. */
static cudaError_t record_box(cudaStream_t s, cudaArray_const_t a, bool to, size_t x, size_t y,
                              struct cudaPitchedPtr p, enum cudaMemcpyKind kind)
{
    if (!within(a, x, y, p.xsize, p.ysize))
        return rt_error(cudaErrorInvalidValue);
    struct cudaMemcpy3DParms box = { .extent = { p.xsize / a->element, p.ysize, 1 }, .kind = kind };
    struct cudaPos at = { x / a->element, y, 0 };
    *(to ? &box.dstArray : &box.srcArray) = (cudaArray_t)(uintptr_t)a;
    *(to ? &box.dstPos : &box.srcPos) = at;
    *(to ? &box.srcPtr : &box.dstPtr) = p;
    return rt_error(rt_record_box(s, &box));
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t a, size_t x, size_t y, const void *src,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t s)
{
    struct cudaPitchedPtr p = { (void *)(uintptr_t)src, pitch, width, height };
    return rt_stream_recorded(s) ? record_box(s, a, true, x, y, p, kind)
                                 : cudaMemcpy2DToArray(a, x, y, src, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t a, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t s)
{
    struct cudaPitchedPtr p = { dst, pitch, width, height };
    return rt_stream_recorded(s) ? record_box(s, a, false, x, y, p, kind)
                                 : cudaMemcpy2DFromArray(dst, pitch, a, x, y, width, height, kind);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t a, size_t x, size_t y, const void *src, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t s)
{
    char *to = onward(a, x, y, bytes);
    return to ? cudaMemcpyAsync(to, src, bytes, kind, s) : rt_error(cudaErrorInvalidValue);
}
cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t a, size_t x, size_t y,
                                     size_t bytes, enum cudaMemcpyKind kind, cudaStream_t s)
{
    const char *from = onward(a, x, y, bytes);
    return from ? cudaMemcpyAsync(dst, from, bytes, kind, s) : rt_error(cudaErrorInvalidValue);
}
