// A block's first warp ends at once, the others go their own ways and meet; rows of words that begin anywhere.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void warps(const int *x, int *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x, sum = x[i + 1];
    if (threadIdx.x < 32) {
        y[i] = sum;
        return;
    }
    for (int k = 0; k < (i & 7) * n; k++)
        sum = sum * 3 + k;
    __syncthreads();
    y[i] = sum;
}
