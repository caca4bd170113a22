// Everything that an entry of a block can be: loops, a switch by table, a call, a library routine, early
// exits, a function by pointer.
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

static __device__ __noinline__ unsigned half(unsigned v) { return v > 3 ? collatz(v / 2) : v; }
typedef unsigned step(unsigned);
__device__ step *const steps[2] = { collatz, half };

static __device__ unsigned choose(unsigned which, unsigned v)
{
    switch (which) {
    case 0: return v * 3;
    case 1: return v / (which + v % 7 + 1);
    case 2: return collatz(v);
    case 3: return v ^ 0x55;
    case 4: return v % 11;
    case 5: return v - which;
    case 6: return __popc(v);
    default: return v;
    }
}

extern "C" __global__ void counts(unsigned *out, unsigned n)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (t >= n)
        return;
    for (unsigned i = 0; i < t % 13; i++)
        sum += choose((t + i) % 9, t + sum);
    if (t % 5 == 2) {
        out[t] = sum;
        return;
    }
    out[t] = sum + steps[t & 1](t);
}
