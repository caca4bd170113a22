// What a play goes through: loops in loops, a switch by table, a function called from two places,
// a library routine, an early exit.
// SPDX-License-Identifier: Apache-2.0
static __device__ __noinline__ unsigned collatz(unsigned v)
{
    unsigned n = 0;
    while (v > 1 && n < 50) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        n++;
    }
    return n;
}

static __device__ unsigned choose(unsigned which, unsigned v)
{
    switch (which) {
    case 0: return v * 3;
    case 1: return v / (which + v % 7 + 1);
    case 2: return collatz(v);
    case 3: return v ^ 0x55;
    case 4: return v % 11;
    case 5: return v - which;
    default: return v;
    }
}

extern "C" __global__ void play(const unsigned *in, unsigned *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, v = in[t], sum = 0;
    if (v % 13 == 0) {
        out[t] = 0;
        return;
    }
    for (unsigned i = 0; i < v % 5; i++) {
        for (unsigned j = 0; j < (v >> 8) % 7; j++)
            sum += choose((v + i * j) % 8, sum + v);
        sum ^= collatz(i + t % 9);
    }
    out[t] = sum;
}
