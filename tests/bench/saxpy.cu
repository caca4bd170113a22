// Streams: two words read and one written for each thread.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void saxpy(const float *x, float *y, float a)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    y[i] = a * x[i] + y[i];
}
