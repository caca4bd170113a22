// A block waits for a later one, which cannot start before the first has ended: one warp slot.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 3 --block 32 --warps 1 flag:u32[1]
// EXIT: 3
// MESSAGE: deadlock of the program: every warp that runs loops forever
// MESSAGE: block 0 warp 0 (slot 0): spins
// MESSAGE: 2 blocks have not started: every block slot is taken
extern "C" __global__ void grid(volatile unsigned *flag)
{
    if (blockIdx.x == 0)
        while (!flag[0])
            ;
    else
        flag[0] = 1;
}
