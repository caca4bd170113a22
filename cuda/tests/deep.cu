// A recursion deeper than the stack that threads have, after the program has asked for a larger one.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

__host__ __device__ int deep(int n, const int *above)
{
    int own[16];
    for (int i = 0; i < 16; i++) own[i] = above[i] + n;
    int below = n ? deep(n - 1, own) : 0;
    return below + own[below & 15];
}
__global__ void start(int *out, int n)
{
    int first[16];
    for (int i = 0; i < 16; i++) first[i] = 3 * i;
    out[threadIdx.x] = deep(n + (int)threadIdx.x, first);
}

int main()
{
    int *d, out[4], first[16];
    size_t before = 0, after = 0;
    cudaDeviceGetLimit(&before, cudaLimitStackSize);
    cudaDeviceSetLimit(cudaLimitStackSize, 32768);
    cudaDeviceGetLimit(&after, cudaLimitStackSize);
    cudaMalloc(&d, sizeof out);
    start<<<1, 4>>>(d, 150);
    if (cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost)) return printf("FAIL: the launch\n"), 1;
    for (int i = 0; i < 16; i++) first[i] = 3 * i;
    for (int t = 0; t < 4; t++)
        if (out[t] != deep(150 + t, first)) return printf("FAIL: %d in thread %d\n", out[t], t), 1;
    if (before != 4096 || after != 32768) return printf("FAIL: limits of %zu and %zu\n", before, after), 1;
    printf("PASS\n");
}
