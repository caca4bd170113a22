// A little of everything that holds state in the core: a divergent loop, shared memory and block
// barriers, atomics, floats, MUFU, a shuffle, a vote; two blocks in the same two warp slots.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void mix(const unsigned *in, unsigned *out, float *real, unsigned *sum)
{
    __shared__ unsigned tile[64];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, v = in[i], steps = 0;
    float x = (float)v + 0.5f, y;
    while (v > 1) {
        v = v & 1 ? v + 1 : v >> 1;
        if (++steps > 4)
            break;
    }
    tile[t] = steps;
    __syncthreads();
    v = tile[63 - t] + __shfl_xor_sync(0xffffffffu, steps, 1);
    v += __popc(__ballot_sync(0xffffffffu, steps & 1));
    asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x * 0.125f));
    real[i] = y * x + x;
    if (t % 16 == 1)
        atomicAdd(sum, v);
    else if (t % 16 == 2)
        atomicMax(&tile[0], v);
    __syncthreads();
    out[i] = v + (t ? 0 : tile[0]);
}
