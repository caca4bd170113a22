// A spin lock between lanes of a warp, given back through another address: barrier mode gets through, stack mode cannot,
// and says so.
// SPDX-License-Identifier: Apache-2.0
// MODE: barrier
// LANES: none
// RUN: --grid 1 --block 32 lock:u32[1] count:u32[1] zero:u32=0
// EXPECT: count[0:1] = 32
// RUN: --mode stack --grid 1 --block 32 lock:u32[1] count:u32[1] zero:u32=0
// EXIT: 3
// MESSAGE: every warp that runs loops forever
// MESSAGE: are in a DIV token
// MESSAGE: spin forever, from PC
// MESSAGE: (stack_spin.cu:16)
extern "C" __global__ void spin(unsigned *lock, volatile unsigned *count, unsigned zero)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *count = *count + 1;
    __threadfence();
    atomicExch(lock + zero, 0);
}
