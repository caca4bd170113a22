// What headers of programs ask CUDA's own for: whether they were included, and each error.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <curand.h>
#ifndef __CUDA_RUNTIME_H__
#error "curand.h brings cuda_runtime.h along"
#endif
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cufftXt.h>
#include <curand_kernel.h>
#if !defined __DRIVER_TYPES_H__ || !defined __CUDA_RUNTIME_H__ || \
    !defined __CUDA_RUNTIME_API_H__ || !defined __VECTOR_TYPES_H__ || \
    !defined __cuda_cuda_h__ || !defined CU_COMPLEX_H_
#error "these are not known as CUDA's"
#endif
#if !defined CUBLAS_API_H_ || !defined CUBLAS_V2_H_ || !defined _CUFFT_H_ || !defined CURAND_H_
#error "these libraries are not known as CUDA's"
#endif
static_assert(cudaSharedmemCarveoutMaxShared == 100, "of cudaFuncSetAttribute");
static const char *name(cufftResult e)
{
    switch (e) {
#define IS(x) case x: return #x;
    IS(CUFFT_SUCCESS) IS(CUFFT_INVALID_PLAN) IS(CUFFT_INCOMPLETE_PARAMETER_LIST)
    IS(CUFFT_PARSE_ERROR) IS(CUFFT_MISSING_DEPENDENCY) IS(CUFFT_NVRTC_FAILURE)
    IS(CUFFT_NVJITLINK_FAILURE) IS(CUFFT_NVSHMEM_FAILURE)
    default: return "?";
    }
}
int main()
{
    CUctxCreateParams how = {};
    CUcontext ctx;
    bool ok = cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&ctx, &how, 0, 0) == CUDA_SUCCESS;
    ok = ok && cuCtxCreate(&ctx, 0, 0) == CUDA_SUCCESS && name(CUFFT_SUCCESS)[0] == 'C';
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
