// A stream of 32 warps in a loop, so that what else a thread does counts for little.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void stream(const float *x, float *y, float a, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    for (int k = 0; k < n; k++, i += 1024)
        y[i] = a * x[i] + y[i];
}
