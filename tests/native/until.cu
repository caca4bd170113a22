// Waits until so much time has passed, some lanes for longer than others.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void until(unsigned *out, unsigned n)
{
    unsigned begin, now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(begin));
    do
        asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    while (now - begin < n * (1 + threadIdx.x % 4));
    out[threadIdx.x] = now - begin;
}
