// A shared variable whose address nobody takes: what one thread wrote before a barrier is read after it.  clang moved the
// read to before the barrier, until the header kept reads and writes on their side of it.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4 32
// RUN: --grid 1 --block 64 head:i32[1] out:i32[8] n:i32=8
// EXPECT: out[0:8] = 2080 2080 2080 2080 2080 2080 2080 2080
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
}
