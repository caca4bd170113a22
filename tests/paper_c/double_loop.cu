// Paper C, Listing 2: two nested loops whose upper bounds differ from lane to lane, between two clocks.
// SPDX-License-Identifier: Apache-2.0
#define EXPR_INNER 1.3333f
#define EXPR_OUTER 2.3333f
#define N_PREHEAT 1
#define N_UNROLL 1
extern "C" __global__ void double_loops(int *limits, float *out, long long *timer)
{
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    asm volatile("" :: "r"(tid));         // here: clang 19 would compute it between the clocks
    int M = limits[2 * threadIdx.x];
    int N = limits[2 * threadIdx.x + 1];
    float sum = out[0];
#pragma unroll
    for (int k = 0; k < N_PREHEAT; k++)
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++)
                sum += EXPR_INNER;
            sum += EXPR_OUTER;
        }
    __syncthreads();
    long long start = clock64();
#pragma unroll
    for (int k = 0; k < N_UNROLL; k++)
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
