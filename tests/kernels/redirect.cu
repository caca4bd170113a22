// A redirected kernel stores what it stores without: whatever the order, and wherever it asks who it is.
// SPDX-License-Identifier: Apache-2.0
// Hashes of the launches without --redirect, host/redirect.cc's.
// LANES: 4
// RUN: --kernel linear --grid 5 --block 48 out:u32[260] n:u32=230
// HASH: out d580fbc7
// RUN: --kernel linear --grid 5 --block 48 out:u32[260] n:u32=230 --redirect grid
// HASH: out d580fbc7
// EXPECT: order[0:4] = 0 1 2 3
// RUN: --kernel linear --grid 5 --block 48 out:u32[260] n:u32=230 --redirect grid --order reverse
// HASH: out d580fbc7
// EXPECT: order[0:4] = 239 238 237 236
// RUN: --kernel linear --grid 5 --block 48 out:u32[260] n:u32=230 --redirect block --order reverse
// HASH: out d580fbc7
// EXPECT: order[47:50] = 0 95 94
// RUN: --kernel linear --grid 5 --block 48 out:u32[260] n:u32=230 --redirect grid --order rand:1
// HASH: out d580fbc7
// RUN: --kernel linear --grid 5 --block 48 out:u32[260] n:u32=230 --redirect block --order rand:2
// HASH: out d580fbc7
// RUN: --kernel parts --grid 3 --block 70 out:u32[210] --redirect grid
// HASH: out 2b745c0a
// EXPECT: order[138:144] = 69 0 0 1 1 1
// RUN: --kernel parts --grid 3 --block 70 out:u32[210] --redirect grid --order rand:3
// HASH: out 2b745c0a
// RUN: --kernel parts --grid 3 --block 70 out:u32[210] --redirect block --order rand:4
// HASH: out 2b745c0a
// RUN: --kernel cube --grid 2,3,2 --block 5,4,3 out:u32[720] --redirect grid
// HASH: out 39c2c94c
// EXPECT: order[716:724] = 2100228 0 1 0 0 1 1 0
// RUN: --kernel cube --grid 2,3,2 --block 5,4,3 out:u32[720] --redirect grid --order rand:5
// HASH: out 39c2c94c
// RUN: --kernel cube --grid 2,3,2 --block 5,4,3 out:u32[720] --redirect block --order rand:6
// HASH: out 39c2c94c
// RUN: --kernel cube --grid 4,1,1 --block 64 out:u32[720] --redirect grid --order rand:7
// HASH: out 5ad78e80
// RUN: --kernel tile --grid 3 --block 96 out:u32[288] --redirect block
// HASH: out 1a186ec0
// RUN: --kernel tile --grid 3 --block 96 out:u32[288] --redirect block --order rand:8
// HASH: out 1a186ec0

// Its global id alone, once with a mul and an add of its own.
static __device__ __noinline__ unsigned rounds(unsigned i) { return i * 2654435761u >> 26; }
extern "C" __global__ void linear(unsigned *out, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned r = i;
        for (unsigned k = rounds(i); k; k--)
            r = r * 1664525 + 1013904223;
        out[i] = r;
    }
}

// Block and thread apart; in functions, one of them through a pointer.
static __device__ __noinline__ unsigned of_thread(unsigned k) { return threadIdx.x * 7 + k; }
static __device__ __noinline__ unsigned of_block(unsigned k) { return blockIdx.x * 1000 + k; }
static __device__ __noinline__ unsigned of_both(unsigned k) { return of_thread(k) ^ of_block(k); }
static __device__ __noinline__ unsigned of_none(unsigned k) { return k * k; }
extern "C" __global__ void parts(unsigned *out)
{
    unsigned (*const way[])(unsigned) = { of_thread, of_block, of_both, of_none };
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = way[i * 2654435761u >> 30](i) + of_both(threadIdx.x & 15);
}

static __device__ __noinline__ unsigned height() { return threadIdx.y * blockIdx.z + blockIdx.y; }
extern "C" __global__ void cube(unsigned *out)
{
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned r = height();
    for (unsigned k = threadIdx.z + blockIdx.x; k; k--)
        r = r * 31 + threadIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = r;
}

// A block whose threads hand values on: they stay in it.
extern "C" __global__ void tile(unsigned *out)
{
    __shared__ unsigned mine[96];
    unsigned t = threadIdx.x;
    mine[t] = blockIdx.x * 100 + t * t;
    __syncthreads();
    out[blockIdx.x * 96 + t] = mine[95 - t] + mine[t / 2];
}
