/* The driver API of memory, on top of the runtime API.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include "cuda/cudart/driver.h"

/* ---- allocation ---- */

CUresult cuMemGetInfo(size_t *left, size_t *total) { return answer(cudaMemGetInfo(left, total)); }
CUresult cuMemAlloc(CUdeviceptr *p, size_t n)
{
    void *at = NULL;
    CUresult e = n ? answer(cudaMalloc(&at, n)) : CUDA_ERROR_INVALID_VALUE;
    *p = (uintptr_t)at;
    return e;
}
CUresult cuMemAllocManaged(CUdeviceptr *p, size_t n, unsigned flags)
{
    void *at = NULL;
    CUresult e = answer(cudaMallocManaged(&at, n, flags));
    *p = (uintptr_t)at;
    return e;
}
CUresult cuMemAllocHost(void **p, size_t n) { return answer(cudaMallocHost(p, n)); }
CUresult cuMemFree(CUdeviceptr p) { return answer(cudaFree(DEVICE_POINTER(p))); }
CUresult cuMemFreeHost(void *p) { return answer(cudaFreeHost(p)); }
CUresult cuMemAllocAsync(CUdeviceptr *p, size_t n, CUstream s) { (void)s; return cuMemAlloc(p, n); }
CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s) { (void)s; return cuMemFree(p); }
CUresult cuMemHostAlloc(void **p, size_t n, unsigned flags)
{
    return answer(cudaHostAlloc(p, n, flags));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr *p, void *host, unsigned flags)
{
    void *at = NULL;
    CUresult e = answer(cudaHostGetDevicePointer(&at, host, flags));
    *p = (uintptr_t)at;
    return e;
}
CUresult cuMemHostGetFlags(unsigned *flags, void *host)
{
    return answer(cudaHostGetFlags(flags, host));
}
CUresult cuMemHostRegister(void *p, size_t n, unsigned flags)
{
    return answer(cudaHostRegister(p, n, flags));
}
CUresult cuMemHostUnregister(void *p) { return answer(cudaHostUnregister(p)); }

/* ---- what a pointer is ---- */

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *n, CUdeviceptr p)
{
    RT_HOLD;
    const struct rt_buffer *b = rt_buffer(p);
    if (!b)
        return CUDA_ERROR_NOT_FOUND;
    if (base)
        *base = b->addr;
    if (n)
        *n = b->bytes;
    return CUDA_SUCCESS;
}
CUresult cuPointerGetAttribute(void *v, CUpointer_attribute attr, CUdeviceptr p)
{
    RT_HOLD;
    const struct rt_buffer *b = rt_buffer(p);
    if (!b)
        return CUDA_ERROR_INVALID_VALUE;
    switch (attr) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)v = CONTEXT; break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)v = b->kind == RT_HOST ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)v = p; break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (b->kind == RT_DEVICE)
            return CUDA_ERROR_INVALID_VALUE;
        *(void **)v = DEVICE_POINTER(p);
        break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: *(unsigned long long *)v = b->number; break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)v = b->kind == RT_MANAGED; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)v = 0; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)v = b->addr; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)v = b->bytes; break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned *)v = 1; break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
}

/* ---- copies and fills ---- */

CUresult cuMemcpy(CUdeviceptr d, CUdeviceptr s, size_t n)
{
    return answer(cudaMemcpy(DEVICE_POINTER(d), DEVICE_POINTER(s), n, cudaMemcpyDefault));
}
CUresult cuMemcpyAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st)
{
    return answer(cudaMemcpyAsync(DEVICE_POINTER(d), DEVICE_POINTER(s), n, cudaMemcpyDefault, st));
}
CUresult cuMemcpyPeer(CUdeviceptr d, CUcontext to, CUdeviceptr s, CUcontext from, size_t n)
{
    return to == CONTEXT && from == CONTEXT ? cuMemcpyDtoD(d, s, n) : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemcpyPeerAsync(CUdeviceptr d, CUcontext to, CUdeviceptr s, CUcontext from, size_t n,
                           CUstream st)
{
    return to == CONTEXT && from == CONTEXT ? cuMemcpyDtoDAsync(d, s, n, st)
                                            : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemcpyHtoD(CUdeviceptr d, const void *s, size_t n)
{
    return answer(cudaMemcpy(DEVICE_POINTER(d), s, n, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void *d, CUdeviceptr s, size_t n)
{
    return answer(cudaMemcpy(d, DEVICE_POINTER(s), n, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr d, CUdeviceptr s, size_t n)
{
    return answer(cudaMemcpy(DEVICE_POINTER(d), DEVICE_POINTER(s), n, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr d, const void *s, size_t n, CUstream st)
{
    return answer(cudaMemcpyAsync(DEVICE_POINTER(d), s, n, cudaMemcpyHostToDevice, st));
}
CUresult cuMemcpyDtoHAsync(void *d, CUdeviceptr s, size_t n, CUstream st)
{
    return answer(cudaMemcpyAsync(d, DEVICE_POINTER(s), n, cudaMemcpyDeviceToHost, st));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr d, CUdeviceptr s, size_t n, CUstream st)
{
    return answer(cudaMemcpyAsync(DEVICE_POINTER(d), DEVICE_POINTER(s), n,
                                  cudaMemcpyDeviceToDevice, st));
}

/* Rows of elements of 1, 2 or 4 bytes. */
static CUresult fill(CUdeviceptr p, size_t pitch, unsigned value, size_t size, size_t width,
                     size_t height)
{
    char *row = malloc(width * size + 1);
    CUresult e = row ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t k = 0; row && k < width; k++)
        memcpy(row + k * size, &value, size);
    for (size_t y = 0; e == CUDA_SUCCESS && y < height; y++)
        e = cuMemcpyHtoD(p + y * pitch, row, width * size);
    free(row);
    return e;
}
static CUresult record(CUstream s, CUdeviceptr p, size_t pitch, unsigned value, size_t size,
                       size_t width, size_t height)
{
    return answer(rt_record_fill(s, &(struct cudaMemsetParams){
        DEVICE_POINTER(p), pitch, value, (unsigned)size, width, height }));
}
#define FILL(BITS, TYPE) \
    CUresult cuMemsetD##BITS(CUdeviceptr p, TYPE v, size_t n) \
    { \
        return fill(p, 0, v, sizeof v, n, 1); \
    } \
    CUresult cuMemsetD##BITS##Async(CUdeviceptr p, TYPE v, size_t n, CUstream s) \
    { \
        return rt_stream_recorded(s) ? record(s, p, 0, v, sizeof v, n, 1) \
                                     : fill(p, 0, v, sizeof v, n, 1); \
    } \
    CUresult cuMemsetD2D##BITS(CUdeviceptr p, size_t pitch, TYPE v, size_t w, size_t h) \
    { \
        return fill(p, pitch, v, sizeof v, w, h); \
    } \
    CUresult cuMemsetD2D##BITS##Async(CUdeviceptr p, size_t pitch, TYPE v, size_t w, size_t h, \
                                      CUstream s) \
    { \
        return rt_stream_recorded(s) ? record(s, p, pitch, v, sizeof v, w, h) \
                                     : fill(p, pitch, v, sizeof v, w, h); \
    }
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)
