/* MUFU on 32 lanes: what mufu.c computes of one, in a form that compilers make vectors of.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each function's loop has no branches.  Subtle: the interpolation is one of integers, with cuts.
 * As doubles they are exact (43 bits at most), and a cut is a floor.  So is the result, whose one
 * rounding is the conversion to f32, which also makes subnormals and infinities. */
#include "cmodel/fp/mufu.h"
#include "cmodel/fp/fplane.h"
#include "mufu_table.h"

enum { LANES = 32, DBITS = 19, YBITS = 28 };

/* An operand, taken apart: 2^exp * (1 + m / 2^23), if it is a number but zero. */
struct lane { u32 sign, mag, m; s32 exp; };

/* What is interpolated, as struct job of mufu.c. */
struct part { u32 row, d, neg; s32 exp, whole; };

static inline struct lane take(u32 a)
{
    struct lane x = { .sign = a >> 31, .mag = a & ~F32_SIGN };
    u32 of_int = fp_as_bits((float)(s32)x.mag);     /* of a subnormal: its leading one */
    u32 bits = x.mag < 0x800000 ? of_int : x.mag;
    x.exp = (s32)(bits >> 23) - (x.mag < 0x800000 ? 149 : 0) - 127;
    x.m = bits & 0x7fffff;
    return x;
}

/* |x| * 2^scale, cut to an integer modulo 2^32. */
static inline u32 to_fixed(const struct lane *x, s32 scale)
{
    const u32 whole = x->m | 0x800000;
    const s32 by = x->exp + scale - 23;
    const u32 up = by > 31 ? 0 : whole << (by & 31), down = -by > 31 ? 0 : whole >> (-by & 31);
    return by < 0 ? down : up;
}

/* Row and d from the top `bits' and the following bits of a fraction of `width' bits. */
static inline struct part split(u32 base, u32 frac, u32 width, u32 bits)
{
    return (struct part){ .row = base + (frac >> (width - bits)),
                          .d = (frac << (DBITS + bits - width)) & ((1u << DBITS) - 1) };
}

static inline struct part part_root(const struct lane *x, u32 base, u32 bits, s32 way)
{
    const u32 odd = (u32)x->exp & 1;
    struct part p = split(base, x->m, 23, bits);
    p.row += odd << bits;
    p.exp = way * ((x->exp - (s32)odd) / 2);
    return p;
}

static inline struct part part_sine(const struct lane *x, u32 cosine)
{
    const u32 t = to_fixed(x, 26) + (cosine << 24), f = t & 0xffffff;
    const u32 from = t >> 24 & 1 ? 0x1000000 - f : f, plain = x->sign & (cosine ^ 1);
    struct part p = split(MUFU_ROW_SIN, from, 24, 6);
    p.neg = from ? (t >> 25 & 1) ^ plain : plain;
    return p;
}

static inline struct part part_ex2(const struct lane *x)
{
    const u32 t = to_fixed(x, 24), frac = (x->sign ? 0u - t : t) & 0xffffff;
    struct part p = split(MUFU_ROW_EX2, frac, 24, 6);
    p.exp = x->sign ? -(s32)((t >> 24) + (frac != 0)) : (s32)(t >> 24);
    return p;
}

/* By exponent, -12 to 3: the row of the first, and the bits that choose among the rest. */
static inline struct part part_tanh(const struct lane *x)
{
    const s32 e = x->exp < -12 ? 0 : x->exp > 3 ? 15 : x->exp + 12;
    const u32 low = e < 10, mid = e >= 10 && e <= 12;
    const u32 bits = low || e == 15 ? 4 : e == 13 ? 6 : 5;
    const u32 base = low ? MUFU_ROW_TANH_LOW + (u32)e * 16
                   : mid ? MUFU_ROW_TANH_MID + ((u32)e - 10) * 32
                   : e == 13 ? MUFU_ROW_TANH_1 : e == 14 ? MUFU_ROW_TANH_2 : MUFU_ROW_TANH_3;
    struct part p = split(base, x->m, 23, bits);
    p.neg = x->sign;
    p.exp = x->exp < 0 ? x->exp : 0;
    return p;
}

static inline struct part part_of(unsigned fn, const struct lane *x)
{
    struct part p;
    switch (fn) {
    case MUFU_RCP:
        p = split(MUFU_ROW_RCP, x->m, 23, 7);
        p.neg = x->sign;
        p.exp = -x->exp;
        return p;
    case MUFU_RSQ: return part_root(x, MUFU_ROW_RSQ, 6, -1);
    case MUFU_SQRT: return part_root(x, MUFU_ROW_SQRT, 5, 1);
    case MUFU_SIN: return part_sine(x, 0);
    case MUFU_COS: return part_sine(x, 1);
    case MUFU_LG2:
        p = split(MUFU_ROW_LG2, x->m, 23, 7);
        p.whole = x->exp;
        return p;
    case MUFU_EX2: return part_ex2(x);
    default: return part_tanh(x);
    }
}

static inline u32 interpolate(const struct part *p)
{
    const u32 row = p->row < MUFU_ROWS ? p->row : 0;        /* of an operand that is special */
    const double d = (s32)p->d, cut = 1.0 / (1 << DBITS);
    const double t = mufu_rows[row].c1 + __builtin_floor(mufu_rows[row].c2 * d * cut);
    double y = mufu_rows[row].c0 + __builtin_floor(t * d * cut);
    y += p->whole * (double)(1 << YBITS);
    const u64 scale = (u64)(s64)(p->exp - YBITS + 1023) << 52;
    double by;
    memcpy(&by, &scale, sizeof by);
    return fp_as_bits((float)(y * by)) ^ p->neg << 31;
}

/* The results that are no interpolation. */
static inline u32 result(unsigned fn, u32 a, const struct lane *x, u32 r)
{
    const u32 sign = a & F32_SIGN, zero = !x->mag, inf = x->mag == F32_INF;
    const u32 neg = sign && !zero;
    switch (fn) {
    case MUFU_RCP: r = zero ? sign | F32_INF : inf ? sign : r; break;
    case MUFU_RSQ: r = neg ? F32_NAN : zero ? sign | F32_INF : inf ? 0 : r; break;
    case MUFU_SQRT: r = neg ? F32_NAN : zero || inf ? a : r; break;
    case MUFU_SIN: case MUFU_COS: r = inf ? F32_NAN : r; break;
    case MUFU_LG2: r = neg ? F32_NAN : zero ? F32_SIGN | F32_INF : inf ? F32_INF : r; break;
    case MUFU_EX2: r = inf || x->exp > 7 ? (sign ? 0 : F32_INF) : r; break;
    default: r = inf || x->exp > 3 ? sign | F32_ONE : zero || x->exp < -12 ? a : r; break;
    }
    return x->mag > F32_INF ? F32_NAN : r;
}

static inline __attribute__((always_inline)) void each(unsigned fn, u32 *d, const u32 *a)
{
    _Pragma("GCC ivdep")
    for (int l = 0; l < LANES; l++) {
        const struct lane x = take(a[l]);
        const struct part p = part_of(fn, &x);
        d[l] = result(fn, a[l], &x, interpolate(&p));
    }
}

void mufu_eval32(unsigned fn, u32 *d, const u32 *a)
{
    switch (fn) {
    case MUFU_RCP: each(MUFU_RCP, d, a); break;
    case MUFU_RSQ: each(MUFU_RSQ, d, a); break;
    case MUFU_SQRT: each(MUFU_SQRT, d, a); break;
    case MUFU_SIN: each(MUFU_SIN, d, a); break;
    case MUFU_COS: each(MUFU_COS, d, a); break;
    case MUFU_LG2: each(MUFU_LG2, d, a); break;
    case MUFU_EX2: each(MUFU_EX2, d, a); break;
    default: each(MUFU_TANH, d, a); break;
    }
}
