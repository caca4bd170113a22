/* f64 arithmetic and conversions, in exact integer arithmetic; the host's where it is known to
 * agree.
 * Subtle: a product has 106 bits, so a significand is 128 here, the leading one at bit 126.
 * Twenty bits below a product, more below an addend, are zero: an alignment by up to 20 is exact,
 * and one by 2 or more loses at most one leading bit to cancellation, so that a sticky bit is
 * enough for the rest.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fp/fp64.h"
#include "cmodel/fp/fpround.h"
#include <string.h>

/* (-1)^neg * (hi * 2^64 + lo) * 2^(exp - 126); the leading one, of all but 0, is bit 126. */
struct wide {
    bool neg;
    int exp;
    u64 hi, lo;
};

static bool is_inf(u64 a) { return (a & ~F64_SIGN) == F64_INF; }
static bool is_zero(u64 a) { return (a & ~F64_SIGN) == 0; }
static bool is_special(u64 a) { return (a & F64_INF) == F64_INF; }

/* The number that a is; not for infinities and NaN. */
static struct fp_num unpack(u64 a)
{
    int e = (int)(a >> 52 & 0x7ff);
    u64 frac = a & (F64_QUIET * 2 - 1);
    return e ? fp_normal(a >> 63, e - 1023, (frac | F64_QUIET * 2) << 10)
             : fp_normal(a >> 63, -1022, frac << 10);
}

static struct wide wide_normal(struct wide v)
{
    if (v.hi == 0) {
        v.hi = v.lo >> 1;
        v.lo <<= 63;
        v.exp -= 63;
    }
    if (v.hi == 0) return v; /* at most bit 63 of lo: not met, products and sums are 0 or large */
    int n = __builtin_clzll(v.hi) - 1;
    if (n < 0) {
        v.lo = v.hi << 63 | v.lo >> 1 | (v.lo & 1);
        v.hi >>= 1;
    } else if (n) {
        v.hi = v.hi << n | v.lo >> (64 - n);
        v.lo <<= n;
    }
    v.exp -= n;
    return v;
}

static struct wide wide_mul(struct fp_num a, struct fp_num b)
{
    u64 al = (u32)a.sig, ah = a.sig >> 32, bl = (u32)b.sig, bh = b.sig >> 32;
    u64 low = al * bl, mid = ah * bl + (low >> 32), other = al * bh + (u32)mid;
    struct wide p = { a.neg ^ b.neg, a.exp + b.exp + 2, ah * bh + (mid >> 32) + (other >> 32),
                      other << 32 | (u32)low };
    return wide_normal(p);
}

static struct wide wide_shift_jam(struct wide v, int n)
{
    if (n > 63) {
        v.lo = v.hi | (v.lo != 0);
        v.hi = 0;
        n -= 64;
    }
    if (n > 63) return v.lo = v.lo != 0, v;
    if (n == 0) return v;
    bool lost = v.lo << (64 - n) != 0;
    v.lo = v.hi << (64 - n) | v.lo >> n | lost;
    v.hi >>= n;
    return v;
}

/* An exact zero from operands of opposite signs is +0, but -0 when rounding down. */
static struct wide wide_add(struct wide a, struct wide b, unsigned rm)
{
    bool a_zero = !(a.hi | a.lo), b_zero = !(b.hi | b.lo);
    if (a_zero && b_zero) return (struct wide){ a.neg == b.neg ? a.neg : rm == FP_RM, 0, 0, 0 };
    if (a_zero || b_zero) return a_zero ? b : a;
    if (a.exp < b.exp || (a.exp == b.exp && (a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo)))) {
        struct wide t = a;
        a = b;
        b = t;
    }
    b = wide_shift_jam(b, a.exp - b.exp);
    if (a.neg == b.neg) {
        a.lo += b.lo;
        a.hi += b.hi + (a.lo < b.lo);
    } else {
        a.hi -= b.hi + (a.lo < b.lo);
        a.lo -= b.lo;
        if (!(a.hi | a.lo)) return (struct wide){ rm == FP_RM, 0, 0, 0 };
    }
    return wide_normal(a);
}

static u64 pack(struct fp_num v, unsigned rm) { return fp_pack(v, rm, 52, 11); }

static u64 special(u64 a, u64 b, u64 c)
{
    u64 sign = (a ^ b) & F64_SIGN;
    bool inf = is_inf(a) || is_inf(b);
    if (fp64_is_nan(b)) return b | F64_QUIET;
    if (fp64_is_nan(c)) return c | F64_QUIET;
    if (fp64_is_nan(a)) return a | F64_QUIET;
    if (inf && (is_zero(a) || is_zero(b) || (is_inf(c) && sign != (c & F64_SIGN)))) return F64_NAN;
    return inf ? sign | F64_INF : c;
}

u64 fp64_fma_exact(u64 a, u64 b, u64 c, unsigned rm)
{
    if (is_special(a) || is_special(b) || is_special(c)) return special(a, b, c);
    struct fp_num addend = unpack(c);
    struct wide s = wide_add(wide_mul(unpack(a), unpack(b)),
                             (struct wide){ addend.neg, addend.exp, addend.sig, 0 }, rm);
    return pack((struct fp_num){ s.neg, s.exp, s.hi | (s.lo != 0) }, rm);
}

/* The host rounds to nearest and keeps subnormals; only its NaNs may differ from ours. */
static double as_double(u64 u)
{
    double f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static bool same_as_host(double f, unsigned rm, u64 *r)
{
    memcpy(r, &f, sizeof f);
    return rm == FP_RN && f == f;
}

u64 fp64_fma(u64 a, u64 b, u64 c, unsigned rm)
{
#ifdef __FMA__
    u64 r;
    if (same_as_host(__builtin_fma(as_double(a), as_double(b), as_double(c)), rm, &r)) return r;
#endif
    return fp64_fma_exact(a, b, c, rm);
}

u64 fp64_add(u64 a, u64 b, unsigned rm)
{
    u64 r;
    return same_as_host(as_double(a) + as_double(b), rm, &r) ? r
                                                             : fp64_fma_exact(a, F64_ONE, b, rm);
}

/* The addend is a zero of the product's sign, which never changes the product. */
u64 fp64_mul(u64 a, u64 b, unsigned rm)
{
    u64 r;
    return same_as_host(as_double(a) * as_double(b), rm, &r)
               ? r
               : fp64_fma_exact(a, b, (a ^ b) & F64_SIGN, rm);
}

/* Orders all numbers as integers; -0 is below +0. */
static s64 order(u64 a) { return (s64)(a & F64_SIGN ? a ^ ~F64_SIGN : a); }

/* a, unless b is the one that is wanted. */
static u64 either(u64 a, u64 b, bool want_b)
{
    if (fp64_is_nan(a)) return fp64_is_nan(b) ? b | F64_QUIET : b;
    return want_b && !fp64_is_nan(b) ? b : a;
}

u64 fp64_min(u64 a, u64 b) { return either(a, b, order(b) < order(a)); }
u64 fp64_max(u64 a, u64 b) { return either(a, b, order(b) > order(a)); }

bool fp64_cmp(u64 a, u64 b, unsigned cmp)
{
    /* bits: less, equal, greater, unordered */
    static const unsigned char want[16] = { 2, 5, 1, 3, 4, 6, 7, 8, 10, 13, 9, 11, 12, 14, 0, 0 };
    bool nan = fp64_is_nan(a) || fp64_is_nan(b), equal = a == b || (is_zero(a) && is_zero(b));
    return want[cmp & 15] >> (nan ? 3 : equal ? 1 : order(a) < order(b) ? 0 : 2) & 1;
}

/* ---- conversions ---- */

/* From 2^52 up every f64 is integral.  A result of zero keeps the sign. */
u64 fp64_rint(u64 a, unsigned rm)
{
    bool big;
    if (fp64_is_nan(a)) return a | F64_QUIET;
    if ((a & ~F64_SIGN) >= 0x4330000000000000) return a;
    return pack(fp_normal(a >> 63, 62, fp_magnitude(unpack(a), rm, &big)), rm);
}

/* Between -(max + 1), or 0, and max. */
static u64 clamp(u64 a, unsigned rm, u64 max, bool is_signed)
{
    bool big = is_inf(a), neg = a >> 63;
    u64 mag = big ? 0 : fp_magnitude(unpack(a), rm, &big), limit = !neg        ? max
                                                                   : is_signed ? max + 1
                                                                               : 0;
    mag = big || mag > limit ? limit : mag;
    return neg ? 0 - mag : mag;
}

u32 fp64_to_s32(u64 a, unsigned rm)
{
    return fp64_is_nan(a) ? 1u << 31 : (u32)clamp(a, rm, INT32_MAX, true);
}
u32 fp64_to_u32(u64 a, unsigned rm)
{
    return fp64_is_nan(a) ? 1u << 31 : (u32)clamp(a, rm, UINT32_MAX, false);
}
u64 fp64_to_s64(u64 a, unsigned rm)
{
    return fp64_is_nan(a) ? F64_SIGN : clamp(a, rm, INT64_MAX, true);
}
u64 fp64_to_u64(u64 a, unsigned rm)
{
    return fp64_is_nan(a) ? F64_SIGN : clamp(a, rm, UINT64_MAX, false);
}

u64 fp64_from_s64(u64 a, unsigned rm)
{
    bool neg = a >> 63;
    return pack(fp_normal(neg, 62, neg ? 0 - a : a), rm);
}

u64 fp64_from_u64(u64 a, unsigned rm) { return pack(fp_normal(false, 62, a), rm); }

u32 fp64_to_f32(u64 a, unsigned rm)
{
    u32 sign = (u32)(a >> 32) & F32_SIGN;
    if (is_special(a))
        return sign | F32_INF | (u32)(a >> 29 & 0x7fffff) | (fp64_is_nan(a) ? 0x400000 : 0);
    return fp_pack32(unpack(a), rm);
}

u32 fp64_to_half(u64 a, unsigned rm)
{
    if (is_special(a)) return fp64_is_nan(a) ? 0x7fff : (u32)(a >> 48 & 0x8000) | 0x7c00;
    return (u32)fp_pack(unpack(a), rm, 10, 5);
}

u64 fp64_from_f32(u32 a)
{
    u64 sign = (u64)(a & F32_SIGN) << 32;
    if (fp_is_nan(a) || fp_is_inf(a))
        return sign | F64_INF | (u64)(a & 0x7fffff) << 29 | (fp_is_nan(a) ? F64_QUIET : 0);
    return pack(fp_unpack(a), FP_RN);
}
