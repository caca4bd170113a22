/* Launches from kernels, and what device code can call of the run time: routines of the library
 * (compiler/softlib/children.cu), by the names that nvcc gives them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * `heddle nvcc` writes `kernel<<<grid, block>>>(x)` in device code as
 * `HeddleChild<decltype(&kernel), &kernel>::at(grid, block)(x)`. */
#ifndef HEDDLE_CUDA_DEVICE_RUNTIME_API_H
#define HEDDLE_CUDA_DEVICE_RUNTIME_API_H
#include "cuda_runtime.h"
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)
#if defined __cplusplus && defined __CUDACC__
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t align, size_t bytes);
__device__ cudaError_t cudaLaunchDevice(void *fn, void *params, dim3 grid, dim3 block,
                                        unsigned shared, cudaStream_t s);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
/* The value by which a conditional node of a graph runs its graphs. */
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);
#define HEDDLE_ROUTINE(NAME) __asm__("__cudaCDP2" #NAME)
__device__ void *cudaGetParameterBufferV2(void *fn, dim3 grid, dim3 block, unsigned shared)
    HEDDLE_ROUTINE(GetParameterBufferV2);
__device__ cudaError_t cudaLaunchDeviceV2(void *buffer, cudaStream_t s)
    HEDDLE_ROUTINE(LaunchDeviceV2);
__device__ cudaError_t cudaGetLastError(void) HEDDLE_ROUTINE(GetLastError);
__device__ cudaError_t cudaPeekAtLastError(void) HEDDLE_ROUTINE(PeekAtLastError);
__device__ const char *cudaGetErrorName(cudaError_t e) HEDDLE_ROUTINE(GetErrorName);
__device__ const char *cudaGetErrorString(cudaError_t e) HEDDLE_ROUTINE(GetErrorString);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
    HEDDLE_ROUTINE(StreamCreateWithFlags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t s) HEDDLE_ROUTINE(StreamDestroy);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
    HEDDLE_ROUTINE(StreamWaitEvent);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags)
    HEDDLE_ROUTINE(EventCreateWithFlags);
__device__ cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) HEDDLE_ROUTINE(EventRecord);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t e) HEDDLE_ROUTINE(EventDestroy);
__device__ cudaError_t cudaMalloc(void **p, size_t bytes) HEDDLE_ROUTINE(Malloc);
__device__ cudaError_t cudaFree(void *p) HEDDLE_ROUTINE(Free);
__device__ cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes,
                                       enum cudaMemcpyKind kind, cudaStream_t s = 0)
    HEDDLE_ROUTINE(MemcpyAsync);
__device__ cudaError_t cudaMemsetAsync(void *dst, int value, size_t bytes, cudaStream_t s = 0)
    HEDDLE_ROUTINE(MemsetAsync);
__device__ cudaError_t cudaGetDevice(int *device) HEDDLE_ROUTINE(GetDevice);
__device__ cudaError_t cudaGetDeviceCount(int *count) HEDDLE_ROUTINE(GetDeviceCount);
/* A kernel cannot wait for its children (CUDA 12): one that does is refused by this name. */
__device__ cudaError_t cudaDeviceSynchronize(void) __asm__("cudaDeviceSynchronize");
#undef HEDDLE_ROUTINE
}
template <class T> __device__ static inline cudaError_t cudaMalloc(T **p, size_t bytes)
{
    return cudaMalloc((void **)p, bytes);
}

template <class F, F Kernel> struct HeddleChild;
template <class... P, void (*Kernel)(P...)> struct HeddleChild<void (*)(P...), Kernel>
{
    static constexpr void (*kernel)(P...) = Kernel;      /* a device function may not name it */
    void *buffer;
    cudaStream_t stream;

    __device__ static HeddleChild at(dim3 grid, dim3 block, size_t shared = 0,
                                     cudaStream_t stream = 0)
    {
        return { cudaGetParameterBufferV2((void *)kernel, grid, block, (unsigned)shared), stream };
    }
    template <class T> __device__ static size_t put(void *to, size_t at, const T &value)
    {
        at = (at + alignof(T) - 1) / alignof(T) * alignof(T);
        __builtin_memcpy((char *)to + at, &value, sizeof value);
        return at + sizeof value;
    }
    __device__ void operator()(P... parameters) const
    {
        size_t at = 0;
        if (!buffer) return;
        int in_order[] = { 0, (at = put(buffer, at, parameters), 0)... };
        (void)in_order, (void)at;
        cudaLaunchDeviceV2(buffer, stream);
    }
};
#endif
#endif
