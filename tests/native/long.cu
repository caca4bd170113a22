// A loop that runs for seconds.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void busy(int *out, int n)
{
    int s = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s = s * 1664525 + i;
        s ^= s >> 3;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
