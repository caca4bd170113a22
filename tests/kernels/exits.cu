// Threads that have exited: block barriers do not wait for them, and neither does any lane.
// SPDX-License-Identifier: Apache-2.0
// LANES: 32 4
// RUN: --grid 2 --block 96 out:u32[192] n:u32=64
// EXPECT: out[0:8] = 1367 1366 1367 1366 4 1366 1367 7
// EXPECT: out[60:68] = 1367 61 1367 1366 64 130 132 67
// EXPECT: out[156:164] = 1367 61 1367 1366 64 130 132 67
// RUN: --grid 1 --block 128 out:u32[128] n:u32=7
// EXPECT: out[0:10] = 18 17 18 17 4 17 18 7 16 18
extern "C" __global__ void exits(unsigned *out, unsigned n)
{
    __shared__ unsigned sum[4];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 4) sum[t] = 0;
    __syncthreads();
    if (t % 3 == 1 && t >= 4) {             // some lanes of every warp
        out[i] = t;
        return;
    }
    if (t >= n) {                           // whole warps
        out[i] = 2 * t;
        return;
    }
    atomicAdd(&sum[0], t);
    __syncthreads();
    unsigned s = sum[0];
    if (t & 1) {
        out[i] = s;
        return;
    }
    __syncthreads();
    out[i] = s + 1;
}
