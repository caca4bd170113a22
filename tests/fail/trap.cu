// __trap ends the kernel with a fault.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 out:u32[32]
// EXIT: 1
// MESSAGE: fault: trap
// MESSAGE: trap.cu:10
extern "C" __global__ void trapped(unsigned *out)
{
    if (threadIdx.x == 9)
        __builtin_trap();
    out[threadIdx.x] = 1;
}
