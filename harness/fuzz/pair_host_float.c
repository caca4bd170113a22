/* Rows of floats on the host, by its own units in the rounding that the instruction names.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of MUFU the function itself is the model's table (docs/mufu.md, judged by an H200's); operands
 * and signs are not. */
#include "harness/fuzz/pair_host.h"
#include "cmodel/fp/mufu.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;

static const int rounding[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
static const u32 NAN32 = 0x7fffffff;
static const u64 NAN64 = 0xfff8000000000000u, QUIET = 0x0008000000000000u;

static float f32(u32 v) { float f; memcpy(&f, &v, 4); return f; }
static u32 bits32(float f) { u32 v; memcpy(&v, &f, 4); return f != f ? NAN32 : v; }
static double f64(u64 v) { double f; memcpy(&f, &v, 8); return f; }
static u64 bits64(double f) { u64 v; memcpy(&v, &f, 8); return f != f ? NAN64 : v; }

/* A subnormal is a zero of its sign. */
static u32 flushed(u32 v, bool ftz)
{
    return ftz && (v >> 23 & 255) == 0 ? v >> 31 << 31 : v;
}

static u32 signed32(u32 v, bool absolute, bool negative)
{
    const u32 low = v & 0x7fffffff, sign = absolute ? 0 : v >> 31;
    return low | (sign ^ negative) << 31;
}

static u64 signed64(u64 v, bool absolute, bool negative)
{
    if (isnan(f64(v)))
        return v;
    const double x = absolute ? fabs(f64(v)) : f64(v);
    return bits64(negative ? -x : x);
}

static u32 saturated(u32 v, bool sat)
{
    const float f = f32(v);
    return !sat ? v : !(f > 0) ? 0 : f > 1 ? 0x3f800000 : v;
}

/* a * b + c of words: one rounding.  A result is flushed that is below the least normal number
 * before it is rounded. */
static u32 multiply_add(u32 a, u32 b, u32 c, bool add, const struct hd_insn *i)
{
    const volatile float x = f32(a), y = f32(b), z = f32(c);
    volatile double product, exact;
    volatile float r;
    product = (double)x * y;
    fesetround(FE_TOWARDZERO);
    exact = add ? product + z : product;
    fesetround(rounding[i->rm]);
    r = add ? fmaf(x, y, z) : (float)product;
    fesetround(FE_TONEAREST);
    u32 v = bits32(r);
    if (i->ftz && fabs(exact) < 0x1p-126)
        v = v >> 31 << 31;
    return saturated(v, i->sat);
}

static u32 sum(u32 a, u32 b, const struct hd_insn *i)
{
    const volatile float x = f32(a), y = f32(b);
    volatile float r;
    fesetround(rounding[i->rm]);
    r = x + y;
    fesetround(FE_TONEAREST);
    return saturated(flushed(bits32(r), i->ftz), i->sat);
}

/* -0 is below +0; a NaN loses. */
static bool below(double x, double y)
{
    return x < y || (x == y && signbit(x) && !signbit(y));
}

static u32 extreme32(u32 a, u32 b, bool greatest)
{
    const float x = f32(a), y = f32(b);
    if (isnan(x) || isnan(y))
        return isnan(x) ? bits32(y) : a;
    return below(x, y) == greatest ? b : a;
}

static u64 extreme64(u64 a, u64 b, bool greatest)
{
    const double x = f64(a), y = f64(b);
    if (isnan(x) && isnan(y))
        return b | QUIET;
    if (isnan(x) || isnan(y))
        return isnan(x) ? b : a;
    return below(x, y) == greatest ? b : a;
}

static bool float_compares(unsigned how, double x, double y)
{
    const bool nan = isnan(x) || isnan(y);
    switch (how) {
    case FCMP_EQ: return x == y;
    case FCMP_NE: return !nan && x != y;
    case FCMP_LT: return isless(x, y);
    case FCMP_LE: return islessequal(x, y);
    case FCMP_GT: return isgreater(x, y);
    case FCMP_GE: return isgreaterequal(x, y);
    case FCMP_NUM: return !nan;
    case FCMP_NAN: return nan;
    case FCMP_EQU: return nan || x == y;
    case FCMP_NEU: return nan || x != y;
    case FCMP_LTU: return nan || x < y;
    case FCMP_LEU: return nan || x <= y;
    case FCMP_GTU: return nan || x > y;
    default:       return nan || x >= y;
    }
}

static u32 combined(u32 r, u32 ps, unsigned how)
{
    return how == FBOP_AND ? r && ps : how == FBOP_OR ? r || ps : r != ps;
}

/* x to an integer from least to most, which may be beyond 64 bits. */
static long double whole(double x, unsigned rm, long double least, long double most)
{
    volatile long double r;
    fesetround(rounding[rm]);
    r = rintl((long double)x);
    fesetround(FE_TONEAREST);
    return r < least ? least : r > most ? most : r;
}

static u64 to_integer(double x, unsigned rm, unsigned width, bool is_signed)
{
    const long double range = ldexpl(1, (int)width);
    const long double r = is_signed ? whole(x, rm, -range / 2, range / 2 - 1)
                                    : whole(x, rm, 0, range - 1);
    const u64 v = r < 0 ? 0 - (u64)-r : (u64)r;
    return width == 64 ? v : v & 0xffffffff;
}

/* An integer is exact in 64 bits of a long double. */
static long double from_integer(u64 v, unsigned width, bool is_signed)
{
    return width == 64 ? is_signed ? (long double)(int64_t)v : (long double)v
                       : is_signed ? (long double)(int32_t)v : (long double)(u32)v;
}

static u32 narrow32(long double v, unsigned rm)
{
    volatile float r;
    fesetround(rounding[rm]);
    r = (float)v;
    fesetround(FE_TONEAREST);
    return bits32(r);
}

static u64 narrow64(long double v, unsigned rm)
{
    volatile double r;
    fesetround(rounding[rm]);
    r = (double)v;
    fesetround(FE_TONEAREST);
    return bits64(r);
}

/* Eleven bits, the exponent from -14 on, units of 2^-24 below that. */
static u32 half_of(double x, unsigned rm)
{
    const u32 sign = signbit(x) ? 0x8000 : 0;
    int e;
    if (isnan(x))
        return 0x7fff;
    if (isinf(x))
        return sign | 0x7c00;
    frexp(x, &e);
    e = e - 1 < -14 || x == 0 ? -14 : e - 1;
    volatile double n = ldexp(fabs(x), 10 - e);
    const unsigned how = sign && rm >= 2 ? 5 - rm : rm;         /* of the magnitude */
    fesetround(rounding[how]);
    n = rint(n);
    fesetround(FE_TONEAREST);
    const double v = ldexp(n, e - 10);
    if (v >= 65536)
        return sign | (how == 0 || how == 3 ? 0x7c00 : 0x7bff);
    return sign | (u32)(v < 0x1p-14 ? v * 0x1p24 : (double)((e + 15) << 10) + n - 1024);
}

static float from_half(u32 h)
{
    const u32 e = h >> 10 & 31, f = h & 1023;
    const float v = e == 31 ? f ? NAN : INFINITY
                            : ldexpf((float)(e ? f + 1024 : f), (int)(e ? e : 1) - 25);
    return h & 0x8000 ? -v : v;
}

/* ---- f32 ---- */

static bool single(const struct hd_insn *i, u32 a, u32 b, u32 c, u64 wide, u32 ps, u64 *d, u32 *pd)
{
    volatile float r;
    switch (i->op) {
    case OP_FADD: *d = sum(a, b, i); return true;
    case OP_FMUL: *d = multiply_add(a, b, 0, false, i); return true;
    case OP_FFMA: *d = multiply_add(a, b, c, true, i); return true;
    case OP_FMIN: *d = extreme32(a, b, false); return true;
    case OP_FMAX: *d = extreme32(a, b, true); return true;
    case OP_FSETP:
        *pd = combined(float_compares(i->fcmp, f32(a), f32(b)), ps, i->fbop);
        return true;
    case OP_FRND:
        fesetround(rounding[i->rm]);
        r = rintf(f32(a));
        fesetround(FE_TONEAREST);
        *d = bits32(r);
        return true;
    case OP_F2IS: *d = isnan(f32(a)) ? 0 : to_integer(f32(a), i->rm, 32, true); return true;
    case OP_F2IU: *d = isnan(f32(a)) ? 0 : to_integer(f32(a), i->rm, 32, false); return true;
    case OP_F2LS:
        *d = isnan(f32(a)) ? (u64)1 << 63 : to_integer(f32(a), i->rm, 64, true);
        return true;
    case OP_F2LU:
        *d = isnan(f32(a)) ? (u64)1 << 63 : to_integer(f32(a), i->rm, 64, false);
        return true;
    case OP_I2FS: *d = narrow32(from_integer(a, 32, true), i->rm); return true;
    case OP_I2FU: *d = narrow32(from_integer(a, 32, false), i->rm); return true;
    case OP_L2FS: *d = narrow32(from_integer(wide, 64, true), i->rm); return true;
    case OP_L2FU: *d = narrow32(from_integer(wide, 64, false), i->rm); return true;
    case OP_F2H: *d = half_of(f32(a), i->rm); return true;
    case OP_H2F: *d = bits32(from_half(a)); return true;
    case OP_MUFU: *d = mufu_eval(i->mufu, a); return true;
    default: return false;
    }
}

/* ---- f64 ---- */

/* Of NaNs that come in the first of b, c, a goes out. */
static bool passes(u64 a, u64 b, u64 c, u64 *d)
{
    const u64 nan = isnan(f64(b)) ? b : isnan(f64(c)) ? c : isnan(f64(a)) ? a : 0;
    *d = nan | QUIET;
    return nan;
}

static u64 arithmetic(const struct hd_insn *i, u64 a, u64 b, u64 c)
{
    const volatile double x = f64(a), y = f64(b), z = f64(c);
    volatile double r;
    u64 nan;
    if (passes(a, b, i->op == OP_DFMA ? c : 0, &nan))
        return nan;
    fesetround(rounding[i->rm]);
    r = i->op == OP_DADD ? x + y : i->op == OP_DMUL ? x * y : i->op == OP_DRND ? rint(x)
                                                                              : fma(x, y, z);
    fesetround(FE_TONEAREST);
    return bits64(r);
}

/* A NaN keeps its sign and its upper bits. */
static u32 to_single(u64 a, unsigned rm)
{
    const u32 sign = (u32)(a >> 63) << 31, top = (u32)(a >> 29) & 0x7fffff;
    return isnan(f64(a)) ? sign | 0x7fc00000 | top : narrow32(f64(a), rm);
}

static u64 to_double(u32 a)
{
    const u64 sign = (u64)(a >> 31) << 63;
    return isnan(f32(a)) ? sign | 0x7ff8000000000000u | (u64)(a & 0x7fffff) << 29 : bits64(f32(a));
}

static bool twice(const struct hd_insn *i, u64 a, u64 b, u64 c, u32 ps, u64 *d, u32 *pd)
{
    const u64 top = (u64)1 << 63;
    const bool nan = isnan(f64(a));
    switch (i->op) {
    case OP_DADD: case OP_DMUL: case OP_DFMA: *d = arithmetic(i, a, b, c); return true;
    case OP_DRND: *d = arithmetic(i, a, 0, 0); return true;
    case OP_DMIN: *d = extreme64(a, b, false); return true;
    case OP_DMAX: *d = extreme64(a, b, true); return true;
    case OP_DSETP:
        *pd = combined(float_compares(i->fcmp, f64(a), f64(b)), ps, i->fbop);
        return true;
    case OP_D2IS: *d = nan ? 1u << 31 : to_integer(f64(a), i->rm, 32, true); return true;
    case OP_D2IU: *d = nan ? 1u << 31 : to_integer(f64(a), i->rm, 32, false); return true;
    case OP_D2LS: *d = nan ? top : to_integer(f64(a), i->rm, 64, true); return true;
    case OP_D2LU: *d = nan ? top : to_integer(f64(a), i->rm, 64, false); return true;
    case OP_I2DS: *d = narrow64(from_integer(a, 32, true), 0); return true;
    case OP_I2DU: *d = narrow64(from_integer(a, 32, false), 0); return true;
    case OP_L2DS: *d = narrow64(from_integer(a, 64, true), i->rm); return true;
    case OP_L2DU: *d = narrow64(from_integer(a, 64, false), i->rm); return true;
    case OP_D2F: *d = to_single(a, i->rm); return true;
    case OP_D2H: *d = half_of(f64(a), i->rm); return true;
    case OP_F2D: *d = to_double((u32)a); return true;
    default: return false;
    }
}

bool host_float(const struct hd_insn *i, u64 a, u64 b, u64 c, u32 ps, u64 *d, u32 *pd)
{
    const bool wide = hd_ops[i->op].unit == UNIT_F64;
    if (wide && hd_ops[i->op].width[1] == 2)
        return twice(i, signed64(a, i->aa, i->na), signed64(b, i->ab, i->nb),
                     signed64(c, false, i->nc), ps, d, pd);
    if (wide)
        return twice(i, a, b, c, ps, d, pd);
    return single(i, flushed(signed32((u32)a, i->aa, i->na), i->ftz),
                  flushed(signed32((u32)b, i->ab, i->nb), i->ftz),
                  flushed(signed32((u32)c, false, i->nc), i->ftz), a, ps, d, pd);
}
