/* The driver API's copies of rows and slices, between memory and arrays.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cudart/driver.h"
#include "cuda/include/cuda_texture.h"

#define ARRAY(a) ((cudaArray_t)(void *)(a))

/* One side of a copy of boxes: where it begins, bytes to the next row and slice. */
struct box { char *at; size_t pitch, slice; bool host; };

static CUresult box(struct box *b, CUmemorytype type, const void *host, CUdeviceptr device,
                    CUarray array, size_t pitch, size_t rows, size_t x, size_t y, size_t z,
                    const CUDA_MEMCPY3D *c)
{
    if (type == CU_MEMORYTYPE_ARRAY) {
        const struct cudaArray *a = ARRAY(array);
        if (!rt_array(a))
            return CUDA_ERROR_INVALID_HANDLE;
        if (x > a->row || c->WidthInBytes > a->row - x || y > a->height ||
            c->Height > a->height - y || z > a->depth || c->Depth > a->depth - z)
            return CUDA_ERROR_INVALID_VALUE;
        *b = (struct box){ a->data, a->row, a->slice, false };
    } else {
        pitch = pitch ? pitch : c->WidthInBytes;
        *b = (struct box){ type == CU_MEMORYTYPE_HOST ? (char *)(uintptr_t)host
                                                      : (char *)(uintptr_t)device,
                           pitch, pitch * (rows ? rows : c->Height), type == CU_MEMORYTYPE_HOST };
        if (type < CU_MEMORYTYPE_HOST || type > CU_MEMORYTYPE_UNIFIED || !b->at ||
            (pitch < c->WidthInBytes && c->Height > 1))
            return CUDA_ERROR_INVALID_VALUE;
    }
    b->at += x + y * b->pitch + z * b->slice;
    return CUDA_SUCCESS;
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c)
{
    RT_HOLD;
    struct box from, to;
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    if (rt.sticky)
        return (CUresult)rt.sticky;
    CUresult e = box(&from, c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch,
                     c->srcHeight, c->srcXInBytes, c->srcY, c->srcZ, c);
    if (e == CUDA_SUCCESS)
        e = box(&to, c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch,
                c->dstHeight, c->dstXInBytes, c->dstY, c->dstZ, c);
    enum cudaMemcpyKind kind = c->srcMemoryType == CU_MEMORYTYPE_UNIFIED ||
                               c->dstMemoryType == CU_MEMORYTYPE_UNIFIED ? cudaMemcpyDefault
        : e != CUDA_SUCCESS ? cudaMemcpyDefault
        : from.host ? to.host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice
        : to.host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
    size_t depth = c->WidthInBytes && c->Height ? c->Depth : 0;
    for (size_t z = 0; e == CUDA_SUCCESS && z < depth; z++)
        e = (CUresult)rt_copy_rows(to.at + z * to.slice, to.pitch, from.at + z * from.slice,
                                   from.pitch, c->WidthInBytes, c->Height, kind);
    return e;
}
static CUDA_MEMCPY3D slice(const CUDA_MEMCPY2D *c)
{
    return (CUDA_MEMCPY3D){
        .srcXInBytes = c->srcXInBytes, .srcY = c->srcY, .srcMemoryType = c->srcMemoryType,
        .srcHost = c->srcHost, .srcDevice = c->srcDevice, .srcArray = c->srcArray,
        .srcPitch = c->srcPitch, .dstXInBytes = c->dstXInBytes, .dstY = c->dstY,
        .dstMemoryType = c->dstMemoryType, .dstHost = c->dstHost, .dstDevice = c->dstDevice,
        .dstArray = c->dstArray, .dstPitch = c->dstPitch, .WidthInBytes = c->WidthInBytes,
        .Height = c->Height, .Depth = 1
    };
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c)
{
    CUDA_MEMCPY3D three = { 0 };
    if (c)
        three = slice(c);
    return cuMemcpy3D(c ? &three : NULL);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c) { return cuMemcpy2D(c); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream s)
{
    struct cudaMemcpy3DParms p;
    if (!rt_stream_recorded(s))
        return cuMemcpy3D(c);
    CUresult e = driver_box(c, &p);
    return e == CUDA_SUCCESS ? answer(cudaMemcpy3DAsync(&p, s)) : e;
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream s)
{
    CUDA_MEMCPY3D three = { 0 };
    if (c)
        three = slice(c);
    return cuMemcpy3DAsync(c ? &three : NULL, s);
}

/* ---- the same for graphs, as the runtime API says it ---- */

/* x is in elements where one side is an array: the runtime API's width is, too. */
static CUresult side(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array,
                     size_t pitch, size_t rows, const CUDA_MEMCPY3D *c, cudaArray_t *to,
                     struct cudaPitchedPtr *p)
{
    *to = NULL, *p = (struct cudaPitchedPtr){ 0 };
    if (type == CU_MEMORYTYPE_ARRAY) {
        *to = ARRAY(array);
        return rt_array(*to) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    }
    p->ptr = type == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)host : DEVICE_POINTER(device);
    p->pitch = pitch ? pitch : c->WidthInBytes;
    p->xsize = c->WidthInBytes, p->ysize = rows ? rows : c->Height;
    return p->ptr && type >= CU_MEMORYTYPE_HOST && type <= CU_MEMORYTYPE_UNIFIED
               ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult driver_box(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *p)
{
    if (!c)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult e = side(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch,
                      c->srcHeight, c, &p->srcArray, &p->srcPtr);
    if (e == CUDA_SUCCESS)
        e = side(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch,
                 c->dstHeight, c, &p->dstArray, &p->dstPtr);
    if (e != CUDA_SUCCESS)
        return e;
    size_t from = p->srcArray ? p->srcArray->element : 1;
    size_t to = p->dstArray ? p->dstArray->element : 1;
    p->srcPos = (struct cudaPos){ c->srcXInBytes / from, c->srcY, c->srcZ };
    p->dstPos = (struct cudaPos){ c->dstXInBytes / to, c->dstY, c->dstZ };
    p->extent = (struct cudaExtent){ c->WidthInBytes / (from > to ? from : to), c->Height,
                                     c->Depth };
    p->kind = cudaMemcpyDefault;
    return CUDA_SUCCESS;
}
CUDA_MEMCPY3D driver_unbox(const struct cudaMemcpy3DParms *p)
{
    size_t from = p->srcArray ? p->srcArray->element : 1;
    size_t to = p->dstArray ? p->dstArray->element : 1;
    return (CUDA_MEMCPY3D){
        .srcXInBytes = p->srcPos.x * from, .srcY = p->srcPos.y, .srcZ = p->srcPos.z,
        .srcMemoryType = p->srcArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED,
        .srcDevice = (uintptr_t)p->srcPtr.ptr, .srcArray = (CUarray)(void *)p->srcArray,
        .srcPitch = p->srcPtr.pitch, .srcHeight = p->srcPtr.ysize,
        .dstXInBytes = p->dstPos.x * to, .dstY = p->dstPos.y, .dstZ = p->dstPos.z,
        .dstMemoryType = p->dstArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED,
        .dstDevice = (uintptr_t)p->dstPtr.ptr, .dstArray = (CUarray)(void *)p->dstArray,
        .dstPitch = p->dstPtr.pitch, .dstHeight = p->dstPtr.ysize,
        .WidthInBytes = p->extent.width * (from > to ? from : to), .Height = p->extent.height,
        .Depth = p->extent.depth
    };
}
