// Paper C, Listing 5: the single loop with a clock in every turn, and one after it.
// SPDX-License-Identifier: Apache-2.0
#define EXPR_INNER 1.3333f
#define N_PREHEAT 1
extern "C" __global__ void single_loop_precise(int *limits, float *out, long long *timer)
{
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    int M = limits[threadIdx.x];
    float sum = out[tid];
#pragma unroll
    for (int k = 0; k < N_PREHEAT; k++)
        for (int i = 0; i < M; i++)
            sum += EXPR_INNER;
    timer[tid] = clock64();
    for (int i = 0; i < M; i++) {
        sum += EXPR_INNER;
        timer[(i + 1) * 32 + tid] = clock64();
    }
    __syncthreads();
    timer[33 * 32 + tid] = clock64();
    out[tid] = sum;
}
