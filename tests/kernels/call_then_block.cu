// A function saves the barrier registers of its caller, clears them and yields: the odd lanes pass the wait at which the
// even ones should find them, and would stand at the block barrier while the even ones wait for them.  Lanes meet before
// a block barrier that may follow a call.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 2 --block 96 out:u32[192]
// LANES: 4
// EXPECT: out[0:4] = 32 33 32 33
// EXPECT: out[94:98] = 32 33 32 33
typedef void (*function)(unsigned *, unsigned);
__device__ __noinline__ void count(unsigned *to, unsigned x)
{
    if (x % 3) to[1 + atomicAdd(to, 1)] = x;
}
__device__ __noinline__ void nothing(unsigned *, unsigned) { }
__device__ function table[2] = { count, nothing };

extern "C" __global__ void call_then_block(unsigned *out)
{
    __shared__ unsigned list[97];
    unsigned t = threadIdx.x;
    if (!t) list[0] = 0;
    __syncthreads();
    if (!(t & 1)) table[gridDim.x > 2](list, t);
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = list[0] + (t & 1);
}
