/* The library's gamma and Bessel functions against MPFR: the same source that kernels call,
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
#include "compiler/softlib/bessel_terms.cuh"
#include "compiler/softlib/gamma.cuh"
#include "compiler/softlib/bessel.cuh"

static int lgamma_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    int sign;
    return mpfr_lgamma(r, &sign, x, m);
}
static double j_at(long n, double x) { return __nv_jn((s32)n, x); }
static double y_at(long n, double x) { return __nv_yn((s32)n, x); }
static double jf_at(long n, double x) { return (double)__nv_jnf((s32)n, (float)x); }
static double yf_at(long n, double x) { return (double)__nv_ynf((s32)n, (float)x); }
#define F32(NAME) static double NAME##_at(double x) { return (double)__nv_##NAME((float)x); }
F32(tgammaf) F32(lgammaf) F32(j0f) F32(j1f) F32(y0f) F32(y1f)
F32(cyl_bessel_i0f) F32(cyl_bessel_i1f)
#undef F32

/* The modified function, by its series: all terms have one sign. */
static int bessel_i(mpfr_ptr r, long order, mpfr_srcptr x, mpfr_rnd_t m)
{
    if (mpfr_inf_p(x) || mpfr_nan_p(x) || mpfr_cmpabs_ui(x, 800) > 0) {
        if (mpfr_nan_p(x)) return mpfr_set(r, x, m);
        mpfr_set_inf(r, order && mpfr_signbit(x) ? -1 : 1);
        return 0;
    }
    mpfr_t z, t;
    mpfr_inits2(mpfr_get_prec(r), z, t, NULL);
    mpfr_sqr(z, x, m), mpfr_div_ui(z, z, 4, m), mpfr_set_ui(t, 1, m);
    if (order) mpfr_div_ui(t, x, 2, m);
    mpfr_set(r, t, m);
    for (unsigned long k = 1; k < 2000 && !mpfr_zero_p(t) &&
                              (k < 9 || mpfr_get_exp(t) > mpfr_get_exp(r) - 170); k++) {
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

/* Errors in units of the last place, CUDA's and measured with 50,000; from `far' on CUDA's is
 * `astray' instead, between `bottom' and `top', where log gamma has zeros, it has none.  Orders of
 * jn and yn are below `orders'. */
static const struct function {
    const char *name;
    double (*f)(double); mpfr_one *exact;
    double (*fn)(long, double); mpfr_order *exact_n;
    double from, to, far;
    double cuda, measured;
    unsigned orders;
    double bottom, top;
} functions[] = {
    { "tgammaf", tgammaf_at, mpfr_gamma, NULL, NULL, -43, 36, 0, 5, 0.51, 0, 0, 0 },
    { "lgammaf", lgammaf_at, lgamma_of, NULL, NULL, -14, 14, 0, 6, 0.51, 0, 0, 0 },
    { "j0f", j0f_at, mpfr_j0, NULL, NULL, -24, 24, 8, 9, 0.51, 0, 0, 0 },
    { "j1f", j1f_at, mpfr_j1, NULL, NULL, -24, 24, 8, 9, 0.51, 0, 0, 0 },
    { "y0f", y0f_at, mpfr_y0, NULL, NULL, 0, 24, 8, 9, 0.51, 0, 0, 0 },
    { "y1f", y1f_at, mpfr_y1, NULL, NULL, 0, 24, 8, 9, 0.51, 0, 0, 0 },
    { "jnf", NULL, NULL, jf_at, mpfr_jn, -160, 160, 1e-30, 9, 0.51, 129, 0, 0 },
    { "ynf", NULL, NULL, yf_at, mpfr_yn, 0, 160, 1e-30, 9, 0.51, 129, 0, 0 },
    { "cyl_bessel_i0f", cyl_bessel_i0f_at, i0, NULL, NULL, -92, 92, 0, 6, 0.51, 0, 0, 0 },
    { "cyl_bessel_i1f", cyl_bessel_i1f_at, i1, NULL, NULL, -92, 92, 0, 6, 0.51, 0, 0, 0 },
    { "tgamma", __nv_tgamma, mpfr_gamma, NULL, NULL, -184, 173, 0, 10, 3.5, 0, 0, 0 },
    { "lgamma", __nv_lgamma, lgamma_of, NULL, NULL, -30, 14, 0, 4, 3, 0, -23.0001, -2.2637 },
    { "j0", __nv_j0, mpfr_j0, NULL, NULL, -24, 24, 8, 7, 3, 0, 0, 0 },
    { "j1", __nv_j1, mpfr_j1, NULL, NULL, -24, 24, 8, 7, 3, 0, 0, 0 },
    { "y0", __nv_y0, mpfr_y0, NULL, NULL, 0, 24, 8, 7, 3, 0, 0, 0 },
    { "y1", __nv_y1, mpfr_y1, NULL, NULL, 0, 24, 8, 7, 3, 0, 0, 0 },
    { "jn", NULL, NULL, j_at, mpfr_jn, -160, 160, 1e-300, 7, 1, 129, 0, 0 },
    { "yn", NULL, NULL, y_at, mpfr_yn, 0, 160, 1e-300, 7, 1, 129, 0, 0 },
    { "cyl_bessel_i0", __nv_cyl_bessel_i0, i0, NULL, NULL, -720, 720, 0, 6, 4, 0, 0, 0 },
    { "cyl_bessel_i1", __nv_cyl_bessel_i1, i1, NULL, NULL, -720, 720, 0, 6, 3.5, 0, 0, 0 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, BITS = 160 };
static bool is_f32(const struct function *f) { return f->name[strlen(f->name) - 1] == 'f'; }

static double argument(u64 *s, const struct function *f)
{
    static const double corner[] = {
        0, 1, 2, 3, 1e-45, 1.2e-38, 3.4028235e38, INFINITY, 0.5, 8, 10, 24, 34, 35.04, 35.05, 42,
        90, 91.9, 92, 100, 4e36, 4.1e36, 1e10, 5e-324, 2.3e-308, 1.7976931348623157e308, 1.25,
        171.6243769563027, 184, 2.5563481638716906e305, 713.9, 1e-8, 1.5, 2.5, 5,
        /* zeros of J0, J1, Y0, Y1, and of log gamma */
        2.404825557695773, 5.520078110286311, 8.653727912911012, 3.831705970207512,
        7.015586669815619, 0.8935769662791675, 3.957678419314858, 7.086051060301773,
        2.197141326031017, 5.429681040794135, 8.596005868331169, 2.457024738220797,
        2.747682646727412, 3.143580888349980, 3.955294284858597 };
    u64 x = random_next(s), r = random_next(s);
    u32 w = (u32)x;
    double v = from_bits(x);
    float narrow;
    memcpy(&narrow, &w, 4);
    switch (r & 3) {
    case 0:
        v = corner[x % (sizeof corner / sizeof *corner)];
        narrow = (float)v;
        memcpy(&w, &narrow, 4);
        w += (u32)(r >> 8 & 7) - 3;                  /* neighbours */
        w ^= (u32)(r >> 12) << 31;
        memcpy(&narrow, &w, 4);
        v = from_bits((to_bits(v) + (r >> 8 & 7) - 3) ^ r >> 12 << 63);
        break;
    case 1: break;
    default:
        v = f->from + (f->to - f->from) * ((double)(x >> 11) * 0x1p-53);
        narrow = (float)v;
    }
    if (is_f32(f)) v = (double)narrow;
    /* MPFR takes long for large ones, jn as many steps as its order says */
    return f->far && fabs(v) > 1e6 && isfinite(v) ? (double)(x >> 40) * 0x1p-4 : v;
}

static mpfr_t x, exact, got;

/* In units of the last place of such a result in f32 or f64; infinite: another kind of number. */
static double error_of(double r, bool absolute, bool f32)
{
    if (mpfr_nan_p(exact)) return isnan(r) ? 0 : INFINITY;
    double near = f32 ? (double)mpfr_get_flt(exact, MPFR_RNDN) : mpfr_get_d(exact, MPFR_RNDN);
    double most = f32 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
    if (isnan(r)) return INFINITY;
    if (isinf(near) || isinf(r)) {
        bool edge = fabs(near) == most || fabs(r) == most;
        return near == r || (edge && signbit(near) == signbit(r)) ? 0 : INFINITY;
    }
    if (mpfr_zero_p(exact)) return r == 0 ? 0 : INFINITY;
    mpfr_exp_t e = mpfr_get_exp(exact), least = f32 ? -125 : -1021;
    mpfr_set_d(got, r, MPFR_RNDN);
    mpfr_sub(got, got, exact, MPFR_RNDN);
    if (!absolute) mpfr_mul_2si(got, got, (f32 ? 24 : 53) - (e < least ? least : e), MPFR_RNDN);
    return fabs(mpfr_get_d(got, MPFR_RNDA));
}

static int run(const struct function *f, long cases)
{
    u64 seed = 7 + (u64)(f - functions);
    double worst = 0, at = 0, astray = 0;
    bool f32 = is_f32(f);
    const double allowed = f32 ? 2.2e-6 : 5e-12;
    long order = 0;
    for (long i = 0; i < cases; i++) {
        double a = argument(&seed, f);
        long n = f->orders ? (long)(random_next(&seed) % f->orders) : 0;
        mpfr_set_d(x, a, MPFR_RNDN);
        if (f->f) f->exact(exact, x, MPFR_RNDN);
        else f->exact_n(exact, n, x, MPFR_RNDN);
        double r = f->f ? f->f(a) : f->fn(n, a);
        double err = error_of(r, false, f32);
        bool beside = a > f->bottom && a < f->top;
        if (((f->far && fabs(a) >= f->far) || beside) && err < INFINITY) {
            double away = error_of(r, true, f32);
            /* yn below its order, of which CUDA says nothing: a recurrence of that many steps */
            bool large = !mpfr_zero_p(exact) && mpfr_get_exp(exact) > 0;
            if (large && f->far) away = err > (f32 ? f->cuda : 2 * f->orders) ? 1 : 0;
            if (away > astray) astray = away;
            continue;
        }
        if (err > worst) worst = err, at = a, order = n;
    }
    bool bad = worst > f->cuda || worst > f->measured || astray > allowed || !cases;
    printf("bessel %-15s %ld arguments, worst error %.3f ulp at %.17g", f->name, cases, worst, at);
    if (f->orders) printf(", order %ld", order);
    printf("; measured %g, CUDA's %g", f->measured, f->cuda);
    if (f->far) printf("; from %g on worst %.3g, CUDA's %g", f->far, astray, allowed);
    if (f->top < 0) printf("; between %g and %g %.3g", f->bottom, f->top, astray);
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
