// Matrices as products of triangles, many at a time: cuBLAS's getrf, getrs and getri.
// SPDX-License-Identifier: Apache-2.0
//
// A block has a matrix, in columns.  Rows change places as LAPACK's do: at step k, row k and the
// one that has the greatest element of column k; pivots count from one.
#include "cublas_v2.h"
#include <cmath>

namespace
{
enum { THREADS = 128 };

// The greatest element of a column, from row k on; the first of several.
template <class T> __device__ int greatest(const T *column, int k, int n)
{
    __shared__ T best[THREADS];
    __shared__ int at[THREADS];
    const int t = (int)threadIdx.x;
    best[t] = -1, at[t] = k;
    for (int r = k + t; r < n; r += THREADS)
        if (fabs(column[r]) > best[t]) best[t] = fabs(column[r]), at[t] = r;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        const bool more = t < half && (best[t + half] > best[t] ||
                                       (best[t + half] == best[t] && at[t + half] < at[t]));
        if (more) best[t] = best[t + half], at[t] = at[t + half];
    }
    __syncthreads();
    return at[0];
}

template <class T>
__global__ void cublas_getrf(int n, T *const *matrices, int lda, int *pivots, int *info)
{
    T *const a = matrices[blockIdx.x];
    int singular = 0;
    for (int k = 0; k < n; k++) {
        if (pivots) {
            const int p = greatest(a + (size_t)k * lda, k, n);
            if (threadIdx.x == 0) pivots[(size_t)blockIdx.x * n + k] = p + 1;
            for (int c = (int)threadIdx.x; c < n && p != k; c += THREADS) {
                const T other = a[(size_t)c * lda + p];
                a[(size_t)c * lda + p] = a[(size_t)c * lda + k];
                a[(size_t)c * lda + k] = other;
            }
            __syncthreads();
        }
        const T pivot = a[(size_t)k * lda + k];
        __syncthreads();
        if (pivot == 0) {
            if (!singular) singular = k + 1;
            continue;
        }
        for (int r = k + 1 + (int)threadIdx.x; r < n; r += THREADS)
            a[(size_t)k * lda + r] /= pivot;
        __syncthreads();
        const int rest = n - k - 1;
        for (int e = (int)threadIdx.x; e < rest * rest; e += THREADS) {
            const int r = k + 1 + e % rest, c = k + 1 + e / rest;
            a[(size_t)c * lda + r] -= a[(size_t)k * lda + r] * a[(size_t)c * lda + k];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) info[blockIdx.x] = singular;
}

// A thread has a right side.
template <class T>
__device__ void solve(bool transposed, int n, const T *a, int lda, const int *pivots, T *b)
{
    const auto exchange = [&](int k) {
        const int p = pivots ? pivots[k] - 1 : k;
        const T other = b[p];
        b[p] = b[k], b[k] = other;
    };
    const auto at = [&](int r, int c) {
        return transposed ? a[(size_t)r * lda + c] : a[(size_t)c * lda + r];
    };
    for (int k = 0; k < n && !transposed; k++)
        exchange(k);
    // The lower triangle has ones, which stay with it when both are transposed.
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < r; c++)
            b[r] -= at(r, c) * b[c];
        if (transposed) b[r] /= at(r, r);
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int c = r + 1; c < n; c++)
            b[r] -= at(r, c) * b[c];
        if (!transposed) b[r] /= at(r, r);
    }
    for (int k = n - 1; k >= 0 && transposed; k--)
        exchange(k);
}
template <class T>
__global__ void cublas_getrs(bool transposed, int n, int sides, const T *const *a, int lda,
                             const int *pivots, T *const *b, int ldb)
{
    const size_t m = blockIdx.x;
    for (int k = (int)threadIdx.x; k < sides; k += THREADS)
        solve(transposed, n, a[m], lda, pivots ? pivots + m * n : nullptr, b[m] + (size_t)k * ldb);
}
template <class T>
__global__ void cublas_getri(int n, const T *const *a, int lda, const int *pivots, T *const *c,
                             int ldc, int *info)
{
    const size_t m = blockIdx.x;
    int singular = 0;
    for (int k = n - 1; k >= 0; k--)
        if (a[m][(size_t)k * lda + k] == 0) singular = k + 1;
    if (threadIdx.x == 0) info[m] = singular;
    for (int k = (int)threadIdx.x; k < n && !singular; k += THREADS) {
        T *const b = c[m] + (size_t)k * ldc;
        for (int r = 0; r < n; r++)
            b[r] = r == k;
        solve(false, n, a[m], lda, pivots ? pivots + m * n : nullptr, b);
    }
}

cublasStatus_t launched()
{
    return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                : CUBLAS_STATUS_EXECUTION_FAILED;
}
cudaStream_t stream_of(cublasHandle_t h)
{
    cudaStream_t s = nullptr;
    cublasGetStream_v2(h, &s);
    return s;
}
template <class T>
cublasStatus_t factor(cublasHandle_t h, int n, T *const a[], int lda, int *pivots, int *info,
                      int count)
{
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (n < 0 || count < 0 || lda < n || lda < 1) return CUBLAS_STATUS_INVALID_VALUE;
    if (!count) return CUBLAS_STATUS_SUCCESS;
    cublas_getrf<T><<<count, THREADS, 0, stream_of(h)>>>(n, a, lda, pivots, info);
    return launched();
}
// What is wrong of the arguments is said on the host, by LAPACK's numbers.
template <class T>
cublasStatus_t sides(cublasHandle_t h, cublasOperation_t op, int n, int count_sides,
                     const T *const a[], int lda, const int *pivots, T *const b[], int ldb,
                     int *info, int count)
{
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    const int bad = op > CUBLAS_OP_C     ? -1
                    : n < 0              ? -2
                    : count_sides < 0    ? -3
                    : lda < n || lda < 1 ? -5
                    : ldb < n || ldb < 1 ? -8
                    : count < 0          ? -10
                                         : 0;
    if (!info) return CUBLAS_STATUS_INVALID_VALUE;
    *info = bad;
    if (bad) return CUBLAS_STATUS_INVALID_VALUE;
    if (!count || !n || !count_sides) return CUBLAS_STATUS_SUCCESS;
    cublas_getrs<T><<<count, THREADS, 0, stream_of(h)>>>(op != CUBLAS_OP_N, n, count_sides, a, lda,
                                                         pivots, b, ldb);
    return launched();
}
template <class T>
cublasStatus_t inverse(cublasHandle_t h, int n, const T *const a[], int lda, const int *pivots,
                       T *const c[], int ldc, int *info, int count)
{
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (n < 0 || count < 0 || lda < n || ldc < n || lda < 1 || ldc < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!count) return CUBLAS_STATUS_SUCCESS;
    cublas_getri<T><<<count, THREADS, 0, stream_of(h)>>>(n, a, lda, pivots, c, ldc, info);
    return launched();
}
} // namespace

#pragma GCC visibility push(default)
extern "C" {
#define EACH(S, T) \
    cublasStatus_t cublas##S##getrfBatched(cublasHandle_t h, int n, T *const a[], int lda, \
                                           int *pivots, int *info, int count) \
    { \
        return factor<T>(h, n, a, lda, pivots, info, count); \
    } \
    cublasStatus_t cublas##S##getrsBatched( \
        cublasHandle_t h, cublasOperation_t op, int n, int sides_, const T *const a[], int lda, \
        const int *pivots, T *const b[], int ldb, int *info, int count) \
    { \
        return sides<T>(h, op, n, sides_, a, lda, pivots, b, ldb, info, count); \
    } \
    cublasStatus_t cublas##S##getriBatched(cublasHandle_t h, int n, const T *const a[], int lda, \
                                           const int *pivots, T *const c[], int ldc, int *info, \
                                           int count) \
    { \
        return inverse<T>(h, n, a, lda, pivots, c, ldc, info, count); \
    }
EACH(S, float)
EACH(D, double)
}
