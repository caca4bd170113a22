/* Tiles of several warps: who is where, barriers, reductions, scans, votes.
 * SPDX-License-Identifier: Apache-2.0 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;

struct pair {
    int sum;
    int n;
};
enum { ANSWERS = 10 };

template <unsigned N> __device__ void ask(const cg::thread_block &block, int *out)
{
    const auto tile = cg::tiled_partition<N>(block);
    const int v = (int)threadIdx.x * 7 % 31, r = (int)tile.thread_rank();
    extern __shared__ int shared[];
    out += threadIdx.x * ANSWERS;
    /* each tile at its own pace */
    for (unsigned k = 0; k < tile.meta_group_rank() % 3; k++) {
        shared[threadIdx.x] = v + (int)k;
        tile.sync();
        out[9] += shared[threadIdx.x - tile.thread_rank() + (tile.thread_rank() + 40) % N];
        tile.sync();
    }
    const pair p = cg::reduce(tile, pair{ v, 1 },
                              [](pair a, pair b) { return pair{ a.sum + b.sum, a.n + b.n }; });
    out[0] = (int)(tile.meta_group_rank() * 100 + tile.meta_group_size());
    out[1] = cg::reduce(tile, v, cg::plus<int>());
    out[2] = cg::reduce(tile, r == 5 ? -1 : v, cg::less<int>());
    out[3] = p.sum * 2048 + p.n;
    out[4] = cg::inclusive_scan(tile, v);
    out[5] = cg::exclusive_scan(tile, v);
    out[6] = tile.shfl(v, (int)N - 3);
    out[7] = tile.any(r == 40) * 2 + tile.any(r < 0);
    /* a tile of tiles */
    if (N >= 128) {
        const auto half = cg::tiled_partition<N / 2>(tile);
        for (unsigned k = 0; k < half.meta_group_rank() % 2 + 1; k++) {
            out[9] += cg::reduce(half, 1, cg::plus<int>());
            if (k == 0) tile.sync();
        }
    }
    out[8] = tile.all(r >= 0) * 2 + tile.all(r != 40);
}
__global__ void tiles(int *out, int n)
{
    __shared__ cg::block_tile_memory<1024> memory;
    const auto block = cg::this_thread_block(memory);
    if (n == 64) ask<64>(block, out);
    if (n == 128) ask<128>(block, out);
    if (n == 512) ask<512>(block, out);
}

static int value(int t) { return t * 7 % 31; }
static bool right(int threads, int n, const int *got)
{
    for (int t = 0; t < threads; t++, got += ANSWERS) {
        const int first = t / n * n, r = t - first;
        int all = 0, below = 0, paced = 0;
        for (int k = 0; k < n; k++) all += value(first + k), below += k < r ? value(first + k) : 0;
        for (int k = 0; k < t / n % 3; k++) paced += value(first + (r + 40) % n) + k;
        const int want[ANSWERS] = { t / n * 100 + threads / n,
                                    all,
                                    -1,
                                    all * 2048 + n,
                                    below + value(t),
                                    below,
                                    value(first + n - 3),
                                    2,
                                    2,
                                    paced + (n < 128 ? 0 : n / 2 * (t / (n / 2) % 2 + 1)) };
        for (int k = 0; k < ANSWERS; k++)
            if (got[k] != want[k]) {
                printf("FAIL %d threads, tiles of %d, thread %d, answer %d: %d, not %d\n", threads,
                       n, t, k, got[k], want[k]);
                return false;
            }
    }
    return true;
}

/* use: warp_tiles [MOST_THREADS] */
int main(int argc, char **argv)
{
    const int most = argc > 1 ? atoi(argv[1]) : 1024;
    static int got[1024 * ANSWERS];
    int *out;
    bool ok = cudaMalloc(&out, sizeof got) == cudaSuccess;
    for (int n : { 64, 128, 512 })
        for (int threads : { 256, 512, 1024 }) {
            if (threads > most || n > threads) continue;
            cudaMemset(out, 0, sizeof got);
            tiles<<<1, threads, threads * sizeof(int)>>>(out, n);
            ok = ok && cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess &&
                 right(threads, n, got);
        }
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
