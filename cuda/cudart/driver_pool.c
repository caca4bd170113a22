/* The driver API of memory pools, on top of the runtime API: the same structures, and numbers.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "cuda/cudart/driver.h"

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *props)
{
    struct cudaMemPoolProps p;
    _Static_assert(sizeof p == sizeof *props, "one structure under two names");
    if (!props)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&p, props, sizeof p);
    return answer(cudaMemPoolCreate(pool, &p));
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) { return answer(cudaMemPoolDestroy(pool)); }
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    return answer(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    return answer(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
    return answer(cudaMemPoolTrimTo(pool, keep));
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t n)
{
    CUresult e = list || !n ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    for (size_t k = 0; k < n && e == CUDA_SUCCESS; k++) {
        struct cudaMemAccessDesc one;
        _Static_assert(sizeof one == sizeof *list, "one structure under two names");
        memcpy(&one, &list[k], sizeof one);
        e = answer(cudaMemPoolSetAccess(pool, &one, 1));
    }
    return e;
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice d)
{
    return answer(cudaDeviceGetDefaultMemPool(pool, d));
}
CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice d)
{
    return answer(cudaDeviceGetMemPool(pool, d));
}
CUresult cuDeviceSetMemPool(CUdevice d, CUmemoryPool pool)
{
    return answer(cudaDeviceSetMemPool(d, pool));
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *p, size_t n, CUmemoryPool pool, CUstream s)
{
    void *at = NULL;
    CUresult e = p && n ? answer(cudaMallocFromPoolAsync(&at, n, pool, s))
                        : CUDA_ERROR_INVALID_VALUE;
    if (e == CUDA_SUCCESS)
        *p = (uintptr_t)at;
    return e;
}
