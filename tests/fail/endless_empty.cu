// A loop that does nothing and has no end stays, although C++ would let the compiler drop it.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 32 n:i32=5 out:u32[32]
// EXIT: 3
// MESSAGE: deadlock of the program: every warp that runs loops forever
extern "C" __global__ void endless_empty(int n, unsigned *out)
{
    out[threadIdx.x] = 1;
    if (n > 3)
        while (true) {}
}
