// A flag that nobody sets: told from a kernel that takes long, without a limit.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 2 --block 64 flag:u32[1] out:u32[1]
// EXIT: 3
// MESSAGE: every warp that runs goes round for ever
// MESSAGE: spin for ever, from PC
// MESSAGE: (flag.cu:10)
extern "C" __global__ void wait(volatile unsigned *flag, unsigned *out)
{
    while (*flag == 0)
        ;
    *out = 1;
}
