// A lock taken by every lane of a warp in turn: finishes only with forward progress.
// SPDX-License-Identifier: Apache-2.0
// MODE: barrier
// RUN: --grid 2 --block 32 lock:u32[1] count:u32[1] --limit 2000000
// EXPECT: count[0:1] = 64
extern "C" __global__ void spinlock(unsigned *lock, volatile unsigned *count)
{
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            *count = *count + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}
