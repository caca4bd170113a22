// The gamma function and its logarithm: what clang's and our headers call __nv_NAME.
// SPDX-License-Identifier: Apache-2.0
//
// From 10 on by Stirling's series, in two parts.  Below, gamma is a product of the arguments between and
// of a polynomial around 1; its logarithm is a polynomial times the distance from its zeros, 1 and 2.

INLINE double poly(const double *c, int n, double u)
{
    double p = c[n - 1];
    for (int k = n - 2; k >= 0; k--) p = fused(p, u, c[k]);
    return p;
}
#define POLY(TABLE, U) poly(TABLE[0], (int)(sizeof TABLE[0] / sizeof(double)), U)

// log gamma(x), 10 <= x < 2^60.
INLINE struct two stirling(double x)
{
    double r = 1.0 / x, z = r * r, s = -3617.0 / 122400.0;
    s = fused(s, z, 1.0 / 156.0), s = fused(s, z, -691.0 / 360360.0), s = fused(s, z, 1.0 / 1188.0);
    s = fused(s, z, -1.0 / 1680.0), s = fused(s, z, 1.0 / 1260.0), s = fused(s, z, -1.0 / 360.0);
    s = fused(s, z, 1.0 / 12.0);
    struct two l = times(log_parts(x, 0.0), x - 0.5, 0.0), a = sum(l.hi, -x),
               b = sum(a.hi, 0x1.d67f1c864beb5p-1);       // log(2 pi) / 2
    return quick_sum(b.hi, b.lo + (a.lo + (l.lo + fused(s, r, -0x1.65b5a1b7ff5dfp-55))));
}
// gamma(x), |x| <= 10, no negative integer: 1 / gamma(1 + t) is the polynomial, x = n + t.
INLINE double gamma_near(double x)
{
    double n = __builtin_rint(x), t = x - n, p = POLY(gamma_inverse, t), above = 1.0;
    for (double k = 1.0; k < n; k += 1.0) above *= x - k;
    for (double k = 0.0; k <= -n; k += 1.0) p *= x + k;
    return above / p;
}
DEVICE double __nv_tgamma(double x)
{
    if (x == 0.0) return with_sign(infinity(), x);
    if (size(x) < 10.0 && (x > 0.0 || __builtin_trunc(x) != x)) return gamma_near(x);
    if (x > 0.0) return x < 172.0 ? exp_of(stirling(x), 0) : infinity();
    if (x != x || __builtin_trunc(x) == x) return x != x ? x : no_number();
    double s = -x * __nv_sinpi(x);                   // gamma(x) gamma(-x) = pi / (-x sin(pi x))
    if (x < -200.0) return with_sign(0.0, s);
    struct two l = stirling(-x);
    l.hi = -l.hi, l.lo = -l.lo;
    return scale(0x1.921fb54442d18p+1 / s * exp_of(l, 300), -300);
}
INLINE double log_of(double x) { return log_parts(x, 0.0).hi; }
// 0 < x
INLINE double log_gamma(double x)
{
    if (x >= 0x1p60) return x < infinity() ? x * (log_of(x) - 1.0) : x;
    if (x >= 10.0) return stirling(x).hi;
    if (x >= 5.0) return log_of(gamma_near(x));
    if (x >= 3.0) return (x - 2.0) * POLY(log_gamma_four, x - 4.0);
    if (x >= 1.5) return (x - 2.0) * POLY(log_gamma_two, x - 2.25);
    double t = x < 0.5 ? x : x - 1.0, l = t * POLY(log_gamma_one, t);
    return x < 0.5 ? l - log_of(x) : l;
}
DEVICE double __nv_lgamma(double x)
{
    double a = size(x);
    if (x != x) return x;
    if (a == infinity() || (x <= 0.0 && __builtin_trunc(x) == x)) return infinity();
    if (x > 0.0) return x == 1.0 ? 0.0 : log_gamma(x);           /* of both zeros, this */
    if (x <= -2.5) return log_of(0x1.921fb54442d18p+1 / size(x * __nv_sinpi(x))) - log_gamma(a);
    double n = __builtin_rint(x), t = x - n, p = t;
    for (double k = 0.0; k < -n; k += 1.0) p *= x + k;
    return fused(t, POLY(log_gamma_one, t), -log_of(size(p)));
}
DEVICE float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }
DEVICE float __nv_lgammaf(float x) { return (float)__nv_lgamma((double)x); }
