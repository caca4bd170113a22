/* Conversions between f32, integers and f16, and rounding to an integral f32.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/fpround.h"

static u64 to_signed(u32 a, unsigned rm, u64 max)
{
    bool big, neg = a & F32_SIGN;
    u64 mag = fp_is_inf(a) ? (big = true, 0) : fp_magnitude(fp_unpack(a), rm, &big);
    if (big || mag > max + neg)
        mag = max + neg;
    return neg ? 0 - mag : mag;
}

static u64 to_unsigned(u32 a, unsigned rm, u64 max)
{
    bool big;
    u64 mag = fp_is_inf(a) ? (big = true, 0) : fp_magnitude(fp_unpack(a), rm, &big);
    if (a & F32_SIGN)
        return 0;
    return big || mag > max ? max : mag;
}

u32 fp_to_s32(u32 a, unsigned rm, bool ftz)
{
    return fp_is_nan(a) ? 0 : (u32)to_signed(fp_flush(a, ftz), rm, INT32_MAX);
}

u32 fp_to_u32(u32 a, unsigned rm, bool ftz)
{
    return fp_is_nan(a) ? 0 : (u32)to_unsigned(fp_flush(a, ftz), rm, UINT32_MAX);
}

u64 fp_to_s64(u32 a, unsigned rm, bool ftz)
{
    return fp_is_nan(a) ? 1ull << 63 : to_signed(fp_flush(a, ftz), rm, INT64_MAX);
}

u64 fp_to_u64(u32 a, unsigned rm, bool ftz)
{
    return fp_is_nan(a) ? 1ull << 63 : to_unsigned(fp_flush(a, ftz), rm, UINT64_MAX);
}

static u32 from_magnitude(bool neg, u64 mag, unsigned rm)
{
    return fp_pack32(fp_normal(neg, 62, mag), rm);
}

u32 fp_from_s32(u32 a, unsigned rm)
{
    return fp_from_s64((u64)(s64)(s32)a, rm);
}

u32 fp_from_u32(u32 a, unsigned rm)
{
    return from_magnitude(false, a, rm);
}

u32 fp_from_s64(u64 a, unsigned rm)
{
    bool neg = a >> 63;
    return from_magnitude(neg, neg ? 0 - a : a, rm);
}

u32 fp_from_u64(u64 a, unsigned rm)
{
    return from_magnitude(false, a, rm);
}

/* From 2^23 up every f32 is integral.  A result of zero keeps the sign. */
u32 fp_rint(u32 a, unsigned rm, bool ftz)
{
    bool big;
    a = fp_flush(a, ftz);
    if (fp_is_nan(a))
        return F32_NAN;
    if ((a & ~F32_SIGN) >= 0x4b000000)
        return a;
    return from_magnitude(a & F32_SIGN, fp_magnitude(fp_unpack(a), rm, &big), rm);
}

/* ftz flushes a subnormal f32 only; f16 results may be subnormal. */
u32 fp_to_half(u32 a, unsigned rm, bool ftz)
{
    a = fp_flush(a, ftz);
    if (fp_is_nan(a))
        return 0x7fff;
    if (fp_is_inf(a))
        return (a & F32_SIGN) >> 16 | 0x7c00;
    return (u32)fp_pack(fp_unpack(a), rm, 10, 5);
}

u32 fp_from_half(u32 a)
{
    u32 sign = (a & 0x8000) << 16, e = (a >> 10) & 0x1f, frac = a & 0x3ff;
    if (e == 0x1f)
        return frac ? F32_NAN : sign | F32_INF;
    if (e)
        return sign | (e + 112) << 23 | frac << 13;
    return fp_pack32(fp_normal(sign, -14, (u64)frac << 52), FP_RN);
}
