// Why warps wait, one cause a line: tests/view/profile.sh knows which.
// SPDX-License-Identifier: Apache-2.0
__global__ void causes(int *data, int n)
{
    __shared__ int sum[64];
    int t = threadIdx.x, v = t;
    int far = data[t];                          // memory
    if (t >= 32)
        for (int i = 0; i < n; i++)
            v = v * 3 + i;                      // warp 1 alone
    sum[t] = v;
    __syncthreads();                            // warp 0 waits for it
    int o = __shfl_xor_sync(0xffffffff, sum[63 - t], 1);
    int q = o + far;                            // waits for the shuffle
    if (t % 4 == 0) {
        for (int i = 0; i < t; i++)
            q = q * 5 + i;                      // lanes leave in different rounds
    }
    data[t] = q;
}
