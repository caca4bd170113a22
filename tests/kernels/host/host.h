/* A kernel of tests/kernels as ordinary C++, one thread after the other: the host's compiler and
 * the host's float arithmetic say what its buffers must hold.  For kernels whose threads share
 * nothing.
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

/* NAME:f32[count]=rand:SEED of the launch: splitmix64, 24 bits after the point. */
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

template <class Body> static void each(index3 size, index3 &i, Body body)
{
    for (i.z = 0; i.z < size.z; i.z++)
        for (i.y = 0; i.y < size.y; i.y++)
            for (i.x = 0; i.x < size.x; i.x++)
                body();
}

template <class Kernel> static void launch(index3 grid, index3 block, Kernel kernel)
{
    gridDim = grid, blockDim = block;
    each(grid, blockIdx, [&] { each(block, threadIdx, kernel); });
}

template <class Kernel> static void launch(unsigned grid, unsigned block, Kernel kernel)
{
    launch(index3{grid, 1, 1}, index3{block, 1, 1}, kernel);
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
