/* cuFFT's plans by the types of numbers, on one device; plans of several devices are not there, and
 * calls about callbacks answer CUFFT_NOT_SUPPORTED.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUFFTXT_H
#define HEDDLE_CUFFTXT_H
#include "cufft.h"
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_LD_REAL, CUFFT_CB_LD_REAL_DOUBLE,
    CUFFT_CB_ST_COMPLEX, CUFFT_CB_ST_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL, CUFFT_CB_ST_REAL_DOUBLE,
    CUFFT_CB_UNDEFINED
} cufftXtCallbackType;
typedef cufftComplex (*cufftCallbackLoadC)(void *in, size_t at, void *info, void *shared);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void *in, size_t at, void *info, void *shared);
typedef cufftReal (*cufftCallbackLoadR)(void *in, size_t at, void *info, void *shared);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void *in, size_t at, void *info, void *shared);
typedef void (*cufftCallbackStoreC)(void *out, size_t at, cufftComplex v, void *info, void *shared);
typedef void (*cufftCallbackStoreZ)(void *out, size_t at, cufftDoubleComplex v, void *info,
                                    void *shared);
typedef void (*cufftCallbackStoreR)(void *out, size_t at, cufftReal v, void *info, void *shared);
typedef void (*cufftCallbackStoreD)(void *out, size_t at, cufftDoubleReal v, void *info,
                                    void *shared);
#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType in,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType out, long long batch, size_t *work,
                                cudaDataType execution);
cufftResult cufftXtSetCallback(cufftHandle plan, void **callbacks, cufftXtCallbackType type,
                               void **info);
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type);
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t bytes);
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);
#ifdef __cplusplus
}
#endif
#endif
