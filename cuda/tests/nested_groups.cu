/* Groups of groups: which of its parent's parts a tile is, and of how many; partitions by a bit and by a label.
 * SPDX-License-Identifier: Apache-2.0 */
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
enum { N = 96, ANSWERS = 8 };

template <class G> __device__ int where(const G &g)
{
    return (int)(g.meta_group_rank() * 100 + g.meta_group_size());
}

__global__ void ask(const int *value, int *out)
{
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const auto four = cg::tiled_partition<4>(warp);
    const auto one = cg::tiled_partition<1>(cg::tiled_partition<2>(four));
    const cg::thread_block_tile<4> kept = four, of_block = cg::tiled_partition<4>(block);
    const int t = (int)threadIdx.x, v = value[t];
    out += t * ANSWERS;
    out[0] = where(warp), out[1] = where(four), out[2] = where(one);
    out[3] = where(kept), out[4] = where(of_block);
    const auto label = cg::labeled_partition(warp, v % 5);
    out[5] = where(label) * 10000 + (int)(label.size() * 100 + label.thread_rank());
    const auto bit = cg::binary_partition(four, v & 1);
    out[6] = where(bit) * 10000 + (int)(bit.size() * 100 + bit.thread_rank());
    if (v % 3) {
        const auto some = cg::coalesced_threads();
        const auto part = cg::binary_partition(some, v > 20);
        out[7] = where(part) * 10000 + (int)(part.size() * 100 + part.thread_rank());
    }
}

/* Threads first to first + n whose key is the thread's are its part: its number, how many there
 * are, size and rank.  by_bit: the part of bit 1 is number 1. */
template <class K, class In>
static int part(int first, int n, int t, K key, In in, bool by_bit)
{
    int size = 0, rank = 0, groups = 0, number = 0;
    for (int i = first; i < first + n; i++) {
        if (!in(i)) continue;
        bool head = true;
        for (int k = first; k < i; k++) head = head && !(in(k) && key(k) == key(i));
        if (head && key(i) == key(t)) number = groups;
        groups += head;
        size += key(i) == key(t), rank += key(i) == key(t) && i < t;
    }
    if (by_bit) number = groups == 2 && key(t);
    return (number * 100 + groups) * 10000 + size * 100 + rank;
}

int main()
{
    int value[N], got[N * ANSWERS], *in, *out;
    for (int i = 0; i < N; i++) value[i] = i < 8 ? 7 : (i * 37 + i / 7) % 43;
    cudaMalloc(&in, sizeof value), cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, value, sizeof value, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof got);
    ask<<<1, N>>>(in, out);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost)) return puts("FAIL"), 1;
    for (int t = 0; t < N; t++) {
        const auto all = [](int) { return true; };
        const auto mod3 = [&](int i) { return value[i] % 3 != 0; };
        const auto mod5 = [&](int i) { return value[i] % 5; };
        const auto odd = [&](int i) { return value[i] & 1; };
        const auto large = [&](int i) { return value[i] > 20; };
        const int want[ANSWERS] = { t / 32 * 100 + 3,
                                    t % 32 / 4 * 100 + 8,
                                    t % 2 * 100 + 2,
                                    t % 32 / 4 * 100 + 8,
                                    t / 4 * 100 + 24,
                                    part(t / 32 * 32, 32, t, mod5, all, false),
                                    part(t / 4 * 4, 4, t, odd, all, true),
                                    mod3(t) ? part(t / 32 * 32, 32, t, large, mod3, true) : 0 };
        for (int k = 0; k < ANSWERS; k++)
            if (got[t * ANSWERS + k] != want[k])
                return printf("FAIL thread %d, answer %d: %d, not %d\n", t, k,
                              got[t * ANSWERS + k], want[k]), 1;
    }
    puts("PASS");
    return 0;
}
