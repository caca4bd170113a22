/* Copies and fills: between any two places, in one, two and three dimensions.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory is read and written where the host has it: between launches that is where its
 * contents are. */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/rt.h"

/* Whether these bytes are on the device alone; *e: where they begin there, but do not end. */
static bool on_device(const void *p, size_t bytes, cudaError_t *e)
{
    const struct rt_buffer *b = rt_buffer((uintptr_t)p);
    if (b && b->kind != RT_HOST && bytes > b->bytes - ((uintptr_t)p - b->addr))
        *e = cudaErrorInvalidValue;
    return b && b->kind == RT_DEVICE;
}

/* An address of the device's space that belongs to nobody cannot be the host's either. */
static bool nobody(const void *p)
{
    uintptr_t a = (uintptr_t)p;
    return a < HD_ADDR_END && a >= LAUNCH_DATA && rt.dev && !rt_buffer(a);
}

/* A variable's place, as rt_var_address gave it, is no buffer. */
static bool in_data(const void *p)
{
    uintptr_t a = (uintptr_t)p;
    return (a >= LAUNCH_DATA && a < (uint64_t)LAUNCH_DATA + LAUNCH_DATA_MAX) || rt_use_constants(a);
}

static bool to_device(void *dst, const void *src, size_t bytes)
{
    return hd_write(rt.dev, (uintptr_t)dst, src, bytes) == HD_OK;
}

static bool from_device(void *dst, const void *src, size_t bytes)
{
    return hd_read(rt.dev, (uintptr_t)src, dst, bytes) == HD_OK;
}

static bool within_device(void *dst, const void *src, size_t bytes)
{
    void *through = malloc(bytes);
    bool ok = through && from_device(through, src, bytes) && to_device(dst, through, bytes);
    free(through);
    return ok;
}

cudaError_t rt_copy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t e = rt_open();
    if (e != cudaSuccess || !bytes)
        return e;
    bool d = on_device(dst, bytes, &e) || in_data(dst),
         s = on_device(src, bytes, &e) || in_data(src);
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (e != cudaSuccess || !dst || !src || (!d && nobody(dst)) || (!s && nobody(src)))
        return cudaErrorInvalidValue;
    bool wants_d = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool wants_s = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind != cudaMemcpyDefault &&
        ((wants_d && !d && !rt_buffer((uintptr_t)dst)) ||
         (wants_s && !s && !rt_buffer((uintptr_t)src)) || (d && !wants_d) || (s && !wants_s)))
        return cudaErrorInvalidValue;
    bool ok = true;
    if (d && s)
        ok = within_device(dst, src, bytes);
    else if (d)
        ok = to_device(dst, src, bytes);
    else if (s)
        ok = from_device(dst, src, bytes);
    else
        memmove(dst, src, bytes);
    return ok ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t rt_copy_rows(char *dst, size_t dpitch, const char *src, size_t spitch, size_t width,
                             size_t height, enum cudaMemcpyKind kind)
{
    cudaError_t e = cudaSuccess;
    if (width > dpitch || width > spitch)
        return cudaErrorInvalidPitchValue;
    if (width == dpitch && width == spitch)
        return rt_copy(dst, src, rt_times(width, height), kind);
    for (size_t y = 0; y < height && e == cudaSuccess; y++)
        e = rt_copy(dst + y * dpitch, src + y * spitch, width, kind);
    return e;
}

cudaError_t rt_fill(void *to, int value, size_t bytes)
{
    char *p = to;
    cudaError_t e = rt_open();
    if (e != cudaSuccess || !bytes)
        return e;
    bool d = on_device(p, bytes, &e) || in_data(p);
    if (e != cudaSuccess || (!d && !rt_buffer((uintptr_t)p)))
        return cudaErrorInvalidValue;
    if (!d) {
        memset(p, value, bytes);
        return cudaSuccess;
    }
    char piece[65536];
    memset(piece, value, sizeof piece);
    for (size_t n; bytes; p += n, bytes -= n) {
        n = bytes < sizeof piece ? bytes : sizeof piece;
        if (!to_device(p, piece, n))
            return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

/* ---- the API ---- */

cudaError_t cudaMemcpy(void *dst, const void *src, size_t n, enum cudaMemcpyKind k)
{
    RT_BEGIN;
    return rt_error(rt_copy(dst, src, n, k));
}
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n, enum cudaMemcpyKind k,
                            cudaStream_t s)
{
    if (!rt_stream_recorded(s))
        return cudaMemcpy(dst, src, n, k);
    RT_BEGIN;
    return rt_error(rt_record_copy(s, dst, src, n, k));
}
cudaError_t cudaMemcpyPeer(void *dst, int to, const void *src, int from, size_t n)
{
    return cudaMemcpyPeerAsync(dst, to, src, from, n, NULL);
}
cudaError_t cudaMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t n,
                                cudaStream_t s)
{
    return to || from ? rt_error(cudaErrorInvalidDevice)
                      : cudaMemcpyAsync(dst, src, n, cudaMemcpyDeviceToDevice, s);
}
cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t w,
                         size_t h, enum cudaMemcpyKind k)
{
    RT_BEGIN;
    return rt_error(rt_copy_rows(dst, dpitch, src, spitch, w, h, k));
}
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t w,
                              size_t h, enum cudaMemcpyKind k, cudaStream_t s)
{
    if (!rt_stream_recorded(s))
        return cudaMemcpy2D(dst, dpitch, src, spitch, w, h, k);
    RT_BEGIN;
    return rt_error(rt_record_box(s, &(struct cudaMemcpy3DParms){
        .srcPtr = { (void *)(uintptr_t)src, spitch, w, h },
        .dstPtr = { dst, dpitch, w, h }, .extent = { w, h, 1 }, .kind = k }));
}

/* One side of a copy in three dimensions: memory, or an array, whose place is counted in elements.
 * */
struct side { char *at; size_t pitch, slice, element; };

static cudaError_t side_of(cudaArray_t a, const struct cudaPitchedPtr *p, const struct cudaPos *at,
                           struct side *s)
{
    if (!a == !p->ptr || (a && !rt_array(a)))
        return cudaErrorInvalidValue;
    *s = a ? (struct side){ a->data, a->row, a->slice, a->element }
           : (struct side){ p->ptr, p->pitch, p->pitch * p->ysize, 1 };
    s->at += at->x * s->element + at->y * s->pitch + at->z * s->slice;
    return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    struct side from, to;
    RT_BEGIN;
    cudaError_t e = side_of(p->srcArray, &p->srcPtr, &p->srcPos, &from);
    if (e == cudaSuccess)
        e = side_of(p->dstArray, &p->dstPtr, &p->dstPos, &to);
    size_t element = p->srcArray && e == cudaSuccess ? from.element : p->dstArray ? to.element : 1;
    for (size_t z = 0; e == cudaSuccess && z < (p->extent.depth ? p->extent.depth : 1); z++)
        e = rt_copy_rows(to.at + z * to.slice, to.pitch, from.at + z * from.slice, from.pitch,
                         p->extent.width * element, p->extent.height ? p->extent.height : 1,
                             p->kind);
    return rt_error(e);
}
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t s)
{
    return rt_stream_recorded(s) ? rt_error(rt_record_box(s, p)) : cudaMemcpy3D(p);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t s)
{
    if (!p || p->srcDevice || p->dstDevice)
        return rt_error(p ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    struct cudaMemcpy3DParms one = { p->srcArray, p->srcPos, p->srcPtr, p->dstArray, p->dstPos,
                                     p->dstPtr,   p->extent, cudaMemcpyDeviceToDevice };
    return cudaMemcpy3DAsync(&one, s);
}
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return cudaMemcpy3DPeerAsync(p, NULL);
}

/* To or from a variable; `on`: the variable's side. */
static cudaError_t symbol(const void *host, size_t offset, size_t bytes, void *to, const void *from)
{
    uint64_t addr;
    size_t size;
    const struct rt_var *v = rt_var(host);
    cudaError_t e = v ? rt_var_place(v, &addr, &size) : cudaErrorInvalidSymbol;
    if (e != cudaSuccess)
        return e;
    if (offset > size || bytes > size - offset)
        return cudaErrorInvalidValue;
    const void *other = to ? to : from;
    bool device = on_device(other, bytes, &e), ok;
    void *through = device ? malloc(bytes + 1) : NULL;
    if (e != cudaSuccess || (device && !through))
        return cudaErrorInvalidValue;
    if (to) {
        ok = hd_read(rt.dev, addr + offset, device ? through : to, bytes) == HD_OK &&
             (!device || to_device(to, through, bytes));
        if (v->managed)
            memcpy(to, (const char *)host + offset, bytes);
    } else {
        ok = (!device || from_device(through, from, bytes)) &&
             hd_write(rt.dev, addr + offset, device ? through : from, bytes) == HD_OK;
        if (v->managed)
            memcpy((char *)(uintptr_t)host + offset, from, bytes);
    }
    free(through);
    return ok ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemcpyToSymbol(const void *sym, const void *src, size_t n, size_t off,
                               enum cudaMemcpyKind k)
{
    RT_BEGIN;
    return rt_error(k == cudaMemcpyDeviceToHost ? cudaErrorInvalidMemcpyDirection
                                                : symbol(sym, off, n, NULL, src));
}
cudaError_t cudaMemcpyToSymbolAsync(const void *sym, const void *src, size_t n, size_t off,
                                    enum cudaMemcpyKind k, cudaStream_t s)
{
    return rt_stream_recorded(s) ? rt_error(rt_record_symbol(s, NULL, src, sym, n, off, k))
                                 : cudaMemcpyToSymbol(sym, src, n, off, k);
}
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *sym, size_t n, size_t off,
                                 enum cudaMemcpyKind k)
{
    RT_BEGIN;
    return rt_error(k == cudaMemcpyHostToDevice ? cudaErrorInvalidMemcpyDirection
                                                : symbol(sym, off, n, dst, NULL));
}
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *sym, size_t n, size_t off,
                                      enum cudaMemcpyKind k, cudaStream_t s)
{
    return rt_stream_recorded(s) ? rt_error(rt_record_symbol(s, dst, NULL, sym, n, off, k))
                                 : cudaMemcpyFromSymbol(dst, sym, n, off, k);
}

cudaError_t cudaGetSymbolAddress(void **p, const void *sym)
{
    RT_BEGIN;
    uint64_t addr;
    size_t bytes;
    const struct rt_var *v = rt_var(sym);
    cudaError_t e = v ? rt_var_address(v, &addr, &bytes) : cudaErrorInvalidSymbol;
    if (e == cudaSuccess)
        *p = (void *)(uintptr_t)addr;
    return rt_error(e);
}
cudaError_t cudaGetSymbolSize(size_t *n, const void *sym)
{
    RT_BEGIN;
    const struct rt_var *v = rt_var(sym);
    if (v)
        *n = v->bytes;
    return rt_error(v ? cudaSuccess : cudaErrorInvalidSymbol);
}

cudaError_t cudaMemset(void *p, int value, size_t n)
{
    RT_BEGIN;
    return rt_error(rt_fill(p, value, n));
}
cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s)
{
    return rt_stream_recorded(s) ? cudaMemset2DAsync(p, n, value, n, 1, s)
                                 : cudaMemset(p, value, n);
}
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t w, size_t h)
{
    RT_BEGIN;
    cudaError_t e = w > pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
    for (size_t y = 0; y < h && e == cudaSuccess; y++)
        e = rt_fill((char *)p + y * pitch, value, w);
    return rt_error(e);
}
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t w, size_t h, cudaStream_t s)
{
    if (!rt_stream_recorded(s))
        return cudaMemset2D(p, pitch, value, w, h);
    RT_BEGIN;
    return rt_error(rt_record_fill(s, &(struct cudaMemsetParams){
        p, pitch, (unsigned)value & 255, 1, w, h }));
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent n,
                              cudaStream_t s)
{
    cudaError_t e = cudaSuccess;
    for (size_t z = 0; z < n.depth && e == cudaSuccess; z++)
        e = cudaMemset2DAsync((char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, n.width,
                              n.height, s);
    return e;
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent n)
{
    return cudaMemset3DAsync(p, value, n, NULL);
}
