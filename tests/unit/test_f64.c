/* The library's f64, and the model's rows, against MPFR: the same source that kernels call,
 * compiled for the host, with the machine's own MUFU underneath; and fp64.c.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   test_f64 [CASES]    random operands of each operation in each rounding, by class
 *                       (random_f64) */
#include "cmodel/fp/fp64.h"
#include "cmodel/fp/mufu.h"
#include "random_f64.h"
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((unused))
#define DEVICE static __attribute__((unused))
INLINE u64 shl(u64 v, u32 n) { return n > 63 ? 0 : v << n; }
INLINE u64 shr(u64 v, u32 n) { return n > 63 ? 0 : v >> n; }
INLINE u32 clz(u64 v) { return v ? (u32)__builtin_clzll(v) : 64; }
INLINE u32 clz32(u32 v) { return v ? (u32)__builtin_clz(v) : 32; }
INLINE u32 mul_high(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
INLINE u64 mad(u32 a, u32 b, u64 c) { return (u64)a * b + c; }
INLINE u32 rcp_bits(u32 f) { return mufu_eval(MUFU_RCP, f); }
INLINE u32 rsq_bits(u32 f) { return mufu_eval(MUFU_RSQ, f); }
#include "compiler/softlib/f64.cuh"

static double as_double(u64 u) { double d; memcpy(&d, &u, 8); return d; }
static u64 as_bits(double d) { u64 u; memcpy(&u, &d, 8); return u; }
static float f32_value(u32 u) { float f; memcpy(&f, &u, 4); return f; }
static u32 float_bits(float f) { u32 u; memcpy(&u, &f, 4); return u; }

enum op { ADD, SUB, MUL, FMA, DIV, SQRT, RSQRT, RINT, F64_F32, F32_F64, S32_F64, U32_F64, S64_F64,
          U64_F64, F64_S32, F64_U32, F64_S64, F64_U64, CMP, MIN, MAX, SAT, OPS };
static const struct { const char *name; int operands; bool one_mode; } ops[OPS] = {
    { "add", 2, 0 },     { "sub", 2, 0 },     { "mul", 2, 0 },     { "fma", 3, 0 },
    { "div", 2, 0 },     { "sqrt", 1, 0 },    { "rsqrt", 1, 1 },   { "rint", 1, 0 },
    { "f64_f32", 1, 0 }, { "f32_f64", 0, 1 }, { "s32_f64", 0, 1 }, { "u32_f64", 0, 1 },
    { "s64_f64", 0, 0 }, { "u64_f64", 0, 0 }, { "f64_s32", 1, 0 }, { "f64_u32", 1, 0 },
    { "f64_s64", 1, 0 }, { "f64_u64", 1, 0 }, { "cmp", 2, 1 },     { "min", 2, 1 },
    { "max", 2, 1 },     { "sat", 1, 1 },
};

static u64 routine(enum op op, u64 a, u64 b, u64 c, int mode)
{
    switch (op) {
    case ADD: return mode ? __hd_add_f64_to(a, b, mode) : __hd_add_f64(a, b);
    case SUB: return mode ? __hd_sub_f64_to(a, b, mode) : __hd_sub_f64(a, b);
    case MUL: return mode ? __hd_mul_f64_to(a, b, mode) : __hd_mul_f64(a, b);
    case FMA: return mode ? __hd_fma_f64_to(a, b, c, mode) : __hd_fma_f64(a, b, c);
    case DIV: return mode ? __hd_div_f64_to(a, b, mode) : __hd_div_f64(a, b);
    case SQRT: return mode ? __hd_sqrt_f64_to(a, mode) : __hd_sqrt_f64(a);
    case RSQRT: return __hd_rsqrt_f64(a);
    case RINT: return __hd_rint_f64(a, mode);
    case F64_F32: return __hd_f64_f32(a, mode);
    case F32_F64: return __hd_f32_f64((u32)a);
    case S32_F64: return __hd_s32_f64((u32)a);
    case U32_F64: return __hd_u32_f64((u32)a);
    case S64_F64: return __hd_s64_f64(a, mode);
    case U64_F64: return __hd_u64_f64(a, mode);
    case F64_S32: return (u32)__hd_f64_s32(a, mode);
    case F64_U32: return __hd_f64_u32(a, mode);
    case F64_S64: return (u64)__hd_f64_s64(a, mode);
    case F64_U64: return __hd_f64_u64(a, mode);
    case CMP: return __hd_cmp_f64(a, b);
    case MIN: return __hd_min_f64(a, b);
    case MAX: return __hd_max_f64(a, b);
    default: return __hd_sat_f64(a);
    }
}

/* What the unit of f64 makes of it; without an operation like it, what the library does. */
static u64 row(enum op op, u64 a, u64 b, u64 c, int mode)
{
    enum { LT = 1, EQ = 2, GT = 4, UN = 8 };
    unsigned rm = (unsigned)mode;
    switch (op) {
    case ADD: return fp64_add(a, b, rm);
    case SUB: return fp64_add(a, fp64_signed(b, false, true), rm);
    case MUL: return fp64_mul(a, b, rm);
    case FMA: return fp64_fma(a, b, c, rm);
    case RINT: return fp64_rint(a, rm);
    case F64_F32: return fp64_to_f32(a, rm);
    case F32_F64: return fp64_from_f32((u32)a);
    case S32_F64: return fp64_from_s64((u64)(s64)(s32)a, rm);
    case U32_F64: return fp64_from_u64((u32)a, rm);
    case S64_F64: return fp64_from_s64(a, rm);
    case U64_F64: return fp64_from_u64(a, rm);
    case F64_S32: return fp64_to_s32(a, rm);
    case F64_U32: return fp64_to_u32(a, rm);
    case F64_S64: return fp64_to_s64(a, rm);
    case F64_U64: return fp64_to_u64(a, rm);
    case CMP:
        return fp64_cmp(a, b, FP_LT) * LT | fp64_cmp(a, b, FP_EQ) * EQ |
               fp64_cmp(a, b, FP_GT) * GT | fp64_cmp(a, b, FP_UNORD) * UN;
    case MIN: return fp64_min(a, b);
    case MAX: return fp64_max(a, b);
    default: return routine(op, a, b, c, mode);
    }
}

/* Where the row may ask the host, integers give the same. */
static bool exact_alike(enum op op, u64 a, u64 b, u64 c, int mode, u64 want)
{
    if (op == ADD) c = b, b = ONE;
    else if (op == MUL) c = (a ^ b) & SIGN;
    else if (op != FMA) return true;
    return fp64_fma_exact(a, b, c, (unsigned)mode) == want;
}

/* ---- what is right --------------------------------------------------------------------------- */

static const mpfr_rnd_t rounding[] = { MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU };
static mpfr_t x, y, z, r64, r24;

/* An operand that is a NaN, quieted, in an H200's order; else 0. */
static u64 quieted(enum op op, u64 a, u64 b, u64 c)
{
    u64 v[3] = { b, a, 0 };
    int n = ops[op].operands;
    if (n == 1 || op == DIV) v[0] = a, v[1] = n == 1 ? 0 : b;
    if (n == 3) v[1] = c, v[2] = a;
    for (int k = 0; k < n; k++)
        if (is_nan(v[k])) return v[k] | QUIET;
    return 0;
}

static int compute(enum op op, mpfr_ptr r, u64 a, mpfr_rnd_t rm)
{
    switch (op) {
    case ADD: return mpfr_add(r, x, y, rm);
    case SUB: return mpfr_sub(r, x, y, rm);
    case MUL: return mpfr_mul(r, x, y, rm);
    case FMA: return mpfr_fma(r, x, y, z, rm);
    case DIV: return mpfr_div(r, x, y, rm);
    case SQRT: return mpfr_sqrt(r, x, rm);
    case RSQRT: return mpfr_rec_sqrt(r, x, rm);
    case RINT: return mpfr_rint(r, x, rm);
    case S32_F64: return mpfr_set_si(r, (s32)a, rm);
    case U32_F64: return mpfr_set_ui(r, (u32)a, rm);
    case S64_F64: return mpfr_set_si(r, (s64)a, rm);
    case U64_F64: return mpfr_set_ui(r, a, rm);
    default: return mpfr_set(r, x, rm);
    }
}

static u64 float_result(enum op op, u64 a, u64 b, u64 c, mpfr_rnd_t rm)
{
    bool narrow = op == F64_F32;
    mpfr_ptr r = narrow ? r24 : r64;
    u64 nan = quieted(op, a, b, c);
    if (nan && narrow) return (u32)(a >> 32 & F32_SIGN) | 0x7fc00000 | (u32)(a >> 29 & 0x7fffff);
    if (nan) return nan;
    if (op == RSQRT && !(a & MAGNITUDE)) return a | INF;
    mpfr_set_emin(narrow ? -148 : -1073), mpfr_set_emax(narrow ? 128 : 1024);
    mpfr_subnormalize(r, mpfr_check_range(r, compute(op, r, a, rm), rm), rm);
    mpfr_set_emin(mpfr_get_emin_min()), mpfr_set_emax(mpfr_get_emax_max());
    if (mpfr_nan_p(r)) return NO_NUMBER;
    if (narrow) return float_bits(mpfr_get_flt(r, MPFR_RNDN));
    return as_bits(mpfr_get_d(r, MPFR_RNDN));
}

static u64 int_result(enum op op, u64 a, mpfr_rnd_t rm)
{
    static const struct { s64 least; u64 most, nan; } t[] = {
        { INT32_MIN, INT32_MAX, 1u << 31 }, { 0, UINT32_MAX, 1u << 31 },
        { INT64_MIN, INT64_MAX, 1ull << 63 }, { 0, UINT64_MAX, 1ull << 63 } };
    int to = op - F64_S32;
    if (is_nan(a)) return t[to].nan;
    mpfr_rint(r64, x, rm);
    u64 v = mpfr_cmp_si(r64, t[to].least) < 0 ? (u64)t[to].least
          : mpfr_cmp_ui(r64, t[to].most) > 0 ? t[to].most
          : mpfr_sgn(r64) < 0 ? (u64)mpfr_get_si(r64, MPFR_RNDN) : mpfr_get_ui(r64, MPFR_RNDN);
    return to < 2 ? (u32)v : v;
}

static u64 expected(enum op op, u64 a, u64 b, u64 c, int mode)
{
    double p = as_double(a), q = as_double(b);
    mpfr_set_d(x, p, MPFR_RNDN), mpfr_set_d(y, q, MPFR_RNDN),
        mpfr_set_d(z, as_double(c), MPFR_RNDN);
    bool both = is_nan(a) && is_nan(b);
    switch (op) {
    case F32_F64:
        a = (u32)a;
        if ((a & 0x7fffffff) > F32_INF)
            return (a & F32_SIGN) << 32 | INF | QUIET | (a & 0x7fffff) << 29;
        mpfr_set_flt(x, f32_value((u32)a), MPFR_RNDN);
        return as_bits(mpfr_get_d(x, MPFR_RNDN));
    case F64_S32:
    case F64_U32:
    case F64_S64:
    case F64_U64: return int_result(op, a, rounding[mode]);
    case CMP:
        return is_nan(a) || is_nan(b) ? 8 : mpfr_cmp(x, y) < 0 ? 1 : mpfr_cmp(x, y) == 0 ? 2 : 4;
    case MIN:
        return both ? b | QUIET : is_nan(a) ? b : is_nan(b) ? a : p == q ? a | b : p < q ? a : b;
    case MAX:
        return both ? b | QUIET : is_nan(a) ? b : is_nan(b) ? a : p == q ? a & b : p > q ? a : b;
    case SAT: return is_nan(a) || !(p > 0) ? 0 : p > 1 ? ONE : a;
    default: return float_result(op, a, b, c, rounding[mode]);
    }
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* The second and third operand that make a and b cancel, tie or meet a boundary. */
static void relate(enum op op, int kind, u64 a, u64 *b, u64 *c, u64 *seed)
{
    u64 r = random_next(seed);
    if (kind == 1) *b = a ^ SIGN ^ (r & 3);                                    /* cancellation */
    if (kind == 2) *b = (a & (SIGN | INF)) - (r % 60 << 52) + (1ull << (r >> 8) % 52);   /* ties */
    if (kind == 3 && op == FMA) *c = as_bits(-as_double(a) * as_double(*b)) ^ (r & 1);
    if (kind == 3 && op == DIV) *b = as_bits(as_double(a) / as_double(*b)) ^ (r & 1);
}

static int run(enum op op, long cases)
{
    u64 seed = 1 + (u64)op;
    long wrong = 0, n = 0;
    for (int mode = 0; mode < (ops[op].one_mode ? 1 : 4); mode++)
        for (long i = 0; i < cases; i++, n++) {
            u64 a = random_f64(&seed), b = random_f64(&seed), c = random_f64(&seed);
            if ((op == SQRT || op == RSQRT) && i % 8) a &= MAGNITUDE;
            if (!ops[op].operands && i & 1) a = random_next(&seed) >> (random_next(&seed) & 63);
            if (op == SQRT && i % 5 == 0) a = as_bits(as_double(a) * as_double(a)) + (b & 1);
            if (op >= RINT && i % 7 == 0) a = as_bits((double)(s64)(b >> (c & 63)) + 0.5);
            relate(op, (int)(i % 6), a, &b, &c, &seed);
            u64 got = routine(op, a, b, c, mode), want = expected(op, a, b, c, mode);
            u64 unit = row(op, a, b, c, mode);
            if (got == want) got = exact_alike(op, a, b, c, mode, want) ? unit : ~want;
            if (got != want && !wrong++)
                printf("f64 %s, rounding %d (%016llx %016llx %016llx): %llx, MPFR %llx\n",
                       ops[op].name, mode, (unsigned long long)a, (unsigned long long)b,
                       (unsigned long long)c, (unsigned long long)got, (unsigned long long)want);
        }
    printf("f64 %-8s %ld cases, %ld differ from MPFR\n", ops[op].name, n, wrong);
    return wrong || !n;
}

int main(int argc, char **argv)
{
    long cases = argc > 1 ? atol(argv[1]) : 40000;
    int failures = 0;
    if (cases < 1 || argc > 2) return fputs("usage: test_f64 [CASES]\n", stderr), 2;
    mpfr_inits2(53, x, y, z, r64, NULL), mpfr_init2(r24, 24);
    for (int op = 0; op < OPS; op++) failures += run((enum op)op, cases);
    printf("f64: %d of %d operations failed\n", failures, OPS);
    mpfr_clears(x, y, z, r64, r24, NULL);
    return failures ? 1 : 0;
}
