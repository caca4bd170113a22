/* Unpacking and rounding, shared by the arithmetic, the conversions and MUFU.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FPROUND_H
#define FPROUND_H
#include "cmodel/fp/fp32.h"

/* (-1)^neg * sig * 2^(exp - 62); sig is 0, or its leading one is bit 62. */
struct fp_num {
    bool neg;
    int exp;
    u64 sig;
};

static inline bool fp_is_nan(u32 a) { return (a & ~F32_SIGN) > F32_INF; }
static inline bool fp_is_inf(u32 a) { return (a & ~F32_SIGN) == F32_INF; }
static inline bool fp_is_zero(u32 a) { return (a & ~F32_SIGN) == 0; }
static inline u32 fp_flush(u32 a, bool ftz) { return ftz && !(a & F32_INF) ? a & F32_SIGN : a; }

static inline struct fp_num fp_normal(bool neg, int exp, u64 sig)
{
    int n = sig ? __builtin_clzll(sig) - 1 : 0;
    return (struct fp_num){neg, exp - n, n < 0 ? sig >> 1 | (sig & 1) : sig << n};
}

/* The number that a is; not for infinities and NaN. */
static inline struct fp_num fp_unpack(u32 a)
{
    int e = (a >> 23) & 0xff;
    u64 frac = a & 0x7fffff;
    return e ? fp_normal(a >> 31, e - 127, (frac | 0x800000) << 39)
             : fp_normal(a >> 31, -126, frac << 39);
}

/* x >> n, with every one that falls out kept as bit 0. */
static inline u64 fp_shift_jam(u64 x, int n)
{
    return n == 0 ? x : n > 63 ? x != 0 : x >> n | (x << (64 - n) != 0);
}

/* x / 2^n to an integer; x < 2^63, n >= 0. */
static inline u64 fp_shift_round(u64 x, int n, bool neg, unsigned rm)
{
    x = fp_shift_jam(x, n > 2 ? n - 2 : 0) << (n > 2 ? 0 : 2 - n); /* two bits below the point */
    bool odd = x & 4, half = x & 2, rest = x & 1;
    bool up = rm == FP_RN ? half & (rest | odd)
            : rm == FP_RM ? (half | rest) & neg
            : rm == FP_RP ? (half | rest) & !neg : false;
    return (x >> 2) + up;
}

/* Packs into a format of fbits fraction bits, ebits exponent bits and the sign above them. */
static inline u64 fp_pack(struct fp_num v, unsigned rm, int fbits, int ebits)
{
    int e = v.exp + (1 << (ebits - 1)) - 1, shift = 62 - fbits;
    u64 inf = ((1ull << ebits) - 1) << fbits, sign = (u64)v.neg << (fbits + ebits), r;
    if (v.sig == 0)
        return sign;
    /* the implicit one adds 1 to the exponent, and so does a carry out of the fraction */
    if (e >= 1)
        r = ((u64)(e - 1) << fbits) + fp_shift_round(v.sig, shift, v.neg, rm);
    else
        r = fp_shift_round(v.sig, shift + 1 - e, v.neg, rm);
    if (r >= inf) /* overflow: to infinity, or to the largest number when rounding goes inward */
        r = rm == FP_RN || rm == (v.neg ? FP_RM : FP_RP) ? inf : inf - 1;
    return sign | r;
}

static inline u32 fp_pack32(struct fp_num v, unsigned rm) { return (u32)fp_pack(v, rm, 23, 8); }

/* The integer of magnitude up to 2^64 - 1 nearest to |v| by rm; *big when it is larger than that.
 * fp_shift_round wants a shift right, so a magnitude of 2^62 and more is taken as it is: neither an
 * f32 nor an f64 has a fraction there. */
static inline u64 fp_magnitude(struct fp_num v, unsigned rm, bool *big)
{
    *big = v.sig && v.exp > 63;
    if (v.sig == 0 || *big)
        return 0;
    return v.exp > 61 ? v.sig << (v.exp - 62) : fp_shift_round(v.sig, 62 - v.exp, v.neg, rm);
}

#endif
