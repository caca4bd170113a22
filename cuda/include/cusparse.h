/* cuSPARSE, in libcusparse.so: sparse matrices and vectors of f32 and f64, by its generic calls.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUSPARSE_H
#define HEDDLE_CUSPARSE_H
/* Headers of programs ask by this name whether CUDA's own was included. */
#define CUSPARSE_H_
#include <stdint.h>
#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 0
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VERSION 12000
#define CUSPARSEAPI
typedef enum {
    CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED,
    CUSPARSE_STATUS_INVALID_VALUE, CUSPARSE_STATUS_ARCH_MISMATCH, CUSPARSE_STATUS_MAPPING_ERROR,
    CUSPARSE_STATUS_EXECUTION_FAILED, CUSPARSE_STATUS_INTERNAL_ERROR,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, CUSPARSE_STATUS_ZERO_PIVOT,
    CUSPARSE_STATUS_NOT_SUPPORTED, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_MATRIX_TYPE_SYMMETRIC, CUSPARSE_MATRIX_TYPE_HERMITIAN,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC } cusparseAction_t;
typedef enum {
    CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I
} cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW } cusparseOrder_t;
typedef enum {
    CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO,
    CUSPARSE_FORMAT_BLOCKED_ELL = 5, CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_SLICED_ELLPACK
} cusparseFormat_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_COO_ALG1, CUSPARSE_SPMV_CSR_ALG1,
    CUSPARSE_SPMV_CSR_ALG2, CUSPARSE_SPMV_COO_ALG2, CUSPARSE_SPMV_SELL_ALG1
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT, CUSPARSE_SPMM_COO_ALG1, CUSPARSE_SPMM_COO_ALG2,
    CUSPARSE_SPMM_COO_ALG3, CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_SPMM_COO_ALG4,
    CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG3 = 12, CUSPARSE_SPMM_BLOCKED_ELL_ALG1
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT } cusparseDenseToSparseAlg_t;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;

#ifdef __cplusplus
extern "C" {
#endif
#define SP cusparseStatus_t
SP cusparseCreate(cusparseHandle_t *h);
SP cusparseDestroy(cusparseHandle_t h);
SP cusparseGetVersion(cusparseHandle_t h, int *version);
SP cusparseSetStream(cusparseHandle_t h, cudaStream_t stream);
SP cusparseGetStream(cusparseHandle_t h, cudaStream_t *stream);
SP cusparseSetPointerMode(cusparseHandle_t h, cusparsePointerMode_t mode);
SP cusparseGetPointerMode(cusparseHandle_t h, cusparsePointerMode_t *mode);
const char *cusparseGetErrorName(cusparseStatus_t e);
const char *cusparseGetErrorString(cusparseStatus_t e);

SP cusparseCreateMatDescr(cusparseMatDescr_t *d);
SP cusparseDestroyMatDescr(cusparseMatDescr_t d);
SP cusparseSetMatType(cusparseMatDescr_t d, cusparseMatrixType_t type);
SP cusparseSetMatIndexBase(cusparseMatDescr_t d, cusparseIndexBase_t base);
SP cusparseSetMatFillMode(cusparseMatDescr_t d, cusparseFillMode_t mode);
SP cusparseSetMatDiagType(cusparseMatDescr_t d, cusparseDiagType_t type);
SP cusparseXcoo2csr(cusparseHandle_t h, const int *rows, int nnz, int m, int *offsets,
                    cusparseIndexBase_t base);
SP cusparseXcsr2coo(cusparseHandle_t h, const int *offsets, int nnz, int m, int *rows,
                    cusparseIndexBase_t base);

SP cusparseCreateSpVec(cusparseSpVecDescr_t *v, int64_t size, int64_t nnz, void *indices,
                       void *values, cusparseIndexType_t type, cusparseIndexBase_t base,
                       cudaDataType of);
SP cusparseDestroySpVec(cusparseConstSpVecDescr_t v);
SP cusparseCreateDnVec(cusparseDnVecDescr_t *v, int64_t size, void *values, cudaDataType of);
SP cusparseDestroyDnVec(cusparseConstDnVecDescr_t v);
SP cusparseDnVecGetValues(cusparseDnVecDescr_t v, void **values);
SP cusparseDnVecSetValues(cusparseDnVecDescr_t v, void *values);
SP cusparseCreateCsr(cusparseSpMatDescr_t *a, int64_t rows, int64_t cols, int64_t nnz,
                     void *offsets, void *indices, void *values, cusparseIndexType_t offset_type,
                     cusparseIndexType_t type, cusparseIndexBase_t base, cudaDataType of);
SP cusparseCreateCsc(cusparseSpMatDescr_t *a, int64_t rows, int64_t cols, int64_t nnz,
                     void *offsets, void *indices, void *values, cusparseIndexType_t offset_type,
                     cusparseIndexType_t type, cusparseIndexBase_t base, cudaDataType of);
SP cusparseCreateCoo(cusparseSpMatDescr_t *a, int64_t rows, int64_t cols, int64_t nnz, void *row,
                     void *col, void *values, cusparseIndexType_t type, cusparseIndexBase_t base,
                     cudaDataType of);
SP cusparseDestroySpMat(cusparseConstSpMatDescr_t a);
SP cusparseCsrSetPointers(cusparseSpMatDescr_t a, void *offsets, void *indices, void *values);
SP cusparseCscSetPointers(cusparseSpMatDescr_t a, void *offsets, void *indices, void *values);
SP cusparseCooSetPointers(cusparseSpMatDescr_t a, void *row, void *col, void *values);
SP cusparseSpMatGetSize(cusparseConstSpMatDescr_t a, int64_t *rows, int64_t *cols, int64_t *nnz);
SP cusparseSpMatSetValues(cusparseSpMatDescr_t a, void *values);
SP cusparseSpMatSetAttribute(cusparseSpMatDescr_t a, cusparseSpMatAttribute_t which,
                             const void *value, size_t bytes);
SP cusparseCreateDnMat(cusparseDnMatDescr_t *b, int64_t rows, int64_t cols, int64_t ld,
                       void *values, cudaDataType of, cusparseOrder_t order);
SP cusparseDestroyDnMat(cusparseConstDnMatDescr_t b);
SP cusparseDnMatSetValues(cusparseDnMatDescr_t b, void *values);

SP cusparseAxpby(cusparseHandle_t h, const void *alpha, cusparseConstSpVecDescr_t x,
                 const void *beta, cusparseDnVecDescr_t y);
SP cusparseGather(cusparseHandle_t h, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x);
SP cusparseScatter(cusparseHandle_t h, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y);
SP cusparseRot(cusparseHandle_t h, const void *c, const void *s, cusparseSpVecDescr_t x,
               cusparseDnVecDescr_t y);
SP cusparseSpVV_bufferSize(cusparseHandle_t h, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                           cusparseConstDnVecDescr_t y, const void *result, cudaDataType compute,
                           size_t *bytes);
SP cusparseSpVV(cusparseHandle_t h, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                cusparseConstDnVecDescr_t y, void *result, cudaDataType compute, void *buffer);
SP cusparseSpMV_bufferSize(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                           cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                           const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                           cusparseSpMVAlg_t alg, size_t *bytes);
SP cusparseSpMV_preprocess(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                           cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                           const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                           cusparseSpMVAlg_t alg, void *buffer);
SP cusparseSpMV(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t alg, void *buffer);
SP cusparseSpMM_bufferSize(cusparseHandle_t h, cusparseOperation_t op, cusparseOperation_t op_b,
                           const void *alpha, cusparseConstSpMatDescr_t a,
                           cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
                           cudaDataType compute, cusparseSpMMAlg_t alg, size_t *bytes);
SP cusparseSpMM_preprocess(cusparseHandle_t h, cusparseOperation_t op, cusparseOperation_t op_b,
                           const void *alpha, cusparseConstSpMatDescr_t a,
                           cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
                           cudaDataType compute, cusparseSpMMAlg_t alg, void *buffer);
SP cusparseSpMM(cusparseHandle_t h, cusparseOperation_t op, cusparseOperation_t op_b,
                const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                cusparseSpMMAlg_t alg, void *buffer);
SP cusparseSparseToDense_bufferSize(cusparseHandle_t h, cusparseConstSpMatDescr_t a,
                                    cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t alg,
                                    size_t *bytes);
SP cusparseSparseToDense(cusparseHandle_t h, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                         cusparseSparseToDenseAlg_t alg, void *buffer);
SP cusparseDenseToSparse_bufferSize(cusparseHandle_t h, cusparseConstDnMatDescr_t b,
                                    cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t alg,
                                    size_t *bytes);
SP cusparseDenseToSparse_analysis(cusparseHandle_t h, cusparseConstDnMatDescr_t b,
                                  cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t alg,
                                  void *buffer);
SP cusparseDenseToSparse_convert(cusparseHandle_t h, cusparseConstDnMatDescr_t b,
                                 cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t alg,
                                 void *buffer);
SP cusparseSpSV_createDescr(cusparseSpSVDescr_t *d);
SP cusparseSpSV_destroyDescr(cusparseSpSVDescr_t d);
SP cusparseSpSV_bufferSize(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                           cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                           cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t alg,
                           cusparseSpSVDescr_t d, size_t *bytes);
SP cusparseSpSV_analysis(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t alg,
                         cusparseSpSVDescr_t d, void *buffer);
SP cusparseSpSV_solve(cusparseHandle_t h, cusparseOperation_t op, const void *alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                      cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t alg,
                      cusparseSpSVDescr_t d);
#undef SP
#ifdef __cplusplus
}
#endif
#endif
