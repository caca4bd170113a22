/* f16: small_float_type.h with its names.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_FP16_H
#define HEDDLE_CUDA_FP16_H
/* Headers of programs ask by these names whether CUDA's own were included. */
#define __CUDA_FP16_H__
#include "cuda_runtime.h"
#include "small_float.h"
#define HD_T __half
#define HD_T2 __half2
#define HD_RAW __half_raw
#define HD_RAW2 __half2_raw
#define HD_TAG half
#define HD_TAG2 half2
#define HD_BITS heddle_f16_of
#define HD_FLOAT heddle_of_f16
#define HD_PTX "f16"
#define HD_PRODUCT(a, b) HD_T((float)a * (float)b)
#include "small_float_type.h"
typedef __half half;
typedef __half2 half2;
#endif
