// Paper C, Listing 2: two nested loops whose upper bounds differ from lane to lane.
// SPDX-License-Identifier: Apache-2.0
#define EXPR_INNER 1.3333f
#define EXPR_OUTER 2.3333f
extern "C" __global__ void double_loops(int *limits, float *out, long long *timer)
{
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    int M = limits[2 * threadIdx.x];
    int N = limits[2 * threadIdx.x + 1];
    float sum = out[0];
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++)
            sum += EXPR_INNER;
        sum += EXPR_OUTER;
    }
    __syncthreads();
    long long start = clock64();
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++)
            sum += EXPR_INNER;
        sum += EXPR_OUTER;
    }
    long long stop = clock64();
    __syncthreads();
    out[tid] = sum;
    timer[2 * tid] = start;
    timer[2 * tid + 1] = stop;
}
