// Bit fields of 64-bit words, the n-th set bit, and the f32 atomic.
// SPDX-License-Identifier: Apache-2.0

// Unlike those of 32 bits, these count all 32 bits of position and length, on an H200.
INLINE u32 clip(u32 v) { return v > 64 ? 64 : v; }
INLINE u64 left(u64 v, u32 n) { return n > 63 ? 0 : v << n; }

// The field ends below bit `end`; shifted to the top and back down it is extended as its type says.
DEVICE u64 __hd_bfe_u64(u64 a, u32 pos, u32 len)
{
    pos = clip(pos), len = clip(len);
    u32 end = pos + len < 64 ? pos + len : 64, n = 64 - end + pos;
    u64 top = left(a, 64 - end);
    return n > 63 || !len ? 0 : top >> n;
}

DEVICE s64 __hd_bfe_s64(s64 a, u32 pos, u32 len)
{
    pos = clip(pos), len = clip(len);
    u32 end = pos + len < 64 ? pos + len : 64, n = 64 - end + pos;
    s64 top = (s64)left((u64)a, 64 - end);
    return !len ? 0 : top >> (n > 63 ? 63 : n);
}

DEVICE u64 __hd_bfi_b64(u64 a, u64 b, u32 pos, u32 len)
{
    pos = clip(pos), len = clip(len);
    u64 mask = left(len > 63 ? ~0ull : (1ull << len) - 1, pos);
    return (left(a, pos) & mask) | (b & ~mask);
}

// fns: the n-th set bit of mask from `base` on, upwards or downwards; 0 asks for bit `base` itself.
DEVICE u32 __hd_fns(u32 mask, u32 base, s32 n)
{
    if (n == (s32)0x80000000) return 0;              // as an H200 answers
    if (base > 31) return ~0u;
    if (n == 0) return mask >> base & 1 ? base : ~0u;
    s32 step = n > 0 ? 1 : -1;
    u32 left_over = n > 0 ? (u32)n : -(u32)n;
    for (s32 p = (s32)base; p >= 0 && p < 32; p += step)
        if (mask >> p & 1 && --left_over == 0) return (u32)p;
    return ~0u;
}

DEVICE float __hd_atom_add_f32(u32 *p, float by)
{
    u32 old = *(volatile u32 *)p, seen;
    while (true) {
        float sum = __nvvm_add_rn_ftz_f(__nvvm_bitcast_i2f((s32)old), by);
        asm volatile("atom.cas.b32 %0, [%1], %2, %3;"
                     : "=r"(seen) : "l"(p), "r"(old), "r"(__nvvm_bitcast_f2i(sum)) : "memory");
        if (seen == old) break;
        old = seen;
    }
    return __nvvm_bitcast_i2f((s32)old);
}
