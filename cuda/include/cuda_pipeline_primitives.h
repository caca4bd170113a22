/* Copies to shared memory by their calls: each is made where it is issued, so a wait finds it done.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PIPELINE_PRIMITIVES_H
#define HEDDLE_PIPELINE_PRIMITIVES_H
#include "cuda_awbarrier_primitives.h"
#define HD_PIPE static __inline__ __attribute__((device, always_inline))
/* size is 4, 8 or 16; of its bytes the last `zeros` are zero. */
HD_PIPE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to), left = (unsigned)(size - zeros);
#define HD_COPY(HOW, N) \
    __asm__ volatile("cp.async." HOW ".shared.global [%0], [%1], " N ", %2;" \
                     : : "r"(at), "l"(from), "r"(left) : "memory")
    if (size == 4) HD_COPY("ca", "4");
    else if (size == 8) HD_COPY("ca", "8");
    else HD_COPY("cg", "16");
#undef HD_COPY
}
HD_PIPE void __pipeline_commit() { __asm__ volatile("cp.async.commit_group;" : : : "memory"); }
HD_PIPE void __pipeline_wait_prior(size_t) { __asm__ volatile("cp.async.wait_all;" : : : "memory");
    }
HD_PIPE void __pipeline_arrive_on(__mbarrier_t *b)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(b);
    __asm__ volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(at) : "memory");
}
#undef HD_PIPE
#endif
