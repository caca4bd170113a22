/* cuBLAS, in libcublas.so: real numbers; what is not declared here is not there.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUBLAS_V2_H
#define HEDDLE_CUBLAS_V2_H
/* Headers of programs ask by these names whether CUDA's own were included. */
#define CUBLAS_V2_H_
#define CUBLAS_API_H_
#include <stdint.h>
#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VERSION 120000
#define CUBLASAPI
#define CUBLASWINAPI
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
    CUBLAS_OP_N,
    CUBLAS_OP_T,
    CUBLAS_OP_C,
    CUBLAS_OP_HERMITAN = CUBLAS_OP_C,
    CUBLAS_OP_CONJG
} cublasOperation_t;
typedef enum {
    CUBLAS_FILL_MODE_LOWER,
    CUBLAS_FILL_MODE_UPPER,
    CUBLAS_FILL_MODE_FULL
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1,
    CUBLAS_GEMM_ALGO2,
    CUBLAS_GEMM_ALGO3,
    CUBLAS_GEMM_ALGO4,
    CUBLAS_GEMM_ALGO5,
    CUBLAS_GEMM_ALGO6,
    CUBLAS_GEMM_ALGO7,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifndef HEDDLE_CUBLAS_WITHOUT_HANDLES      /* cublas.h has these names for itself */
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#endif
#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasCreate_v2(cublasHandle_t *h);
cublasStatus_t cublasDestroy_v2(cublasHandle_t h);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t h, int *version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t h, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t h, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t h, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t h, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t h, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t h, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t h, cublasAtomicsMode_t mode);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t h, void *p, size_t bytes);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int m, int n, int size, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasGetMatrix(int m, int n, int size, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int m, int n, int size, const void *a, int lda, void *b,
                                    int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int m, int n, int size, const void *a, int lda, void *b,
                                    int ldb, cudaStream_t stream);

/* Each for S (float) and D (double); the names that programs call are macros, as in NVIDIA's
 * header. */
#define HD_BLAS(S, s, T)                                                                           \
    cublasStatus_t cublas##S##axpy_v2(cublasHandle_t h, int n, const T *alpha, const T *x,         \
                                      int incx, T *y, int incy);                                   \
    cublasStatus_t cublas##S##scal_v2(cublasHandle_t h, int n, const T *alpha, T *x, int incx);    \
    cublasStatus_t cublas##S##copy_v2(cublasHandle_t h, int n, const T *x, int incx, T *y,         \
                                      int incy);                                                   \
    cublasStatus_t cublas##S##swap_v2(cublasHandle_t h, int n, T *x, int incx, T *y, int incy);    \
    cublasStatus_t cublas##S##dot_v2(cublasHandle_t h, int n, const T *x, int incx, const T *y,    \
                                     int incy, T *result);                                         \
    cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t h, int n, const T *x, int incx, T *result);   \
    cublasStatus_t cublas##S##asum_v2(cublasHandle_t h, int n, const T *x, int incx, T *result);   \
    cublasStatus_t cublasI##s##amax_v2(cublasHandle_t h, int n, const T *x, int incx,              \
                                       int *result);                                               \
    cublasStatus_t cublasI##s##amin_v2(cublasHandle_t h, int n, const T *x, int incx,              \
                                       int *result);                                               \
    cublasStatus_t cublas##S##rot_v2(cublasHandle_t h, int n, T *x, int incx, T *y, int incy,      \
                                     const T *c, const T *s);                                      \
    cublasStatus_t cublas##S##gemv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n,        \
                                      const T *alpha, const T *a, int lda, const T *x, int incx,   \
                                      const T *beta, T *y, int incy);                              \
    cublasStatus_t cublas##S##ger_v2(cublasHandle_t h, int m, int n, const T *alpha, const T *x,   \
                                     int incx, const T *y, int incy, T *a, int lda);               \
    cublasStatus_t cublas##S##trsv_v2(cublasHandle_t h, cublasFillMode_t fill,                     \
                                      cublasOperation_t op, cublasDiagType_t diag, int n,          \
                                      const T *a, int lda, T *x, int incx);                        \
    cublasStatus_t cublas##S##gemm_v2(                                                             \
        cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,       \
        const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);   \
    cublasStatus_t cublas##S##gemmBatched(                                                         \
        cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,       \
        const T *alpha, const T *const *a, int lda, const T *const *b, int ldb, const T *beta,     \
        T *const *c, int ldc, int count);                                                          \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,       \
        const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,              \
        long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int count);          \
    cublasStatus_t cublas##S##syrk_v2(cublasHandle_t h, cublasFillMode_t fill,                     \
                                      cublasOperation_t op, int n, int k, const T *alpha,          \
                                      const T *a, int lda, const T *beta, T *c, int ldc);          \
    cublasStatus_t cublas##S##trsm_v2(                                                             \
        cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,      \
        cublasDiagType_t diag, int m, int n, const T *alpha, const T *a, int lda, T *b, int ldb);  \
    cublasStatus_t cublas##S##getrfBatched(cublasHandle_t h, int n, T *const a[], int lda,         \
                                           int *pivots, int *info, int count);                     \
    cublasStatus_t cublas##S##getrsBatched(cublasHandle_t h, cublasOperation_t op, int n,          \
                                           int sides, const T *const a[], int lda,                 \
                                           const int *pivots, T *const b[], int ldb, int *info,    \
                                           int count);                                             \
    cublasStatus_t cublas##S##getriBatched(cublasHandle_t h, int n, const T *const a[], int lda,   \
                                           const int *pivots, T *const c[], int ldc, int *info,    \
                                           int count);                                             \
    cublasStatus_t cublas##S##geam(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, \
                                   int m, int n, const T *alpha, const T *a, int lda,              \
                                   const T *beta, const T *b, int ldb, T *c, int ldc);             \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n,          \
                                   const T *a, int lda, const T *x, int incx, T *c, int ldc);
HD_BLAS(S, s, float)
HD_BLAS(D, d, double)
#undef HD_BLAS
#ifdef __cplusplus
cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m,
                           int n, int k, const __half *alpha, const __half *a, int lda,
                           const __half *b, int ldb, const __half *beta, __half *c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t opa,
                                         cublasOperation_t opb, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda,
                                         long long stride_a, const __half *b, int ldb,
                                         long long stride_b, const __half *beta, __half *c, int ldc,
                                         long long stride_c, int count);
#endif
/* Vectors of a type that is named: f32, f64, and f16 and bf16 by f32. */
cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx,
                           const void *y, cudaDataType ty, int incy, void *result, cudaDataType to,
                           cudaDataType by);
cublasStatus_t cublasDotcEx(cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx,
                            const void *y, cudaDataType ty, int incy, void *result,
                            cudaDataType to, cudaDataType by);
cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType tx, int incx,
                            void *result, cudaDataType to, cudaDataType by);
cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType ta,
                            const void *x, cudaDataType tx, int incx, void *y, cudaDataType ty,
                            int incy, cudaDataType by);
cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType ta, void *x,
                            cudaDataType tx, int incx, cudaDataType by);
cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m,
                             int n, int k, const float *alpha, const void *a, cudaDataType ta,
                             int lda, const void *b, cudaDataType tb, int ldb, const float *beta,
                             void *c, cudaDataType tc, int ldc);
cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m,
                            int n, int k, const void *alpha, const void *a, cudaDataType ta,
                            int lda, const void *b, cudaDataType tb, int ldb, const void *beta,
                            void *c, cudaDataType tc, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t opa,
                                          cublasOperation_t opb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType ta,
                                          int lda, long long stride_a, const void *b,
                                          cudaDataType tb, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType tc, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
#ifdef __cplusplus
}
/* The type of computation was once a type of numbers. */
static inline cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t opa,
                                          cublasOperation_t opb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType ta,
                                          int lda, const void *b, cudaDataType tb, int ldb,
                                          const void *beta, void *c, cudaDataType tc, int ldc,
                                          cudaDataType compute, cublasGemmAlgo_t algorithm)
{
    const cublasComputeType_t t = compute == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
                                  : compute == CUDA_R_32F ? CUBLAS_COMPUTE_32F
                                  : compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                                                          : CUBLAS_COMPUTE_32I;
    return cublasGemmEx(h, opa, opb, m, n, k, alpha, a, ta, lda, b, tb, ldb, beta, c, tc, ldc, t,
                        algorithm);
}
#endif
#ifndef HEDDLE_CUBLAS_WITHOUT_HANDLES
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasSrot cublasSrot_v2
#define cublasDrot cublasDrot_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasStrsv cublasStrsv_v2
#define cublasDtrsv cublasDtrsv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2
#endif
#endif
