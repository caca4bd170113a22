// A branch in a loop of 100 rounds: each thread takes it in its own part of the rounds, and in rounds of its
// own.  The most of any thread says little about how often a warp executes it.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void tenth(const unsigned *in, unsigned *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x = in[t], y = t, part = in[t] >> 26;
    for (unsigned i = 0; i < 100; i++) {
        x = x * 1664525 + 1013904223;
        if (x >> 24 < part * 4)
            for (int k = 0; k < 4; k++)
                y = (y ^ y >> 3) * 5 + (y ^ y >> 11) * 3 + (y ^ y >> 19);
    }
    out[t] = y;
}
