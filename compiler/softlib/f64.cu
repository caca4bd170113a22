// The library's unit of f64, and the operations of the machine that it is made of.
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"

// Amounts above 63 give 0.
INLINE u64 shl(u64 v, u32 n) { u64 d; asm("shl.b64 %0, %1, %2;" : "=l"(d) : "l"(v), "r"(n)); return d; }
INLINE u64 shr(u64 v, u32 n) { u64 d; asm("shr.u64 %0, %1, %2;" : "=l"(d) : "l"(v), "r"(n)); return d; }
INLINE u32 clz(u64 v) { u32 d; asm("clz.b64 %0, %1;" : "=r"(d) : "l"(v)); return d; }
INLINE u32 clz32(u32 v) { u32 d; asm("clz.b32 %0, %1;" : "=r"(d) : "r"(v)); return d; }
INLINE u32 mul_high(u32 a, u32 b) { u32 d; asm("mul.hi.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); return d; }
INLINE u64 mad(u32 a, u32 b, u64 c)
{
    u64 d;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"(c));
    return d;
}
// Of f32, as bits: normal numbers go in and come out.
INLINE u32 rcp_bits(u32 f) { u32 d; asm("rcp.approx.ftz.f32 %0, %1;" : "=r"(d) : "r"(f)); return d; }
INLINE u32 rsq_bits(u32 f) { u32 d; asm("rsqrt.approx.ftz.f32 %0, %1;" : "=r"(d) : "r"(f)); return d; }

#include "softlib/f64.cuh"

// With the f64 unit.
INLINE u64 add_by_unit(u64 a, u64 b)
{
    double x, y;
    __builtin_memcpy(&x, &a, 8), __builtin_memcpy(&y, &b, 8);
    x = __nvvm_add_rn_d(x, y);
    __builtin_memcpy(&a, &x, 8);
    return a;
}

DEVICE u64 __hd_atom_add_f64_unit(u64 *p, u64 by)
{
    u64 old = *(volatile u64 *)p, seen;
    while (true) {
        asm volatile("atom.cas.b64 %0, [%1], %2, %3;"
                     : "=l"(seen) : "l"(p), "l"(old), "l"(add_by_unit(old, by)) : "memory");
        if (seen == old) return old;
        old = seen;
    }
}
DEVICE u64 __hd_atom_add_f64(u64 *p, u64 by)
{
    u64 old = *(volatile u64 *)p, seen;
    while (true) {
        asm volatile("atom.cas.b64 %0, [%1], %2, %3;"
                     : "=l"(seen) : "l"(p), "l"(old), "l"(add(old, by, 0, RN)) : "memory");
        if (seen == old) return old;
        old = seen;
    }
}
