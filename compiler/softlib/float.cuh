// f32 division, reciprocal and square root in the four roundings of IEEE 754, subnormals included.
// SPDX-License-Identifier: Apache-2.0
//
// Where nothing can over- or underflow: an approximation, refined until it is the nearest number
// (Markstein), whose remainder an FMA gives exactly; for the directed roundings the remainder's sign
// says whether to step to the neighbour.  Everywhere else: integer long division, bit by bit.

INLINE float fl(u32 v) { return __nvvm_bitcast_i2f((s32)v); }
INLINE u32 bits(float f) { return (u32)__nvvm_bitcast_f2i(f); }
INLINE float fma(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }

enum { RN, RZ, RM, RP };
#define QNAN 0x7fffffffu
#define INF 0x7f800000u

// Steps from the nearest number to the directed one: err has the sign of exact - q; q is not zero.
INLINE u32 direct(u32 q, float err, int mode)
{
    bool neg = q >> 31, up = err > 0, down = err < 0;
    if (mode == RN) return q;
    if (mode == RM || (mode == RZ && !neg)) return down ? neg ? q + 1 : q - 1 : q;
    return up ? neg ? q - 1 : q + 1 : q;
}

// sign, exponent of bit 26 (unbiased), significand in bits 0..26 with the last one sticky.
INLINE u32 pack(u32 sign, s32 e, u32 m, int mode)
{
    s32 shift = 3;                                   // 27 bits in, 24 out
    if (e < -126) shift = 3 + (-126 - e) > 31 ? 31 : 3 + (-126 - e);
    u32 lost = m & ((1u << shift) - 1), v = m >> shift, half = 1u << (shift - 1);
    bool up = mode == RN ? lost > half || (lost == half && (v & 1)) : mode == RZ ? false : lost && (mode == RP) == !sign;
    u32 r = (e < -126 ? v : v + ((u32)(e + 126) << 23)) + up;
    if (e > 127 || r >= INF) {
        bool to_max = mode == RZ || mode == (sign ? RP : RM);
        r = to_max ? INF - 1 : INF;
    }
    return sign | r;
}

// A finite non-zero magnitude as a significand in [2^23, 2^24) and its exponent.
INLINE u32 split(u32 v, s32 *e)
{
    u32 m = v & 0x7fffff;
    if (v >> 23) {
        *e = (s32)(v >> 23) - 127;
        return m | 0x800000;
    }
    s32 n = (s32)__builtin_clz(m) - 8;
    *e = -126 - n;
    return m << n;
}

INLINE float divide_slow(u32 a, u32 b, int mode)
{
    u32 sign = (a ^ b) & 0x80000000u, ma = a & 0x7fffffff, mb = b & 0x7fffffff;
    if (ma > INF || mb > INF || (ma == mb && (ma == 0 || ma == INF))) return fl(QNAN);
    if (ma == INF || mb == 0) return fl(sign | INF);
    if (mb == INF || ma == 0) return fl(sign);
    s32 ea, eb;
    u32 x = split(ma, &ea), y = split(mb, &eb), q = 0;
    s32 e = ea - eb;
    if (x < y) x <<= 1, e--;
#pragma clang loop unroll(disable)
    for (int k = 0; k < 27; k++) {
        q <<= 1;
        if (x >= y) x -= y, q |= 1;
        x <<= 1;
    }
    return fl(pack(sign, e, q | (x != 0), mode));
}

// The quick way needs exponents for which operands, quotient and remainder stay normal.
INLINE float divide(u32 a, u32 b, int mode)
{
    u32 ea = a << 1 >> 24, eb = b << 1 >> 24;
    // A significand of ones is the one case where the refined quotient may miss the nearest number.
    if (ea - 30 >= 220 || (b & 0x7fffff) == 0x7fffff || eb - 4 >= 246 || ea - eb + 124 >= 248) return divide_slow(a, b, mode);
    float x = fl(a), y = fl(b);
    float r = rcp_approx(y);
    r = fma(fma(-y, r, 1.0f), r, r);
    float q = __nvvm_mul_rn_f(x, r);
    q = fma(fma(-y, q, x), r, q);
    q = fma(fma(-y, q, x), r, q);
    if (mode == RN) return q;
    float err = fma(-y, q, x);
    return fl(direct(bits(q), b >> 31 ? -err : err, mode));
}

INLINE float root_slow(u32 a, int mode)
{
    if (!(a << 1)) return fl(a);
    if (a > INF) return fl(QNAN);                    // negative, or a NaN
    if (a == INF) return fl(a);
    s32 e;
    u32 m = split(a, &e), q = 0, rem = 0;
    if (e & 1) m <<= 1, e--;                         // m in [2^23, 2^25), the root of m * 2^29 has 27 bits
    u64 x = (u64)m << 29;
    u64 r = 0;
    (void)rem;
#pragma clang loop unroll(disable)
    for (int k = 26; k >= 0; k--) {
        u64 t = (r << 2) | (x >> 52 & 3);
        x <<= 2;
        u64 s = ((u64)q << 2) | 1;
        q <<= 1;
        if (t >= s) t -= s, q |= 1;
        r = t;
    }
    return fl(pack(0, e / 2, q | (r != 0), mode));
}

INLINE float root(u32 a, int mode)
{
    if (a - 0x0d000000u >= 0x72000000u - 0x0d000000u) return root_slow(a, mode);
    float x = fl(a), y = __nvvm_rsqrt_approx_ftz_f(x), g = __nvvm_mul_rn_f(x, y), h = __nvvm_mul_rn_f(y, 0.5f);
    float e = fma(-h, g, 0.5f);
    g = fma(g, e, g), h = fma(h, e, h);
    g = fma(fma(-g, g, x), h, g);
    g = fma(fma(-g, g, x), h, g);
    if (mode == RN) return g;
    return fl(direct(bits(g), fma(-g, g, x), mode));
}

DEVICE float __hd_div_rn(float a, float b) { return divide(bits(a), bits(b), RN); }
DEVICE float __hd_div_rz(float a, float b) { return divide(bits(a), bits(b), RZ); }
DEVICE float __hd_div_rm(float a, float b) { return divide(bits(a), bits(b), RM); }
DEVICE float __hd_div_rp(float a, float b) { return divide(bits(a), bits(b), RP); }
DEVICE float __hd_rcp_rn(float b) { return divide(0x3f800000, bits(b), RN); }
DEVICE float __hd_rcp_rz(float b) { return divide(0x3f800000, bits(b), RZ); }
DEVICE float __hd_rcp_rm(float b) { return divide(0x3f800000, bits(b), RM); }
DEVICE float __hd_rcp_rp(float b) { return divide(0x3f800000, bits(b), RP); }
DEVICE float __hd_sqrt_rn(float a) { return root(bits(a), RN); }
DEVICE float __hd_sqrt_rz(float a) { return root(bits(a), RZ); }
DEVICE float __hd_sqrt_rm(float a) { return root(bits(a), RM); }
DEVICE float __hd_sqrt_rp(float a) { return root(bits(a), RP); }
