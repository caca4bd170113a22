/* Barriers and fences: what other threads wrote before one is read after it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * clang 14 takes for granted that no intrinsic writes a `__shared__' variable whose address nobody
 * takes, and so moves a read of it from after a barrier to before it: the thread sees what the
 * variable held before another one wrote it.  An empty asm that may write memory, before and after,
 * keeps reads and writes on their side. */
#ifndef HEDDLE_ORDER_H
#define HEDDLE_ORDER_H
/* Templates, as in heddle_cuda.h: a source that defines one of them itself keeps its own. */
#define HD_ORDER                                                                                   \
    template <int = 0> static __inline__ __attribute__((device, always_inline, nodebug))
#define HD_KEEP __asm__ volatile("" ::: "memory")
#define HD_ORDERED(NAME) HD_ORDER void heddle##NAME() { HD_KEEP; NAME(); HD_KEEP; }
#define HD_COUNTED(NAME)                                                                           \
    HD_ORDER int heddle##NAME(int p)                                                               \
    {                                                                                              \
        HD_KEEP;                                                                                   \
        int n = NAME(p);                                                                           \
        HD_KEEP;                                                                                   \
        return n;                                                                                  \
    }
HD_ORDERED(__syncthreads)
HD_ORDERED(__threadfence)
HD_ORDERED(__threadfence_block)
HD_ORDERED(__threadfence_system)
HD_COUNTED(__syncthreads_count)
HD_COUNTED(__syncthreads_and)
HD_COUNTED(__syncthreads_or)
HD_ORDER void heddle__syncwarp(unsigned mask = 0xffffffffu) { HD_KEEP; __syncwarp(mask); HD_KEEP; }
#undef HD_COUNTED
#undef HD_ORDERED
#undef HD_KEEP
#undef HD_ORDER
#define __syncthreads heddle__syncthreads
#define __threadfence heddle__threadfence
#define __threadfence_block heddle__threadfence_block
#define __threadfence_system heddle__threadfence_system
#define __syncthreads_count heddle__syncthreads_count
#define __syncthreads_and heddle__syncthreads_and
#define __syncthreads_or heddle__syncthreads_or
#define __syncwarp heddle__syncwarp
#endif
