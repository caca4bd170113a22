// A variable of the program's own called warpSize at file scope, and one in a function.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cstdio>
#define NOT_HERE(warpSize) \
    (warpSize = 1)
static const int warpSize = 32; // warpSize of the device
static_assert(warpSize == 32, "its own");

__global__ void k(int *p)
{
    __shared__ int of[2 * warpSize];
    of[threadIdx.x] = threadIdx.x / warpSize;
    __syncthreads();
    int first = of[threadIdx.x], warpSize = first + 7;
    p[threadIdx.x] = warpSize;
}

int main()
{
    int *p, wrong = 0;
    cudaMallocManaged(&p, 2 * warpSize * sizeof *p);
    k<<<1, 2 * warpSize>>>(p);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * warpSize; i++) wrong += p[i] != 7 + i / warpSize;
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
