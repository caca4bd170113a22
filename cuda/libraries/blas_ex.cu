// Vectors whose type a parameter names: cuBLAS's DotEx, DotcEx, Nrm2Ex, AxpyEx and ScalEx of real numbers.
// SPDX-License-Identifier: Apache-2.0
//
// f32 and f64 are the plain calls; f16 and bf16 are summed and multiplied in f32, and rounded once.
#include "cublas_v2.h"
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace
{
enum { THREADS = 256, BLOCKS = 64 };

__device__ float number(__half x) { return __half2float(x); }
__device__ float number(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ void store(__half *to, float x) { *to = __float2half(x); }
__device__ void store(__nv_bfloat16 *to, float x) { *to = __float2bfloat16(x); }

// The sum of products; of x with itself, its root.
template <class T>
__global__ void cublas_products(int n, const T *x, long long incx, const T *y, long long incy, bool root, T *to)
{
    __shared__ float part[THREADS];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += THREADS) sum += number(x[i * incx]) * number(y[i * incy]);
    part[threadIdx.x] = sum;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) store(to, root ? sqrtf(part[0]) : part[0]);
}
// y = alpha x + y, or x = alpha x; alpha of the host, or where it lies on the device.
template <class T>
__global__ void cublas_scaled(int n, float alpha, const float *at, T *x, long long incx, T *y, long long incy)
{
    const float a = at ? *at : alpha;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        if (y) store(&y[i * incy], a * number(x[i * incx]) + number(y[i * incy]));
        else store(&x[i * incx], a * number(x[i * incx]));
}

template <class T> T *begin(const void *p, int n, int inc)
{
    return (T *)const_cast<void *>(p) + (inc < 0 ? (long long)(1 - n) * inc : 0);
}
cublasStatus_t ended(cudaError_t e) { return e == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED; }
bool on_device(cublasHandle_t h)
{
    cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
    cublasGetPointerMode(h, &mode);
    return mode == CUBLAS_POINTER_MODE_DEVICE;
}
cudaStream_t stream_of(cublasHandle_t h)
{
    cudaStream_t s = 0;
    cublasGetStream(h, &s);
    return s;
}

template <class T>
cublasStatus_t products(cublasHandle_t h, int n, const void *x, int incx, const void *y, int incy, bool root, void *to)
{
    T *place = (T *)to;
    const bool there = on_device(h);
    if (!there && cudaMalloc(&place, sizeof *place) != cudaSuccess) return CUBLAS_STATUS_ALLOC_FAILED;
    cublas_products<<<1, THREADS, 0, stream_of(h)>>>(n, begin<T>(x, n, incx), incx, begin<T>(y, n, incy), incy, root, place);
    cudaError_t e = cudaGetLastError();
    if (!there) {
        if (e == cudaSuccess) e = cudaMemcpy(to, place, sizeof *place, cudaMemcpyDeviceToHost);
        cudaFree(place);
    }
    return ended(e);
}
template <class T> cublasStatus_t scaled(cublasHandle_t h, int n, const void *alpha, void *x, int incx, void *y, int incy)
{
    const bool there = on_device(h);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    const int blocks = (n + THREADS - 1) / THREADS;
    cublas_scaled<<<blocks < BLOCKS ? blocks : (int)BLOCKS, THREADS, 0, stream_of(h)>>>(
        n, there ? 0.0f : *(const float *)alpha, there ? (const float *)alpha : nullptr, begin<T>(x, n, incx), incx,
        y ? begin<T>(y, n, incy) : nullptr, incy);
    return ended(cudaGetLastError());
}

// All of one type but for the arithmetic, which is f32's of halves.
bool alike(cudaDataType x, cudaDataType y, cudaDataType other, cudaDataType by)
{
    const bool half = x == CUDA_R_16F || x == CUDA_R_16BF;
    return x == y && x == other && by == (half ? CUDA_R_32F : x);
}
}

extern "C" {
cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx, const void *y, cudaDataType ty,
                           int incy, void *result, cudaDataType to, cudaDataType by)
{
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result) return CUBLAS_STATUS_INVALID_VALUE;
    if (!alike(tx, ty, to, by)) return CUBLAS_STATUS_NOT_SUPPORTED;
    switch (tx) {
    case CUDA_R_16F: return products<__half>(h, n, x, incx, y, incy, false, result);
    case CUDA_R_16BF: return products<__nv_bfloat16>(h, n, x, incx, y, incy, false, result);
    case CUDA_R_32F: return cublasSdot(h, n, (const float *)x, incx, (const float *)y, incy, (float *)result);
    case CUDA_R_64F: return cublasDdot(h, n, (const double *)x, incx, (const double *)y, incy, (double *)result);
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}
cublasStatus_t cublasDotcEx(cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx, const void *y, cudaDataType ty,
                            int incy, void *result, cudaDataType to, cudaDataType by)
{
    return cublasDotEx(h, n, x, tx, incx, y, ty, incy, result, to, by);
}
cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx, void *result, cudaDataType to,
                            cudaDataType by)
{
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result) return CUBLAS_STATUS_INVALID_VALUE;
    if (!alike(tx, tx, to, by)) return CUBLAS_STATUS_NOT_SUPPORTED;
    const int count = incx > 0 ? n : 0;
    switch (tx) {
    case CUDA_R_16F: return products<__half>(h, count, x, incx, x, incx, true, result);
    case CUDA_R_16BF: return products<__nv_bfloat16>(h, count, x, incx, x, incx, true, result);
    case CUDA_R_32F: return cublasSnrm2(h, n, (const float *)x, incx, (float *)result);
    case CUDA_R_64F: return cublasDnrm2(h, n, (const double *)x, incx, (double *)result);
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}
cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType ta, const void *x, cudaDataType tx,
                            int incx, void *y, cudaDataType ty, int incy, cudaDataType by)
{
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
    if (ta != by || !alike(tx, ty, tx, by)) return CUBLAS_STATUS_NOT_SUPPORTED;
    void *from = const_cast<void *>(x);
    switch (tx) {
    case CUDA_R_16F: return scaled<__half>(h, n, alpha, from, incx, y, incy);
    case CUDA_R_16BF: return scaled<__nv_bfloat16>(h, n, alpha, from, incx, y, incy);
    case CUDA_R_32F: return cublasSaxpy(h, n, (const float *)alpha, (const float *)x, incx, (float *)y, incy);
    case CUDA_R_64F: return cublasDaxpy(h, n, (const double *)alpha, (const double *)x, incx, (double *)y, incy);
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}
cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType ta, void *x, cudaDataType tx, int incx,
                            cudaDataType by)
{
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
    if (ta != by || !alike(tx, tx, tx, by)) return CUBLAS_STATUS_NOT_SUPPORTED;
    const int count = incx > 0 ? n : 0;
    switch (tx) {
    case CUDA_R_16F: return scaled<__half>(h, count, alpha, x, incx, nullptr, 0);
    case CUDA_R_16BF: return scaled<__nv_bfloat16>(h, count, alpha, x, incx, nullptr, 0);
    case CUDA_R_32F: return cublasSscal(h, n, (const float *)alpha, (float *)x, incx);
    case CUDA_R_64F: return cublasDscal(h, n, (const double *)alpha, (double *)x, incx);
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}
}
