/* Reductions and scans over a tile or the lanes of a coalesced group.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_COOPERATIVE_GROUPS_REDUCE_H
#define HEDDLE_COOPERATIVE_GROUPS_REDUCE_H
#include "../cooperative_groups.h"
#define HD_OP static __inline__ __attribute__((device, always_inline))
namespace cooperative_groups {
#define HD_FUNCTOR(NAME, EXPR) \
    template <class T> struct NAME { __attribute__((device, always_inline)) T operator()(T a, T b) \
    const { return EXPR; } };
HD_FUNCTOR(plus, a + b)
HD_FUNCTOR(less, a < b ? a : b)
HD_FUNCTOR(greater, a > b ? a : b)
HD_FUNCTOR(bit_and, a & b)
HD_FUNCTOR(bit_or, a | b)
HD_FUNCTOR(bit_xor, a ^ b)
#undef HD_FUNCTOR
template <unsigned N, class P, class T, class Op>
HD_OP T reduce(const thread_block_tile<N, P> &g, T v, Op op)
{
    return g.fold(v, op);
}
template <class T, class Op> HD_OP T reduce(const coalesced_group &g, T v, Op op)
{
    T sum = g.shfl(v, 0);
    for (unsigned k = 1; k < g.size(); k++) {
        T other = g.shfl(v, k);
        sum = op(sum, other);
    }
    return sum;
}
template <class G, class T, class Op> HD_OP T inclusive_scan(const G &g, T v, Op op)
{
    for (unsigned n = 1; n < g.size(); n *= 2) {
        T other = g.shfl_up(v, n);
        if (g.thread_rank() >= n) v = op(other, v);
    }
    return v;
}
template <unsigned N, class P, class T, class Op>
HD_OP typename details::if_of_warps<N, T>::type inclusive_scan(const thread_block_tile<N, P> &g,
                                                               T v, Op op)
{
    T before;
    const T all = inclusive_scan(details::tile_of_lanes<32>(), v, op);
    return g.before(all, op, before) ? op(before, all) : all;
}
template <class G, class T> HD_OP T inclusive_scan(const G &g, T v)
{
    return inclusive_scan(g, v, plus<T>());
}
template <class G, class T, class Op> HD_OP T exclusive_scan(const G &g, T v, Op op)
{
    T all = inclusive_scan(g, v, op), before = g.shfl_up(all, 1);
    return g.thread_rank() ? before : T();
}
template <unsigned N, class P, class T, class Op>
HD_OP typename details::if_of_warps<N, T>::type exclusive_scan(const thread_block_tile<N, P> &g,
                                                               T v, Op op)
{
    T before;
    const details::tile_of_lanes<32> warp;
    const T all = inclusive_scan(warp, v, op), left = warp.shfl_up(all, 1);
    const bool other = g.before(all, op, before), first = !warp.thread_rank();
    return other ? first ? before : op(before, left) : first ? T() : left;
}
template <class G, class T> HD_OP T exclusive_scan(const G &g, T v)
{
    return exclusive_scan(g, v, plus<T>());
}
}
#undef HD_OP
#endif
