// A block that is given back twice ends the launch.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 1 out:u32[1]
// EXIT: 1
// MESSAGE: fault: trap
extern "C" __device__ void *malloc(unsigned long long);
extern "C" __device__ void free(void *);
extern "C" __global__ void free_twice(unsigned *out)
{
    void *volatile p = malloc(8);                    // volatile: clang knows malloc
    free(p);
    free(p);
    out[0] = 1;
}
