// Blocks at the same time (docs/jobs.md): a loop of integers, and one that only moves memory.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void loop(unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = i;
    for (unsigned j = 0; j < n; j++) {
        if (v & 1)
            v = v * 3 + 1;
        else
            v = (v >> 1) ^ j;
        v += i;
    }
    out[i] = v;
}

extern "C" __global__ void saxpy(const float *x, float *y, int n, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
