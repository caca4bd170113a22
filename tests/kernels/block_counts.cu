// Block barriers at their limits: counts of 32 and 1024 lanes, numbers 0 and 15, an EXIT that lets others go.
// SPDX-License-Identifier: Apache-2.0
// Each kernel counts the words that it did not find as another thread left them: none; and the threads that came
// to their end.
// LANES: 32 4
// RUN: --kernel whole --grid 2 --block 1024 bad:u32[1] ends:u32[1]
// EXPECT: bad[0:1] = 0
// EXPECT: ends[0:1] = 2048
// RUN: --kernel warps --grid 1 --block 1024 bad:u32[1] ends:u32[1]
// EXPECT: bad[0:1] = 0
// EXPECT: ends[0:1] = 1024
// RUN: --kernel pairs --grid 3 --block 128 bad:u32[1] ends:u32[1]
// EXPECT: bad[0:1] = 0
// EXPECT: ends[0:1] = 384
// RUN: --kernel leavers --grid 3 --block 128 bad:u32[1] ends:u32[1]
// EXPECT: bad[0:1] = 0
// EXPECT: ends[0:1] = 192
static __device__ unsigned wrong(volatile unsigned *word, unsigned at, unsigned want) { return word[at] != want; }
static __device__ void report(unsigned *bad, unsigned *ends, unsigned n)
{
    if (n)
        atomicAdd(bad, n);
    atomicAdd(ends, 1);
}
extern "C" __global__ void whole(unsigned *bad, unsigned *ends)
{
    __shared__ unsigned word[1024];
    unsigned t = threadIdx.x, n = 0;
    for (unsigned round = 0; round < 4; round++) {
        word[t] = t * 8 + round;
        asm volatile("bar.sync 15, 1024;" ::: "memory");
        n += wrong(word, 1023 - t, (1023 - t) * 8 + round);
        asm volatile("bar.sync 0, 1024;" ::: "memory");
    }
    report(bad, ends, n);
}
extern "C" __global__ void warps(unsigned *bad, unsigned *ends)
{
    __shared__ unsigned word[1024];
    unsigned t = threadIdx.x, n = 0;
    for (unsigned round = 0; round < 4; round++) {
        word[t] = t * 8 + round;
        asm volatile("bar.sync 15, 32;" ::: "memory");
        n += wrong(word, t ^ 31, (t ^ 31) * 8 + round);
        asm volatile("bar.sync 0, 32;" ::: "memory");
    }
    report(bad, ends, n);
}
// Two barriers in use at once, each by half of the block; the halves do not wait for each other.
extern "C" __global__ void pairs(unsigned *bad, unsigned *ends)
{
    __shared__ unsigned word[128];
    unsigned t = threadIdx.x, n = 0;
    for (unsigned round = 0; round < 6; round++) {
        word[t] = t * 8 + round;
        if (t < 64)
            asm volatile("bar.sync 0, 64;" ::: "memory");
        else
            asm volatile("bar.sync 15, 64;" ::: "memory");
        n += wrong(word, t ^ 63, (t ^ 63) * 8 + round);
        if (t < 64)
            asm volatile("bar.sync 3, 64;" ::: "memory");
        else
            asm volatile("bar.sync 12, 64;" ::: "memory");
        if (round == 2)
            __syncthreads();
        else
            asm volatile("bar.sync 7, 128;" ::: "memory");
    }
    report(bad, ends, n);
}
// Warps 2 and 3 write last and end: no other warp comes to the barrier at which warps 0 and 1 wait for all that live.
extern "C" __global__ void leavers(unsigned *bad, unsigned *ends)
{
    __shared__ volatile unsigned word[128];
    unsigned t = threadIdx.x;
    if (t >= 64) {
        unsigned v = t;
        for (unsigned i = 0; i < 20 + 5 * (t / 32); i++)
            v = v * 3 + word[t] + 1;
        word[t] = v | 1;
        return;
    }
    __syncthreads();
    report(bad, ends, word[64 + t] == 0);
}
