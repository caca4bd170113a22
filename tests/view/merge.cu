// Lanes leave the inner loop in different rounds, again and again: tests/view/profile.sh.
// SPDX-License-Identifier: Apache-2.0
__global__ void merge(unsigned *out, int n)
{
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
    float f = x;
    for (int i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        unsigned rounds = (x >> 18 & 63) + 1;
#pragma unroll 1
        for (unsigned j = 0; j < rounds; j++) {
#pragma unroll
            for (int k = 0; k < 40; k++)
                f = f * 0.9999f + 0.13f * k;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = (unsigned)f;
}
