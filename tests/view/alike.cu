// Both sides of a branch do much the same; with HOIST it stands before the branch: tests/view/profile.sh.
// SPDX-License-Identifier: Apache-2.0
__device__ __forceinline__ float same(float x)
{
#pragma unroll
    for (int k = 0; k < 12; k++)
        x = x * 1.001f + 0.5f * k;
    return x;
}

__global__ void alike(float *out, float a, float b)
{
    int t = threadIdx.x;
#ifdef HOIST
    float x = same(t < 16 ? a * t : b + t);
    if (t < 16)
        atomicAdd(&out[t], x);
    else
        atomicExch(&out[t], x);
#else
    if (t < 16)
        atomicAdd(&out[t], same(a * t));
    else
        atomicExch(&out[t], same(b + t));
#endif
}
