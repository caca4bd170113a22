// Pools of memory: their counts, their limits, what is left of one that is gone; by the runtime and the driver API.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s: %s\n", what, cudaGetErrorName(cudaPeekAtLastError()));
}
__global__ void write(int *p) { p[threadIdx.x] = threadIdx.x; }
static uint64_t count(cudaMemPool_t pool, cudaMemPoolAttr attr)
{
    uint64_t v = ~0ull;
    cudaMemPoolGetAttribute(pool, attr, &v);
    return v;
}
static void driver()
{
    CUmemoryPool pool;
    CUmemPoolProps props = {};
    CUdeviceptr p = 0;
    uint64_t used = 0;
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    expect("a pool of the driver's", cuMemPoolCreate(&pool, &props) == CUDA_SUCCESS);
    expect("memory of it", cuMemAllocFromPoolAsync(&p, 256, pool, 0) == CUDA_SUCCESS && p);
    expect("its count", cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) == CUDA_SUCCESS && used == 256);
    expect("it is free", cuMemFreeAsync(p, 0) == CUDA_SUCCESS && cuMemPoolDestroy(pool) == CUDA_SUCCESS);
    expect("no properties", cuMemPoolCreate(&pool, nullptr) == CUDA_ERROR_INVALID_VALUE);
    CUdevprop is;
    expect("a device as CUDA 5 has it", cuDeviceGetProperties(&is, 0) == CUDA_SUCCESS && is.SIMDWidth == 32 &&
           is.maxThreadsPerBlock == 1024 && is.maxThreadsDim[2] == 64 && is.maxGridSize[1] == 65535 && is.sharedMemPerBlock == 49152);
    expect("no device", cuDeviceGetProperties(&is, 1) == CUDA_ERROR_INVALID_DEVICE);
}
int main()
{
    cudaMemPool_t pool, small, device;
    cudaMemPoolProps props = {};
    cudaStream_t s;
    int *a = nullptr, *b = nullptr, *c = nullptr, host[32], on = 0;
    uint64_t keep = 1 << 20, zero = 0;
    cuInit(0), cudaStreamCreate(&s);
    props.allocType = cudaMemAllocationTypePinned, props.location.type = cudaMemLocationTypeDevice;
    expect("a pool", cudaMemPoolCreate(&pool, &props) == cudaSuccess);
    props.maxSize = 1000;
    expect("a small one", cudaMemPoolCreate(&small, &props) == cudaSuccess);
    props.location.id = 1;
    expect("of no device", cudaMemPoolCreate(&device, &props) == cudaErrorInvalidDevice);

    expect("memory of a pool", cudaMallocFromPoolAsync(&a, 128, pool, s) == cudaSuccess && a);
    expect("more, as C++ has it", cudaMallocAsync(&b, 400, pool, s) == cudaSuccess && b);
    expect("what is in use", count(pool, cudaMemPoolAttrUsedMemCurrent) == 528);
    write<<<1, 32, 0, s>>>(a);
    cudaMemcpyAsync(host, a, sizeof host, cudaMemcpyDeviceToHost, s), cudaStreamSynchronize(s);
    expect("it is memory", host[31] == 31);
    expect("it goes back", cudaFreeAsync(b, s) == cudaSuccess && count(pool, cudaMemPoolAttrUsedMemCurrent) == 128);
    expect("the highest", count(pool, cudaMemPoolAttrUsedMemHigh) == 528);
    expect("it begins anew", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero) == cudaSuccess &&
           count(pool, cudaMemPoolAttrUsedMemHigh) == 128);
    expect("but not with another number", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &keep) == cudaErrorInvalidValue);
    expect("what is in use is not set", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero) == cudaErrorInvalidValue);
    expect("the threshold", cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess &&
           count(pool, cudaMemPoolAttrReleaseThreshold) == keep && count(small, cudaMemPoolAttrReleaseThreshold) == 0);
    expect("how it is used again", cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &on) == cudaSuccess &&
           cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &(on = 7)) == cudaSuccess && on == 0);

    expect("all of the small one", cudaMallocFromPoolAsync(&b, 1000, small, s) == cudaSuccess);
    expect("no more of it", cudaMallocFromPoolAsync(&c, 4, small, s) == cudaErrorMemoryAllocation && !c);
    cudaFree(b);
    expect("until there is", cudaMallocFromPoolAsync(&c, 4, small, s) == cudaSuccess && c);

    cudaMemAccessDesc access = { { cudaMemLocationTypeDevice, 0 }, cudaMemAccessFlagsProtReadWrite };
    cudaMemAccessFlags may;
    expect("who may use it", cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess &&
           cudaMemPoolGetAccess(&may, pool, &access.location) == cudaSuccess && may == cudaMemAccessFlagsProtReadWrite);
    access.location.id = 1;
    expect("not another device", cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidValue);

    expect("the device's", cudaDeviceGetDefaultMemPool(&device, 0) == cudaSuccess && device != pool);
    expect("another for it", cudaDeviceSetMemPool(0, small) == cudaSuccess && cudaDeviceGetMemPool(&device, 0) == cudaSuccess);
    expect("is that", device == small && cudaMallocAsync(&b, 100, s) == cudaSuccess && count(small, cudaMemPoolAttrUsedMemCurrent) == 104);
    // A pool that is gone leaves its memory, and the device has its first one again.
    expect("it goes", cudaMemPoolDestroy(small) == cudaSuccess && cudaMemPoolDestroy(small) == cudaErrorInvalidValue);
    expect("for good", cudaMallocFromPoolAsync(&a, 4, small, s) == cudaErrorInvalidValue);
    write<<<1, 25, 0, s>>>(b);
    expect("what came of it stays", cudaStreamSynchronize(s) == cudaSuccess && cudaFreeAsync(b, s) == cudaSuccess);
    expect("the first again", cudaDeviceGetMemPool(&device, 0) == cudaSuccess && device != small);
    expect("which stays", cudaMemPoolDestroy(device) == cudaErrorInvalidValue);
    expect("the rest", cudaFreeAsync(a, s) == cudaSuccess && cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
    expect("the end", cudaMemPoolDestroy(pool) == cudaSuccess && cudaMemPoolTrimTo(pool, 0) == cudaErrorInvalidValue);
    cudaGetLastError(), driver();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
