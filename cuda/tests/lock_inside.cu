// A lock whose critical section is inside the loop that takes it: the lane that has it goes on before the others spin, in
// stack mode too.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

__device__ int lock;
__device__ volatile int count;

__global__ void add()
{
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            count = count + 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}

int main()
{
    int got = 0;
    add<<<2, 32>>>();
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) return printf("FAIL: %s\n", cudaGetErrorString(e)), 1;
    cudaMemcpyFromSymbol(&got, count, sizeof got);
    if (got != 64) return printf("FAIL: count is %d, right is 64\n", got), 1;
    printf("PASS\n");
    return 0;
}
