// A warp's first lane adds for all that are here, and tells them by a shuffle what was there: in the others the variable was
// set by nothing before, and clang must not take it for set.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 2 --block 64 from:i32[128]=iota to:i32[128]=fill:-1 n:i32[1]
// LANES: 4
// EXPECT: n[0:1] = 43
// EXPECT: to[0:4] = 1 4 7 10
// EXPECT: to[41:44] = 124 127 -1
__device__ int place(int *counter)
{
    unsigned here = __activemask();
    int leader = __ffs(here) - 1, change = __popc(here), before, first;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
    unsigned rank = __popc(here & before);
    if (rank == 0) first = atomicAdd(counter, change);
    first = __shfl_sync(here, first, leader);
    return first + rank;
}
extern "C" __global__ void keep(const int *from, int *to, int *n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (from[i] % 3 == 1) to[place(n)] = from[i];
}
