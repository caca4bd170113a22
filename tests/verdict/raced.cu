// Warps that meet in memory in no order.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void count(int *out, int n)
{
    __shared__ int total;
    int t = threadIdx.x;
    if (t == 0) total = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) total = total + 1;
    out[t] = total;
}
// No block barrier between blocks; none between the store and the other warp's load.
extern "C" __global__ void blocks(int *out)
{
    out[threadIdx.x] = (int)blockIdx.x;
}
extern "C" __global__ void missing(int *out)
{
    __shared__ int a[64];
    int t = threadIdx.x;
    a[t] = t + 1;
    out[t] = a[63 - t];
}
