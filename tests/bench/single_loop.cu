// Paper C, Listing 1: one loop whose upper bound differs from lane to lane.  `make bench` takes the
// cycles between the two clocks as the number of diverging lanes grows.
// SPDX-License-Identifier: Apache-2.0
#define EXPR_INNER 1.3333f
extern "C" __global__ void single_loop(int *limits, float *out, long long *timer)
{
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    int M = limits[threadIdx.x];
    float sum = out[tid];
    for (int i = 0; i < M; i++)          // warms the instruction cache, as the paper's preheat does
        sum += EXPR_INNER;
    __syncthreads();
    long long start = clock64();
    for (int i = 0; i < M; i++)
        sum += EXPR_INNER;
    long long stop = clock64();
    __syncthreads();
    out[tid] = sum;
    timer[2 * tid] = start;
    timer[2 * tid + 1] = stop;
}
