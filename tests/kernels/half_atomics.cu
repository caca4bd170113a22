// Atomics of 16 bits: sums of f16 and bf16, one and two in a word, in global and shared memory; comparison and exchange.
// SPDX-License-Identifier: Apache-2.0
// 64 threads add one to each counter (32 of them to those of shared memory): f16 64.0 is 0x5400, bf16 0x4280, f16 32.0
// is 0x5000.  What the additions return is 0 to 63 in some order: 2016.  Neighbours in the word keep their value.
// LANES: 4 32
// RUN: --grid 2 --block 32 out:u32[8]
// EXPECT: out[0:8] = 1409286144 1115684864 1409307648 1115701888 4194304 2016 1342197760 0
typedef unsigned short u16;
static __device__ float value(u16 h) { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h)); return f; }
extern "C" __global__ void half_atomics(unsigned *out)
{
    __shared__ unsigned both;
    u16 old, *half = (u16 *)out;
    const unsigned two = 0x3c003c00, bf_two = 0x3f803f80;
    if (threadIdx.x == 0) both = 0;
    __syncthreads();
    asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(half + 1), "h"((u16)0x3c00) : "memory");
    asm volatile("red.global.add.noftz.bf16 [%0], %1;" ::"l"(half + 3), "h"((u16)0x3f80) : "memory");
    unsigned seen;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(seen) : "l"(out + 2), "r"(two) : "memory");
    asm volatile("red.add.noftz.bf16x2 [%0], %1;" ::"l"(out + 3), "r"(bf_two) : "memory");
    if (blockIdx.x == 0)
        asm volatile("{ .reg .u64 %%a; cvta.to.shared.u64 %%a, %0; red.shared.add.noftz.f16x2 [%%a], %1; }" ::"l"(&both), "r"(two) : "memory");
    // an increment by comparison and exchange of the upper half
    u16 was = 0, now;
    for (;;) {
        asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(now) : "l"(half + 9), "h"(was), "h"((u16)(was + 1)) : "memory");
        if (now == was) break;
        was = now;
    }
    atomicAdd(out + 5, (unsigned)value(old));
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) out[6] = both;
}
