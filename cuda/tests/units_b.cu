// The other file of units_a.cu.
// SPDX-License-Identifier: Apache-2.0
#include "units.h"

__device__ int table[8] = { 0, 10, 20, 30, 40, 50, 60, 70 };
__device__ int counter;
static __device__ int own = 7;
static __device__ __noinline__ int helper(int x) { return x - own; }
__device__ int applied(int (*f)(int), int x) { return 2 * f(x); }
__global__ void other(int *out) { out[threadIdx.x] = counter + helper(threadIdx.x) + twice((int)threadIdx.x); }
void launch_other(int *out) { other<<<1, 32>>>(out); }
