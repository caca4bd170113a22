// A consumer waits for a flag; its producer has exited without setting it.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 2 --block 32 flag:u32[1] out:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: every warp that runs loops forever
// MESSAGE: block 1 warp 0
// MESSAGE: spin forever, from PC
// MESSAGE: deadlock_lost_flag.cu:15
// MESSAGE: reading 0x10000000
extern "C" __global__ void lost(volatile unsigned *flag, unsigned *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 40)
        flag[0] = 1;
    if (blockIdx.x == 1 && threadIdx.x == 0)
        while (!flag[0])
            ;
    if (threadIdx.x == 0)
        out[0] = flag[0];
}
