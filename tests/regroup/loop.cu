// A loop whose length is the thread's own, from 0 to 508, most of them short; and a branch in it.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void loop(const unsigned *in, unsigned *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, b = in[t] >> 24, n = b * b >> 7, x = t;
    for (unsigned i = 0; i < n; i++) {
        x = x * 1664525 + 1013904223 + (x >> 7);
        if (in[t] & 1)
            x = (x ^ x >> 3) * 5 + (x ^ x >> 11) * 3 + (x ^ x >> 19);
    }
    out[t] = x;
}
