// Half of each warp meets half of the other one at a block barrier, while the rest of its warp waits for it at a BSYNC.
// That gives way (rule 8): at the shuffle the warp has to come together.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 2 --block 64 out:i32[128]
// EXPECT: out[0:2] = 0 0
// EXPECT: out[14:18] = 0 0 7 7
// EXPECT: out[30:34] = 7 7 0 0
// EXPECT: out[46:50] = 0 0 7 7
// EXPECT: out[126:128] = 7 7
__global__ void half_at_barrier(int *out)
{
    unsigned t = threadIdx.x;
    int v = 0;
    if ((t & 31u) < 16u) {
        asm volatile("barrier.sync 1, 32;" ::: "memory");
        v = 7;
    }
    out[blockIdx.x * 64u + t] = __shfl_xor_sync(0xffffffffu, v, 16);
}
