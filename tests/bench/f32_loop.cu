// A loop of multiply-adds: the FPU's lanes, which simulate more slowly than integers, are busy in every cycle.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void f32_loop(const float *in, float *out)
{
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    float x = in[tid], y = 1, z = 0;
    for (int i = 0; i < 1000; i++) {
        y = x * y + 0.5f;
        z = x * z + y;
        y = y * 0.25f - z;
    }
    out[tid] = y + z;
}
