// Threads race for a word without atomics: what it holds in the end depends on the order of the threads.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void race(unsigned *out, unsigned *last)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned i = 0; i < t % 32; i++)
        out[t] += i;
    *last = t;
}
