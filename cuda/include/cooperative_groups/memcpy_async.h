/* Cooperative groups: copies by all threads of a group.  A copy has been made when its call
 * returns, and what others have of it they see after wait.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HEDDLE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#include "cuda/barrier"
#include "cooperative_groups.h"
#define HD_CG static __inline__ __attribute__((device, always_inline))
namespace cooperative_groups {
/* `bytes`: a number, or a cuda::aligned_size_t. */
template <class G, class T, class Bytes>
HD_CG void memcpy_async(const G &g, T *to, const T *from, const Bytes &bytes)
{
    cuda::details::copy((void *)to, from, bytes, g.thread_rank(), g.size());
}
/* Elements that there are, and that there is room for; what is less is copied. */
template <class G, class T, class Room, class Count>
HD_CG void memcpy_async(const G &g, T *to, const Room &room, const T *from, const Count &count)
{
    size_t n = (size_t)room < (size_t)count ? (size_t)room : (size_t)count;
    cuda::details::copy((void *)to, from, n * sizeof(T), g.thread_rank(), g.size());
}
template <class G> HD_CG void wait(const G &g) { g.sync(); }
template <unsigned Prior, class G> HD_CG void wait_prior(const G &g) { g.sync(); }
}
#undef HD_CG
#endif
