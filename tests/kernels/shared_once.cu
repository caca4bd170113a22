// A shared variable whose address nobody takes: what one thread wrote before a barrier, of any kind, is read after it, and
// not what this thread wrote or read there last.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4 32
// RUN: --grid 1 --block 64 head:i32[1] out:i32[12] n:i32=8
// EXPECT: out[0:12] = 2080 2080 2080 2080 2080 2080 2080 2080 704 768 832 896
extern "C" __global__ void shared_once(int *head, int *out, int n)
{
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 63) item = atomicAdd(head, 1);
        __syncthreads();
        int i = item;
        __syncthreads();
        if (i >= n) break;
        atomicAdd(&out[i], (int)threadIdx.x + 1);
    }
#define ROUND(K, SYNC)                                                                                                   \
    item = 0;                                                                                                            \
    __syncthreads();                                                                                                     \
    if (threadIdx.x % 32 == 5) item = 11 + K;                                                                            \
    SYNC;                                                                                                                \
    atomicAdd(&out[8 + K], item);                                                                                        \
    __syncthreads();
    ROUND(0, __syncthreads_count(n))
    ROUND(1, __syncthreads_and(n))
    ROUND(2, __syncthreads_or(n))
    ROUND(3, __syncwarp())
}
