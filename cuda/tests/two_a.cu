// SPDX-License-Identifier: Apache-2.0
#include "two.h"
static __device__ int launches = 10;
static __global__ void kernel(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
    if (i == 0) launches++;
}
int double_all(int *device, int n)
{
    int count = 0;
    kernel<<<(n + 31) / 32, 32>>>(device, n);
    return cudaMemcpyFromSymbol(&count, launches, sizeof count) == cudaSuccess ? count : -1;
}
