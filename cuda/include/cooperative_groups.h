/* Cooperative groups: blocks, tiles of warps, the lanes that are together, and whole grids.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A grid waits by counting arrivals in memory: its blocks are all resident, as
 * cudaLaunchCooperativeKernel checks. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_H
#define HEDDLE_COOPERATIVE_GROUPS_H
#include "cuda/atomic"
#include "cuda_runtime.h"
#define HD_CG static __inline__ __attribute__((device, always_inline))
#define HD_MEMBER __attribute__((device, always_inline))
namespace cooperative_groups {
typedef unsigned cg_word;
namespace details {
HD_CG unsigned rank_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HD_CG unsigned lane() { return rank_in_block() & 31; }
HD_CG unsigned lanes_below(unsigned mask, unsigned lane)
{
    return (unsigned)__popc(mask & ((1u << lane) - 1));
}
/* Of any type, what f makes of its words: shuffles move words. */
template <class T, class F> HD_CG T each_word(T v, F f)
{
    unsigned word[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(word, &v, sizeof v);
    for (unsigned &w : word) w = f(w);
    __builtin_memcpy(&v, word, sizeof v);
    return v;
}
/* The n-th lane of a mask, from 0. */
HD_CG int nth_lane(unsigned mask, unsigned n)
{
    while (n--) mask &= mask - 1;
    return __ffs((int)mask) - 1;
}
struct lanes_of {                       /* of a group within a warp, its lanes */
    template <class G> HD_MEMBER static unsigned get(const G &g) { return g.mask(); }
};
static __device__ unsigned grid_arrived, grid_round;
HD_CG void grid_wait()
{
    unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    __syncthreads();
    if (rank_in_block() == 0) {
        volatile unsigned *round = &grid_round;
        unsigned now = *round;
        __threadfence();
        if (atomicAdd(&grid_arrived, 1u) == blocks - 1) {
            grid_arrived = 0;
            __threadfence();
            atomicAdd(&grid_round, 1u);
        } else
            while (*round == now) __nanosleep(100);
        __threadfence();
    }
    __syncthreads();
}
}

/* Lanes of one warp by their mask; what tiles and coalesced groups have in common. */
class warp_group {
protected:
    unsigned mask_, count_;
    HD_MEMBER warp_group(unsigned mask) : mask_(mask), count_((unsigned)__popc(mask)) {}
    HD_MEMBER int lane_of(unsigned rank) const { return details::nth_lane(mask_, rank); }
    HD_MEMBER unsigned mask() const { return mask_; }
    friend struct details::lanes_of;
public:
    HD_MEMBER unsigned thread_rank() const { return details::lanes_below(mask_, details::lane()); }
    HD_MEMBER unsigned size() const { return count_; }
    HD_MEMBER unsigned num_threads() const { return count_; }
    HD_MEMBER void sync() const { __syncwarp(mask_); }
    HD_MEMBER int any(int p) const { return __any_sync(mask_, p); }
    HD_MEMBER int all(int p) const { return __all_sync(mask_, p); }
};

class coalesced_group : public warp_group {
    /* votes come by lane; the group counts by rank */
    HD_MEMBER unsigned pack(unsigned lanes) const
    {
        unsigned out = 0, n = 0;
        for (unsigned left = mask_; left; left &= left - 1, n++)
            out |= ((lanes & left & (0u - left)) != 0u) << n;
        return out;
    }
    unsigned meta_rank_, meta_size_;
    template <class T> HD_MEMBER T from(T v, int lane) const
    {
        return details::each_word(v, [=](unsigned w) { return __shfl_sync(mask_, w, lane); });
    }
public:
    HD_MEMBER coalesced_group(unsigned mask, unsigned rank = 0, unsigned size = 1)
        : warp_group(mask), meta_rank_(rank), meta_size_(size) {}
    HD_MEMBER unsigned ballot(int p) const { return pack(__ballot_sync(mask_, p)); }
    HD_MEMBER unsigned meta_group_rank() const { return meta_rank_; }
    HD_MEMBER unsigned meta_group_size() const { return meta_size_; }
    template <class T> HD_MEMBER T shfl(T v, unsigned rank) const
    {
        return from(v, lane_of(rank % count_));
    }
    template <class T> HD_MEMBER T shfl_up(T v, unsigned n) const
    {
        unsigned r = thread_rank();
        return from(v, lane_of(r >= n ? r - n : r));
    }
    template <class T> HD_MEMBER T shfl_down(T v, unsigned n) const
    {
        unsigned r = thread_rank();
        return from(v, lane_of(r + n < count_ ? r + n : r));
    }
    template <class T> HD_MEMBER unsigned match_any(T v) const
    {
        return pack(__match_any_sync(mask_, v));
    }
};
HD_CG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

class thread_block {
public:
    HD_MEMBER static void sync() { __syncthreads(); }
    HD_MEMBER static unsigned thread_rank() { return details::rank_in_block(); }
    HD_MEMBER static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    HD_MEMBER static unsigned num_threads() { return size(); }
    HD_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    HD_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    HD_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    HD_MEMBER static dim3 dim_threads() { return group_dim(); }
};
/* Where tiles of several warps meet, in CUDA: here they have their own. */
template <unsigned MAX_THREADS = 1024> struct block_tile_memory { char unused; };
HD_CG thread_block this_thread_block() { return thread_block(); }
template <unsigned N> HD_CG thread_block this_thread_block(block_tile_memory<N> &)
{
    return thread_block();
}

class grid_group {
public:
    HD_MEMBER static bool is_valid() { return true; }
    HD_MEMBER static void sync() { details::grid_wait(); }
    HD_MEMBER static unsigned long long thread_rank()
    {
        unsigned long long block = ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) *
                                       gridDim.x +
                                   blockIdx.x;
        return block * thread_block::size() + thread_block::thread_rank();
    }
    HD_MEMBER static unsigned long long size()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size();
    }
    HD_MEMBER static unsigned long long num_threads() { return size(); }
    HD_MEMBER static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    HD_MEMBER static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    HD_MEMBER static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
};
HD_CG grid_group this_grid() { return grid_group(); }

namespace details {
/* N threads in a row of a warp. */
template <unsigned N> class tile_of_lanes {
    static_assert(N && N <= 32 && !(N & (N - 1)), "a tile has 1, 2, 4, ..., 1024 threads");
    HD_MEMBER static unsigned mask()
    {
        return (N == 32 ? ~0u : (1u << (N & 31)) - 1) << (details::lane() & ~(N - 1));
    }
    friend struct lanes_of;

public:
    HD_MEMBER static unsigned thread_rank() { return details::lane() & (N - 1); }
    HD_MEMBER static constexpr unsigned size() { return N; }
    HD_MEMBER static constexpr unsigned num_threads() { return N; }
    HD_MEMBER static void sync() { __syncwarp(mask()); }
    HD_MEMBER static int any(int p) { return __any_sync(mask(), p); }
    HD_MEMBER static int all(int p) { return __all_sync(mask(), p); }
    HD_MEMBER static unsigned ballot(int p)
    {
        return (__ballot_sync(mask(), p) & mask()) >> (details::lane() & ~(N - 1));
    }
    template <class T> HD_MEMBER static T shfl(T v, int rank)
    {
        return details::each_word(v, [=](unsigned w) { return __shfl_sync(mask(), w, rank, N); });
    }
    template <class T> HD_MEMBER static T shfl_up(T v, unsigned n)
    {
        return details::each_word(v, [=](unsigned w) { return __shfl_up_sync(mask(), w, n, N); });
    }
    template <class T> HD_MEMBER static T shfl_down(T v, unsigned n)
    {
        return details::each_word(v, [=](unsigned w) { return __shfl_down_sync(mask(), w, n, N); });
    }
    template <class T> HD_MEMBER static T shfl_xor(T v, int n)
    {
        return details::each_word(v, [=](unsigned w) { return __shfl_xor_sync(mask(), w, n, N); });
    }
    template <class T> HD_MEMBER static unsigned match_any(T v)
    {
        return __match_any_sync(mask(), v) >> (details::lane() & ~(N - 1));
    }
    template <class Parent> HD_MEMBER static void begin(const Parent &) {}
    template <class T, class Op> HD_MEMBER static T fold(T v, Op op)
    {
        for (unsigned n = N / 2; n; n /= 2) v = op(v, shfl_xor(v, (int)n));
        return v;
    }
};
template <unsigned N, bool of_warps> struct tile_kind { typedef tile_of_lanes<N> type; };
}
}
#include "cooperative_groups/tile_of_warps.h"
namespace cooperative_groups {
template <unsigned N, class Parent = void> class thread_block_tile;
namespace details {
/* Which of its parent's tiles a tile is, and of how many: the parent is the block, a tile, or
 * whatever a tile had that this one was made from. */
template <unsigned N, class Parent> class meta_group {
public:
    HD_MEMBER static unsigned meta_group_rank() { return rank_in_block() / N; }
    HD_MEMBER static unsigned meta_group_size() { return (thread_block::size() + N - 1) / N; }
};
template <unsigned N, unsigned M, class P> class meta_group<N, thread_block_tile<M, P>> {
public:
    HD_MEMBER static unsigned meta_group_rank() { return rank_in_block() % M / N; }
    HD_MEMBER static unsigned meta_group_size() { return M / N; }
};
template <unsigned N> class meta_group<N, void> {
    unsigned rank_ = meta_group<N, thread_block>::meta_group_rank(),
             size_ = meta_group<N, thread_block>::meta_group_size();
public:
    HD_MEMBER meta_group() {}
    template <class P>
    HD_MEMBER meta_group(const meta_group<N, P> &m)
        : rank_(m.meta_group_rank()), size_(m.meta_group_size())
    {
    }
    HD_MEMBER unsigned meta_group_rank() const { return rank_; }
    HD_MEMBER unsigned meta_group_size() const { return size_; }
};
}
template <unsigned N, class Parent>
class thread_block_tile : public details::tile_kind<N, (N > 32)>::type,
                          public details::meta_group<N, Parent> {
public:
    HD_MEMBER thread_block_tile() {}
};
template <unsigned N>
class thread_block_tile<N, void> : public details::tile_kind<N, (N > 32)>::type,
                                   public details::meta_group<N, void> {
public:
    HD_MEMBER thread_block_tile() {}
    template <class Other>
    HD_MEMBER thread_block_tile(const thread_block_tile<N, Other> &t)
        : details::meta_group<N, void>((const details::meta_group<N, Other> &)t)
    {
    }
};
template <unsigned N, class P> HD_CG thread_block_tile<N, P> tiled_partition(const P &of)
{
    details::tile_kind<N, (N > 32)>::type::begin(of);
    return thread_block_tile<N, P>();
}

/* A group whose size is known only when it runs. */
class thread_group {
    unsigned size_;                     /* of a tile; 0: the block */
public:
    HD_MEMBER thread_group(const thread_block &) : size_(0) {}
    HD_MEMBER explicit thread_group(unsigned n) : size_(n) {}
    template <unsigned N, class P>
    HD_MEMBER thread_group(const thread_block_tile<N, P> &) : size_(N)
    {
    }
    HD_MEMBER unsigned size() const { return size_ ? size_ : thread_block::size(); }
    HD_MEMBER unsigned num_threads() const { return size(); }
    HD_MEMBER unsigned thread_rank() const
    {
        return size_ ? details::lane() & (size_ - 1) : thread_block::thread_rank();
    }
    HD_MEMBER void sync() const
    {
        if (size_)
            __syncwarp((size_ == 32 ? ~0u : (1u << size_) - 1) << (details::lane() & ~(size_ - 1)));
        else __syncthreads();
    }
};
HD_CG thread_group tiled_partition(const thread_group &, unsigned n) { return thread_group(n); }
HD_CG thread_group tiled_partition(const thread_block &, unsigned n) { return thread_group(n); }
template <class G> HD_CG coalesced_group binary_partition(const G &of, bool p)
{
    const unsigned all = details::lanes_of::get(of), yes = __ballot_sync(all, p) & all;
    if (!yes || yes == all) return coalesced_group(all);
    return coalesced_group(p ? yes : all & ~yes, p, 2);
}
/* The groups are numbered as their first lanes follow each other. */
template <class G, class L> HD_CG coalesced_group labeled_partition(const G &of, L label)
{
    const unsigned all = details::lanes_of::get(of), same = __match_any_sync(all, label);
    const int first = __ffs((int)same) - 1;
    const unsigned heads = __ballot_sync(all, (int)details::lane() == first) & all;
    return coalesced_group(same, details::lanes_below(heads, (unsigned)first),
                           (unsigned)__popc(heads));
}
template <class G> HD_CG void sync(const G &g) { g.sync(); }
}
#undef HD_CG
#undef HD_MEMBER
#include "cooperative_groups/reduce.h"
#endif
