// Blocks of 512 and 1024 threads, and 32 warps resident: shared memory written by all, read by others.
// SPDX-License-Identifier: Apache-2.0
// Thread t of block b puts 3t + b: n threads have 3n(n-1)/2 + nb in all, 1571328 + 1024b where n is 1024,
// 392448 + 512b where it is 512, 1488 + 32b where it is 32.
// LANES: 32 4
// RUN: --grid 2 --block 1024 sum:u32[2] bad:u32[1]
// EXPECT: sum[0:2] = 1571328 1572352
// EXPECT: bad[0:1] = 0
// RUN: --grid 1 --block 8,8,16 sum:u32[1] bad:u32[1]
// EXPECT: sum[0:1] = 1571328
// EXPECT: bad[0:1] = 0
// RUN: --grid 3 --block 32,16 sum:u32[3] bad:u32[1]
// EXPECT: sum[0:3] = 392448 392960 393472
// EXPECT: bad[0:1] = 0
// RUN: --grid 40 --block 32 sum:u32[40] bad:u32[1]
// EXPECT: sum[0:2] = 1488 1520
// EXPECT: sum[38:40] = 2704 2736
// EXPECT: bad[0:1] = 0
extern "C" __global__ void big(unsigned *sum, unsigned *bad)
{
    __shared__ unsigned put[1024], part[1024];
    unsigned n = blockDim.x * blockDim.y * blockDim.z, b = blockIdx.x;
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), got;
    put[t] = 3 * t + b;
    __syncthreads();
    got = put[n - 1 - t];
    if (got != 3 * (n - 1 - t) + b)
        atomicAdd(bad, 1);
    part[t] = got;
    for (unsigned half = n / 2; half; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    if (t == 0)
        sum[b] = part[0];
}
