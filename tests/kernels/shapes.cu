// Control flow of every shape: each lane takes its own way, and the result tells which.
// SPDX-License-Identifier: Apache-2.0
// The hash is that of host/shapes.cc.
// LANES: 32 4
// RUN: --grid 1 --block 96 out:u32[96] n:u32=96
// HASH: out 55ff0ef4
static __device__ unsigned twice(unsigned x) { return 2 * x + 1; }
static __device__ __attribute__((noinline)) unsigned deep(unsigned n) { return n < 2 ? n : deep(n - 1) + deep(n - 2); }
extern "C" __global__ void shapes(unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, r = 0, m = 0;
    if (i >= n)
        return;
    switch (i % 7) {                                       // switch, with fall-through
    case 0: r = 3; break;
    case 1: r = 5;
    case 2: r += 7; break;
    case 5: r = twice(i); break;
    default: r = i;
    }
    for (unsigned k = 0; k < 20; k++) {                    // loop with break, continue and two exits
        if (k == i % 11)
            continue;
        if ((k * i) % 13 == 12)
            break;
        r = r * 31 + k;
    }
    if ((i & 1) && (r % 3 == 0 || (i & 4)))                // short circuit
        r ^= 0x55555555u;
    do {                                                   // do-while, nested loops
        for (unsigned j = i % 5; j; j--)
            r += j * j;
        r = r >> 1;
    } while (r > 1000);
    if (i % 8 == 3)                                        // a loop entered in the middle
        goto middle;
    for (; m < i % 4; m++) {
        r += m;
middle:
        r = r * 3 + 1;
    }
    r += deep(i % 6);                                      // recursion
    out[i] = r;
}
