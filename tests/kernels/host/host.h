/* A kernel of tests/kernels as ordinary C++, one thread after the other: the host's compiler and the
 * host's float arithmetic say what its buffers must hold.  For kernels whose threads share nothing.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HOST_H
#define HOST_H
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#define __global__
#define __device__
struct index3 { unsigned x, y, z; };
static index3 threadIdx, blockIdx, blockDim, gridDim;

/* NAME:f32[count]=rand:SEED of the launch: splitmix64, 24 bits behind the point. */
static inline std::vector<float> rand_f32(size_t count, uint64_t seed)
{
    std::vector<float> v(count);
    for (float &f : v) {
        uint64_t z = seed += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        f = (float)((z ^ z >> 31) >> 40) * 0x1p-24f;
    }
    return v;
}

template <class Kernel> static void launch(unsigned grid, unsigned block, Kernel kernel)
{
    gridDim = {grid, 1, 1}, blockDim = {block, 1, 1};
    for (blockIdx = {0, 0, 0}; blockIdx.x < grid; blockIdx.x++)
        for (threadIdx = {0, 0, 0}; threadIdx.x < block; threadIdx.x++)
            kernel();
}

/* The line that the kernel's file must have. */
template <class Word> static void print_hash(const char *name, const std::vector<Word> &buffer)
{
    static_assert(sizeof(Word) == 4, "a buffer of words");
    uint32_t h = 0, v;
    for (const Word &w : buffer) {
        std::memcpy(&v, &w, 4);
        h = h * 1000003 ^ v;
    }
    std::printf("// HASH: %s %08x\n", name, h);
}
#endif
