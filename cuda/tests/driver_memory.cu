// The driver API of memory, pointers and streams, and questions about occupancy.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>

#define CHECK(call) \
    do { \
        int code = (int)(call); \
        if (code) printf("%s: error %d\n", #call, code), exit(1); \
    } while (0)
#define WANT(x) \
    do { \
        if (!(x)) printf("line %d: not %s\n", __LINE__, #x), wrong++; \
    } while (0)
static int wrong;

__global__ void kernel(int *p)
{
    extern __shared__ int room[];
    room[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = room[threadIdx.x ^ 1];
}
static void fills()
{
    CUdeviceptr p;
    size_t pitch;
    unsigned char row[3 * 512];
    CHECK(cuMemAllocPitch(&p, &pitch, 20, 3, 4));
    WANT(pitch <= 512);
    CHECK(cuMemsetD8Async(p, 1, 3 * pitch, 0));
    CHECK(cuMemsetD2D16(p, pitch, 0x0203, 2, 2));
    CHECK(cuMemsetD2D32Async(p + 8, pitch, 0x04050607, 1, 3, 0));
    CHECK(cuMemsetD16Async(p + pitch + 16, 0x0809, 1, 0));
    CHECK(cuMemcpyDtoH(row, p, 3 * pitch));
    static const unsigned char want[3][20] = {
        { 3, 2, 3, 2, 1, 1, 1, 1, 7, 6, 5, 4, 1, 1, 1, 1, 1, 1, 1, 1 },
        { 3, 2, 3, 2, 1, 1, 1, 1, 7, 6, 5, 4, 1, 1, 1, 1, 9, 8, 1, 1 },
        { 1, 1, 1, 1, 1, 1, 1, 1, 7, 6, 5, 4, 1, 1, 1, 1, 1, 1, 1, 1 }
    };
    for (int y = 0; y < 3; y++) WANT(!memcmp(row + y * pitch, want[y], 20));
    CHECK(cuMemFree(p));
}
static void pointers()
{
    CUdeviceptr p, base, start;
    size_t bytes, size;
    unsigned type, managed, flags;
    int device = 9;
    void *host, *back;
    CUcontext now, context;
    CHECK(cuMemAllocAsync(&p, 1000, 0));
    CHECK(cuMemGetAddressRange(&base, &bytes, p + 999));
    WANT(base == p && bytes == 1000);
    WANT(cuMemGetAddressRange(&base, &bytes, 16) == CUDA_ERROR_NOT_FOUND);
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    CHECK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    CHECK(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p + 5));
    CHECK(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p + 5));
    CHECK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
    CHECK(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, p));
    CHECK(cuCtxGetCurrent(&now));
    WANT(type == CU_MEMORYTYPE_DEVICE && !managed && start == p && size == 1000 && !device && context == now);
    WANT(cuPointerGetAttribute(&back, CU_POINTER_ATTRIBUTE_HOST_POINTER, p) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemFreeAsync(p, 0));
    CHECK(cuMemHostAlloc(&host, 64, 0));
    CHECK(cuMemHostGetDevicePointer(&p, host, 0));
    CHECK(cuMemHostGetFlags(&flags, host));
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    CHECK(cuPointerGetAttribute(&back, CU_POINTER_ATTRIBUTE_HOST_POINTER, p));
    WANT(type == CU_MEMORYTYPE_HOST && back == host);
    CHECK(cuMemFreeHost(host));
}
static void peers()
{
    int can = 5, rank = 5, got = 0, seven = 7;
    CUcontext c;
    CUdeviceptr from, to;
    CHECK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 0));
    WANT(can == 2048);
    CHECK(cuCtxGetCurrent(&c));
    CHECK(cuDeviceCanAccessPeer(&can, 0, 0));
    WANT(can == 0);
    WANT(cuDeviceGetP2PAttribute(&rank, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 0, 0) ==
         CUDA_ERROR_INVALID_DEVICE);
    WANT(cuCtxEnablePeerAccess(c, 0) == CUDA_ERROR_INVALID_DEVICE);
    WANT(cuCtxEnablePeerAccess(nullptr, 0) == CUDA_ERROR_INVALID_CONTEXT);
    WANT(cuCtxDisablePeerAccess(c) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    CHECK(cuMemAlloc(&from, 4));
    CHECK(cuMemAlloc(&to, 4));
    CHECK(cuMemcpyHtoD(from, &seven, 4));
    CHECK(cuMemcpyPeer(to, c, from, c, 4));
    CHECK(cuMemcpyPeerAsync(to, c, from, c, 4, 0));
    CHECK(cuMemcpyDtoH(&got, to, 4));
    WANT(got == 7 && cuMemcpyPeer(to, c, from, nullptr, 4) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuMemFree(from));
    CHECK(cuMemFree(to));
}
static void CUDA_CB count(CUstream, CUresult e, void *n) { *(int *)n += e == CUDA_SUCCESS; }
static void CUDA_CB more(void *n) { ++*(int *)n; }
static void streams()
{
    CUstream s;
    CUevent e;
    CUcontext c, top;
    size_t limit;
    unsigned flags, version;
    int least, greatest, priority, calls = 0;
    CHECK(cuCtxGetStreamPriorityRange(&least, &greatest));
    CHECK(cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, greatest));
    CHECK(cuStreamGetPriority(s, &priority));
    CHECK(cuStreamGetFlags(s, &flags));
    WANT(priority == greatest && flags == CU_STREAM_NON_BLOCKING);
    CHECK(cuEventCreate(&e, 0));
    CHECK(cuEventRecord(e, s));
    CHECK(cuStreamWaitEvent(s, e, 0));
    CHECK(cuStreamAddCallback(s, count, &calls, 0));
    CHECK(cuLaunchHostFunc(s, more, &calls));
    CHECK(cuStreamQuery(s));
    CHECK(cuEventQuery(e));
    WANT(calls == 2);
    CHECK(cuEventDestroy(e));
    CHECK(cuStreamDestroy(s));
    CHECK(cuCtxGetCurrent(&c));
    CHECK(cuCtxPushCurrent(c));
    CHECK(cuCtxPopCurrent(&top));
    CHECK(cuCtxGetApiVersion(c, &version));
    CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
    CHECK(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
    WANT(top == c && version >= 3020 && limit >= 2048);
}
static void occupancy()
{
    int grid, block, blocks, fewer;
    size_t room;
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        &grid, &block, kernel, [](int n) { return n * sizeof(int); }, 128, cudaOccupancyDefault));
    WANT(grid > 0 && block > 0 && block <= 128);
    CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, kernel, 0, 0, cudaOccupancyDefault));
    WANT(grid > 0 && block > 0);
    for (int threads : { 64, 96 }) {                 // with what nvcc's headers bring along of C++'s
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
        CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, kernel, blocks, threads));
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&fewer, kernel, threads, room, 0));
        WANT(fewer >= blocks);
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, kernel, threads, room + 1));
        WANT(fewer < blocks);
    }
}

int main()
{
    CHECK(cuInit(0));
    fills(), pointers(), peers(), streams(), occupancy();
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
