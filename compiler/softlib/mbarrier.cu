// Barriers in memory: an arrival (compiler/ptx/expand_async.c has the layout).
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"

// How the barrier was before.  drop: the next phases have so many fewer.
DEVICE u64 __hd_mbarrier_arrive(u64 at, u32 count, u32 drop)
{
    u64 old, seen, *p = (u64 *)at;
    asm volatile("membar.cta;" ::: "memory");
    for (old = *(volatile u64 *)p;; old = seen) {
        u64 expected = old >> 20 & 0xfffff, pending = (old & 0xfffff) - count, phase = old >> 40;
        if (pending > 0xfffff) asm volatile("trap;");        // more have come than are expected
        if (drop) expected -= count;
        if (!pending) pending = expected, phase++;
        u64 next = pending | expected << 20 | phase << 40;
        asm volatile("atom.cas.b64 %0, [%1], %2, %3;" : "=l"(seen) : "l"(p), "l"(old), "l"(next) : "memory");
        if (seen == old) return old;
    }
}
