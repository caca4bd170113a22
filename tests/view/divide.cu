// Lanes part in code of the library, called from two lines: tests/view/profile.sh.
// SPDX-License-Identifier: Apache-2.0
__global__ void divide(int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)(t + 1) / (float)n;
    unsigned long long y = (t * 1234567890123ull) / (unsigned long long)n;
    out[t] = (int)x + (int)y;
}
