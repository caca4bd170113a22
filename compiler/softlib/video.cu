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
