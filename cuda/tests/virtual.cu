// The driver API's address ranges: memory mapped, written by a kernel, mapped elsewhere; wrong calls; what processes cannot share.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static int wrong;
#define WANT(what) ((what) ? (void)0 : (void)(wrong++ < 20 && printf("FAIL line %d: %s\n", __LINE__, #what)))
__global__ void count(int *p, int n)
{
    for (int k = threadIdx.x; k < n; k += blockDim.x) p[k] += k;
}
static bool counted(CUdeviceptr p, int n, int times)
{
    static int got[4096];
    if (cudaMemcpy(got, (void *)p, n * 4, cudaMemcpyDeviceToHost) != cudaSuccess) return false;
    for (int k = 0; k < n; k++)
        if (got[k] != times * k) return false;
    return true;
}
int main()
{
    CUmemAllocationProp prop = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle a, b;
    CUdeviceptr p, q;
    size_t unit;
    int has;
    unsigned long long flags;
    WANT(cuInit(0) == CUDA_SUCCESS);
    WANT(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0) == CUDA_SUCCESS && has);
    WANT(cuMemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_ERROR_INVALID_VALUE);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED, prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    WANT(cuMemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS && unit);
    WANT(cuMemAddressReserve(&p, unit + 1, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
    WANT(cuMemAddressReserve(&p, 1ull << 40, 0, 0, 0) == CUDA_ERROR_OUT_OF_MEMORY);
    WANT(cuMemAddressReserve(&p, 2 * unit, 0, 0, 0) == CUDA_SUCCESS && p % unit == 0);
    WANT(cuMemAddressReserve(&q, 4 * unit, 4 * unit, p + 2 * unit, 0) == CUDA_SUCCESS && q % (4 * unit) == 0);
    WANT(cuMemCreate(&a, unit / 2, &prop, 0) == CUDA_ERROR_INVALID_VALUE);
    WANT(cuMemCreate(&a, unit, &prop, 0) == CUDA_SUCCESS && cuMemCreate(&b, unit, &prop, 0) == CUDA_SUCCESS);
    WANT(cuMemMap(p + 2 * unit, unit, 0, a, 0) == CUDA_ERROR_INVALID_VALUE);
    WANT(cuMemMap(p, 2 * unit, 0, a, 0) == CUDA_ERROR_INVALID_VALUE);
    WANT(cuMemMap(p, unit, 0, a, 0) == CUDA_SUCCESS && cuMemMap(p + unit, unit, 0, b, 0) == CUDA_SUCCESS);
    WANT(cuMemMap(p, unit, 0, b, 0) == CUDA_ERROR_INVALID_VALUE);
    WANT(cuMemMap(q, unit, 0, a, 0) == CUDA_ERROR_NOT_SUPPORTED);
    access.location = prop.location, access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    WANT(cuMemSetAccess(p, 3 * unit, &access, 1) == CUDA_ERROR_INVALID_VALUE);
    WANT(cuMemSetAccess(p, 2 * unit, &access, 1) == CUDA_SUCCESS);
    WANT(cuMemGetAccess(&flags, &prop.location, p + unit) == CUDA_SUCCESS && flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    count<<<1, 256>>>((int *)p, 4096);
    count<<<1, 256>>>((int *)(p + unit), 4096);
    count<<<1, 256>>>((int *)(p + unit), 4096);
    WANT(cudaDeviceSynchronize() == cudaSuccess && counted(p, 4096, 1) && counted(p + unit, 4096, 2));
    // The two change places, in a larger range.
    WANT(cuMemAddressFree(p, 2 * unit) == CUDA_ERROR_INVALID_VALUE);
    WANT(cuMemUnmap(p, unit / 2) == CUDA_ERROR_INVALID_VALUE && cuMemUnmap(p, 2 * unit) == CUDA_SUCCESS);
    WANT(cuMemMap(q, unit, 0, b, 0) == CUDA_SUCCESS && cuMemMap(q + unit, unit, 0, a, 0) == CUDA_SUCCESS);
    WANT(counted(q, 4096, 2) && counted(q + unit, 4096, 1));
    WANT(cuMemRelease(a) == CUDA_SUCCESS && cuMemRelease(a) == CUDA_ERROR_INVALID_VALUE);
    WANT(counted(q + unit, 4096, 1));                    // until it is unmapped
    WANT(cuMemUnmap(q, 2 * unit) == CUDA_SUCCESS && cuMemMap(p, unit, 0, a, 0) == CUDA_ERROR_INVALID_VALUE);
    WANT(cuMemRelease(b) == CUDA_SUCCESS);
    WANT(cuMemCreate(&a, unit, &prop, 0) == CUDA_SUCCESS && cuMemMap(p, unit, 0, a, 0) == CUDA_SUCCESS && counted(p, 4096, 0));
    WANT(cuMemUnmap(p, unit) == CUDA_SUCCESS && cuMemRelease(a) == CUDA_SUCCESS);
    WANT(cuMemAddressFree(p, 2 * unit) == CUDA_SUCCESS && cuMemAddressFree(q, 4 * unit) == CUDA_SUCCESS);
    WANT(cuMemAddressFree(q, 4 * unit) == CUDA_ERROR_INVALID_VALUE);
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    WANT(cuMemCreate(&a, unit, &prop, 0) == CUDA_ERROR_NOT_SUPPORTED);
    cudaIpcMemHandle_t handle;
    void *mine;
    cudaMalloc(&mine, 256);
    WANT(cudaIpcGetMemHandle(&handle, mine) == cudaErrorNotSupported && cudaIpcGetMemHandle(&handle, mine) == cudaErrorNotSupported);
    CUuuid id;
    WANT(cuDeviceGetUuid(&id, 0) == CUDA_SUCCESS && cuDeviceGetUuid(&id, 1) != CUDA_SUCCESS);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
