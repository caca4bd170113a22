/* cuBLAS as it was before it had handles, in libcublas.so: real numbers; what is not declared here
 * is not there.  SPDX-License-Identifier: Apache-2.0
 *
 * Names are those of BLAS, operations are letters, and sums are returned; what went wrong is asked
 * for afterwards.  cublas_v2.h has the same names for other functions, so one file includes one of
 * the two. */
#ifndef HEDDLE_CUBLAS_H
#define HEDDLE_CUBLAS_H
#ifdef HEDDLE_CUBLAS_V2_H
#error "cublas.h and cublas_v2.h have the same names: include one of them"
#endif
#define HEDDLE_CUBLAS_WITHOUT_HANDLES
#define CUBLAS_H_
#include "cublas_v2.h"
typedef cublasStatus_t cublasStatus;
#ifdef __cplusplus
extern "C" {
#endif
cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
cublasStatus cublasGetError(void);               /* of the calls since it was asked last */
cublasStatus cublasGetVersion(int *version);
cublasStatus cublasAlloc(int n, int size, void **p);
cublasStatus cublasFree(void *p);
cublasStatus cublasSetKernelStream(cudaStream_t stream);
#define HD_BLAS(S, s, T)                                                                           \
    void cublas##S##axpy(int n, T alpha, const T *x, int incx, T *y, int incy);                    \
    void cublas##S##scal(int n, T alpha, T *x, int incx);                                          \
    void cublas##S##copy(int n, const T *x, int incx, T *y, int incy);                             \
    void cublas##S##swap(int n, T *x, int incx, T *y, int incy);                                   \
    void cublas##S##rot(int n, T *x, int incx, T *y, int incy, T c, T s_);                         \
    T cublas##S##dot(int n, const T *x, int incx, const T *y, int incy);                           \
    T cublas##S##nrm2(int n, const T *x, int incx);                                                \
    T cublas##S##asum(int n, const T *x, int incx);                                                \
    int cublasI##s##amax(int n, const T *x, int incx);                                             \
    int cublasI##s##amin(int n, const T *x, int incx);                                             \
    void cublas##S##gemv(char op, int m, int n, T alpha, const T *a, int lda, const T *x,          \
                         int incx, T beta, T *y, int incy);                                        \
    void cublas##S##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a,   \
                        int lda);                                                                  \
    void cublas##S##trsv(char fill, char op, char diag, int n, const T *a, int lda, T *x,          \
                         int incx);                                                                \
    void cublas##S##gemm(char opa, char opb, int m, int n, int k, T alpha, const T *a, int lda,    \
                         const T *b, int ldb, T beta, T *c, int ldc);                              \
    void cublas##S##syrk(char fill, char op, int n, int k, T alpha, const T *a, int lda, T beta,   \
                         T *c, int ldc);                                                           \
    void cublas##S##trsm(char side, char fill, char op, char diag, int m, int n, T alpha,          \
                         const T *a, int lda, T *b, int ldb);
HD_BLAS(S, s, float)
HD_BLAS(D, d, double)
#undef HD_BLAS
#ifdef __cplusplus
}
#endif
#endif
