// An all-integer loop whose trip count diverges: with eight warps resident it keeps the core busy.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void int_loop(int *limits, int *out)
{
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    int M = limits[threadIdx.x], sum = 0;
    for (int k = 0; k < 64; k++)
        for (int i = 0; i < M; i++)
            sum = (sum ^ i) + k;
    out[tid] = sum;
}
