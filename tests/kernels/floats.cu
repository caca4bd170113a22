// f32: rounding, fused multiply-add, division and square root by library, conversions.
// SPDX-License-Identifier: Apache-2.0
// The hash is that of host/floats.cc.
// RUN: --grid 1 --block 32 a:f32[32]=rand:3 b:f32[32]=rand:4 out:f32[128]
// HASH: out ae41a4f7
extern "C" __global__ void floats(const float *a, const float *b, float *out)
{
    unsigned i = threadIdx.x;
    float x = a[i], y = b[i];
    out[i] = x / y;
    out[32 + i] = __builtin_sqrtf(x);
    out[64 + i] = __builtin_fmaf(x, y, x - y);
    out[96 + i] = (float)(int)(x * 1000.0f) - (float)(unsigned)(y * 7.0f);
}
