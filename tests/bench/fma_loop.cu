// Four chains of fused multiply-adds: eight warps keep the FPU's lanes busy in every cycle but those
// of the loop.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void fma_loop(float *out, float a, float b, unsigned n)
{
    float x = threadIdx.x, y = 1.0f, z = 2.0f, w = 3.0f;
    for (unsigned i = 0; i < n; i++) {
        x = __builtin_fmaf(x, a, b);
        y = __builtin_fmaf(y, a, b);
        z = __builtin_fmaf(z, a, b);
        w = __builtin_fmaf(w, a, b);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x + y + z + w;
}
