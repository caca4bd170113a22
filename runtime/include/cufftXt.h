/* cuFFT's plans by the types of numbers, on one device; callbacks and plans of several devices are
 * not there.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUFFTXT_H
#define HEDDLE_CUFFTXT_H
#include "cufft.h"
#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType in,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType out, long long batch, size_t *work,
                                cudaDataType execution);
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);
#ifdef __cplusplus
}
#endif
#endif
