/* Floating point against MPFR, which shares nothing with the model, its tables or the host's
 * arithmetic: the error of every MUFU function, and f32 and conversions rounded correctly.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   test_mpfr [STEP]    MUFU takes every STEP-th of the 2^32 arguments; the default is a prime near
 *                       2^14, so each binade of either sign gives about 510, in all parts of it;
 *                       and 16 times as many from 2^-12 to 16, where some rows of the tables are
 *                       used in one binade alone
 *
 * A function fails above what is promised there, and above what was measured. */
#include "cmodel/fp/fp32.h"
#include "cmodel/fp/mufu.h"
#include "random_f32.h"
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 96 };              /* of an exact value of MUFU: its own error does not count */
static int failures;

static float as_float(u32 u) { float f; memcpy(&f, &u, 4); return f; }
static u32 as_bits(float f) { u32 u; memcpy(&u, &f, 4); return u; }

/* ---- MUFU ----------------------------------------------------------------------------------- */

static void exact(mpfr_t y, unsigned fn, mpfr_t x)
{
    switch (fn) {
    case MUFU_RCP: mpfr_ui_div(y, 1, x, MPFR_RNDN); break;
    case MUFU_RSQ: mpfr_rec_sqrt(y, x, MPFR_RNDN); break;
    case MUFU_SQRT: mpfr_sqrt(y, x, MPFR_RNDN); break;
    case MUFU_SIN: mpfr_sinu(y, x, 1, MPFR_RNDN); break;       /* x in turns */
    case MUFU_COS: mpfr_cosu(y, x, 1, MPFR_RNDN); break;
    case MUFU_LG2: mpfr_log2(y, x, MPFR_RNDN); break;
    case MUFU_EX2: mpfr_exp2(y, x, MPFR_RNDN); break;
    default: mpfr_tanh(y, x, MPFR_RNDN); break;
    }
}

enum measure { ABSOLUTE, RELATIVE, ULPS };
static const char *const units[] = {"absolute", "relative", "ulp"};

/* Arguments [from, to) without their sign; `negative` ones as well.  Bounds are ulps, or exponents
 * of two: what PTX promises, or 4 ulp where it says nothing; and what `make mufu-mpfr` measured. */
static const struct promise {
    const char *what;
    unsigned fn;
    u32 from, to;
    bool negative;
    enum measure how;
    double promised, measured;
} promises[] = {
    {"rcp  all", MUFU_RCP, 1, 0x7f800000, true, ULPS, 4, 0.99},
    {"rcp  [1, 2]", MUFU_RCP, 0x3f800000, 0x40000001, false, ABSOLUTE, -23, -24.02},
    {"rsq  all", MUFU_RSQ, 1, 0x7f800000, false, ULPS, 4, 1.52},
    {"rsq  [1, 4]", MUFU_RSQ, 0x3f800000, 0x40800001, false, RELATIVE, -22.4, -23.39},
    {"sqrt all", MUFU_SQRT, 1, 0x7f800000, false, ULPS, 4, 1.29},
    {"sin  all, turns", MUFU_SIN, 1, 0x7f800000, true, ABSOLUTE, -20.9, -22.13},
    {"cos  all, turns", MUFU_COS, 1, 0x7f800000, true, ABSOLUTE, -20.9, -22.92},
    {"lg2  [1/2, 2)", MUFU_LG2, 0x3f000000, 0x40000000, false, ABSOLUTE, -22.6, -24.38},
    {"lg2  below 1/2", MUFU_LG2, 1, 0x3f000000, false, RELATIVE, -22, -23.85},
    {"lg2  from 2", MUFU_LG2, 0x40000000, 0x7f800000, false, RELATIVE, -22, -23.67},
    {"ex2  normal results", MUFU_EX2, 1, 0x42fc0001, true, RELATIVE, -22.5, -23.03},
    {"ex2  all", MUFU_EX2, 1, 0x7f800000, true, ULPS, 4, 1.35},
    {"tanh all", MUFU_TANH, 1, 0x7f800000, true, ULPS, 4, 2.36},
};
enum { PROMISES = sizeof promises / sizeof *promises };
static struct { double worst; u32 at; long arguments; } found[PROMISES];

/* Of the result r against y.  Beyond the largest f32 both are 2^128. */
static double error_of(enum measure how, u32 r, mpfr_t y)
{
    static mpfr_t err;
    static bool ready;
    if (!ready)
        mpfr_init2(err, BITS), ready = true;
    mpfr_t limit;
    mpfr_init2(limit, 2);
    mpfr_set_ui_2exp(limit, 1, 128, MPFR_RNDN);
    if (mpfr_cmpabs(y, limit) > 0)
        mpfr_copysign(y, limit, y, MPFR_RNDN);
    if ((r & ~F32_SIGN) == F32_INF)
        mpfr_setsign(err, limit, r >> 31, MPFR_RNDN);
    else
        mpfr_set_flt(err, as_float(r), MPFR_RNDN);
    mpfr_clear(limit);
    mpfr_sub(err, err, y, MPFR_RNDN);
    if (how == RELATIVE)
        mpfr_div(err, err, y, MPFR_RNDN);
    if (how == ULPS) {
        mpfr_exp_t e = mpfr_zero_p(y) ? -125 : mpfr_get_exp(y);
        mpfr_mul_2si(err, err, 24 - (e < -125 ? -125 : e > 128 ? 128 : e), MPFR_RNDN);
    }
    return mpfr_nan_p(err) ? 1e30 : fabs(mpfr_get_d(err, MPFR_RNDA));
}

static void measure(u32 a, mpfr_t x, mpfr_t y)
{
    u32 magnitude = a & ~F32_SIGN, r;
    int last = -1;
    mpfr_set_flt(x, as_float(a), MPFR_RNDN);
    for (int i = 0; i < PROMISES; i++) {
        const struct promise *p = &promises[i];
        if (magnitude < p->from || magnitude >= p->to || (magnitude != a && !p->negative))
            continue;
        if (last != (int)p->fn)
            exact(y, p->fn, x);
        last = (int)p->fn;
        r = mufu_eval(p->fn, a);
        double err = error_of(p->how, r, y);
        found[i].arguments++;
        if (err > found[i].worst)
            found[i].worst = err, found[i].at = a;
    }
}

static void mufu_errors(u32 step)
{
    mpfr_t x, y;
    mpfr_init2(x, 24), mpfr_init2(y, BITS);
    for (u64 a = 0; a <= UINT32_MAX; a += step)
        measure((u32)a, x, y);
    for (u32 a = 0x39800000; a < 0x41800000; a += step / 16 | 1)
        measure(a, x, y), measure(a | F32_SIGN, x, y);
    for (int i = 0; i < PROMISES; i++)                          /* ends of the ranges */
        for (u32 k = 0; k < 4; k++)
            measure(promises[i].from + k, x, y), measure(promises[i].to - 1 - k, x, y);
    mpfr_clear(x), mpfr_clear(y);
}

static void judge_mufu(void)
{
    for (int i = 0; i < PROMISES; i++) {
        const struct promise *p = &promises[i];
        double worst = p->how == ULPS ? found[i].worst : log2(found[i].worst);
        bool bad = worst > p->promised || worst > p->measured || !found[i].arguments;
        const char *two = p->how == ULPS ? "" : "2^";
        printf("mufu %-19s %9ld arguments, %s worst %s%.2f at %08x, measured %s%g, promised %s%g",
               p->what, found[i].arguments, units[p->how], two, worst, found[i].at, two,
               p->measured, two, p->promised);
        puts(bad ? "  EXCEEDED" : "");
        failures += bad;
    }
}

/* What PTX says of zeros, infinities, negative arguments: f of +0, -0, +inf, -inf, -1, -2^-149. */
static void mufu_specials(void)
{
    enum { INF = F32_INF, NAN32 = F32_NAN, ONE = F32_ONE, ANY = 1 };    /* ANY: not special */
    static const u32 argument[] = {0, F32_SIGN, INF, INF | F32_SIGN, ONE | F32_SIGN, 1 | F32_SIGN};
    static const struct { unsigned fn; u32 of[6]; } table[] = {
        {MUFU_RCP, {INF, INF | F32_SIGN, 0, F32_SIGN, ONE | F32_SIGN, INF | F32_SIGN}},
        {MUFU_RSQ, {INF, INF | F32_SIGN, 0, NAN32, NAN32, NAN32}},
        {MUFU_SQRT, {0, F32_SIGN, INF, NAN32, NAN32, NAN32}},
        {MUFU_SIN, {0, F32_SIGN, NAN32, NAN32, ANY, ANY}},
        {MUFU_COS, {ONE, ONE, NAN32, NAN32, ONE, ONE}},
        {MUFU_LG2, {INF | F32_SIGN, INF | F32_SIGN, INF, NAN32, NAN32, NAN32}},
        {MUFU_EX2, {ONE, ONE, INF, 0, 0x3f000000, ONE}},
        {MUFU_TANH, {0, F32_SIGN, ONE, ONE | F32_SIGN, ANY, 1 | F32_SIGN}},
    };
    static const u32 nans[] = {0x7f800001, 0x7fc00000, 0x7fffffff, 0xff800001, 0xffffffff};
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 6; k++) {
            u32 r = mufu_eval(table[i].fn, argument[k]), want = table[i].of[k];
            if (want != ANY && r != want)
                failures++, printf("mufu %d of %08x: %08x, not %08x\n", i, argument[k], r, want);
        }
        for (int k = 0; k < 5; k++)
            if (mufu_eval(table[i].fn, nans[k]) != F32_NAN)
                failures++, printf("mufu %d of the NaN %08x\n", i, nans[k]);
    }
}

/* ---- f32: IEEE 754 with subnormals, rounded once -------------------------------------------- */

static const mpfr_rnd_t rounding[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU};
static const char *const op_names[] = {
    "add", "mul", "fma", "rint", "from_s32", "from_u32", "from_s64", "from_u64", "to_half",
    "to_s32", "to_u32", "to_s64", "to_u64"};
enum { DO_ADD, DO_MUL, DO_FMA, DO_RINT, FROM_S32, FROM_U32, FROM_S64, FROM_U64, TO_HALF, TO_INT,
       OPERATIONS = TO_INT + 4 };

/* As the MPFR manual emulates a format: its precision, its exponents, and subnormalize. */
static u64 float_result(int op, u32 a, u32 b, u32 c, mpfr_rnd_t rm)
{
    bool half = op == TO_HALF;
    int t, prec = half ? 11 : 24;
    mpfr_t x, y, z, r;
    u64 wide = (u64)a << 32 | b;
    mpfr_inits2(24, x, y, z, NULL), mpfr_init2(r, prec);
    mpfr_set_flt(x, as_float(a), MPFR_RNDN), mpfr_set_flt(y, as_float(b), MPFR_RNDN);
    mpfr_set_flt(z, as_float(c), MPFR_RNDN);
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    if (!half)
        mpfr_set_emin(-148), mpfr_set_emax(128);
    switch (op) {
    case DO_ADD: t = mpfr_add(r, x, y, rm); break;
    case DO_MUL: t = mpfr_mul(r, x, y, rm); break;
    case DO_FMA: t = mpfr_fma(r, x, y, z, rm); break;
    case DO_RINT: t = mpfr_rint(r, x, rm); break;
    case FROM_S32: t = mpfr_set_si(r, (s32)a, rm); break;
    case FROM_U32: t = mpfr_set_ui(r, a, rm); break;
    case FROM_S64: t = mpfr_set_si(r, (s64)wide, rm); break;
    case FROM_U64: t = mpfr_set_ui(r, wide, rm); break;
    default: t = mpfr_set(r, x, rm); break;
    }
    if (half) {
        mpfr_set_emin(-23), mpfr_set_emax(16);
        t = mpfr_check_range(r, t, rm);
    }
    mpfr_subnormalize(r, t, rm);
    mpfr_set_emin(emin), mpfr_set_emax(emax);
    float f = mpfr_get_flt(r, MPFR_RNDN);
    bool nan = mpfr_nan_p(r);
    mpfr_clears(x, y, z, r, NULL);
    if (!half)
        return nan ? F32_NAN : as_bits(f);
    _Float16 h = (_Float16)f;           /* exact */
    uint16_t bits;
    memcpy(&bits, &h, 2);
    return nan ? 0x7fff : bits;
}

/* Saturating; NaN gives 0, or in 64 bits the most negative number, as PTX and an H200 have it. */
static u64 int_result(int to, u32 a, mpfr_rnd_t rm)
{
    static const struct { s64 least; u64 most, nan; } type[] = {
        {INT32_MIN, INT32_MAX, 0}, {0, UINT32_MAX, 0},
        {INT64_MIN, INT64_MAX, 1ull << 63}, {0, UINT64_MAX, 1ull << 63}};
    mpfr_t r;
    mpfr_init2(r, 24);
    mpfr_set_flt(r, as_float(a), MPFR_RNDN);
    mpfr_rint(r, r, rm);
    u64 v = mpfr_nan_p(r) ? type[to].nan : mpfr_cmp_si(r, type[to].least) < 0 ? (u64)type[to].least
          : mpfr_cmp_ui(r, type[to].most) > 0 ? type[to].most
          : mpfr_sgn(r) < 0 ? (u64)mpfr_get_si(r, MPFR_RNDN) : mpfr_get_ui(r, MPFR_RNDN);
    mpfr_clear(r);
    return to < 2 ? (u32)v : v;
}

struct mods { unsigned rm; bool ftz, sat; };

static u64 machine(int op, u32 a, u32 b, u32 c, struct mods m)
{
    u64 wide = (u64)a << 32 | b;
    switch (op) {
    case DO_ADD: return fp_add(a, b, m.rm, m.ftz, m.sat);
    case DO_MUL: return fp_mul(a, b, m.rm, m.ftz, m.sat);
    case DO_FMA: return fp_fma(a, b, c, m.rm, m.ftz, m.sat);
    case DO_RINT: return fp_rint(a, m.rm, m.ftz);
    case FROM_S32: return fp_from_s32(a, m.rm);
    case FROM_U32: return fp_from_u32(a, m.rm);
    case FROM_S64: return fp_from_s64(wide, m.rm);
    case FROM_U64: return fp_from_u64(wide, m.rm);
    case TO_HALF: return fp_to_half(a, m.rm, m.ftz);
    case TO_INT: return fp_to_s32(a, m.rm, m.ftz);
    case TO_INT + 1: return fp_to_u32(a, m.rm, m.ftz);
    case TO_INT + 2: return fp_to_s64(a, m.rm, m.ftz);
    default: return fp_to_u64(a, m.rm, m.ftz);
    }
}

static u32 flush(u32 a) { return a & F32_INF ? a : a & F32_SIGN; }

/* FTZ: subnormal operands and results are zeros of their sign; a result is judged before it is
 * rounded (an H200: mul.rn.ftz of 80800000 and 3f7fffff).  SAT: to [0, 1], NaN to +0. */
static u64 expected(int op, u32 a, u32 b, u32 c, struct mods m)
{
    bool from_int = op >= FROM_S32 && op <= FROM_U64;
    if (m.ftz && !from_int)
        a = flush(a), b = flush(b), c = flush(c);
    if (op >= TO_INT)
        return int_result(op - TO_INT, a, rounding[m.rm]);
    u32 d = (u32)float_result(op, a, b, c, rounding[m.rm]);
    if (m.ftz && op <= DO_FMA && !(float_result(op, a, b, c, MPFR_RNDZ) & F32_INF))
        d &= F32_SIGN;
    if (m.sat && op <= DO_FMA)
        d = d > F32_INF ? 0 : d > F32_ONE ? F32_ONE : d;      /* negative and NaN are above +inf */
    return d;
}

static void f32_rounding(int cases)
{
    u64 seed = 1;
    for (int op = 0; op < OPERATIONS; op++) {
        long wrong = 0;
        for (int i = 0; i < cases; i++) {
            u32 a = random_f32(&seed), b = random_f32(&seed), c = random_f32(&seed);
            struct mods m = {(unsigned)i & 3, i >> 2 & 1, i >> 3 & 1};
            if (i % 3 == 0)                                     /* cancellation */
                c = as_bits(-as_float(a) * as_float(b)) ^ (i / 3 & 1);
            u64 got = machine(op, a, b, c, m), want = expected(op, a, b, c, m);
            if (got != want && !wrong++)
                printf("f32 %s, rounding %u, FTZ %d, SAT %d (%08x %08x %08x): %llx, MPFR %llx\n",
                       op_names[op], m.rm, m.ftz, m.sat, a, b, c, (unsigned long long)got,
                       (unsigned long long)want);
        }
        printf("f32 %-8s %d cases, %ld differ from MPFR\n", op_names[op], cases, wrong);
        failures += wrong != 0;
    }
}

/* Every f16: sign, 5 bits of exponent, 10 of fraction. */
static void half_values(void)
{
    int wrong = 0;
    for (u32 h = 0; h < 0x10000; h++) {
        int e = h >> 10 & 31;
        double m = e ? 1024 + (h & 1023) : h & 1023, v = ldexp(m, (e ? e : 1) - 25);
        u32 sign = (h & 0x8000) << 16, want = as_bits((float)v) | sign;
        if (e == 31)
            want = h & 1023 ? F32_NAN : F32_INF | sign;
        wrong += fp_from_half(h) != want;
    }
    printf("f32 from_half 65536 values, %d wrong\n", wrong);
    failures += wrong != 0;
}

int main(int argc, char **argv)
{
    long step = argc > 1 ? atol(argv[1]) : 16381;
    if (step < 1 || argc > 2)
        return fputs("usage: test_mpfr [STEP]\n", stderr), 2;
    mufu_specials();
    mufu_errors((u32)step);
    judge_mufu();
    f32_rounding(60000);
    half_values();
    printf("mpfr %s: %d of these lines failed\n", mpfr_get_version(), failures);
    return failures ? 1 : 0;
}
