/* The library's mathematics against MPFR: the same source that kernels call, compiled for the host,
 * whose f64 is the library's own (test_f64.c).
 * SPDX-License-Identifier: Apache-2.0
 *
 *   test_math [CASES]     arguments of each function: dense where it is used most, random bits, and
 *                         corners
 *
 * A function fails above the error that CUDA documents, or above what was measured. */
#include "cmodel/fp/fp32.h"
#include "random_f32.h"
#include "tests/kernels/host/host_math.h"
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

static double rsqrt_of(double x)                     /* the library's is the nearest (test_f64.c) */
{
    mpfr_t t;
    mpfr_init2(t, 53);
    mpfr_set_d(t, x, MPFR_RNDN), mpfr_rec_sqrt(t, t, MPFR_RNDN);
    double r = mpfr_get_d(t, MPFR_RNDN);
    mpfr_clear(t);
    return r;
}
#include "compiler/softlib/pi.cuh"
#include "compiler/softlib/math.cuh"
#include "compiler/softlib/special.cuh"

typedef int mpfr_one(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int mpfr_two(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
static int sinpi(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_sinu(r, x, 2, m); }
static int cospi(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_cosu(r, x, 2, m); }

/* e^(x^2) erfc(x): x^2 is exact; far out by the first terms of its series. */
static int erfcx(mpfr_ptr r, mpfr_srcptr v, mpfr_rnd_t m)
{
    mpfr_t t;
    mpfr_init2(t, mpfr_get_prec(r));
    if (mpfr_cmp_ui(v, 20000) > 0) {                 /* (1 - 1 / 2 x^2) / (x sqrt(pi)), to 2^-58 */
        mpfr_sqr(t, v, m), mpfr_ui_div(t, 1, t, m), mpfr_div_ui(t, t, 2, m),
            mpfr_ui_sub(r, 1, t, m);
        mpfr_const_pi(t, m), mpfr_sqrt(t, t, m), mpfr_mul(t, t, v, m), mpfr_div(r, r, t, m);
    } else {
        mpfr_sqr(t, v, m), mpfr_exp(t, t, m), mpfr_erfc(r, v, m), mpfr_mul(r, r, t, m);
    }
    mpfr_clear(t);
    return 0;
}
static int normcdf(mpfr_ptr r, mpfr_srcptr v, mpfr_rnd_t m)
{
    mpfr_t t;
    mpfr_init2(t, mpfr_get_prec(r));
    mpfr_sqrt_ui(t, 2, m), mpfr_div(t, v, t, m), mpfr_neg(t, t, m), mpfr_erfc(r, t, m),
        mpfr_div_ui(r, r, 2, m);
    mpfr_clear(t);
    return 0;
}

static double sincos_s(double x) { double s, c; __nv_sincos(x, &s, &c); return s; }
static double sincos_c(double x) { double s, c; __nv_sincos(x, &s, &c); return c; }

static int rcbrt_exact(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    mpfr_cbrt(r, x, m);
    return mpfr_ui_div(r, 1, r, m);
}

/* Lengths of (x, y, x, y / 2), and the inverse of that; infinities go first. */
static int length_exact(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr v, mpfr_rnd_t m)
{
    mpfr_t h;
    mpfr_init2(h, mpfr_get_prec(r));
    mpfr_div_ui(h, v, 2, m), mpfr_hypot(h, h, v, m), mpfr_hypot(h, h, x, m), mpfr_hypot(r, h, x, m);
    mpfr_clear(h);
    return 0;
}
static int inverse_length_exact(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr v, mpfr_rnd_t m)
{
    length_exact(r, x, v, m);
    return mpfr_ui_div(r, 1, r, m);
}
static int rhypot_exact(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr v, mpfr_rnd_t m)
{
    mpfr_hypot(r, x, v, m);
    return mpfr_ui_div(r, 1, r, m);
}
static double norm4(double x, double y) { return __nv_norm4d(x, y, x, y / 2); }
static double rnorm4(double x, double y) { return __nv_rnorm4d(x, y, x, y / 2); }
static double norm_of(double x, double y) { return __nv_norm(4, (double[]){ x, y, x, y / 2 }); }
static double norm3(double x, double y) { return __nv_norm3d(x, y, 0); }
static double rnorm3(double x, double y) { return __nv_rnorm3d(x, y, 0); }

/* The remainder, where the quotient's bits are those of the host's. */
static double remquo_of(double x, double y)
{
    int q = 0, want = 0;
    double r = __nv_remquo(x, y, &q);
    remquo(x, y, &want);
    return isfinite(r) && isfinite(y) && (q - want) % 8 ? NAN : r;
}
static int next_exact(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr v, mpfr_rnd_t m)
{
    return mpfr_set_d(r, nextafter(mpfr_get_d(x, m), mpfr_get_d(v, m)), m);
}

/* erfc's inverse: what the library says, and two of Newton's steps from there. */
static int erfcinv_from(mpfr_ptr r, double start, mpfr_srcptr c, bool erf, mpfr_rnd_t m)
{
    if (!isfinite(start) || start == 0) return mpfr_set_d(r, start, m);
    mpfr_t f, e;
    mpfr_inits2(mpfr_get_prec(r), f, e, NULL);
    mpfr_set_d(r, start, m);
    for (int n = 0; n < 2; n++) {
        erf ? mpfr_erf(f, r, m) : mpfr_erfc(f, r, m);
        erf ? mpfr_sub(f, c, f, m) : mpfr_sub(f, f, c, m);
        mpfr_sqr(e, r, m), mpfr_exp(e, e, m), mpfr_mul(f, f, e, m);
        mpfr_const_pi(e, m), mpfr_sqrt(e, e, m), mpfr_div_ui(e, e, 2, m), mpfr_mul(f, f, e, m);
        mpfr_add(r, r, f, m);
    }
    mpfr_clears(f, e, NULL);
    return 0;
}
static int erfinv_exact(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    return erfcinv_from(r, __nv_erfinv(mpfr_get_d(x, m)), x, true, m);
}
static int erfcinv_exact(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    return erfcinv_from(r, __nv_erfcinv(mpfr_get_d(x, m)), x, false, m);
}
static int normcdfinv_exact(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    mpfr_t c;
    mpfr_init2(c, mpfr_get_prec(r));
    mpfr_mul_ui(c, x, 2, m);
    erfcinv_from(r, __nv_erfcinv(mpfr_get_d(c, m)), c, false, m);
    mpfr_sqrt_ui(c, 2, m), mpfr_mul(r, r, c, m), mpfr_neg(r, r, m);
    if (mpfr_zero_p(r)) mpfr_set_zero(r, 1);
    mpfr_clear(c);
    return 0;
}

/* Arguments mostly in [from, to]; errors in units of the last place: CUDA's, and measured with a
 * million. */
static const struct function {
    const char *name;
    double (*f)(double); mpfr_one *exact;
    double (*f2)(double, double); mpfr_two *exact2;
    double from, to, cuda, measured;
} functions[] = {
    { "exp", __nv_exp, mpfr_exp, NULL, NULL, -745, 710, 1, 1 },
    { "exp2", __nv_exp2, mpfr_exp2, NULL, NULL, -1075, 1024, 1, 1 },
    { "exp10", __nv_exp10, mpfr_exp10, NULL, NULL, -324, 309, 1, 1 },
    { "expm1", __nv_expm1, mpfr_expm1, NULL, NULL, -3, 3, 1, 0.7 },
    { "log", __nv_log, mpfr_log, NULL, NULL, 0, 3, 1, 0.6 },
    { "log2", __nv_log2, mpfr_log2, NULL, NULL, 0, 3, 1, 0.6 },
    { "log10", __nv_log10, mpfr_log10, NULL, NULL, 0, 3, 1, 0.6 },
    { "log1p", __nv_log1p, mpfr_log1p, NULL, NULL, -1, 1, 1, 0.6 },
    { "sinh", __nv_sinh, mpfr_sinh, NULL, NULL, -4, 4, 2, 2 },
    { "cosh", __nv_cosh, mpfr_cosh, NULL, NULL, -4, 4, 2, 1.5 },
    { "tanh", __nv_tanh, mpfr_tanh, NULL, NULL, -3, 3, 2, 2 },
    { "asinh", __nv_asinh, mpfr_asinh, NULL, NULL, -4, 4, 3, 2 },
    { "acosh", __nv_acosh, mpfr_acosh, NULL, NULL, 1, 4, 3, 2 },
    { "atanh", __nv_atanh, mpfr_atanh, NULL, NULL, -1, 1, 2, 1 },
    { "sin", __nv_sin, mpfr_sin, NULL, NULL, -10, 10, 2, 1 },
    { "cos", __nv_cos, mpfr_cos, NULL, NULL, -10, 10, 2, 1 },
    { "sincos: sin", sincos_s, mpfr_sin, NULL, NULL, -1e6, 1e6, 2, 1 },
    { "sincos: cos", sincos_c, mpfr_cos, NULL, NULL, -1e6, 1e6, 2, 1 },
    { "tan", __nv_tan, mpfr_tan, NULL, NULL, -10, 10, 2, 1 },
    { "sinpi", __nv_sinpi, sinpi, NULL, NULL, -4, 4, 2, 1 },
    { "cospi", __nv_cospi, cospi, NULL, NULL, -4, 4, 2, 1 },
    { "atan", __nv_atan, mpfr_atan, NULL, NULL, -6, 6, 2, 1 },
    { "asin", __nv_asin, mpfr_asin, NULL, NULL, -1, 1, 2, 1.2 },
    { "acos", __nv_acos, mpfr_acos, NULL, NULL, -1, 1, 2, 1.2 },
    { "cbrt", __nv_cbrt, mpfr_cbrt, NULL, NULL, -8, 8, 1, 0.6 },
    { "rcbrt", __nv_rcbrt, rcbrt_exact, NULL, NULL, -8, 8, 1, 0.6 },
    { "erfinv", __nv_erfinv, erfinv_exact, NULL, NULL, -1, 1, 5, 3 },
    { "erfcinv", __nv_erfcinv, erfcinv_exact, NULL, NULL, 0, 2, 6, 3 },
    { "normcdfinv", __nv_normcdfinv, normcdfinv_exact, NULL, NULL, 0, 1, 8, 3 },
    { "rsqrt", __nv_rsqrt, mpfr_rec_sqrt, NULL, NULL, 0, 8, 1, 0.5 },
    { "erf", __nv_erf, mpfr_erf, NULL, NULL, -3, 3, 2, 1.5 },
    { "erfc", __nv_erfc, mpfr_erfc, NULL, NULL, -6, 28, 5, 4 },
    { "erfcx", __nv_erfcx, erfcx, NULL, NULL, -27, 40, 4, 4 },
    { "normcdf", __nv_normcdf, normcdf, NULL, NULL, -39, 9, 5, 5 },
    { "pow", NULL, NULL, __nv_pow, mpfr_pow, 0, 30, 2, 1 },
    { "atan2", NULL, NULL, __nv_atan2, mpfr_atan2, -8, 8, 2, 2 },
    { "hypot", NULL, NULL, __nv_hypot, mpfr_hypot, -8, 8, 2, 1 },
    { "rhypot", NULL, NULL, __nv_rhypot, rhypot_exact, -8, 8, 1, 1 },
    { "norm3d", NULL, NULL, norm3, mpfr_hypot, -8, 8, 1, 1 },
    { "rnorm3d", NULL, NULL, rnorm3, rhypot_exact, -8, 8, 1, 1 },
    { "norm4d", NULL, NULL, norm4, length_exact, -8, 8, 1, 1 },
    { "rnorm4d", NULL, NULL, rnorm4, inverse_length_exact, -8, 8, 1, 1 },
    { "norm", NULL, NULL, norm_of, length_exact, -8, 8, 1, 1 },
    { "remquo", NULL, NULL, remquo_of, mpfr_remainder, -80, 80, 0, 0 },
    { "nextafter", NULL, NULL, __nv_nextafter, next_exact, -8, 8, 0, 0 },
    { "fmod", NULL, NULL, __nv_fmod, mpfr_fmod, -80, 80, 0, 0 },
    { "remainder", NULL, NULL, __nv_remainder, mpfr_remainder, -80, 80, 0, 0 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, BITS = 130 };

static double argument(u64 *s, const struct function *f)
{
    static const double corner[] = { 0,
                                     1,
                                     -1,
                                     0.5,
                                     2,
                                     3,
                                     -2,
                                     1e-300,
                                     5e-324,
                                     2.2250738585072014e-308,
                                     1.7976931348623157e308,
                                     INFINITY,
                                     0x1p-27,
                                     0x1p-54,
                                     0x1p53,
                                     709.78,
                                     710.4,
                                     -745.1,
                                     0.25,
                                     0.75,
                                     1.4,
                                     4,
                                     22,
                                     0.0625,
                                     M_PI,
                                     M_PI_2,
                                     0x1.6ac5b262ca1ffp+849,
                                     6381956970095103 * 0x1p797,
                                     0x1.fffffffffffffp-1,
                                     0x1.0000000000001p0,
                                     1e22 };
    u64 x = random_next(s), r = random_next(s);
    switch (r & 7) {
    case 0:
        return from_bits(to_bits(corner[x % (sizeof corner / sizeof *corner)]) ^
                         (r << 40 & 1ull << 63));
    case 1: return from_bits(x);
    /* 2^-15 to 2^16 */
    case 2: return from_bits((x & 0x800fffffffffffff) | (0x3f0 + (r >> 8 & 31)) << 52);
    /* near one */
    case 3: return from_bits((x & 0x800fffffffffffff) | (0x3fe + (r >> 8 & 1)) << 52);
    default: return f->from + (f->to - f->from) * (double)(x >> 11) * 0x1p-53;
    }
}

static mpfr_t x, y, exact, got;

/* In units of the last place of a result that an f64 has; 1e9: another kind of number. */
static double error_of(double r)
{
    static const double most = 1.7976931348623157e308;
    if (mpfr_nan_p(exact)) return isnan(r) ? 0 : 1e9;
    if (mpfr_inf_p(exact)) return isinf(r) && signbit(r) == mpfr_signbit(exact) ? 0 : 1e9;
    double near = mpfr_get_d(exact, MPFR_RNDN);
    if (isinf(near) || isinf(r))
        return near == r || (isinf(near) ? fabs(r) == most : fabs(near) == most) ? 0 : 1e9;
    if (near == 0 || r == 0) {
        bool zero = mpfr_zero_p(exact);
        if (zero) return r == 0 && signbit(r) == mpfr_signbit(exact) ? 0 : 1e9;
    }
    if (isnan(r)) return 1e9;
    mpfr_exp_t e = mpfr_get_exp(exact);
    mpfr_set_d(got, r, MPFR_RNDN);
    mpfr_sub(got, got, exact, MPFR_RNDN);
    mpfr_mul_2si(got, got, 53 - (e < -1021 ? -1021 : e), MPFR_RNDN);
    return fabs(mpfr_get_d(got, MPFR_RNDA));
}

static int run(const struct function *f, long cases)
{
    u64 seed = 7 + (u64)(f - functions);
    double worst = 0, at = 0, at2 = 0;
    for (long i = 0; i < cases; i++) {
        double a = argument(&seed, f), b = argument(&seed, f), r;
        mpfr_set_d(x, a, MPFR_RNDN), mpfr_set_d(y, b, MPFR_RNDN);
        if (f->f) r = f->f(a), f->exact(exact, x, MPFR_RNDN);
        else r = f->f2(a, b), f->exact2(exact, x, y, MPFR_RNDN);
        double err = error_of(r);
        if (err > worst) worst = err, at = a, at2 = b;
    }
    bool bad = worst > f->cuda || worst > f->measured || !cases;
    printf("math %-12s %ld arguments, worst error %.3f ulp at %.17g", f->name, cases, worst, at);
    if (f->f2) printf(", %.17g", at2);
    printf("; measured %g, CUDA's %g%s\n", f->measured, f->cuda, bad ? "  EXCEEDED" : "");
    return bad;
}

int main(int argc, char **argv)
{
    long cases = argc > 1 ? atol(argv[1]) : 4000;
    int failures = 0;
    if (cases < 1 || argc > 2) return fputs("usage: test_math [CASES]\n", stderr), 2;
    mpfr_inits2(53, x, y, NULL), mpfr_inits2(BITS, exact, got, NULL);
    for (int k = 0; k < FUNCTIONS; k++) failures += run(&functions[k], cases);
    printf("math: %d of %d functions failed\n", failures, FUNCTIONS);
    mpfr_clears(x, y, exact, got, NULL);
    return failures ? 1 : 0;
}
