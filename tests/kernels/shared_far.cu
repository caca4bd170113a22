// All 64 KiB of shared memory: lanes of one instruction at every distance in one bank.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 1 --block 32 --shared 65536 bad:u32[1]
// EXPECT: bad[0:1] = 0
// Lanes 2n and 2n + 1 are in one bank, 1 << k words apart, for every k from 5 on; or at l << 9, 32 rows.
extern __shared__ unsigned word[];
extern "C" __global__ void far_apart(unsigned *bad)
{
    unsigned l = threadIdx.x, n = 0;
    for (unsigned k = 5; k < 14; k++) {
        volatile unsigned *at = &word[(l & 1) << k | (l & 14)];
        at[0] = k << 8 | (l & 15);
        __syncwarp();
        n += at[0] != (k << 8 | (l & 15));
        __syncwarp();
    }
    volatile unsigned *each = &word[l << 9];
    each[0] = l;
    __syncwarp();
    n += each[0] != l;
    n += word[(31 - l) << 9] != 31 - l;
    if (n)
        atomicAdd(bad, n);
}
