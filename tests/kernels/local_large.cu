// So much local memory that few warps have room for it, and less than all warps would take: what lies after it, data
// of the image, must stay when it is cleared before the launch.
// SPDX-License-Identifier: Apache-2.0
// RUN: out:i32[32] --grid 1 --block 32 --warps 4
// EXPECT: out[0:4] = 1000 2001 3002 4003
__device__ int first[4] = {1000, 2000, 3000, 4000};
extern "C" __global__ void local_large(int *out)
{
    volatile int far[20000];
    int i = threadIdx.x;
    far[i * 600] = i;
    far[i * 600 + 1] = first[i % 4];
    out[i] = far[i * 600] + far[i * 600 + 1];
}
