// Two and four numbers in a word, and numbers of eight bits: vadd4 and its like, fp8 (compiler/ptx/expand_small.c).
// SPDX-License-Identifier: Apache-2.0
#include "softlib/types.cuh"
#include "small_numbers.h"

INLINE s32 part(u32 word, u32 k, u32 bits, bool sign)
{
    u32 up = 32 - bits - k * bits;
    return sign ? (s32)(word << up) >> (32 - bits) : (s32)(word << up >> (32 - bits));
}
INLINE s32 least(s32 a, s32 b) { return a < b ? a : b; }

INLINE bool holds(u32 cmp, s32 a, s32 b)
{
    switch (cmp) {
    case HD_EQ: return a == b;
    case HD_NE: return a != b;
    case HD_LT: return a < b;
    case HD_LE: return a <= b;
    case HD_GT: return a > b;
    default: return a >= b;
    }
}

DEVICE u32 __hd_video(u32 a, u32 b, u32 c, u32 how)
{
    u32 n = how & HD_BYTES ? 4 : 2, bits = 32 / n, d = c, mask = how >> HD_MASK & 15;
    for (u32 k = 0; k < n; k++) {
        if (!(mask >> k & 1)) continue;
        s32 x = part(a, k, bits, how & HD_A_SIGNED), y = part(b, k, bits, how & HD_B_SIGNED), r;
        switch (how & HD_OP) {
        case HD_VADD: r = x + y; break;
        case HD_VSUB: r = x - y; break;
        case HD_VAVRG: r = (x + y + (x + y >= 0)) >> 1; break;
        case HD_VABSDIFF: r = x < y ? y - x : x - y; break;
        case HD_VMIN: r = least(x, y); break;
        case HD_VMAX: r = x < y ? y : x; break;
        default: r = holds(how >> HD_CMP & 7, x, y);
        }
        if (how & HD_SAT) {
            s32 low = how & HD_D_SIGNED ? -(1 << (bits - 1)) : 0,
                high = how & HD_D_SIGNED ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
            r = r < low ? low : least(r, high);
        }
        u32 field = ((1u << bits) - 1) << k * bits;
        d = how & HD_SUM ? d + (u32)r : (d & ~field) | ((u32)r << k * bits & field);
    }
    return d;
}

// One number: the sign of what lies between is d's, and c's is the same.
INLINE s64 extend(u32 v, bool sign) { return sign ? (s64)(s32)v : (s64)v; }
INLINE s64 smaller(s64 x, s64 y) { return x < y ? x : y; }
INLINE s64 larger(s64 x, s64 y) { return x < y ? y : x; }
INLINE s64 clamp(s64 v, u32 bits, bool sign)
{
    s64 low = sign ? -(1ll << (bits - 1)) : 0, high = (1ll << (bits - sign)) - 1;
    return larger(low, smaller(v, high));
}

// To the left by 32 at most: what that shifts out counts where the result is held to a range.
INLINE s64 left(s64 v, u32 by) { return by < 32 ? v << by : v < 0 ? -(1ll << 40) : v ? 1ll << 40 : 0; }

DEVICE u32 __hd_video_scalar(u32 a, u32 b, u32 c, u32 how)
{
    s64 x = extend(a, how & HD_A_SIGNED), y = extend(b, how & HD_B_SIGNED), r;
    u32 bits = how >> HD_PART_BITS & 31, at = how >> HD_PART_AT & 31, by = how & HD_WRAP ? b & 31 : b < 32 ? b : 32;
    bool sign = how & HD_D_SIGNED;
    switch (how & HD_SOP) {
    case HD_SVADD: r = x + y; break;
    case HD_SVSUB: r = x - y; break;
    case HD_SVABSDIFF: r = x < y ? y - x : x - y; break;
    case HD_SVMIN: r = smaller(x, y); break;
    case HD_SVMAX: r = larger(x, y); break;
    case HD_SVSHL: r = left(x, by); break;
    case HD_SVSHR: r = x >> by; break;
    default:
        switch (how >> HD_CMP & 7) {
        case HD_EQ: r = x == y; break;
        case HD_NE: r = x != y; break;
        case HD_LT: r = x < y; break;
        case HD_LE: r = x <= y; break;
        case HD_GT: r = x > y; break;
        default: r = x >= y;
        }
    }
    if (how & HD_SAT) r = clamp(r, bits ? bits : 32, sign);
    if (bits) {
        u32 field = ((1u << bits) - 1) << at;
        return (c & ~field) | ((u32)r << at & field);
    }
    s64 one = extend((u32)r, sign), two = extend(c, sign);
    switch (how >> HD_SECOND & 3) {
    case 1: return (u32)r + c;
    case 2: return (u32)smaller(one, two);
    case 3: return (u32)larger(one, two);
    default: return (u32)r;
    }
}

// a * b + c: the product may need 65 bits where it is negated.
DEVICE u32 __hd_video_mad(u32 a, u32 b, u32 c, u32 how)
{
    bool sign = how & (HD_A_SIGNED | HD_B_SIGNED | HD_NEGATE | HD_NEGATE_C);
    __int128 r = (__int128)extend(a, how & HD_A_SIGNED) * extend(b, how & HD_B_SIGNED), add = extend(c, sign);
    if (how & HD_NEGATE) r = -r;
    r += (how & HD_NEGATE_C ? -add : add) + (how & HD_PLUS_ONE ? 1 : 0);
    r >>= how >> HD_SCALE & 15;
    if (how & HD_SAT) {
        __int128 low = sign ? -(1ll << 31) : 0, high = sign ? (1ll << 31) - 1 : (1ll << 32) - 1;
        r = r < low ? low : r > high ? high : r;
    }
    return (u32)r;
}

// ---- e4m3 and e5m2 ------------------------------------------------------------------------------
INLINE float as_float(u32 v) { return __nvvm_bitcast_i2f((int)v); }
INLINE u32 as_bits(float v) { return (u32)__nvvm_bitcast_f2i(v); }

// To the nearest, even where two are; what is too large to the largest.
INLINE u32 narrow(u32 v, u32 how)
{
    bool wide = how & HD_E5M2;                   // its exponent
    s32 fraction = wide ? 2 : 3, least_e = wide ? -14 : -6, e;
    u32 size = v & 0x7fffffff, sign = v >> 24 & 0x80, most = wide ? 0x7b : 0x7e;
    if (size > 0x7f800000) return 0x7f;
    if (how & HD_RELU && sign) return 0;
    e = (s32)(size >> 23) - 127;
    if (e > 15) return sign | most;
    e = e < least_e ? least_e : e;
    // whole steps of the last place: adding 2^23 rounds
    float steps = as_float(size) * as_float((u32)(127 + fraction - e) << 23);
    u32 code = (as_bits(steps + 8388608.0f) & 0x7fffff) + ((u32)(e - least_e) << fraction);
    return sign | (code > most ? most : code);
}
DEVICE u32 __hd_to_fp8(u32 upper, u32 lower, u32 how) { return narrow(upper, how) << 8 | narrow(lower, how); }

// As the f16 that it is.
INLINE u32 widen(u32 v, u32 how)
{
    u32 size = v & 0x7f, sign = v << 8 & 0x8000;
    if (size > (how & HD_E5M2 ? 0x7cu : 0x7eu)) return 0x7fff;
    if (how & HD_RELU && sign) return 0;
    if (how & HD_E5M2) return sign | size << 8;
    if (size >= 8) return sign | (size + (8 << 3)) << 7;         // its exponent is less by eight
    for (u32 e = 9; size; e--, size <<= 1)                       // f16 has no subnormals there
        if (size & 8) return sign | e << 10 | (size & 7) << 7;
    return sign;
}
DEVICE u32 __hd_from_fp8(u32 two, u32 how) { return widen(two >> 8 & 0xff, how) << 16 | widen(two & 0xff, how); }
