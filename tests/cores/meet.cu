// Blocks of several cores meet in global memory: atomics, words that all read and write, a lock.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void meet(int *hist, int *lock, volatile int *sum, volatile int *words, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&hist[i * 2654435761u >> 27], 1);
    atomicMax(&hist[32], i);
    for (int k = 0; k < n; k++)                      // races on purpose
        words[(i * 7 + k) & 63] = words[(i + k) & 63] + 1;
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) { }
        *sum = *sum + blockIdx.x + 1;
        __threadfence();
        *(volatile int *)lock = 0;
    }
}

// Block 5 waits for a barrier that one of its warps never comes to.
extern "C" __global__ void stuck(int *out)
{
    if (blockIdx.x == 5 && threadIdx.x >= 32)
        asm volatile("bar.sync 1, 96;");
    atomicAdd(out, 1);
}

// Block 7 writes beyond its buffer.
extern "C" __global__ void beyond(int *out)
{
    out[blockIdx.x == 7 ? 4096 : threadIdx.x & 7] = 1;
}

// Block 1 never ends; all others do at once.
extern "C" __global__ void spins(volatile int *out)
{
    while (blockIdx.x == 1 && *out == 0) { }
}
