// malloc and free in kernels: blocks that threads of several warps hold at once do not overlap, and what was given
// back is given again, so that far more is asked for than the heap holds.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4
// RUN: --grid 2 --block 64 rounds:u32=1 out:u32[4]
// EXPECT: out[0:4] = 0 128 0 1
// RUN: --grid 1 --block 2 rounds:u32=6 out:u32[4]
// EXPECT: out[0:4] = 0 12 0 1
typedef unsigned long long size;
extern "C" __device__ void *malloc(size);
extern "C" __device__ void free(void *);
extern "C" __global__ void heap(unsigned rounds, unsigned *out)
{
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x + 1, wrong = 0;
    for (unsigned k = 0; k < rounds; k++) {
        unsigned words = 1 + (me * 7 + k) % 40;
        volatile unsigned *p = (volatile unsigned *)malloc(blockDim.x == 2 ? 2u << 20 : 4 * words);
        if (!p || (size)p % 16) { wrong++; continue; }
        for (unsigned w = 0; w < words; w++) p[w] = me * 1000 + w;
        __threadfence();
        for (unsigned w = 0; w < words; w++) wrong += p[w] != me * 1000 + w;
        free((void *)p);
        atomicAdd(out + 1, 1);
    }
    atomicAdd(out, wrong);
    free(0);
    if (me != 1) return;
    void *volatile large = malloc(9u << 20), *volatile none = malloc(0);     // volatile: clang knows malloc
    out[2] = large != 0, out[3] = none != 0;
}
