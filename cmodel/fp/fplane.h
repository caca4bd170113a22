/* The frequent f32 operations of one lane, rounded to nearest, with the host's own arithmetic, in a
 * form that the compiler turns into vector code: first those of the default modifiers, then those
 * that flush subnormals (ftz) or saturate (sat).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The host rounds to nearest and keeps subnormals; only its NaN patterns differ from ours.  Fusing
 * a multiply with an add here would be wrong: build without contraction, and without trapping
 * mathematics. */
#ifndef FPLANE_H
#define FPLANE_H
#include "cmodel/fp/fp32.h"
#include <string.h>

static inline float fp_as_float(u32 u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline u32 fp_as_bits(float f)
{
    u32 u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static inline u32 fp_canonical(float f)
{
    return f != f ? F32_NAN : fp_as_bits(f);
}

static inline u32 fp_lane_add(u32 a, u32 b)
{
    return fp_canonical(fp_as_float(a) + fp_as_float(b));
}

static inline u32 fp_lane_mul(u32 a, u32 b)
{
    return fp_canonical(fp_as_float(a) * fp_as_float(b));
}

static inline u32 fp_lane_fma(u32 a, u32 b, u32 c)
{
#ifdef __FMA__
    return fp_canonical(__builtin_fmaf(fp_as_float(a), fp_as_float(b), fp_as_float(c)));
#else
    return fp_fma(a, b, c, FP_RN, false, false);
#endif
}

/* Integer order of numbers; NaN is made to lose. */
static inline s32 fp_order_or(u32 a, s32 nan)
{
    s32 key = (s32)(a ^ ((u32)((s32)a >> 31) & ~F32_SIGN));
    return (a & ~F32_SIGN) > F32_INF ? nan : key;
}

static inline u32 fp_from_order(s32 key, s32 nan)
{
    return key == nan ? F32_NAN : (u32)key ^ ((u32)(key >> 31) & ~F32_SIGN);
}

static inline u32 fp_lane_min(u32 a, u32 b)
{
    s32 x = fp_order_or(a, INT32_MAX), y = fp_order_or(b, INT32_MAX);
    return fp_from_order(x < y ? x : y, INT32_MAX);
}

static inline u32 fp_lane_max(u32 a, u32 b)
{
    s32 x = fp_order_or(a, INT32_MIN), y = fp_order_or(b, INT32_MIN);
    return fp_from_order(x > y ? x : y, INT32_MIN);
}

/* 1 or 0.  Two of less, equal and greater, and whether NaN counts, make every comparison. */
static inline u32 fp_lane_cmp(u32 a, u32 b, unsigned cmp)
{
    static const unsigned char want[16] = { /* bits: less, equal, greater, unordered */
        2, 5, 1, 3, 4, 6, 7, 8, 10, 13, 9, 11, 12, 14, 0, 0};
    const u32 w = want[cmp & 15], on_lt = w & 1, on_eq = w >> 1 & 1;
    const u32 on_gt = w >> 2 & 1, on_un = w >> 3;
    float x = fp_as_float(a), y = fp_as_float(b);
    return x < y ? on_lt : x == y ? on_eq : x > y ? on_gt : on_un;
}

static inline u32 fp_lane_from_s32(u32 a)
{
    return fp_as_bits((float)(s32)a);
}

static inline u32 fp_lane_from_u32(u32 a)
{
    return fp_as_bits((float)a);
}

/* The host rounds; out of range it is undefined, so the operand is brought into range first. */
static inline u32 fp_clamp_s32(float x)
{
    // cppcheck-suppress incorrectLogicOperator ; it misreads hexadecimal floats
    s32 r = (s32)(x >= -0x1p31f && x < 0x1p31f ? x : 0);
    return (u32)(x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : r);
}

static inline u32 fp_clamp_u32(float x)
{
    u32 r = (u32)(x >= 0 && x < 0x1p32f ? x : 0);
    return x >= 0x1p32f ? UINT32_MAX : r;
}

/* rm is the same in all lanes. */
static inline float fp_lane_round(u32 a, unsigned rm)
{
    float x = fp_as_float(a);
    return rm == FP_RN ? __builtin_rintf(x) : rm == FP_RZ ? __builtin_truncf(x)
         : rm == FP_RM ? __builtin_floorf(x) : __builtin_ceilf(x);
}

static inline u32 fp_lane_to_s32(u32 a, unsigned rm)
{
    return fp_clamp_s32(rm == FP_RZ ? fp_as_float(a) : fp_lane_round(a, rm));
}

static inline u32 fp_lane_to_u32(u32 a, unsigned rm)
{
    return fp_clamp_u32(rm == FP_RZ ? fp_as_float(a) : fp_lane_round(a, rm));
}

/* ---- with ftz and sat, which are the same in all lanes ---- */

static inline u32 fp_lane_flush(u32 a, u32 ftz)
{
    return ftz && !(a & F32_INF) ? a & F32_SIGN : a;
}

/* NaN and what is negative become +0. */
static inline u32 fp_lane_sat(u32 r, u32 sat)
{
    u32 in = (r & F32_SIGN) || r > F32_INF ? 0 : r > F32_ONE ? F32_ONE : r;
    return sat ? in : r;
}

/* A sum that is subnormal is exact, so it may be flushed after it was rounded. */
static inline u32 fp_lane_add_mod(u32 a, u32 b, u32 ftz, u32 sat)
{
    u32 r = fp_lane_add(fp_lane_flush(a, ftz), fp_lane_flush(b, ftz));
    return fp_lane_sat(fp_lane_flush(r, ftz), sat);
}

/* A product may be rounded up to the smallest normal number, and is flushed then, too: twice as
 * many bits hold it exactly. */
static inline u32 fp_lane_mul_mod(u32 a, u32 b, u32 ftz, u32 sat)
{
    a = fp_lane_flush(a, ftz);
    b = fp_lane_flush(b, ftz);
    double p = (double)fp_as_float(a) * (double)fp_as_float(b);
    u32 r = fp_lane_mul(a, b);
    r = ftz && __builtin_fabs(p) < 0x1p-126 ? r & F32_SIGN : r;
    return fp_lane_sat(r, sat);
}

/* The same of product and addend: `s' is their sum, rounded, and `e' what was lost by that, which
 * decides where s is the smallest normal number. */
static inline u32 fp_lane_fma_mod(u32 a, u32 b, u32 c, u32 ftz, u32 sat)
{
    a = fp_lane_flush(a, ftz);
    b = fp_lane_flush(b, ftz);
    c = fp_lane_flush(c, ftz);
    double p = (double)fp_as_float(a) * (double)fp_as_float(b), x = fp_as_float(c);
    double s = p + x, of_x = s - p, e = (p - (s - of_x)) + (x - of_x);
    double inward = s < 0 ? e : -e;
    u32 r = fp_lane_fma(a, b, c);
    u32 tiny = (__builtin_fabs(s) < 0x1p-126) | ((__builtin_fabs(s) == 0x1p-126) & (inward > 0));
    r = ftz && tiny ? r & F32_SIGN : r;
    return fp_lane_sat(r, sat);
}

static inline u32 fp_lane_rint(u32 a, unsigned rm, u32 ftz)
{
    return fp_canonical(fp_lane_round(fp_lane_flush(a, ftz), rm));
}
#endif
