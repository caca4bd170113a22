// A block that several threads give back at once ends the launch, as twice by one thread does.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 out:u32[1]
// EXIT: 1
// MESSAGE: fault: trap
extern "C" __device__ void *malloc(unsigned long long);
extern "C" __device__ void free(void *);
extern "C" __global__ void free_together(unsigned *out)
{
    __shared__ void *block;
    if (threadIdx.x == 0) block = malloc(8);
    __syncthreads();
    free(block);
    out[0] = 1;
}
