// A loop with a call, whose lanes leave it at different times and call from two places: YIELD.
// SPDX-License-Identifier: Apache-2.0
__device__ __attribute__((noinline)) unsigned mix(unsigned x, unsigned n)
{
    for (unsigned i = 0; i < (n & 3); i++)
        x = x * 1664525u + 1013904223u;
    return x ^ x >> 7;
}

extern "C" __global__ void call_in_loop(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i], sum = 0;
    for (unsigned k = 0; k < (i & 7) + 1; k++) {
        if (x & 4)
            sum += mix(x, k);
        else
            sum ^= mix(sum + k, x);
        x = x * 5 + 1;
        if (sum % 11 == 3)
            break;
    }
    out[i] = sum;
}
