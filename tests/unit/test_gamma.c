/* The library's gamma functions against MPFR: the same source that kernels call, compiled for
 * the host.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   test_gamma [CASES]    arguments of each function: where it is used most, random bits, corners,
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
#include "compiler/softlib/gamma_terms.cuh"
#include "compiler/softlib/gamma.cuh"

static int lgamma_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    int sign;
    return mpfr_lgamma(r, &sign, x, m);
}
#define F32(NAME) static double NAME##_at(double x) { return (double)__nv_##NAME((float)x); }
F32(tgammaf) F32(lgammaf)
#undef F32

typedef int mpfr_one(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/* Errors in units of the last place, CUDA's and measured with 50,000; between `bottom' and `top',
 * where log gamma has zeros, it is `ASTRAY', not relative. */
#define ASTRAY 5e-12
static const struct function {
    const char *name;
    double (*f)(double); mpfr_one *exact;
    double from, to;
    double cuda, measured;
    double bottom, top;
} functions[] = {
    { "tgammaf", tgammaf_at, mpfr_gamma, -43, 36, 5, 0.51, 0, 0 },
    { "lgammaf", lgammaf_at, lgamma_of, -14, 14, 6, 0.51, 0, 0 },
    { "tgamma", __nv_tgamma, mpfr_gamma, -184, 173, 10, 4, 0, 0 },
    { "lgamma", __nv_lgamma, lgamma_of, -30, 14, 4, 3, -23.0001, -2.2637 },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, BITS = 160 };
static bool is_f32(const struct function *f) { return f->name[strlen(f->name) - 1] == 'f'; }

static double argument(u64 *s, const struct function *f)
{
    static const double corner[] = {
        0, 1, 2, 3, 1e-45, 1.2e-38, 3.4028235e38, INFINITY, 0.5, 8, 10, 24, 34, 35.04, 35.05, 42,
        90, 91.9, 92, 100, 4e36, 4.1e36, 1e10, 5e-324, 2.3e-308, 1.7976931348623157e308, 1.25,
        171.6243769563027, 184, 2.5563481638716906e305, 713.9, 1e-8, 1.5, 2.5, 5,
        2.457024738220797,                           /* zeros of log gamma */
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
    return is_f32(f) ? (double)narrow : v;
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
    const bool f32 = is_f32(f);
    for (long i = 0; i < cases; i++) {
        double a = argument(&seed, f), r = f->f(a);
        mpfr_set_d(x, a, MPFR_RNDN);
        f->exact(exact, x, MPFR_RNDN);
        double err = error_of(r, false, f32);
        if (a > f->bottom && a < f->top && err < INFINITY) {
            double away = error_of(r, true, f32);
            if (away > astray) astray = away;
        } else if (err > worst) worst = err, at = a;
    }
    bool bad = worst > f->cuda || worst > f->measured || astray > ASTRAY || !cases;
    printf("gamma: %-8s %ld arguments, worst error %.3f ulp at %.17g; measured %g, CUDA's %g",
           f->name, cases, worst, at, f->measured, f->cuda);
    if (f->top < 0) printf("; between %g and %g %.3g", f->bottom, f->top, astray);
    printf("%s\n", bad ? "  EXCEEDED" : "");
    return bad;
}

int main(int argc, char **argv)
{
    long cases = argc > 1 ? atol(argv[1]) : 2000;
    int failures = 0;
    if (cases < 1 || argc > 2) return fputs("usage: test_gamma [CASES] \n", stderr), 2;
    mpfr_init2(x, 53), mpfr_inits2(BITS, exact, got, NULL);
    for (int k = 0; k < FUNCTIONS; k++) failures += run(&functions[k], cases);
    printf("gamma: %d of %d functions failed\n", failures, FUNCTIONS);
    mpfr_clears(x, exact, got, NULL);
    return failures ? 1 : 0;
}
