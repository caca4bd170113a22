/* Tiles of several warps: they meet, and say things to each other, through shared memory, where
 * each warp has its places.  SPDX-License-Identifier: Apache-2.0
 *
 * The 15 barriers that a block has beside its own are too few for all tiles that it can have, of
 * several sizes at a time.  So each warp counts how often it came to a meeting, and waits until the
 * others have come as often.  Whoever makes tiles may wait for the group that they are of: counts
 * begin there. */
#ifndef HEDDLE_COOPERATIVE_GROUPS_TILE_OF_WARPS_H
#define HEDDLE_COOPERATIVE_GROUPS_TILE_OF_WARPS_H
#include "../cooperative_groups.h"
namespace cooperative_groups {
namespace details {
template <unsigned N> class tile_of_warps {
    static_assert(N <= 1024 && !(N & (N - 1)), "a tile has 1, 2, 4, ..., 1024 threads");
    enum { WARPS = N / 32 };
    /* A place of each warp of the block, of type T. */
    template <class T> HD_MEMBER static T *places()
    {
        static __shared__ __attribute__((aligned(16))) unsigned char place[32 * sizeof(T)];
        return (T *)place;
    }
    HD_MEMBER static volatile unsigned *meetings()
    {
        static __shared__ unsigned times[32];
        return times;
    }
    HD_MEMBER static unsigned warp() { return rank_in_block() / 32; }
    HD_MEMBER static unsigned first_warp() { return warp() / WARPS * WARPS; }

public:
    HD_MEMBER static unsigned thread_rank() { return rank_in_block() % N; }
    HD_MEMBER static constexpr unsigned size() { return N; }
    HD_MEMBER static constexpr unsigned num_threads() { return N; }
    template <class Parent> HD_MEMBER static void begin(const Parent &of)
    {
        of.sync();
        if (lane() == 0) meetings()[warp()] = 0;
        of.sync();
    }
    HD_MEMBER static void sync()
    {
        volatile unsigned *const times = meetings();
        __syncwarp();
        if (lane() == 0) {
            __threadfence_block();
            const unsigned mine = times[warp()] + 1;
            times[warp()] = mine;
            for (unsigned k = first_warp(); k < first_warp() + WARPS; k++)
                while ((int)(times[k] - mine) < 0) continue;
            __threadfence_block();
        }
        __syncwarp();
    }
    /* What one thread has.  Those that wrote wait for all that read before they write again. */
    template <class T> HD_MEMBER static T shfl(T v, int rank)
    {
        T *const place = places<T>() + first_warp();
        if (thread_rank() == (unsigned)rank) *place = v;
        sync();
        const T got = *place;
        sync();
        return got;
    }
    template <class T, class Op> HD_MEMBER static T fold(T v, Op op)
    {
        T *const place = places<T>();
        const T of_warp = tile_of_lanes<32>::fold(v, op);
        if (lane() == 0) place[warp()] = of_warp;
        sync();
        T all = place[first_warp()];
        for (unsigned k = 1; k < WARPS; k++) all = op(all, place[first_warp() + k]);
        sync();
        return all;
    }
    /* What the warps before this one have, where their last lanes have all of theirs; false: there
     * are none. */
    template <class T, class Op> HD_MEMBER static bool before(T all, Op op, T &sum)
    {
        T *const place = places<T>();
        if (lane() == 31) place[warp()] = all;
        sync();
        const bool any = warp() > first_warp();
        if (any) sum = place[first_warp()];
        for (unsigned k = first_warp() + 1; k < warp(); k++) sum = op(sum, place[k]);
        sync();
        return any;
    }
    HD_MEMBER static int any(int p) { return fold(p != 0, [](bool a, bool b) { return a || b; }); }
    HD_MEMBER static int all(int p) { return fold(p != 0, [](bool a, bool b) { return a && b; }); }
};
template <unsigned N> struct tile_kind<N, true> { typedef tile_of_warps<N> type; };
template <unsigned N, class T, bool of_warps = (N > 32)> struct if_of_warps {};
template <unsigned N, class T> struct if_of_warps<N, T, true> { typedef T type; };
}
}
#endif
