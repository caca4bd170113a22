// f64 in integers: IEEE 754's operations in its four directions of rounding, subnormals included.
// SPDX-License-Identifier: Apache-2.0
//
// A number is a sign, the exponent field e (beyond its range while computing) and a significand whose
// leading bit is bit 63; its last bit is set where anything below it is lost ("jammed").  A NaN that
// comes in goes out quieted, in the order that an H200 prefers; one that is made is negative there.

enum { RN, RZ, RM, RP, ODD };                        // ODD: of two neighbours the odd one
#define SIGN 0x8000000000000000ull
#define MAGNITUDE 0x7fffffffffffffffull
#define INF 0x7ff0000000000000ull
#define QUIET 0x0008000000000000ull
#define NO_NUMBER (SIGN | INF | QUIET)
#define ONE 0x3ff0000000000000ull

INLINE bool is_nan(u64 a) { return (a & MAGNITUDE) > INF; }
INLINE s32 field(u64 a) { return (s32)((u32)(a >> 52) & 0x7ff); }
// Neither zero, subnormal, infinite nor NaN.
INLINE bool plain(u64 a) { return (u32)(field(a) - 1) < 0x7fe; }

INLINE u64 jam(u64 m, u32 n)
{
    u64 r = shr(m, n);
    return r | (shl(r, n) != m);
}

// m has its leading bit at 63, or e is 1.
INLINE u64 pack(u64 sign, s32 e, u64 m, int mode)
{
    if (e < 1) m = jam(m, (u32)(1 - e)), e = 1;
    u32 rest = (u32)m & 0x7ff;
    bool away = mode == (sign ? RM : RP);
    u64 v = m >> 11, r = v + ((u64)(u32)(e - 1) << 52);
    r += mode == RN ? rest + ((u32)v & 1) > 0x400 : rest && away;
    if (e > 2046 || r >= INF) r = mode == RN || away ? INF : INF - 1;
    return sign | r;
}

// The significand and exponent of a finite number other than zero.
INLINE u64 split(u64 a, s32 *e)
{
    u64 m = a << 11;
    *e = field(a);
    if (*e) return m | SIGN;
    u32 n = clz(m &= MAGNITUDE);
    *e = 1 - (s32)n;
    return m << n;
}

// ---- addition, multiplication ------------------------------------------------------------------

INLINE u64 add_special(u64 a, u64 b, u64 flip)
{
    if (is_nan(b)) return b | QUIET;
    if (is_nan(a)) return a | QUIET;
    b ^= flip;
    if ((a & MAGNITUDE) < INF) return b;
    return (b & MAGNITUDE) < INF || a == b ? a : NO_NUMBER;
}

// a + b, or a - b where flip is the sign bit.  The leading bits are at 62: ten bits lie below the last
// one, and where more than one leading bit can be cancelled, none of them was lost.
INLINE u64 add(u64 a, u64 b, u64 flip, int mode)
{
    u64 other = b ^ flip;
    bool swap = (a & MAGNITUDE) < (b & MAGNITUDE), differ = (a ^ other) >> 63;
    u64 big = swap ? other : a, small = swap ? a : other, sign = big & SIGN;
    s32 e = field(big), f = field(small);
    if (e == 0x7ff) return add_special(a, b, flip);
    u64 m = big << 12 >> 2 | (u64)(e ? 1u << 30 : 0) << 32, n = small << 12 >> 2 | (u64)(f ? 1u << 30 : 0) << 32;
    e += !e, f += !f;
    n = jam(n, (u32)(e - f));
    m = differ ? m - n : m + n;
    if (!m) return !differ ? sign : mode == RM ? SIGN : 0;
    u32 z = clz(m);
    return pack(sign, e + 1 - (s32)z, m << z, mode);
}

// The 128 bits of a product, lower half first.
INLINE u64 multiply(u64 a, u64 b, u64 *high)
{
    u32 al = (u32)a, ah = (u32)(a >> 32), bl = (u32)b, bh = (u32)(b >> 32);
    u64 p = mad(al, bl, 0), q = mad(al, bh, p >> 32), r = mad(ah, bl, (u32)q);
    *high = mad(ah, bh, q >> 32) + (r >> 32);
    return r << 32 | (u32)p;
}

INLINE u64 mul_special(u64 a, u64 b)
{
    if (is_nan(b)) return b | QUIET;
    if (is_nan(a)) return a | QUIET;
    u64 x = a & MAGNITUDE, y = b & MAGNITUDE, sign = (a ^ b) & SIGN;
    if (x == INF || y == INF) return x && y ? sign | INF : NO_NUMBER;
    return sign;
}

INLINE u64 mul(u64 a, u64 b, int mode)
{
    s32 e, f;
    if (!plain(a) || !plain(b))
        if (field(a) == 0x7ff || field(b) == 0x7ff || !(a & MAGNITUDE) || !(b & MAGNITUDE)) return mul_special(a, b);
    u64 m, low = multiply(split(a, &e), split(b, &f), &m);
    m |= low != 0;
    bool top = m >> 63;
    return pack((a ^ b) & SIGN, e + f - 1023 + top, top ? m : m << 1, mode);
}

// What fma does with a NaN, an infinity, or a product of zero.
INLINE u64 fused_special(u64 a, u64 b, u64 c, int mode)
{
    if (is_nan(b)) return b | QUIET;
    if (is_nan(c)) return c | QUIET;
    if (is_nan(a)) return a | QUIET;
    u64 x = a & MAGNITUDE, y = b & MAGNITUDE, z = c & MAGNITUDE, sign = (a ^ b) & SIGN;
    if (x == INF || y == INF) return x && y && (z < INF || (c & SIGN) == sign) ? sign | INF : NO_NUMBER;
    if (z) return c;
    return sign == (c & SIGN) ? sign : mode == RM ? SIGN : 0;
}

// Product and addend are 128 bits, the addend's leading bit is at 125, the product's there or one above.
INLINE u64 fused(u64 a, u64 b, u64 c, int mode)
{
    s32 e, f, g = -4000;
    if (!plain(a) || !plain(b) || field(c) == 0x7ff)
        if (field(a) == 0x7ff || field(b) == 0x7ff || field(c) == 0x7ff || !(a & MAGNITUDE) || !(b & MAGNITUDE))
            return fused_special(a, b, c, mode);
    u64 ph, pl = multiply(split(a, &e) >> 1, split(b, &f), &ph), m = 0;
    if (c & MAGNITUDE) m = split(c, &g);
    u64 ch = m >> 2, cl = m << 62, sign = (a ^ b) & SIGN;
    e += f - 1023;
    bool differ = (sign ^ c) >> 63, product = e >= g;
    u64 bh = product ? ph : ch, bl = product ? pl : cl, sh = product ? ch : ph, sl = product ? cl : pl;
    u32 n = (u32)(product ? e - g : g - e);
    e = product ? e : g, sign = product ? sign : c & SIGN;
    n = n > 127 ? 127 : n;
    bool lost = n > 63 && sl;                        // the smaller is shifted down to the larger
    if (n > 63) sl = sh, sh = 0, n -= 64;
    lost |= shl(sl, 64 - n) != 0;
    sl = shr(sl, n) | shl(sh, 64 - n) | lost, sh = shr(sh, n);
    if (differ) {
        bh -= sh + (bl < sl), bl -= sl;
        if (bh >> 63) bl = 0 - bl, bh = 0 - bh - (bl != 0), sign ^= SIGN;
    } else {
        bl += sl, bh += sh + (bl < sl);
    }
    if (!(bh | bl)) return differ && mode == RM ? SIGN : 0;
    if (!bh) bh = bl, bl = 0, e -= 64;
    u32 z = clz(bh);
    m = shl(bh, z) | shr(bl, 64 - z) | (shl(bl, z) != 0);
    return pack(sign, e + 2 - (s32)z, m, mode);
}

// ---- division, roots ---------------------------------------------------------------------------

INLINE u64 div_special(u64 a, u64 b)
{
    if (is_nan(a)) return a | QUIET;
    if (is_nan(b)) return b | QUIET;
    u64 x = a & MAGNITUDE, y = b & MAGNITUDE, sign = (a ^ b) & SIGN;
    if (x == y) return NO_NUMBER;                    // both zero, or both infinite
    return sign | (x == INF || !y ? INF : 0);
}

// Long division with digits of 28 bits, estimated by 2^63 / y, where y is the upper word of the divisor:
// a little too low, by less than two.
INLINE u64 divide(u64 a, u64 b, int mode)
{
    s32 e, f;
    if (!plain(a) || !plain(b))
        if (field(a) == 0x7ff || field(b) == 0x7ff || !(a & MAGNITUDE) || !(b & MAGNITUDE)) return div_special(a, b);
    u64 x = split(a, &e) >> 1, d = split(b, &f) >> 1;
    u32 y = (u32)(d >> 31);
    // An f32 from y, cut off; four units in the last place cover that and MUFU's own error.
    u32 z = rcp_bits(0x4f000000 | (y << 1 >> 9)) - 4;
    z = (z < 0x2f800000 ? 0x2f800000 : z) << 8 | 0x80000000u;
    u64 error = SIGN - mad(y, z, z);                 // of y + 1, so that z stays too low
    z += mul_high(z, (u32)(error >> 12)) >> 19;
    bool less = x < d;
    x = less ? x : x >> 1;                           // x / d is in [1/2, 1)
    u32 q = mul_high((u32)(x >> 31), z) >> 3;
    x = (x << 28) - q * d;
    bool more = x >= d;
    q += more, x -= more ? d : 0;
    u32 r = mul_high((u32)(x >> 32), z) >> 2;
    x = (x << 28) - r * d;
    more = x >= d;
    x -= more ? d : 0;
    u64 m = (((u64)q << 28) + r + more) << 8 | (x != 0);
    return pack((a ^ b) & SIGN, e - f + 1023 - less, m, mode);
}

// A positive number as x 4^k, x in [1/4, 1) with 64 bits after the point; returns about 1 / sqrt(x),
// 31 bits after the point, three units off at most.
INLINE u32 root_start(u64 a, u64 *x, s32 *k)
{
    s32 e;
    u64 m = split(a, &e);
    bool odd = e & 1;                                // of the field: the exponent is even
    *x = odd ? m >> 1 : m;
    *k = (e - 1021) >> 1;
    u32 f = (odd ? 0x3e800000 : 0x3f000000) | ((u32)(m >> 40) & 0x7fffff);
    u32 z = rsq_bits(f) - 4;
    z = (z < 0x3f800000 ? 0x3f800000 : z) << 8 | 0x80000000u;
    u64 error = (SIGN >> 1) - mad((u32)(*x >> 32), mul_high(z, z), 0);
    return z + (mul_high(z, (u32)(error >> 12)) >> 19);
}

// s has 31 bits of the root, then 55; the remainder says which of the next ones is right.
INLINE u64 root(u64 a, int mode)
{
    if (!plain(a) || a >> 63) {
        if (is_nan(a)) return a | QUIET;
        if (!(a & MAGNITUDE) || a == INF) return a;
        if (a >> 63) return NO_NUMBER;
    }
    u64 x;
    s32 k;
    u32 z = root_start(a, &x, &k), h = mul_high((u32)(x >> 32), z);
    s64 rest = (s64)(x - (mad(h, h, 0) << 2));
    u64 s = ((u64)h << 24) + (u64)((s64)(s32)(rest >> 6) * (s32)(z >> 1) >> 34);
    rest = (s64)((x << 46) - s * s);
    if (rest < 0) s--, rest += (s64)(2 * s + 1);
    if (rest > (s64)(2 * s)) rest -= (s64)(2 * s + 1), s++;
    return pack(0, k + 1022, s << 9 | (rest != 0), mode);
}

// 1 / sqrt(a), to the nearest: g is a number with one bit more than the result, the exact value is
// above g or below it, as the sign of g^2 x - 1 says.
INLINE u64 rsqrt(u64 a)
{
    if (!plain(a) || a >> 63) {
        if (is_nan(a)) return a | QUIET;
        if (!(a & MAGNITUDE)) return a | INF;
        if (a >> 63) return NO_NUMBER;
        if (a == INF) return 0;
    }
    u64 x, high;
    s32 k;
    u32 z = root_start(a, &x, &k);
    if (x == SIGN >> 1) return (u64)(u32)(1024 - k) << 52;
    multiply(x, mad(z, z, 0), &high);
    s64 error = (s64)((SIGN >> 1) - high);           // of x z^2, 62 bits after the point
    u64 g = ((u64)z << 25) + (u64)((s64)(z >> 1) * (error >> 4) >> 33);
    g = (g + 4) >> 3;
    u64 low = multiply(g, g, &high), product = high * x;
    multiply(low, x, &high);
    g -= (s64)(high + product) >= 0;                 // the 128 bits above 2^170 are few: a sign is left
    return pack(0, 1023 - k, g << 10 | 1, RN);
}

// Of the upper word alone, and with results of one word: what programs refine themselves.
#define UPPER 0xffffffff00000000ull
INLINE u64 upper(u64 r) { return field(r) ? r & UPPER : r & SIGN; }
DEVICE u64 __hd_rcp_approx_f64(u64 a) { return upper(divide(ONE, upper(a), RZ)); }
DEVICE u64 __hd_rsqrt_approx_f64(u64 a) { return upper(rsqrt(upper(a))); }

// ---- comparison --------------------------------------------------------------------------------

// Increases with the number, but for NaNs; -0 is one below +0.
INLINE s64 rank(u64 a) { return (s64)(a >> 63 ? a ^ MAGNITUDE : a); }

DEVICE u32 __hd_cmp_f64(u64 a, u64 b)               // 1: less, 2: equal, 4: greater, 8: a NaN
{
    bool nan = is_nan(a) || is_nan(b), equal = a == b || !((a | b) & MAGNITUDE);
    return nan ? 8 : equal ? 2 : rank(a) < rank(b) ? 1 : 4;
}
DEVICE u64 __hd_min_f64(u64 a, u64 b)
{
    if (is_nan(b)) return is_nan(a) ? b | QUIET : a;
    return is_nan(a) || rank(b) < rank(a) ? b : a;
}
DEVICE u64 __hd_max_f64(u64 a, u64 b)
{
    if (is_nan(b)) return is_nan(a) ? b | QUIET : a;
    return is_nan(a) || rank(b) > rank(a) ? b : a;
}
DEVICE u64 __hd_sat_f64(u64 a)                       // to [0, 1]; of a NaN 0
{
    return a >> 63 || is_nan(a) ? 0 : a > ONE ? ONE : a;
}

// ---- conversions -------------------------------------------------------------------------------

// A magnitude rounded to an integer; from 2^64 on all ones.
INLINE u64 whole(u64 a, int mode)
{
    s32 e = field(a);
    u32 n = (u32)(1086 - e);                         // to where bit 63 is worth one
    u64 m = (a & MAGNITUDE) << 11 | (e ? SIGN : 0);
    if (e > 1086) return ~0ull;
    u64 i = shr(m, n), rest = n > 64 ? m != 0 : shl(m, 64 - n);
    bool up = mode == RN ? rest > SIGN || (rest == SIGN && (i & 1)) : rest && mode == (a >> 63 ? RM : RP);
    return i + up;
}

DEVICE s32 __hd_f64_s32(u64 a, int mode)
{
    u64 i = whole(a, mode), limit = 0x7fffffff + (a >> 63);
    if (is_nan(a)) return (s32)0x80000000;
    i = i > limit ? limit : i;
    return (s32)(a >> 63 ? 0 - (u32)i : (u32)i);
}
DEVICE u32 __hd_f64_u32(u64 a, int mode)
{
    u64 i = whole(a, mode);
    if (is_nan(a)) return 0x80000000;
    return a >> 63 ? 0 : i > 0xffffffff ? 0xffffffff : (u32)i;
}
DEVICE s64 __hd_f64_s64(u64 a, int mode)
{
    u64 i = whole(a, mode), limit = MAGNITUDE + (a >> 63);
    if (is_nan(a)) return (s64)SIGN;
    i = i > limit ? limit : i;
    return (s64)(a >> 63 ? 0 - i : i);
}
DEVICE u64 __hd_f64_u64(u64 a, int mode)
{
    u64 i = whole(a, mode);
    return is_nan(a) ? SIGN : a >> 63 ? 0 : i;
}

DEVICE u64 __hd_rint_f64(u64 a, int mode)            // to an integral f64
{
    s32 e = field(a);
    if (e >= 1075) return is_nan(a) ? a | QUIET : a;
    if (e < 1023) {
        u64 x = a & MAGNITUDE;
        bool up = mode == RN ? x > ONE - (QUIET << 1) : x && mode == (a >> 63 ? RM : RP);
        return (a & SIGN) | (up ? ONE : 0);
    }
    u64 below = shr((QUIET << 1) - 1, (u32)(e - 1023));      // a unit is one more
    u64 rest = a & below, half = (below >> 1) + 1;
    bool up = mode == RN ? rest > half || (rest == half && (a & (below + 1))) : rest && mode == (a >> 63 ? RM : RP);
    return (a & ~below) + (up ? below + 1 : 0);
}

DEVICE u64 __hd_u64_f64(u64 a, int mode)
{
    u32 n = clz(a);
    return a ? pack(0, 1086 - (s32)n, shl(a, n), mode) : 0;
}
DEVICE u64 __hd_s64_f64(u64 a, int mode)
{
    u64 sign = a & SIGN, m = sign ? 0 - a : a;
    u32 n = clz(m);
    return m ? pack(sign, 1086 - (s32)n, shl(m, n), mode) : 0;
}
INLINE u64 from_word(u64 sign, u32 a)                // exact
{
    u32 n = clz32(a);
    u64 m = (u64)(a << (n & 31)) << 21;
    return a ? sign | (((u64)(1053 - n) << 52) + m) : 0;
}
DEVICE u64 __hd_u32_f64(u32 a) { return from_word(0, a); }
DEVICE u64 __hd_s32_f64(u32 a) { return from_word((u64)(a & 0x80000000u) << 32, a >> 31 ? 0 - a : a); }

DEVICE u64 __hd_f32_f64(u32 a)
{
    u64 sign = (u64)(a & 0x80000000u) << 32;
    u32 x = a & 0x7fffffff;
    if (x >= 0x7f800000) return sign | INF | (u64)(x & 0x7fffff) << 29 | (x > 0x7f800000 ? QUIET : 0);
    if (x < 0x00800000) {                            // x 2^-149
        u32 n = clz32(x);
        return x ? sign | (((u64)(904 - n) << 52) + ((u64)(x << (n & 31)) << 21)) : sign;
    }
    return sign | (((u64)x << 29) + (896ull << 52));
}

DEVICE u32 __hd_f64_f32(u64 a, int mode)
{
    u32 sign = (u32)(a >> 32) & 0x80000000u, rest;
    u64 x = a & MAGNITUDE, m = x << 11 | SIGN;
    if (x > INF) return sign | 0x7fc00000 | ((u32)(x >> 29) & 0x7fffff);
    if (x == INF) return sign | 0x7f800000;
    s32 e = field(a) - 896;
    if (e < 1) m = field(a) ? jam(m, (u32)(1 - e)) : x != 0, e = 1;
    u32 v = (u32)(m >> 40), r = v + ((u32)(e - 1) << 23);
    rest = (u32)(m >> 8) | ((m & 0xff) != 0);        // below the last bit of v
    bool away = mode == (sign ? RM : RP);
    r = mode == ODD ? r | (rest != 0) : r + (mode == RN ? rest > 0x80000000u || (rest == 0x80000000u && (v & 1)) : rest && away);
    if (e > 254 || r >= 0x7f800000) r = mode == RN || away ? 0x7f800000 : 0x7f7fffff;
    return sign | r;
}

// ---- what programs call: to nearest, and in the direction `mode` ----------------------------------

DEVICE u64 __hd_add_f64(u64 a, u64 b) { return add(a, b, 0, RN); }
DEVICE u64 __hd_sub_f64(u64 a, u64 b) { return add(a, b, SIGN, RN); }
DEVICE u64 __hd_mul_f64(u64 a, u64 b) { return mul(a, b, RN); }
DEVICE u64 __hd_fma_f64(u64 a, u64 b, u64 c) { return fused(a, b, c, RN); }
DEVICE u64 __hd_div_f64(u64 a, u64 b) { return divide(a, b, RN); }
DEVICE u64 __hd_sqrt_f64(u64 a) { return root(a, RN); }
DEVICE u64 __hd_rsqrt_f64(u64 a) { return rsqrt(a); }
DEVICE u64 __hd_add_f64_to(u64 a, u64 b, int mode) { return add(a, b, 0, mode); }
DEVICE u64 __hd_sub_f64_to(u64 a, u64 b, int mode) { return add(a, b, SIGN, mode); }
DEVICE u64 __hd_mul_f64_to(u64 a, u64 b, int mode) { return mul(a, b, mode); }
DEVICE u64 __hd_fma_f64_to(u64 a, u64 b, u64 c, int mode) { return fused(a, b, c, mode); }
DEVICE u64 __hd_div_f64_to(u64 a, u64 b, int mode) { return divide(a, b, mode); }
DEVICE u64 __hd_sqrt_f64_to(u64 a, int mode) { return root(a, mode); }
