/* f32 add, multiply, fused multiply-add, minimum, maximum and compare, in exact integer arithmetic.
 * Subtle: one 64-bit significand holds every intermediate.  A 24x24 bit product fills 48 of its
 * bits, so an alignment by up to 14 is exact, and one by 2 or more loses at most one leading bit
 * to cancellation: a sticky bit is enough for the rest.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/fpround.h"

static struct fp_num num_mul(struct fp_num a, struct fp_num b)
{
    return fp_normal(a.neg ^ b.neg, a.exp + b.exp + 16, (a.sig >> 39) * (b.sig >> 39));
}

/* Requires: the low 14 bits of each significand are zero.  An exact zero from operands of opposite
 * signs is +0, but -0 when rounding down. */
static struct fp_num num_add(struct fp_num a, struct fp_num b, unsigned rm)
{
    if (a.sig == 0 || (b.sig && a.exp < b.exp)) {
        struct fp_num t = a;
        a = b;
        b = t;
    }
    if (a.sig == 0)
        return (struct fp_num){a.neg == b.neg ? a.neg : rm == FP_RM, 0, 0};
    if (b.sig == 0)
        return a;
    u64 s = fp_shift_jam(b.sig, a.exp - b.exp);
    if (a.neg == b.neg)
        return fp_normal(a.neg, a.exp, a.sig + s);
    if (a.sig == s)
        return (struct fp_num){rm == FP_RM, 0, 0};
    return a.sig > s ? fp_normal(a.neg, a.exp, a.sig - s) : fp_normal(b.neg, a.exp, s - a.sig);
}

/* Rounds; ftz judges before it: what is below the smallest normal number exactly is flushed. */
static u32 finish(struct fp_num v, unsigned rm, bool ftz)
{
    if (ftz && v.exp < -126)
        return v.neg ? F32_SIGN : 0;
    return fp_pack32(v, rm);
}

static u32 saturate(u32 r, bool sat)
{
    if (!sat)
        return r;
    if (r & F32_SIGN || fp_is_nan(r))
        return 0;
    return r > F32_ONE ? F32_ONE : r;
}

static u32 fma_special(u32 a, u32 b, u32 c)
{
    u32 sign = (a ^ b) & F32_SIGN;
    bool inf = fp_is_inf(a) || fp_is_inf(b);
    if (fp_is_nan(a) || fp_is_nan(b) || fp_is_nan(c))
        return F32_NAN;
    if (inf && (fp_is_zero(a) || fp_is_zero(b)))
        return F32_NAN;
    if (inf && fp_is_inf(c) && sign != (c & F32_SIGN))
        return F32_NAN;
    return inf ? sign | F32_INF : c;
}

static bool is_special(u32 a)
{
    return (a & F32_INF) == F32_INF;
}

u32 fp_fma(u32 a, u32 b, u32 c, unsigned rm, bool ftz, bool sat)
{
    a = fp_flush(a, ftz);
    b = fp_flush(b, ftz);
    c = fp_flush(c, ftz);
    if (is_special(a) || is_special(b) || is_special(c))
        return saturate(fma_special(a, b, c), sat);
    struct fp_num p = num_mul(fp_unpack(a), fp_unpack(b));
    return saturate(finish(num_add(p, fp_unpack(c), rm), rm, ftz), sat);
}

u32 fp_add(u32 a, u32 b, unsigned rm, bool ftz, bool sat)
{
    return fp_fma(a, F32_ONE, b, rm, ftz, sat);
}

/* The addend is a zero of the product's sign, which never changes the product. */
u32 fp_mul(u32 a, u32 b, unsigned rm, bool ftz, bool sat)
{
    return fp_fma(a, b, (a ^ b) & F32_SIGN, rm, ftz, sat);
}

/* Orders all numbers as integers; -0 is below +0. */
static s32 order(u32 a)
{
    return (s32)(a & F32_SIGN ? a ^ ~F32_SIGN : a);
}

u32 fp_min(u32 a, u32 b, bool ftz)
{
    a = fp_flush(a, ftz);
    b = fp_flush(b, ftz);
    if (fp_is_nan(a))
        return fp_is_nan(b) ? F32_NAN : b;
    return fp_is_nan(b) || order(a) < order(b) ? a : b;
}

u32 fp_max(u32 a, u32 b, bool ftz)
{
    a = fp_flush(a, ftz);
    b = fp_flush(b, ftz);
    if (fp_is_nan(a))
        return fp_is_nan(b) ? F32_NAN : b;
    return fp_is_nan(b) || order(a) > order(b) ? a : b;
}

bool fp_cmp(u32 a, u32 b, unsigned cmp, bool ftz)
{
    a = fp_flush(a, ftz);
    b = fp_flush(b, ftz);
    bool un = fp_is_nan(a) || fp_is_nan(b);
    bool eq = !un && (a == b || (fp_is_zero(a) && fp_is_zero(b)));
    bool lt = !un && !eq && order(a) < order(b);
    bool gt = !un && !eq && !lt;
    switch (cmp) {
    case FP_EQ: return eq;
    case FP_NE: return lt || gt;
    case FP_LT: return lt;
    case FP_LE: return lt || eq;
    case FP_GT: return gt;
    case FP_GE: return gt || eq;
    case FP_NUM: return !un;
    case FP_UNORD: return un;
    case FP_EQU: return eq || un;
    case FP_NEU: return !eq;
    case FP_LTU: return lt || un;
    case FP_LEU: return !gt;
    case FP_GTU: return gt || un;
    default: return !lt; /* FP_GEU */
    }
}
