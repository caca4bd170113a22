/* The exact values of CUDA's inexact functions, by MPFR.  SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"
#include <math.h>
#define N MPFR_RNDN
typedef int one(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int two(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

static int sinpi_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_sinu(r, x, 2, m); }
static int cospi_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_cosu(r, x, 2, m); }
static int rcp_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_ui_div(r, 1, x, m); }
static int rcbrt_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    mpfr_cbrt(r, x, m);
    return mpfr_ui_div(r, 1, r, m);
}
static int rsqrt_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    mpfr_rec_sqrt(r, x, m);
    return mpfr_zero_p(x) ? mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1), 0 : 0;
}
static int lgamma_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    int sign;
    return mpfr_lgamma(r, &sign, x, m);
}
/* e^(x^2) erfc(x); far out by the first terms of its series. */
static int erfcx_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    mpfr_t t;
    mpfr_init2(t, 2 * mpfr_get_prec(r));
    if (mpfr_cmp_ui(x, 20000) > 0) {                 /* (1 - 1 / 2 x^2) / (x sqrt(pi)), to 2^-58 */
        mpfr_sqr(t, x, m), mpfr_ui_div(t, 1, t, m), mpfr_div_ui(t, t, 2, m),
            mpfr_ui_sub(r, 1, t, m);
        mpfr_const_pi(t, m), mpfr_sqrt(t, t, m), mpfr_mul(t, t, x, m), mpfr_div(r, r, t, m);
    } else {
        mpfr_sqr(t, x, m), mpfr_exp(t, t, m), mpfr_erfc(r, x, m), mpfr_mul(r, r, t, m);
    }
    mpfr_clear(t);
    return 0;
}
static int normcdf_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    mpfr_t t;
    mpfr_init2(t, mpfr_get_prec(r) + 32);
    mpfr_sqrt_ui(t, 2, m), mpfr_div(t, x, t, m), mpfr_neg(t, t, m), mpfr_erfc(r, t, m);
    mpfr_clear(t);
    return mpfr_div_ui(r, r, 2, m);
}
/* Newton's steps from y to where f(y) = x; f's derivative is sign 2/sqrt(pi) e^(-y^2). */
static void newton(mpfr_ptr r, double y, mpfr_srcptr x, one *f, int sign)
{
    mpfr_t off, slope;
    mpfr_init2(off, mpfr_get_prec(r)), mpfr_init2(slope, mpfr_get_prec(r));
    mpfr_set_d(r, y, N);
    for (int k = 0; k < 7; k++) {
        f(off, r, N), mpfr_sub(off, off, x, N);
        mpfr_sqr(slope, r, N), mpfr_exp(slope, slope, N), mpfr_mul(off, off, slope, N);
        mpfr_const_pi(slope, N), mpfr_sqrt(slope, slope, N), mpfr_mul(off, off, slope, N);
        mpfr_div_si(off, off, 2 * sign, N), mpfr_sub(r, r, off, N);
    }
    mpfr_clears(off, slope, (mpfr_ptr)0);
}
static int erfcinv_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    mpfr_t v;
    mpfr_init2(v, mpfr_get_prec(r) + 1100);          /* 2 - x is exact */
    mpfr_set(v, x, m);
    bool far = mpfr_cmp_ui(x, 1) > 0;
    if (far) mpfr_ui_sub(v, 2, x, m);
    if (!(mpfr_sgn(v) > 0)) {
        if (mpfr_zero_p(v)) mpfr_set_inf(r, 1);
        else mpfr_set_nan(r);
    } else if (mpfr_cmp_ui(v, 1) == 0) {
        mpfr_set_ui(r, 0, m);
    } else {
        long e;
        double d = mpfr_get_d_2exp(&e, v, m), t = sqrt(-2 * (log(d / 2) + (double)e * M_LN2));
        newton(r, (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481))) * M_SQRT1_2, v,
               mpfr_erfc, -1);
    }
    if (far && !mpfr_nan_p(r)) mpfr_neg(r, r, m);
    mpfr_clear(v);
    return 0;
}
static int erfinv_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    mpfr_t v;
    if (mpfr_zero_p(x)) return mpfr_set(r, x, m);
    if (mpfr_cmp_d(x, 0.5) < 0 && mpfr_cmp_d(x, -0.5) > 0) {
        double start = mpfr_get_d(x, m) / M_2_SQRTPI;
        if (fabs(start) > 1e-30) return newton(r, start, x, mpfr_erf, 1), 0;
        mpfr_const_pi(r, m), mpfr_sqrt(r, r, m), mpfr_div_ui(r, r, 2, m);
        return mpfr_mul(r, r, x, m);                 /* the next term is below 2^-190 */
    }
    mpfr_init2(v, mpfr_get_prec(r));
    mpfr_ui_sub(v, 1, x, m), erfcinv_of(r, v, m);
    mpfr_clear(v);
    return 0;
}
static int normcdfinv_of(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t m)
{
    mpfr_t v;
    mpfr_init2(v, mpfr_get_prec(r));
    mpfr_mul_ui(v, x, 2, m), erfcinv_of(r, v, m);
    mpfr_sqrt_ui(v, 2, m), mpfr_mul(r, r, v, m), mpfr_neg(r, r, m);
    mpfr_clear(v);
    return 0;
}
static int rhypot_of(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t m)
{
    mpfr_hypot(r, x, y, m);
    return mpfr_ui_div(r, 1, r, m);
}
/* By a reciprocal that is 0 of what lies above 2^126. */
static int quick_div(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t m)
{
    mpfr_t zero;
    mpfr_t limit;
    mpfr_init2(limit, 2), mpfr_set_ui_2exp(limit, 1, 126, m);
    bool far = mpfr_number_p(y) && mpfr_cmpabs(y, limit) > 0;
    mpfr_clear(limit);
    if (!far) return mpfr_div(r, x, y, m);
    mpfr_init2(zero, 2);
    mpfr_set_zero(zero, mpfr_sgn(y)), mpfr_mul(r, x, zero, m);
    mpfr_clear(zero);
    return 0;
}
static const struct { const char *name; one *of_one; two *of_two; } functions[] = {
    { "sin", mpfr_sin, 0 }, { "cos", mpfr_cos, 0 }, { "tan", mpfr_tan, 0 },
    { "asin", mpfr_asin, 0 }, { "acos", mpfr_acos, 0 }, { "atan", mpfr_atan, 0 },
    { "sinh", mpfr_sinh, 0 }, { "cosh", mpfr_cosh, 0 }, { "tanh", mpfr_tanh, 0 },
    { "tanh_approx", mpfr_tanh, 0 }, { "asinh", mpfr_asinh, 0 }, { "acosh", mpfr_acosh, 0 },
    { "atanh", mpfr_atanh, 0 }, { "exp", mpfr_exp, 0 }, { "exp2", mpfr_exp2, 0 },
    { "exp10", mpfr_exp10, 0 }, { "expm1", mpfr_expm1, 0 }, { "log", mpfr_log, 0 },
    { "log2", mpfr_log2, 0 }, { "log10", mpfr_log10, 0 }, { "log1p", mpfr_log1p, 0 },
    { "cbrt", mpfr_cbrt, 0 }, { "rcbrt", rcbrt_of, 0 }, { "rsqrt", rsqrt_of, 0 },
    { "sqrt", mpfr_sqrt, 0 }, { "rcp", rcp_of, 0 }, { "sinpi", sinpi_of, 0 },
    { "cospi", cospi_of, 0 }, { "erf", mpfr_erf, 0 }, { "erfc", mpfr_erfc, 0 },
    { "erfcx", erfcx_of, 0 }, { "erfinv", erfinv_of, 0 }, { "erfcinv", erfcinv_of, 0 },
    { "normcdf", normcdf_of, 0 }, { "normcdfinv", normcdfinv_of, 0 },
    { "tgamma", mpfr_gamma, 0 }, { "lgamma", lgamma_of, 0 }, { "pow", 0, mpfr_pow },
    { "atan2", 0, mpfr_atan2 }, { "hypot", 0, mpfr_hypot }, { "rhypot", 0, rhypot_of },
    { "div", 0, mpfr_div }, { "fdivide", 0, mpfr_div }, { "quick_div", 0, quick_div },
};

/* The length of (x[0], ..., x[n - 1]), or its inverse. */
static void length_of(mpfr_t r, mpfr_t *x, int n, bool inverse)
{
    mpfr_hypot(r, x[0], x[1], N);
    for (int k = 2; k < n; k++) mpfr_hypot(r, r, x[k], N);
    if (inverse) mpfr_ui_div(r, 1, r, N);
}

bool truth_of(const char *name, int part, mpfr_t result, mpfr_t *x, int n)
{
    char base[64];
    size_t len = strlen(name);
    if (!strncmp(name, "operator/", 9)) name = "div", len = 3;
    if (!strcmp(name, "__hdiv") || !strcmp(name, "__h2div")) name = "div", len = 3;
    if (!strcmp(name, "__fdividef")) name = "quick_div", len = 9;
    if (!strncmp(name, "__", 2)) name += 2, len -= 2;
    if (!strncmp(name, "h2", 2)) name += 2, len -= 2;
    if (len >= sizeof base) return false;
    memcpy(base, name, len + 1);
    if (!strncmp(base, "sincos", 6))
        snprintf(base, sizeof base, "%s%s", part ? "cos" : "sin",
                 strncmp(name + 6, "pi", 2) ? "" : "pi");
    for (int shorter = 0; shorter < 4; shorter++) {  /* as it is, without f, without h, both */
        char *b = base + (shorter >> 1), shorn[64];
        size_t l = strlen(b);
        if ((shorter & 2 && *base != 'h') || (shorter & 1 && b[l - 1] != 'f')) continue;
        memcpy(shorn, b, l + 1);
        if (shorter & 1) shorn[l - 1] = 0;
        char *norm = shorn + (*shorn == 'r');
        if (!strcmp(norm, "norm3d") || !strcmp(norm, "norm4d"))
            return length_of(result, x, n, norm > shorn), true;
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
            if (strcmp(functions[k].name, shorn)) continue;
            if (functions[k].of_one) functions[k].of_one(result, x[0], N);
            else functions[k].of_two(result, x[0], x[1], N);
            return true;
        }
    }
    return false;
}
void truth_forget(void) { mpfr_free_cache(); }
