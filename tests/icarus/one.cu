// One warp slot, two blocks: a divergent branch, shared memory, a shuffle; nothing that takes long.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void one(const unsigned *in, unsigned *out)
{
    __shared__ volatile unsigned tile[32];
    unsigned t = threadIdx.x, v = in[blockIdx.x * 32 + t];
    tile[t] = v;
    if (t & 1)
        v = __shfl_sync(0xaaaaaaaau, v, 31) + __popc(v);
    __syncwarp();
    out[blockIdx.x * 32 + t] = v + tile[31 - t];
}
