/* Barriers in shared memory by their calls.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_AWBARRIER_PRIMITIVES_H
#define HEDDLE_AWBARRIER_PRIMITIVES_H
#include "cuda_runtime.h"
typedef unsigned long long __mbarrier_t, __mbarrier_token_t;
#define HD_BAR static __inline__ __attribute__((device, always_inline))
HD_BAR unsigned __mbarrier_maximum_count() { return (1u << 20) - 1; }
HD_BAR void __mbarrier_init(__mbarrier_t *b, unsigned n)
{
    __asm__ volatile("mbarrier.init.b64 [%0], %1;" : : "l"(b), "r"(n) : "memory");
}
HD_BAR void __mbarrier_inval(__mbarrier_t *) {}
HD_BAR __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b, unsigned n = 1)
{
    __mbarrier_token_t t;
    __asm__ volatile("mbarrier.arrive.b64 %0, [%1], %2;" : "=l"(t) : "l"(b), "r"(n) : "memory");
    return t;
}
HD_BAR __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b)
{
    __mbarrier_token_t t;
    __asm__ volatile("mbarrier.arrive_drop.b64 %0, [%1];" : "=l"(t) : "l"(b) : "memory");
    return t;
}
HD_BAR bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t t)
{
    unsigned done;
    __asm__ volatile("{.reg .pred p; mbarrier.test_wait.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "l"(b), "l"(t) : "memory");
    return done;
}
HD_BAR bool __mbarrier_test_wait_parity(__mbarrier_t *b, bool parity)
{
    unsigned done;
    __asm__ volatile("{.reg .pred p; mbarrier.test_wait.parity.b64 p, [%1], %2;"
                     "selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "l"(b), "r"((unsigned)parity) : "memory");
    return done;
}
HD_BAR unsigned __mbarrier_token_pending_count(__mbarrier_token_t t)
{
    unsigned n;
    __asm__("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(t));
    return n;
}
#undef HD_BAR
#endif
