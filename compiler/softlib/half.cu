// Atomic additions of f16 and bf16, one or two in a word, and the comparison and exchange of 16 bits: loops over
// the word that they lie in.
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"
typedef unsigned short u16;

INLINE u32 exchange(u32 *p, u32 old, u32 by)
{
    u32 seen;
    asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(seen) : "l"(p), "r"(old), "r"(by) : "memory");
    return seen;
}

// A word, and where in it the half is; an address that is no multiple of 2 faults here.
struct place { u32 *word, shift; };
INLINE place of(u64 at)
{
    *(volatile u16 *)at;
    place p = { (u32 *)(at & ~3ull), (u32)at << 3 & 16 };
    return p;
}
INLINE u32 put(place p, u32 word, u32 half) { return (word & ~(0xffffu << p.shift)) | (half & 0xffff) << p.shift; }

#define ADD_ONE(type) \
    DEVICE u32 __hd_atom_add_##type(u64 at, u32 by) \
    { \
        place p = of(at); \
        u32 old = *(volatile u32 *)p.word, seen; \
        for (;; old = seen) { \
            u16 sum, half = (u16)(old >> p.shift); \
            asm("add.rn." #type " %0, %1, %2;" : "=h"(sum) : "h"(half), "h"((u16)by)); \
            seen = exchange(p.word, old, put(p, old, sum)); \
            if (seen == old) return half; \
        } \
    }
#define ADD_TWO(type) \
    DEVICE u32 __hd_atom_add_##type(u64 at, u32 by) \
    { \
        u32 *p = (u32 *)at, old = *(volatile u32 *)p, seen, sum; \
        for (;; old = seen) { \
            asm("add.rn." #type " %0, %1, %2;" : "=r"(sum) : "r"(old), "r"(by)); \
            seen = exchange(p, old, sum); \
            if (seen == old) return old; \
        } \
    }
ADD_ONE(f16)
ADD_ONE(bf16)
ADD_TWO(f16x2)
ADD_TWO(bf16x2)

DEVICE u32 __hd_atom_cas_b16(u64 at, u32 want, u32 to)
{
    place p = of(at);
    u32 old = *(volatile u32 *)p.word, seen;
    for (;; old = seen) {
        u32 half = old >> p.shift & 0xffff;
        seen = exchange(p.word, old, half == (want & 0xffff) ? put(p, old, to) : old);
        if (seen == old) return half;
    }
}
