// printf and assert in kernels, and f64: what is printed stands where the launch does.  SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cmath>
#include <cstdio>
__global__ void say(int launch, double x)
{
    if (threadIdx.x < 2) printf("launch %d, thread %u: %s %.3f\n", launch, threadIdx.x, "x", x * threadIdx.x / 3.0);
}
__global__ void check(int n) { assert(threadIdx.x != n); }
int main()
{
    say<<<1, 32>>>(1, 2.0);
    cudaDeviceSynchronize();
    printf("between\n");
    say<<<1, 32>>>(2, 6.0);
    check<<<1, 8>>>(9);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    check<<<1, 8>>>(5);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(e));
    return e != cudaSuccess;
}
