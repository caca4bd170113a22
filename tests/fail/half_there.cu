// A barrier of the block in a branch that only a part of each warp takes: the rest of the warp waits for that part.
// SPDX-License-Identifier: Apache-2.0
// RUN: --grid 1 --block 64 in:i32[64]=iota out:i32[64]
// EXIT: 3
// MESSAGE: wait at block barrier 0 of half_there.cu:13: 8 lanes are there, 64 are needed
__global__ void half_there(const int *in, int *out)
{
    __shared__ int first[2];
    unsigned warp = threadIdx.x >> 5;

    if ((threadIdx.x & 31u) < 4u) {
        first[warp] = in[threadIdx.x];
        __syncthreads();
    }
    __syncwarp();
    out[threadIdx.x] = first[warp ^ 1u];
}
