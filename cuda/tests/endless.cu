// A launch that takes until it is stopped: its first block ends, the second counts.  SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

__global__ void counts(volatile int *p)
{
    while (blockIdx.x) *p = *p + 1;
}
int main()
{
    int *p;
    cudaMalloc(&p, sizeof *p);
    counts<<<2, 1>>>(p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
