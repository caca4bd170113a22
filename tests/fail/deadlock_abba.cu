// Two warps take two locks in opposite order, each when the other holds its first.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 64 lock:u32[2] held:u32[2]
// EXIT: 3
// MESSAGE: deadlock of the program: every warp that runs loops forever
// MESSAGE: block 0 warp 0 (slot 0): spins
// MESSAGE: block 0 warp 1 (slot 1): spins
// MESSAGE: deadlock_abba.cu:21
// MESSAGE: reading 0x10000004
// MESSAGE: reading 0x10000000
extern "C" __global__ void abba(unsigned *lock, volatile unsigned *held)
{
    unsigned me = threadIdx.x / 32;
    if (threadIdx.x % 32)
        return;
    while (atomicCAS(&lock[me], 0, 1))
        ;
    held[me] = 1;
    while (!held[1 - me])
        ;
    while (atomicCAS(&lock[1 - me], 0, 1))
        ;
    lock[0] = lock[1] = 0;
}
