/* The library's gamma and Bessel functions of f32 against MPFR: the same source that kernels call,
 * compiled for the host.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   test_bessel [CASES]   arguments of each function: where it is used most, random bits, corners,
 *                         and beside its zeros
 *
 * A function fails above the error that CUDA documents, or above what was measured. */
#include "cmodel/fp/fp32.h"
#include "random_f32.h"
#include "tests/kernels/host/host_math.h"
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

INLINE double rsqrt_of(double x) { return 1 / sqrt(x); }   /* not used here */
#include "compiler/softlib/pi.cuh"
#include "compiler/softlib/math.cuh"
#include "compiler/softlib/bessel.cuh"

static int lgamma_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    int sign;
    return mpfr_lgamma(r, &sign, x, m);
}
static float j_at(long n, float x) { return __nv_jnf((s32)n, x); }
static float y_at(long n, float x) { return __nv_ynf((s32)n, x); }

/* The modified function, by its series: all terms have one sign. */
static int bessel_i(mpfr_ptr r, long order, mpfr_srcptr x, mpfr_rnd_t m)
{
    if (mpfr_inf_p(x) || mpfr_nan_p(x) || mpfr_cmpabs_ui(x, 100) > 0) {
        if (mpfr_nan_p(x)) return mpfr_set(r, x, m);
        mpfr_set_inf(r, order && mpfr_signbit(x) ? -1 : 1);
        return 0;
    }
    mpfr_t z, t;
    mpfr_inits2(mpfr_get_prec(r), z, t, NULL);
    mpfr_sqr(z, x, m), mpfr_div_ui(z, z, 4, m), mpfr_set_ui(t, 1, m);
    if (order) mpfr_div_ui(t, x, 2, m);
    mpfr_set(r, t, m);
    for (unsigned long k = 1; k < 400; k++) {
        mpfr_mul(t, t, z, m), mpfr_div_ui(t, t, k * (k + (unsigned long)order), m);
        mpfr_add(r, r, t, m);
    }
    mpfr_clears(z, t, NULL);
    return 0;
}
static int i0(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m) { return bessel_i(r, 0, x, m); }
static int i1(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m) { return bessel_i(r, 1, x, m); }

typedef int mpfr_one(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int mpfr_order(mpfr_ptr, long, mpfr_srcptr, mpfr_rnd_t);

/* Errors in units of the last place, CUDA's and measured with a million; where `far' is not 0,
 * CUDA's from there on is 2.2e-6 instead.  Orders of jn and yn are below `orders'. */
static const struct function {
    const char *name;
    float (*f)(float); mpfr_one *exact;
    float (*fn)(long, float); mpfr_order *exact_n;
    float from, to, far;
    double cuda, measured;
    unsigned orders;
} functions[] = {
    { "tgammaf", __nv_tgammaf, mpfr_gamma, NULL, NULL, -43, 36, 0, 5, 0.51, 0 },
    { "lgammaf", __nv_lgammaf, lgamma_of, NULL, NULL, -14, 14, 0, 6, 2, 0 },
    { "j0f", __nv_j0f, mpfr_j0, NULL, NULL, -24, 24, 8, 9, 0.51, 0 },
    { "j1f", __nv_j1f, mpfr_j1, NULL, NULL, -24, 24, 8, 9, 0.51, 0 },
    { "y0f", __nv_y0f, mpfr_y0, NULL, NULL, 0, 24, 8, 9, 0.51, 0 },
    { "y1f", __nv_y1f, mpfr_y1, NULL, NULL, 0, 24, 8, 9, 0.51, 0 },
    { "jnf", NULL, NULL, j_at, mpfr_jn, -160, 160, 1e-30f, 9, 0.51, 129 },
    { "ynf", NULL, NULL, y_at, mpfr_yn, 0, 160, 1e-30f, 9, 0.51, 129 },
    { "cyl_bessel_i0f", __nv_cyl_bessel_i0f, i0, NULL, NULL, -92, 92, 0, 6, 0.52, 0 },
    { "cyl_bessel_i1f", __nv_cyl_bessel_i1f, i1, NULL, NULL, -92, 92, 0, 6, 0.52, 0 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, BITS = 160 };

static float argument(u64 *s, const struct function *f)
{
    static const double corner[] = {
        0, 1, 2, 3, 1e-45, 1.2e-38, 3.4028235e38, INFINITY, 0.5, 8, 10, 24, 34, 35.04, 35.05, 42,
        90, 91.9, 92, 100, 4e36, 4.1e36, 1e10,
        /* zeros of J0, J1, Y0, Y1, and of log gamma */
        2.404825557695773, 5.520078110286311, 8.653727912911012, 3.831705970207512,
        7.015586669815619, 0.8935769662791675, 3.957678419314858, 7.086051060301773,
        2.197141326031017, 5.429681040794135, 8.596005868331169, 2.457024738220797,
        2.747682646727412, 3.143580888349980, 3.955294284858597 };
    u64 x = random_next(s), r = random_next(s);
    u32 w = (u32)x;
    float v;
    switch (r & 3) {
    case 0:
        v = (float)corner[x % (sizeof corner / sizeof *corner)];
        memcpy(&w, &v, 4);
        w += (u32)(r >> 8 & 7) - 3;                  /* neighbours */
        w ^= (u32)(r >> 12) << 31;
        break;
    case 1: break;
    default: return f->from + (f->to - f->from) * ((float)(x >> 40) * 0x1p-24f);
    }
    memcpy(&v, &w, 4);
    /* MPFR takes long for large ones, jn as many steps as its order says */
    return f->far && fabsf(v) > 1e6f && isfinite(v) ? 1e6f * (float)(x >> 40) * 0x1p-24f : v;
}

static mpfr_t x, exact, got;

/* In units of the last place of a result that an f32 has; 1e9: another kind of number. */
static double error_of(float r, bool absolute)
{
    if (mpfr_nan_p(exact)) return isnan(r) ? 0 : 1e9;
    float near = mpfr_get_flt(exact, MPFR_RNDN);
    if (isnan(r)) return 1e9;
    if (isinf(near) || isinf(r)) {
        bool edge = fabsf(near) == 3.4028234664e38f || fabsf(r) == 3.4028234664e38f;
        return near == r || (edge && signbit(near) == signbit(r)) ? 0 : 1e9;
    }
    if (mpfr_zero_p(exact)) return r == 0 ? 0 : 1e9;
    mpfr_exp_t e = mpfr_get_exp(exact);
    mpfr_set_d(got, (double)r, MPFR_RNDN);
    mpfr_sub(got, got, exact, MPFR_RNDN);
    if (!absolute) mpfr_mul_2si(got, got, 24 - (e < -125 ? -125 : e), MPFR_RNDN);
    return fabs(mpfr_get_d(got, MPFR_RNDA));
}

static int run(const struct function *f, long cases)
{
    u64 seed = 7 + (u64)(f - functions);
    double worst = 0, at = 0, astray = 0;
    long order = 0;
    for (long i = 0; i < cases; i++) {
        float a = argument(&seed, f);
        long n = f->orders ? (long)(random_next(&seed) % f->orders) : 0;
        mpfr_set_d(x, (double)a, MPFR_RNDN);
        if (f->f) f->exact(exact, x, MPFR_RNDN);
        else f->exact_n(exact, n, x, MPFR_RNDN);
        float r = f->f ? f->f(a) : f->fn(n, a);
        double err = error_of(r, false);
        if (f->far && fabsf(a) >= f->far && err < 1e9) {
            double away = error_of(r, true);
            /* yn below its order */
            bool large = !mpfr_zero_p(exact) && mpfr_get_exp(exact) > 0;
            if (large) away = err > f->cuda ? 1 : 0;
            if (away > astray) astray = away;
            continue;
        }
        if (err > worst) worst = err, at = (double)a, order = n;
    }
    bool bad = worst > f->cuda || worst > f->measured || astray > 2.2e-6 || !cases;
    printf("bessel %-15s %ld arguments, worst error %.3f ulp at %.9g", f->name, cases, worst, at);
    if (f->orders) printf(", order %ld", order);
    printf("; measured %g, CUDA's %g", f->measured, f->cuda);
    if (f->far) printf("; from %g on worst %.3g, CUDA's 2.2e-06", (double)f->far, astray);
    printf("%s\n", bad ? "  EXCEEDED" : "");
    return bad;
}

int main(int argc, char **argv)
{
    long cases = argc > 1 ? atol(argv[1]) : 2000;
    int failures = 0;
    if (cases < 1 || argc > 2) return fputs("usage: test_bessel [CASES]\n", stderr), 2;
    mpfr_init2(x, 53), mpfr_inits2(BITS, exact, got, NULL);
    for (int k = 0; k < FUNCTIONS; k++) failures += run(&functions[k], cases);
    printf("bessel: %d of %d functions failed\n", failures, FUNCTIONS);
    mpfr_clears(x, exact, got, NULL);
    return failures ? 1 : 0;
}
