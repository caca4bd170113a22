// What redirect.cu computes, by the host: of each kernel as often as it is launched.
// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#define __noinline__
#define __shared__ static
#define __syncthreads()
#include "../redirect.cu"

template <class Kernel> static void hash(int times, size_t size, index3 grid, index3 block, Kernel kernel)
{
    std::vector<unsigned> out(size);
    launch(grid, block, [&] { kernel(out.data()); });
    while (times--)
        print_hash("out", out);
}

int main()
{
    hash(6, 260, {5, 1, 1}, {48, 1, 1}, [](unsigned *out) { linear(out, 230); });
    hash(3, 210, {3, 1, 1}, {70, 1, 1}, parts);
    hash(3, 720, {2, 3, 2}, {5, 4, 3}, cube);
    hash(1, 720, {4, 1, 1}, {64, 1, 1}, cube);
    // Twice through each block: the second time shared memory is what it is behind the barrier.
    hash(2, 288, {3, 1, 1}, {96, 1, 1}, [](unsigned *out) {
        if (threadIdx.x == 0)
            for (; threadIdx.x < 96; threadIdx.x++)
                tile(out);
        threadIdx.x %= 96;
        tile(out);
    });
}
