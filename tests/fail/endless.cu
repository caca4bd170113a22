// A loop without an end meets --limit.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 out:u32[32] --limit 20000
// EXIT: 3
// MESSAGE: the limit of 20000 was reached
extern "C" __global__ void endless(volatile unsigned *out)
{
    for (;;)
        out[threadIdx.x]++;
}
