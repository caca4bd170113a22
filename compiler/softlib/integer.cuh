// Integer division: a reciprocal in floating point, one or two Newton steps in integers, two corrections.
// SPDX-License-Identifier: Apache-2.0

INLINE u32 mul_high(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
INLINE u64 mul_high64(u64 a, u64 b)
{
    u64 d;
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
    return d;
}

// The estimate of 2^32 / b errs downwards, by less than what one Newton step leaves two corrections.
INLINE u32 divide32(u32 a, u32 b, u32 *rem)
{
    u32 z = __nvvm_f2ui_rz(rcp_approx(__nvvm_ui2f_rn(b)) * __nvvm_bitcast_i2f(0x4f7ffffe));
    z += mul_high(z, -b * z);
    u32 q = mul_high(a, z), r = a - q * b;
    if (r >= b) q++, r -= b;
    if (r >= b) q++, r -= b;
    *rem = b ? r : ~0u;
    return b ? q : ~0u;
}

// As divide32 with words twice as wide: the reciprocal in two parts, and two Newton steps.
INLINE u64 divide64(u64 a, u64 b, u64 *rem)
{
    if (!((a | b) >> 32)) {
        u32 r, q = divide32((u32)a, (u32)b, &r);
        *rem = b ? r : ~0ull;
        return b ? q : ~0ull;
    }
    float f = __nvvm_fma_rn_f(__nvvm_ui2f_rn((u32)(b >> 32)), __nvvm_bitcast_i2f(0x4f800000), __nvvm_ui2f_rn((u32)b));
    float t = rcp_approx(f) * __nvvm_bitcast_i2f(0x5f7ffffc);
    float hi = __nvvm_trunc_f(t * __nvvm_bitcast_i2f(0x2f800000));
    float lo = __nvvm_fma_rn_f(hi, __nvvm_bitcast_i2f((s32)0xcf800000), t);
    u64 z = (u64)__nvvm_f2ui_rz(hi) << 32 | __nvvm_f2ui_rz(lo);
    z += mul_high64(z, -b * z);
    z += mul_high64(z, -b * z);
    u64 q = mul_high64(a, z), r = a - q * b;
    if (r >= b) q++, r -= b;
    if (r >= b) q++, r -= b;
    *rem = b ? r : ~0ull;
    return b ? q : ~0ull;
}

// The four operations on words of n bits.  Signs: x ^ s - s negates where s is all ones.
#define OPERATIONS(n) \
    DEVICE u##n __hd_div_u##n(u##n a, u##n b) { u##n r; return divide##n(a, b, &r); } \
    DEVICE u##n __hd_rem_u##n(u##n a, u##n b) { u##n r; divide##n(a, b, &r); return r; } \
    DEVICE s##n __hd_div_s##n(s##n a, s##n b) \
    { \
        u##n r, sa = (u##n)(a >> (n - 1)), sb = (u##n)(b >> (n - 1)), s = sa ^ sb; \
        u##n q = divide##n(((u##n)a ^ sa) - sa, ((u##n)b ^ sb) - sb, &r); \
        return b ? (s##n)((q ^ s) - s) : -1; \
    } \
    DEVICE s##n __hd_rem_s##n(s##n a, s##n b) \
    { \
        u##n r, sa = (u##n)(a >> (n - 1)), sb = (u##n)(b >> (n - 1)); \
        divide##n(((u##n)a ^ sa) - sa, ((u##n)b ^ sb) - sb, &r); \
        return b ? (s##n)((r ^ sa) - sa) : -1; \
    }
OPERATIONS(32)
OPERATIONS(64)
