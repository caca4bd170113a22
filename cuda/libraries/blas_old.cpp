// cuBLAS without handles, by calls with one.  SPDX-License-Identifier: Apache-2.0
//
// A handle of the library's own serves all calls.  They return nothing, so the first thing that
// goes wrong stays until cublasGetError.
#include "cublas.h"

namespace
{
cublasHandle_t own;
cublasStatus_t wrong = CUBLAS_STATUS_SUCCESS;

void note(cublasStatus_t status)
{
    if (wrong == CUBLAS_STATUS_SUCCESS) wrong = status;
}
bool is(char given, char letter) { return (given | 32) == letter; }
cublasOperation_t operation(char c)
{
    return is(c, 'n')   ? CUBLAS_OP_N
           : is(c, 't') ? CUBLAS_OP_T
           : is(c, 'c') ? CUBLAS_OP_C
                        : (cublasOperation_t)-1;
}
cublasFillMode_t fill_of(char c)
{
    return is(c, 'l')   ? CUBLAS_FILL_MODE_LOWER
           : is(c, 'u') ? CUBLAS_FILL_MODE_UPPER
                        : (cublasFillMode_t)-1;
}
cublasDiagType_t diagonal(char c)
{
    return is(c, 'n') ? CUBLAS_DIAG_NON_UNIT : is(c, 'u') ? CUBLAS_DIAG_UNIT : (cublasDiagType_t)-1;
}
cublasSideMode_t side_of(char c)
{
    return is(c, 'l') ? CUBLAS_SIDE_LEFT : is(c, 'r') ? CUBLAS_SIDE_RIGHT : (cublasSideMode_t)-1;
}
bool letters(bool ok)
{
    if (!ok) note(CUBLAS_STATUS_INVALID_VALUE);
    return ok;
}
} // namespace

#pragma GCC visibility push(default)
extern "C" {
cublasStatus cublasInit(void) { return own ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&own); }
cublasStatus cublasShutdown(void)
{
    const cublasHandle_t h = own;
    own = nullptr;
    return h ? cublasDestroy_v2(h) : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus cublasGetError(void)
{
    const cublasStatus_t status = wrong;
    wrong = CUBLAS_STATUS_SUCCESS;
    return status;
}
cublasStatus cublasGetVersion(int *version) { return cublasGetVersion_v2(own, version); }
cublasStatus cublasAlloc(int n, int size, void **p)
{
    if (n <= 0 || size <= 0 || !p) return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMalloc(p, (size_t)n * (size_t)size) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                  : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus cublasFree(void *p)
{
    return cudaFree(p) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
cublasStatus cublasSetKernelStream(cudaStream_t stream) { return cublasSetStream_v2(own, stream); }

#define EACH(S, s, T) \
    void cublas##S##axpy(int n, T alpha, const T *x, int incx, T *y, int incy) \
    { \
        note(cublas##S##axpy_v2(own, n, &alpha, x, incx, y, incy)); \
    } \
    void cublas##S##scal(int n, T alpha, T *x, int incx) \
    { \
        note(cublas##S##scal_v2(own, n, &alpha, x, incx)); \
    } \
    void cublas##S##copy(int n, const T *x, int incx, T *y, int incy) \
    { \
        note(cublas##S##copy_v2(own, n, x, incx, y, incy)); \
    } \
    void cublas##S##swap(int n, T *x, int incx, T *y, int incy) \
    { \
        note(cublas##S##swap_v2(own, n, x, incx, y, incy)); \
    } \
    void cublas##S##rot(int n, T *x, int incx, T *y, int incy, T c, T s_) \
    { \
        note(cublas##S##rot_v2(own, n, x, incx, y, incy, &c, &s_)); \
    } \
    T cublas##S##dot(int n, const T *x, int incx, const T *y, int incy) \
    { \
        T r = 0; \
        note(cublas##S##dot_v2(own, n, x, incx, y, incy, &r)); \
        return r; \
    } \
    T cublas##S##nrm2(int n, const T *x, int incx) \
    { \
        T r = 0; \
        note(cublas##S##nrm2_v2(own, n, x, incx, &r)); \
        return r; \
    } \
    T cublas##S##asum(int n, const T *x, int incx) \
    { \
        T r = 0; \
        note(cublas##S##asum_v2(own, n, x, incx, &r)); \
        return r; \
    } \
    int cublasI##s##amax(int n, const T *x, int incx) \
    { \
        int r = 0; \
        note(cublasI##s##amax_v2(own, n, x, incx, &r)); \
        return r; \
    } \
    int cublasI##s##amin(int n, const T *x, int incx) \
    { \
        int r = 0; \
        note(cublasI##s##amin_v2(own, n, x, incx, &r)); \
        return r; \
    } \
    void cublas##S##gemv(char op, int m, int n, T alpha, const T *a, int lda, const T *x, \
                         int incx, T beta, T *y, int incy) \
    { \
        if (letters((int)operation(op) >= 0)) \
            note(cublas##S##gemv_v2(own, operation(op), m, n, &alpha, a, lda, x, incx, &beta, y, \
                                    incy)); \
    } \
    void cublas##S##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, \
                        int lda) \
    { \
        note(cublas##S##ger_v2(own, m, n, &alpha, x, incx, y, incy, a, lda)); \
    } \
    void cublas##S##trsv(char fill, char op, char diag, int n, const T *a, int lda, T *x, \
                         int incx) \
    { \
        if (letters((int)fill_of(fill) >= 0 && (int)operation(op) >= 0 && \
                    (int)diagonal(diag) >= 0)) \
            note(cublas##S##trsv_v2(own, fill_of(fill), operation(op), diagonal(diag), n, a, lda, \
                                    x, incx)); \
    } \
    void cublas##S##gemm(char opa, char opb, int m, int n, int k, T alpha, const T *a, int lda, \
                         const T *b, int ldb, T beta, T *c, int ldc) \
    { \
        if (letters((int)operation(opa) >= 0 && (int)operation(opb) >= 0)) \
            note(cublas##S##gemm_v2(own, operation(opa), operation(opb), m, n, k, &alpha, a, lda, \
                                    b, ldb, &beta, c, ldc)); \
    } \
    void cublas##S##syrk(char fill, char op, int n, int k, T alpha, const T *a, int lda, T beta, \
                         T *c, int ldc) \
    { \
        if (letters((int)fill_of(fill) >= 0 && (int)operation(op) >= 0)) \
            note(cublas##S##syrk_v2(own, fill_of(fill), operation(op), n, k, &alpha, a, lda, \
                                    &beta, c, ldc)); \
    } \
    void cublas##S##trsm(char side, char fill, char op, char diag, int m, int n, T alpha, \
                         const T *a, int lda, T *b, int ldb) \
    { \
        if (letters((int)side_of(side) >= 0 && (int)fill_of(fill) >= 0 && \
                    (int)operation(op) >= 0 && (int)diagonal(diag) >= 0)) \
            note(cublas##S##trsm_v2(own, side_of(side), fill_of(fill), operation(op), \
                                    diagonal(diag), m, n, &alpha, a, lda, b, ldb)); \
    }
EACH(S, s, float)
EACH(D, d, double)
}
