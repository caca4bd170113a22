// Functions by pointer: which one a thread calls depends on its data, from two places; one of them calls
// through a pointer, too.
// SPDX-License-Identifier: Apache-2.0
typedef unsigned step(unsigned);
static __device__ __noinline__ unsigned rounds(unsigned v)
{
    unsigned n = v;
    for (unsigned k = 0; k < v % 23; k++)
        n = n * 1664525 + (n >> 7);
    return n;
}

static __device__ __noinline__ unsigned bits(unsigned v)
{
    unsigned n = 0;
    for (; v; v &= v - 1)
        n += v ^ n << 3;
    return n;
}

extern __device__ step *const inner[2];
static __device__ __noinline__ unsigned other(unsigned v) { return v & 8 ? inner[v >> 4 & 1](v ^ 0x55) : v * 3; }
__device__ step *const inner[2] = { rounds, bits };
__device__ step *const steps[3] = { rounds, bits, other };

extern "C" __global__ void pointers(const unsigned *in, unsigned *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, v = in[t], sum = 0;
    for (unsigned i = 0; i < v % 7; i++)
        sum += steps[(v >> 3) % 3](v + i);
    out[t] = v % 11 ? steps[(v >> 9) % 3](sum) : sum;
}
