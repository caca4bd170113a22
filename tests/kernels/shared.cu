// Block barriers, shared memory, atomics and shuffles: a reduction in three ways, all equal.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 2
// RUN: --grid 3 --block 128 in:u32[384]=iota out:u32[9]
// EXPECT: out[0:9] = 8128 8128 8128 24512 24512 24512 40896 40896 40896
extern "C" __global__ void reduce(const unsigned *in, unsigned *out)
{
    __shared__ unsigned tree[128], sum, warps;
    unsigned t = threadIdx.x, v = in[blockIdx.x * blockDim.x + t];
    tree[t] = v;
    if (t == 0)
        sum = warps = 0;
    __syncthreads();
    for (unsigned s = 64; s > 0; s >>= 1) {
        if (t < s)
            tree[t] += tree[t + s];
        __syncthreads();
    }
    atomicAdd(&sum, v);
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if ((t & 31) == 0)
        atomicAdd(&warps, v);
    __syncthreads();
    if (t == 0) {
        out[3 * blockIdx.x] = tree[0];
        out[3 * blockIdx.x + 1] = sum;
        out[3 * blockIdx.x + 2] = warps;
    }
}
