/* Launches from kernels: declared, so that code which could make one compiles; a kernel that does
 * is refused by name.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_DEVICE_RUNTIME_API_H
#define HEDDLE_CUDA_DEVICE_RUNTIME_API_H
#include "cuda_runtime.h"
#if defined __cplusplus && defined __CUDACC__
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t align, size_t bytes);
__device__ cudaError_t cudaLaunchDevice(void *fn, void *params, dim3 grid, dim3 block,
                                        unsigned shared, cudaStream_t s);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
}
#endif
#endif
