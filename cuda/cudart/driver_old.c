/* The driver API of CUDA 3.1, whose names have no version: addresses and sizes have 32 bits.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs that were built with its header ask libcuda.so.1 for these names.  An address that has
 * more bits is not given out. */
#include "cuda/cudart/driver.h"
#include "cuda/include/cuda_texture.h"

typedef unsigned address, size;

static size narrow(size_t n) { return n > UINT32_MAX ? UINT32_MAX : (size)n; }

/* Memory that was just made, if its address can be given out. */
static CUresult given(CUresult e, const CUdeviceptr *p, address *to)
{
    if (e != CUDA_SUCCESS)
        return e;
    *to = (address)*p;
    if (*to == *p)
        return CUDA_SUCCESS;
    cuMemFree(*p);
    return CUDA_ERROR_OUT_OF_MEMORY;
}
/* What is there already; each of both may be NULL.  By address, since a call that is an argument
 * may come after what it sets. */
static CUresult found(CUresult e, const CUdeviceptr *p, const size_t *bytes, address *to, size *n)
{
    if (e == CUDA_SUCCESS && p && *p > UINT32_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    if (e == CUDA_SUCCESS && p && to)
        *to = (address)*p;
    if (e == CUDA_SUCCESS && bytes && n)
        *n = narrow(*bytes);
    return e;
}

CALL(cuDeviceTotalMem, (size *bytes, CUdevice device))
{
    size_t n = 0;
    CUresult e = bytes ? cuDeviceTotalMem(&n, device) : CUDA_ERROR_INVALID_VALUE;
    return found(e, NULL, &n, NULL, bytes);
}
CALL(cuMemGetInfo, (size *free_bytes, size *total))
{
    size_t n = 0, all = 0;
    CUresult e = cuMemGetInfo(&n, &all);
    return found(found(e, NULL, &n, NULL, free_bytes), NULL, &all, NULL, total);
}
CALL(cuMemAlloc, (address *p, size bytes))
{
    CUdeviceptr at = 0;
    return p ? given(cuMemAlloc(&at, bytes), &at, p) : CUDA_ERROR_INVALID_VALUE;
}
CALL(cuMemAllocPitch, (address *p, size *pitch, size width, size height, unsigned element))
{
    CUdeviceptr at = 0;
    size_t row = 0;
    if (!p || !pitch)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult e = cuMemAllocPitch(&at, &row, width, height, element);
    *pitch = narrow(row);
    return given(e, &at, p);
}
CALL(cuMemAllocHost, (void **p, size bytes)) { return cuMemAllocHost(p, bytes); }
CALL(cuMemFree, (address p)) { return cuMemFree(p); }
CALL(cuMemGetAddressRange, (address *base, size *bytes, address p))
{
    CUdeviceptr at = 0;
    size_t n = 0;
    return found(cuMemGetAddressRange(&at, &n, p), &at, &n, base, bytes);
}
CALL(cuMemHostGetDevicePointer, (address *p, void *host, unsigned flags))
{
    CUdeviceptr at = 0;
    return p ? found(cuMemHostGetDevicePointer(&at, host, flags), &at, NULL, p, NULL)
             : CUDA_ERROR_INVALID_VALUE;
}
CALL(cuModuleGetGlobal, (address *p, size *bytes, CUmodule m, const char *name))
{
    CUdeviceptr at = 0;
    size_t n = 0;
    return found(cuModuleGetGlobal(&at, &n, m, name), &at, &n, p, bytes);
}
CALL(cuMemcpyHtoD, (address to, const void *from, size n)) { return cuMemcpyHtoD(to, from, n); }
CALL(cuMemcpyDtoH, (void *to, address from, size n)) { return cuMemcpyDtoH(to, from, n); }
CALL(cuMemcpyDtoD, (address to, address from, size n)) { return cuMemcpyDtoD(to, from, n); }
CALL(cuMemcpyHtoDAsync, (address to, const void *from, size n, CUstream s))
{
    return cuMemcpyHtoDAsync(to, from, n, s);
}
CALL(cuMemcpyDtoHAsync, (void *to, address from, size n, CUstream s))
{
    return cuMemcpyDtoHAsync(to, from, n, s);
}
CALL(cuMemcpyDtoDAsync, (address to, address from, size n, CUstream s))
{
    return cuMemcpyDtoDAsync(to, from, n, s);
}
CALL(cuMemcpyHtoA, (CUarray a, size at, const void *from, size n))
{
    return cuMemcpyHtoA(a, at, from, n);
}
CALL(cuMemcpyAtoH, (void *to, CUarray a, size at, size n)) { return cuMemcpyAtoH(to, a, at, n); }
CALL(cuMemcpyDtoA, (CUarray a, size at, address from, size n))
{
    return cuMemcpyDtoA(a, at, from, n);
}
CALL(cuMemcpyAtoD, (address to, CUarray a, size at, size n)) { return cuMemcpyAtoD(to, a, at, n); }
CALL(cuMemcpyAtoA, (CUarray dst, size to, CUarray src, size from, size n))
{
    return cuMemcpyAtoA(dst, to, src, from, n);
}
CALL(cuMemcpyHtoAAsync, (CUarray a, size at, const void *from, size n, CUstream s))
{
    return cuMemcpyHtoAAsync(a, at, from, n, s);
}
CALL(cuMemcpyAtoHAsync, (void *to, CUarray a, size at, size n, CUstream s))
{
    return cuMemcpyAtoHAsync(to, a, at, n, s);
}
CALL(cuMemsetD8, (address p, unsigned char v, size n)) { return cuMemsetD8(p, v, n); }
CALL(cuMemsetD16, (address p, unsigned short v, size n)) { return cuMemsetD16(p, v, n); }
CALL(cuMemsetD32, (address p, unsigned v, size n)) { return cuMemsetD32(p, v, n); }
CALL(cuMemsetD2D8, (address p, size pitch, unsigned char v, size w, size h))
{
    return cuMemsetD2D8(p, pitch, v, w, h);
}
CALL(cuMemsetD2D16, (address p, size pitch, unsigned short v, size w, size h))
{
    return cuMemsetD2D16(p, pitch, v, w, h);
}
CALL(cuMemsetD2D32, (address p, size pitch, unsigned v, size w, size h))
{
    return cuMemsetD2D32(p, pitch, v, w, h);
}

/* Arrays and boxes. */
struct plane { size Width, Height; CUarray_format Format; unsigned NumChannels; };
struct solid { size Width, Height, Depth; CUarray_format Format; unsigned NumChannels, Flags; };
CALL(cuArrayCreate, (CUarray *a, const struct plane *d))
{
    if (!d)
        return CUDA_ERROR_INVALID_VALUE;
    return cuArrayCreate(a, &(CUDA_ARRAY_DESCRIPTOR){ d->Width, d->Height, d->Format,
                                                      d->NumChannels });
}
CALL(cuArray3DCreate, (CUarray *a, const struct solid *d))
{
    if (!d)
        return CUDA_ERROR_INVALID_VALUE;
    return cuArray3DCreate(a, &(CUDA_ARRAY3D_DESCRIPTOR){
        d->Width, d->Height, d->Depth, d->Format, d->NumChannels, d->Flags });
}
CALL(cuArrayGetDescriptor, (struct plane *d, CUarray a))
{
    CUDA_ARRAY_DESCRIPTOR all;
    CUresult e = d ? cuArrayGetDescriptor(&all, a) : CUDA_ERROR_INVALID_VALUE;
    if (e == CUDA_SUCCESS)
        *d = (struct plane){ narrow(all.Width), narrow(all.Height), all.Format, all.NumChannels };
    return e;
}
CALL(cuArray3DGetDescriptor, (struct solid *d, CUarray a))
{
    CUDA_ARRAY3D_DESCRIPTOR all;
    CUresult e = d ? cuArray3DGetDescriptor(&all, a) : CUDA_ERROR_INVALID_VALUE;
    if (e == CUDA_SUCCESS)
        *d = (struct solid){ narrow(all.Width), narrow(all.Height), narrow(all.Depth), all.Format,
                             all.NumChannels, all.Flags };
    return e;
}
struct copy2 {                      /* in one: the pitch and what follows share a word of 64 bits */
    size from_x, from_y;
    CUmemorytype from_type;
    const void *from_host;
    address from_device;
    CUarray from_array;
    size from_pitch, to_x, to_y;
    CUmemorytype to_type;
    void *to_host;
    address to_device;
    CUarray to_array;
    size to_pitch, width, height;
};
static CUDA_MEMCPY2D wide2(const struct copy2 *c)
{
    return (CUDA_MEMCPY2D){
        c->from_x, c->from_y, c->from_type, c->from_host, c->from_device, c->from_array,
        c->from_pitch, c->to_x, c->to_y, c->to_type, c->to_host, c->to_device, c->to_array,
        c->to_pitch, c->width, c->height };
}
CALL(cuMemcpy2D, (const struct copy2 *c))
{
    CUDA_MEMCPY2D w = c ? wide2(c) : (CUDA_MEMCPY2D){ 0 };
    return cuMemcpy2D(c ? &w : NULL);
}
CALL(cuMemcpy2DUnaligned, (const struct copy2 *c)) { return as_cuMemcpy2D(c); }
CALL(cuMemcpy2DAsync, (const struct copy2 *c, CUstream s))
{
    CUDA_MEMCPY2D w = c ? wide2(c) : (CUDA_MEMCPY2D){ 0 };
    return cuMemcpy2DAsync(c ? &w : NULL, s);
}
struct end3 {
    size x, y, z, level;
    CUmemorytype type;
    char *host;
    address device;
    CUarray array;
    void *reserved;
    size pitch, height;
};
struct copy3 { struct end3 src, dst; size width, height, depth; };
static CUDA_MEMCPY3D wide3(const struct copy3 *c)
{
    const struct end3 *f = &c->src, *t = &c->dst;
    return (CUDA_MEMCPY3D){
        f->x, f->y, f->z, f->level, f->type, f->host, f->device, f->array, NULL, f->pitch,
        f->height, t->x, t->y, t->z, t->level, t->type, t->host, t->device, t->array, NULL,
        t->pitch, t->height, c->width, c->height, c->depth };
}
CALL(cuMemcpy3D, (const struct copy3 *c))
{
    CUDA_MEMCPY3D w = c ? wide3(c) : (CUDA_MEMCPY3D){ 0 };
    return cuMemcpy3D(c ? &w : NULL);
}
CALL(cuMemcpy3DAsync, (const struct copy3 *c, CUstream s))
{
    CUDA_MEMCPY3D w = c ? wide3(c) : (CUDA_MEMCPY3D){ 0 };
    return cuMemcpy3DAsync(c ? &w : NULL, s);
}
CALL(cuTexRefSetAddress, (size *offset, CUtexref t, address p, size bytes))
{
    size_t n = 0;
    return found(cuTexRefSetAddress(&n, t, p, bytes), NULL, &n, NULL, offset);
}
CALL(cuTexRefGetAddress, (address *p, CUtexref t))
{
    CUdeviceptr at = 0;
    return found(cuTexRefGetAddress(&at, t), &at, NULL, p, NULL);
}
CALL(cuTexRefSetAddress2D, (CUtexref t, const struct plane *d, address p, size pitch))
{
    if (!d)
        return CUDA_ERROR_INVALID_VALUE;
    return cuTexRefSetAddress2D(t, &(CUDA_ARRAY_DESCRIPTOR){ d->Width, d->Height, d->Format,
                                                             d->NumChannels }, p, pitch);
}
