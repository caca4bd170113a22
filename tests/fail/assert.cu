// Failed assertions say where and which thread, in the order of CUDA's words; what was printed before is printed.
// LANES: 4
// RUN: --grid 1 --block 4,2 a:i32[8]=iota
// EXIT: 1
// PRINTS: checks 8
// PRINTS: tests/fail/assert.cu:13: void check(const int *, int): block: [0,0,0], thread: [2,1,0] Assertion `a[i] < n` failed.
// PRINTS: tests/fail/assert.cu:13: void check(const int *, int): block: [0,0,0], thread: [3,1,0] Assertion `a[i] < n` failed.
// MESSAGE: trap
#include <assert.h>
#include <stdio.h>
static __device__ void check(const int *a, int n)
{
    int i = threadIdx.x + 4 * threadIdx.y; assert(a[i] < n);
}
extern "C" __global__ void k(const int *a)
{
    if (threadIdx.x + threadIdx.y == 0) printf("checks %d\n", blockDim.x * blockDim.y);
    check(a, 6);
}
