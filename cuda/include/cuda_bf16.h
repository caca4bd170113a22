/* bf16: small_float_type.h with its names.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_BF16_H
#define HEDDLE_CUDA_BF16_H
/* Headers of programs ask by these names whether CUDA's own were included. */
#define __CUDA_BF16_H__
#include "cuda_runtime.h"
#include "small_float.h"
#define HD_T __nv_bfloat16
#define HD_T2 __nv_bfloat162
#define HD_RAW __nv_bfloat16_raw
#define HD_RAW2 __nv_bfloat162_raw
#define HD_TAG bfloat16
#define HD_TAG2 bfloat162
#define HD_BITS heddle_bf16_of
#define HD_FLOAT heddle_of_bf16
#define HD_PTX "bf16"
/* In one rounding: below the normal numbers, f32 rounds the product too. */
#define HD_PRODUCT(a, b) __hfma(a, b, HD_RAW{0x8000})
#include "small_float_type.h"
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
