// SPDX-License-Identifier: Apache-2.0
__device__ int bias = 5;
extern "C" __global__ void scale(int *p, short by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] * by + bias;
}

// Static ones, which code here only reads: the host finds them by name all the same.
static __constant__ int order[2] = {1, 2}, unread;
static __device__ int more = 4;
static __global__ void sum(int *p) { p[0] = order[0] + order[1] + more; }
