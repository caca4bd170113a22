/* f16 and bf16 of compiled kernels, on the model, against MPFR.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   test_half [ROUNDS]    of 65,536 operands each: the first is every 16-bit value, the others are
 *                         chosen by class; without ROUNDS 4,096, of every sixteenth of these values
 *                         one
 *
 * Each instruction is a kernel of its own.  What PTX leaves open is not compared: the payload of a
 * NaN that only changes its sign. */
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"
#include "compiler/all.h"
#include "random_f32.h"

enum { CASES = 65536, EXACT_BITS = 800 };
enum kind { F16, BF16 };
enum what { ADD, SUB, MUL, FMA, MIN, MAX, ABS, NEG, COMPARE, SELECT, EX2, TANH, TO, FROM, TF32 };
enum flag { RELU = 1, SAT = 2, FTZ = 4, NAN_WINS = 8, XORSIGN = 16, TWO = 32, INTEGRAL = 64 };
enum source { S_F32, S_F64, S_HALF, S_OTHER, S_S64, S_U64, S_S32, S_U32, S_S16, S_U8 };
struct op {
    const char *text;
    enum what what;
    enum kind kind;
    unsigned flags;
    int arg;
    mpfr_rnd_t rnd;
};

/* %a %b %c: the operands, 32 bits; %ah %bh %ch: their lower halves; %x %y: a and b as f32; %l %z:
 * both as 64 bits. */
#define ONE(t) t " %dh, %ah, %bh; cvt.u32.u16 %d, %dh;"
#define PAIR(t) t " %d, %a, %b;"
#define BOTH(w, f, ins, k, type) \
    { ONE(ins "." type), w, k, f, 0, 0 }, { PAIR(ins "." type "x2"), w, k, (f) | TWO, 0, 0 }
#define FMAS(f, ins, k, type) \
    { ins "." type " %dh, %ah, %bh, %ch; cvt.u32.u16 %d, %dh;", FMA, k, f, 0, 0 }, \
    { ins "." type "x2 %d, %a, %b, %c;", FMA, k, (f) | TWO, 0, 0 }
#define UNARY(w, f, ins, k, type) \
    { ins "." type " %dh, %ah; cvt.u32.u16 %d, %dh;", w, k, f, 0, 0 }, \
    { ins "." type "x2 %d, %a;", w, k, (f) | TWO, 0, 0 }
#define CMP(name, k, type) \
    { "setp." #name "." type " %p, %ah, %bh; selp.u32 %d, 1, 0, %p;", COMPARE, k, 0, \
      CMP_##name, 0 }, \
    { "setp." #name "." type "x2 %p|%q, %a, %b; selp.u32 %d, 1, 0, %p; @%q or.b32 %d, %d, 65536;", \
      COMPARE, k, TWO, CMP_##name, 0 }
#define CMPS(k, type) CMP(eq, k, type), CMP(ne, k, type), CMP(lt, k, type), CMP(le, k, type), \
    CMP(gt, k, type), CMP(ge, k, type), \
    CMP(equ, k, type), CMP(neu, k, type), CMP(ltu, k, type), CMP(leu, k, type), CMP(gtu, k, type), \
    CMP(geu, k, type), \
    CMP(num, k, type), CMP(nan, k, type)
enum { CMP_eq, CMP_ne, CMP_lt, CMP_le, CMP_gt, CMP_ge, CMP_equ, CMP_neu, CMP_ltu, CMP_leu, CMP_gtu,
       CMP_geu, CMP_num, CMP_nan };
#define COMMON(k, t) \
    BOTH(ADD, 0, "add.rn", k, t), BOTH(SUB, 0, "sub", k, t), BOTH(MUL, 0, "mul.rn", k, t), \
    FMAS(0, "fma.rn", k, t), \
    FMAS(RELU, "fma.rn.relu", k, t), BOTH(MIN, 0, "min", k, t), BOTH(MAX, 0, "max", k, t), \
    BOTH(MIN, NAN_WINS, "min.NaN", k, t), \
    BOTH(MAX, XORSIGN, "max.xorsign.abs", k, t), \
    BOTH(MIN, NAN_WINS | XORSIGN, "min.NaN.xorsign.abs", k, t), \
    UNARY(ABS, 0, "abs", k, t), UNARY(NEG, 0, "neg", k, t), UNARY(TANH, 0, "tanh.approx", k, t), \
    CMPS(k, t)
#define TO_HALF(ins, k, s, f, r) { ins "; cvt.u32.u16 %d, %dh;", TO, k, f, s, r }
static const struct op ops[] = {
    COMMON(F16, "f16"),
    COMMON(BF16, "bf16"),
    BOTH(ADD, SAT, "add.sat", F16, "f16"),
    BOTH(SUB, FTZ, "sub.ftz", F16, "f16"),
    BOTH(MUL, FTZ | SAT, "mul.rn.ftz.sat", F16, "f16"),
    BOTH(MUL, FTZ, "mul.ftz", F16, "f16"),
    FMAS(SAT, "fma.rn.sat", F16, "f16"),
    FMAS(FTZ, "fma.rn.ftz", F16, "f16"),
    FMAS(FTZ | RELU, "fma.rn.ftz.relu", F16, "f16"),
    BOTH(MIN, FTZ, "min.ftz", F16, "f16"),
    UNARY(ABS, FTZ, "abs.ftz", F16, "f16"),
    UNARY(NEG, FTZ, "neg.ftz", F16, "f16"),
    UNARY(EX2, 0, "ex2.approx", F16, "f16"),
    UNARY(EX2, 0, "ex2.approx.ftz", BF16, "bf16"),
    { "set.lt.f16.f16 %dh, %ah, %bh; cvt.u32.u16 %d, %dh;", SELECT, F16, 0, 0x3c00, 0 },
    { "set.lt.bf16.bf16 %dh, %ah, %bh; cvt.u32.u16 %d, %dh;", SELECT, BF16, 0, 0x3f80, 0 },
    { "set.lt.u16.bf16 %dh, %ah, %bh; cvt.u32.u16 %d, %dh;", SELECT, BF16, 0, 0xffff, 0 },
    { "set.lt.f16x2.f16x2 %d, %a, %b;", SELECT, F16, TWO, 0x3c00, 0 },
    { "set.lt.bf16x2.bf16x2 %d, %a, %b;", SELECT, BF16, TWO, 0x3f80, 0 },
    { "set.lt.u32.f16x2 %d, %a, %b;", SELECT, F16, TWO, 0xffff, 0 },
    TO_HALF("cvt.rn.bf16.f32 %dh, %x", BF16, S_F32, 0, MPFR_RNDN),
    TO_HALF("cvt.rz.bf16.f32 %dh, %x", BF16, S_F32, 0, MPFR_RNDZ),
    TO_HALF("cvt.rm.bf16.f32 %dh, %x", BF16, S_F32, 0, MPFR_RNDD),
    TO_HALF("cvt.rp.bf16.f32 %dh, %x", BF16, S_F32, 0, MPFR_RNDU),
    TO_HALF("cvt.rn.relu.bf16.f32 %dh, %x", BF16, S_F32, RELU, MPFR_RNDN),
    TO_HALF("cvt.rz.relu.f16.f32 %dh, %x", F16, S_F32, RELU, MPFR_RNDZ),
    TO_HALF("cvt.rn.bf16.f64 %dh, %z", BF16, S_F64, 0, MPFR_RNDN),
    TO_HALF("cvt.rp.bf16.f64 %dh, %z", BF16, S_F64, 0, MPFR_RNDU),
    TO_HALF("cvt.rn.bf16.f16 %dh, %ah", BF16, S_OTHER, 0, MPFR_RNDN),
    TO_HALF("cvt.rm.f16.bf16 %dh, %ah", F16, S_OTHER, 0, MPFR_RNDD),
    TO_HALF("cvt.rn.bf16.s64 %dh, %l", BF16, S_S64, 0, MPFR_RNDN),
    TO_HALF("cvt.rz.bf16.u64 %dh, %l", BF16, S_U64, 0, MPFR_RNDZ),
    TO_HALF("cvt.rn.bf16.s32 %dh, %a", BF16, S_S32, 0, MPFR_RNDN),
    TO_HALF("cvt.rp.bf16.u32 %dh, %a", BF16, S_U32, 0, MPFR_RNDU),
    TO_HALF("cvt.rn.bf16.s16 %dh, %ah", BF16, S_S16, 0, MPFR_RNDN),
    TO_HALF("cvt.rn.bf16.u8 %dh, %ah", BF16, S_U8, 0, MPFR_RNDN),
    TO_HALF("cvt.rni.bf16.bf16 %dh, %ah", BF16, S_HALF, INTEGRAL, MPFR_RNDN),
    TO_HALF("cvt.rmi.bf16.bf16 %dh, %ah", BF16, S_HALF, INTEGRAL, MPFR_RNDD),
    TO_HALF("cvt.rz.f16.u32 %dh, %a", F16, S_U32, 0, MPFR_RNDZ),
    TO_HALF("cvt.rm.f16.s32 %dh, %a", F16, S_S32, 0, MPFR_RNDD),
    TO_HALF("cvt.rp.f16.s64 %dh, %l", F16, S_S64, 0, MPFR_RNDU),
    TO_HALF("cvt.rz.f16.u64 %dh, %l", F16, S_U64, 0, MPFR_RNDZ),
    TO_HALF("cvt.rp.f16.s16 %dh, %ah", F16, S_S16, 0, MPFR_RNDU),
    TO_HALF("cvt.rn.f16.u32 %dh, %a", F16, S_U32, 0, MPFR_RNDN),
    TO_HALF("cvt.rn.sat.f16.s64 %dh, %l", F16, S_S64, SAT, MPFR_RNDN),
    TO_HALF("cvt.rm.f16.f64 %dh, %z", F16, S_F64, 0, MPFR_RNDD),
    TO_HALF("cvt.rp.f16.f32 %dh, %x", F16, S_F32, 0, MPFR_RNDU),
    { "cvt.rn.f16x2.f32 %d, %y, %x;", TO, F16, TWO, S_F32, MPFR_RNDN },
    { "cvt.rz.relu.f16x2.f32 %d, %y, %x;", TO, F16, TWO | RELU, S_F32, MPFR_RNDZ },
    { "cvt.rn.bf16x2.f32 %d, %y, %x;", TO, BF16, TWO, S_F32, MPFR_RNDN },
    { "cvt.rn.relu.bf16x2.f32 %d, %y, %x;", TO, BF16, TWO | RELU, S_F32, MPFR_RNDN },
    { "cvt.f32.bf16 %x, %ah; mov.b32 %d, %x;", FROM, BF16, 0, S_F32, 0 },
    { "cvt.sat.f32.bf16 %x, %ah; mov.b32 %d, %x;", FROM, BF16, SAT, S_F32, 0 },
    { "cvt.f64.bf16 %z, %ah; mov.b64 {%a, %d}, %z;", FROM, BF16, 0, S_F64, 0 },
    { "cvt.rni.s32.bf16 %d, %ah;", FROM, BF16, 0, S_S32, MPFR_RNDN },
    { "cvt.rzi.u8.bf16 %d, %ah;", FROM, BF16, 0, S_U8, MPFR_RNDZ },
    { "cvt.rmi.s64.bf16 %l, %ah; mov.b64 {%a, %d}, %l;", FROM, BF16, 0, S_S64, MPFR_RNDD },
    { "cvt.rna.tf32.f32 %d, %x;", TF32, BF16, 0, 0, 0 },
};
enum { OPS = sizeof ops / sizeof *ops };

/* ---- numbers --------------------------------------------------------------------------------- */

static const struct format { int bits, bias; double normal; u32 inf; } formats[] = {
    [F16] = { 10, 15, 0x1p-14, 0x7c00 }, [BF16] = { 7, 127, 0x1p-126, 0x7f80 } };

static bool is_nan(enum kind k, u32 h) { return (h & 0x7fff) > formats[k].inf; }

static double value(enum kind k, u32 h)
{
    const struct format *f = &formats[k];
    int e = (int)((h & 0x7fff) >> f->bits), m = (int)(h & ((1u << f->bits) - 1));
    double v = is_nan(k, h)             ? NAN
               : (h & 0x7fff) == f->inf ? INFINITY
               : e                      ? ldexp(m + (1 << f->bits), e - f->bias - f->bits)
                                        : ldexp(m, 1 - f->bias - f->bits);
    return h & 0x8000 ? -v : v;
}

/* Of a number that the format has. */
static u32 encode(enum kind k, double v)
{
    const struct format *f = &formats[k];
    u32 sign = signbit(v) ? 0x8000 : 0;
    int e;
    v = fabs(v);
    if (isnan(v)) return 0x7fff;
    if (isinf(v)) return sign | f->inf;
    if (v < f->normal) return sign | (u32)ldexp(v, f->bias - 1 + f->bits);
    double m = frexp(v, &e);
    return sign | ((u32)(e - 1 + f->bias) << f->bits) |
           ((u32)ldexp(m, f->bits + 1) & ((1u << f->bits) - 1));
}

/* The exact number in the format, rounded once. */
static u32 rounded(enum kind k, mpfr_t exact, mpfr_rnd_t rnd, unsigned flags)
{
    const struct format *f = &formats[k];
    if (mpfr_nan_p(exact)) return flags & SAT ? 0 : 0x7fff;
    if (flags & FTZ && mpfr_cmpabs_ui(exact, 0) && mpfr_regular_p(exact)) {
        mpfr_t least;
        mpfr_init2(least, 64);
        mpfr_set_d(least, f->normal, MPFR_RNDN);
        if (mpfr_cmpabs(exact, least) < 0) mpfr_set_zero(exact, mpfr_signbit(exact) ? -1 : 1);
        mpfr_clear(least);
    }
    mpfr_t r;
    mpfr_init2(r, f->bits + 1);
    mpfr_set_emin(2 - f->bias - f->bits), mpfr_set_emax(f->bias + 1);
    mpfr_subnormalize(r, mpfr_check_range(r, mpfr_set(r, exact, rnd), rnd), rnd);
    double v = mpfr_get_d(r, MPFR_RNDN);
    mpfr_set_emin(mpfr_get_emin_min()), mpfr_set_emax(mpfr_get_emax_max());
    mpfr_clear(r);
    if (flags & SAT) v = v > 1 ? 1 : v > 0 ? v : 0;
    if (flags & RELU && v <= 0) v = 0;
    return encode(k, v);
}

static mpfr_t x, y, z, r;

static u32 flushed(const struct op *o, u32 h)
{
    return o->flags & FTZ && (h & 0x7fff) < 0x400 ? h & 0x8000 : h;
}

static u32 least_or_most(const struct op *o, u32 a, u32 b)
{
    u32 sign = o->flags & XORSIGN ? (a ^ b) & 0x8000 : 0, m = o->flags & XORSIGN ? 0x7fff : 0xffff;
    bool na = is_nan(o->kind, a), nb = is_nan(o->kind, b);
    if ((na && nb) || (o->flags & NAN_WINS && (na || nb))) return 0x7fff;
    a &= m, b &= m;
    if (na || nb) return (na ? b : a) | sign;
    int ia = a & 0x8000 ? -1 - (int)(a & 0x7fff) : (int)a,
        ib = b & 0x8000 ? -1 - (int)(b & 0x7fff) : (int)b;
    return ((ia < ib) == (o->what == MIN) ? a : b) | sign;
}

static bool holds(int cmp, double a, double b)
{
    bool un = isnan(a) || isnan(b);
    switch (cmp) {
    case CMP_eq: return a == b;
    case CMP_ne: return !un && a != b;
    case CMP_lt: return a < b;
    case CMP_le: return a <= b;
    case CMP_gt: return a > b;
    case CMP_ge: return a >= b;
    case CMP_equ: return un || a == b;
    case CMP_neu: return un || a != b;
    case CMP_ltu: return un || a < b;
    case CMP_leu: return un || a <= b;
    case CMP_gtu: return un || a > b;
    case CMP_geu: return un || a >= b;
    case CMP_num: return !un;
    default: return un;
    }
}

static u32 arithmetic(const struct op *o, u32 a, u32 b, u32 c)
{
    a = flushed(o, a), b = flushed(o, b), c = flushed(o, c);
    double va = value(o->kind, a), vb = value(o->kind, b);
    mpfr_set_d(x, va, MPFR_RNDN), mpfr_set_d(y, vb, MPFR_RNDN),
        mpfr_set_d(z, value(o->kind, c), MPFR_RNDN);
    switch (o->what) {
    case ADD: mpfr_add(r, x, y, MPFR_RNDN); break;
    case SUB: mpfr_sub(r, x, y, MPFR_RNDN); break;
    case MUL: mpfr_mul(r, x, y, MPFR_RNDN); break;
    case FMA: mpfr_fma(r, x, y, z, MPFR_RNDN); break;
    case MIN: case MAX: return least_or_most(o, a, b);
    case COMPARE: return holds(o->arg, va, vb);
    case SELECT: return va < vb ? (u32)o->arg : 0;
    case ABS: return a & 0x7fff;
    default: return a ^ 0x8000;
    }
    return rounded(o->kind, r, MPFR_RNDN, o->flags);
}

static u32 conversion(const struct op *o, u32 a, u64 both)
{
    float f;
    double d;
    memcpy(&f, &a, 4), memcpy(&d, &both, 8);
    switch (o->arg) {
    case S_F32: mpfr_set_flt(r, f, MPFR_RNDN); break;
    case S_F64: mpfr_set_d(r, d, MPFR_RNDN); break;
    case S_HALF: mpfr_set_d(r, value(o->kind, a & 0xffff), MPFR_RNDN); break;
    case S_OTHER: mpfr_set_d(r, value(!o->kind, a & 0xffff), MPFR_RNDN); break;
    case S_S64: mpfr_set_si(r, (long)both, MPFR_RNDN); break;
    case S_U64: mpfr_set_ui(r, both, MPFR_RNDN); break;
    case S_S32: mpfr_set_si(r, (s32)a, MPFR_RNDN); break;
    case S_U32: mpfr_set_ui(r, a, MPFR_RNDN); break;
    case S_S16: mpfr_set_si(r, (short)a, MPFR_RNDN); break;
    default: mpfr_set_ui(r, a & 0xff, MPFR_RNDN);
    }
    if (o->flags & INTEGRAL && mpfr_regular_p(r)) mpfr_rint(r, r, o->rnd);
    return rounded(o->kind, r, o->flags & INTEGRAL ? MPFR_RNDN : o->rnd, o->flags);
}

/* From bf16: of 64 bits, the upper word. */
static u32 outwards(const struct op *o, u32 h)
{
    double v = value(BF16, h & 0xffff);
    float f = (float)(o->flags & SAT ? v > 1 ? 1 : v > 0 ? v : 0 : v);
    u64 wide;
    u32 w;
    memcpy(&w, &f, 4), memcpy(&wide, &v, 8);
    if (o->arg == S_F32) return isnan(f) ? 0x7fffffff : w;
    if (o->arg == S_F64) return (u32)(wide >> 32);
    if (o->arg == S_S32 && isnan(v)) return 0;
    if (o->arg == S_U8 && isnan(v)) return 0;
    if (o->arg == S_S64 && isnan(v)) return 0x80000000;
    if (o->arg == S_S32)
        return v >= 0x1p31 ? 0x7fffffff : v < -0x1p31 ? 0x80000000 : (u32)(s32)nearbyint(v);
    if (o->arg == S_U8) return v > 255 ? 255 : v < 0 ? 0 : (u32)v;
    return v >= 0x1p63 ? 0x7fffffff : v < -0x1p63 ? 0x80000000 : (u32)((u64)(s64)floor(v) >> 32);
}

/* PTX's bounds: relative for ex2, in subnormal results half a unit; absolute for tanh. */
static bool near(const struct op *o, u32 a, u32 got)
{
    /* 2^-9.9, 2^-10.987 */
    static const double bound[2][2] = { { 0x1.1251p-10, 0x1.025p-11 }, { 0x1p-7, 0x1p-8 } };
    double v = value(o->kind, a), g = value(o->kind, got), least = formats[o->kind].normal;
    if (isnan(v)) return got == 0x7fff;
    if (o->what == EX2 && o->kind == BF16 && fabs(v) < least) v = 0;
    double want = o->what == EX2 ? exp2(v) : tanh(v),
           e = bound[o->kind][o->what == TANH] * (o->what == EX2 ? want : 1);
    if (o->what == EX2 && want < least) e = o->kind == BF16 ? least : ldexp(least, -11);
    if (o->what == EX2 && want > (o->kind == F16 ? 65519 : 0x1.ffp127)) return isinf(g);
    return fabs(g - want) <= e * (1 + 0x1p-20);
}

static bool right(const struct op *o, u32 a, u32 b, u32 c, u32 got)
{
    bool two = o->flags & TWO;
    switch (o->what) {
    case EX2:
    case TANH: return near(o, a & 0xffff, got & 0xffff) && (!two || near(o, a >> 16, got >> 16));
    case TO:
        return got == (two ? conversion(o, b, 0) << 16 | conversion(o, a, 0)
                           : conversion(o, a, (u64)b << 32 | a));
    case FROM: {
        u32 want = outwards(o, a);
        return got == want ||
               (o->arg == S_F64 && is_nan(BF16, a & 0xffff) && (got & 0x7fffffff) > 0x7ff00000);
    }
    case TF32: {
        float f;
        memcpy(&f, &a, 4);
        return got == (isnan(f) ? 0x7fffffff : (a + 0x1000) & 0xffffe000);
    }
    default: break;
    }
    for (int k = 0; k <= two; k++, a >>= 16, b >>= 16, c >>= 16, got >>= 16) {
        bool sign = o->what == ABS || o->what == NEG;
        u32 h = got & (two ? 0xffff : 0xffffffff),
            want = arithmetic(o, a & 0xffff, b & 0xffff, c & 0xffff);
        if (h != want && !(sign && is_nan(o->kind, want) && is_nan(o->kind, h))) return false;
    }
    return true;
}

/* ---- operands -------------------------------------------------------------------------------- */

static u32 random_half(enum kind k, u64 *s)
{
    static const u32 corner[] = { 0, 1, 0x7fff, 2, 3 };
    const struct format *f = &formats[k];
    u64 w = random_next(s);
    u32 v = (u32)w & 0x7fff, one = (u32)f->bias << f->bits, sign = (u32)(w >> 20) & 0x8000,
        m = (1u << f->bits) - 1;
    switch (w >> 40 & 7) {
    case 0: return sign | corner[v % 5];
    case 1: return sign | (v & m);
    case 2: return sign | (f->inf - (v & 3));
    case 3: return sign | (one + (v & 3) - 1);
    case 4: return sign | (one + (v & 7 << f->bits));
    case 5: return sign | (v % f->inf & ~m);
    default: return sign | v;
    }
}

/* b and c that bring a sum or a product to where two roundings differ from one. */
static void hard(enum kind k, u32 a, u32 *b, u32 *c, u64 *s)
{
    const struct format *f = &formats[k];
    u64 w = random_next(s);
    double va = value(k, a), vc = value(k, *c), vb = 1;
    int e;
    *b = random_half(k, s), *c = random_half(k, s);
    if (isnan(va) || isinf(va) || va == 0) return;
    switch (w & 7) {
    case 0:                                          /* a b near half a unit of c */
        frexp(vc, &e);
        vb = ldexp(2 - 2 * fabs(frexp(va, &(int){ 0 })), e - f->bits - 2);
        break;
    case 1: vb = ldexp(1.5, (int)(w >> 8 & 15) - 8); break;      /* a b perhaps a tie, c tiny */
    case 2: vb = -vc / va; break;
    case 3:
        frexp(va, &e),
            vb = ldexp(1 + (double)(w >> 8 & 127) / 128, -e - f->bias - (int)(w >> 16 & 7));
        break;
    default: return;
    }
    mpfr_set_d(r, vb, MPFR_RNDN);
    *b = rounded(k, r, MPFR_RNDN, 0);
    if ((w & 7) == 1) *c = (u32)(w >> 40 & 0x8000) | (u32)(w >> 32 & 3);
}

static int cases = 4096;
struct operands { u32 a[CASES], b[CASES], c[CASES], out[CASES]; };
static void choose(const struct op *o, struct operands *v, u64 *s)
{
    bool wide = o->what == TO || o->what == TF32;
    for (u32 n = 0; n < (u32)cases; n++) {
        u32 every = n * (u32)(CASES / cases) + (u32)(random_next(s) % (u64)(CASES / cases));
        u32 b[2], c[2], a[2] = { every, random_half(o->kind, s) };
        for (int k = 0; k < 2; k++)
            c[k] = random_half(o->kind, s), hard(o->kind, a[k], &b[k], &c[k], s);
        v->a[n] = a[1] << 16 | a[0], v->b[n] = b[1] << 16 | b[0], v->c[n] = c[1] << 16 | c[0];
        if (!wide) continue;
        v->b[n] = random_f32(s);
        if (o->arg == S_F32 || o->arg >= S_S64)
            v->a[n] = n & 1 ? random_f32(s) : (u32)random_next(s) >> (n & 31);
        if (o->arg == S_F64)
            v->b[n] = (v->b[n] & 0x800fffff) | (u32)(random_next(s) % 300 + 870) << 20;
        if (o->arg == S_F64 && n & 2) v->a[n] &= 1, v->b[n] &= ~0xfffu;     /* near ties */
        if (o->arg == S_F32 && n & 2) v->a[n] = (v->a[n] & ~0xffffu) | (0x8000 + (n >> 4 & 3) - 1);
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static char *module_text(void)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    fputs(".version 8.0\n.target sm_90\n.address_size 64\n", f);
    for (int k = 0; k < OPS; k++)
        fprintf(
            f,
            ".visible .entry k%d(.param .u64 p)\n{\n.reg .b16 %%ah, %%bh, %%ch, %%dh, %%u;\n"
            ".reg .b32 %%a, %%b, %%c, %%d, %%t, %%n;\n"
            ".reg .f32 %%x, %%y;\n.reg .f64 %%z;\n.reg .b64 %%at, %%l;\n.reg .pred %%p, %%q;\n"
            "ld.param.u64 %%at, [p];\nmov.u32 %%t, %%tid.x;\nmov.u32 %%n, %%ctaid.x;\n"
            "mad.lo.u32 %%t, %%n, 256, %%t;\n"
            "mad.wide.u32 %%at, %%t, 4, %%at;\nld.global.u32 %%a, [%%at];\n"
            "ld.global.u32 %%b, [%%at+%d];\nld.global.u32 %%c, [%%at+%d];\n"
            "mov.b32 {%%ah, %%u}, %%a;\nmov.b32 {%%bh, %%u}, %%b;\nmov.b32 {%%ch, %%u}, %%c;\n"
            "mov.b32 %%x, %%a;\nmov.b32 %%y, %%b;\n"
            "mov.b64 %%l, {%%a, %%b};\nmov.b64 %%z, %%l;\n%s\nst.global.u32 [%%at+%d], %%d;\n"
            "ret;\n}\n",
            k, 4 * CASES, 8 * CASES, ops[k].text, 12 * CASES);
    fclose(f);
    return text;
}

static bool differs(const struct op *o, const struct operands *v)
{
    for (int n = 0; n < cases; n++)
        if (!right(o, v->a[n], v->b[n], v->c[n], v->out[n])) {
            printf("test_half: %s: a %08x, b %08x, c %08x give %08x\n", o->text, v->a[n], v->b[n],
                   v->c[n], v->out[n]);
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1, bad = 0;
    if (argc > 1) cases = CASES;
    struct operands *v = malloc(sizeof *v);
    struct hd_err err = { 0 };
    hd_device *d = NULL;
    u64 at;
    u64 seed = 88172645463325252u;
    char *text = module_text();
    mpfr_inits2(EXACT_BITS, x, y, z, r, (mpfr_ptr)0);
    struct hd_image *img = hd_compile_ptx("half.ptx", text, &(struct cc_options){ 0 }, &err);
    if (!img || !v || hd_open(&(struct hd_config){ .kind = HD_MODEL }, &d) || hd_load(d, img) ||
        hd_malloc(d, sizeof *v, &at)) {
        printf("test_half: %s\n", err.text);
        return 1;
    }
    for (int k = 0; k < OPS; k++)
        for (int n = 0; n < rounds; n++) {
            char name[16];
            uint64_t param = at;
            snprintf(name, sizeof name, "k%d", k);
            choose(&ops[k], v, &seed);
            struct hd_launch l = { .kernel = name,
                                   .grid = { (unsigned)cases / 256, 1, 1 },
                                   .block = { 256, 1, 1 },
                                   .params = &param,
                                   .params_size = 8 };
            if (hd_write(d, at, v, 12 * CASES) || hd_launch_grid(d, &l) ||
                hd_read(d, at, v, sizeof *v)) {
                printf("test_half: %s: %s\n", ops[k].text, hd_device_error(d));
                return 1;
            }
            if (differs(&ops[k], v)) {
                bad++;
                break;
            }
        }
    hd_close(d);
    hd_image_free(img);
    free(text);
    mpfr_clears(x, y, z, r, (mpfr_ptr)0);
    mpfr_free_cache();
    free(v);
    if (!bad)
        printf("test_half: %d instructions, %d operands each: no difference from MPFR\n", OPS,
               rounds * cases);
    return bad != 0;
}
