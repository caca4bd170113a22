// Paper C, Listing 1: one loop whose upper bound differs from lane to lane, between two clocks.
// SPDX-License-Identifier: Apache-2.0
#define EXPR_INNER 1.3333f
#define N_PREHEAT 1                       // fills the instruction cache; the paper measures with 1, too
#define N_UNROLL 1
extern "C" __global__ void single_loop(int *limits, float *out, long long *timer)
{
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    int M = limits[threadIdx.x];
    float sum = out[tid];
#pragma unroll
    for (int k = 0; k < N_PREHEAT; k++)
        for (int i = 0; i < M; i++)
            sum += EXPR_INNER;
    __syncthreads();
    long long start = clock64();
#pragma unroll
    for (int k = 0; k < N_UNROLL; k++)
        for (int i = 0; i < M; i++)
            sum += EXPR_INNER;
    long long stop = clock64();
    __syncthreads();
    out[tid] = sum;
    timer[2 * tid] = start;
    timer[2 * tid + 1] = stop;
}
