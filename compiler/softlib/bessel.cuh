// Bessel's functions: what clang's and our headers call __nv_NAME; in f32 rounded once.
// SPDX-License-Identifier: Apache-2.0
//
// Up to 8 by pieces of polynomials (bessel_terms.cuh), around the zero where a piece has one; beyond by
// the amplitudes P and x Q of sqrt(2 / pi x) (P cos - Q sin).  Y0 and Y1 up to 1/2 beside
// 2 / pi log(x) J0 and 2 / pi (log(x) J1 - 1 / x).  Those of imaginary argument by their series, and
// beyond 8 as sqrt(x) e^-x I.

#define TWO_OVER_PI 0x1.45f306dc9c883p-1

INLINE double piece_of(u32 first, double x)
{
    const struct piece *p = bessel_pieces + first;
    while (x > p->to) p++;
    double t = x - p->at - p->rest, v = poly(p->c, PIECE_TERMS, t);
    return p->zero ? t * v : v;
}
// sqrt(2 / pi x) times the cosine, or the sine, of x - (2 order + 1) pi / 4, with both amplitudes.
INLINE double bessel_far(int order, bool second, double x)
{
    double s, c, r = 1.0 / x, u = fused(128.0 * r, r, -1.0);
    if (r == 0.0) return 0.0;
    double p = poly(bessel_far_terms[2 * order], FAR_TERMS, u);
    double q = poly(bessel_far_terms[2 * order + 1], FAR_TERMS, u) * r;
    __nv_sincos(x, &s, &c);
    double cosine = order ? s - c : c + s, sine = order ? -s - c : s - c;  // times sqrt(2)
    double v = second ? fused(p, sine, q * cosine) : fused(p, cosine, -q * sine);
    return v * __builtin_sqrt(0.5 * TWO_OVER_PI * r);
}
// J0 or J1 / x, up to 1.25.
INLINE double j_start(int order, double x) { return poly(bessel_j_start[order], 12, x * x); }
INLINE double j_of(int order, double x)
{
    double a = size(x), v;
    if (x != x) return x;
    if (a <= 1.25) return order ? x * j_start(1, x) : j_start(0, x);
    v = a <= 8.0 ? piece_of(order ? PIECES_J1 : PIECES_J0, a) : bessel_far(order, false, a);
    return order && x < 0.0 ? -v : v;
}
INLINE double y_of(int order, double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -infinity() : no_number();
    if (x > 8.0) return bessel_far(order, true, x);
    if (x > 0.5) return piece_of(order ? PIECES_Y1 : PIECES_Y0, x);
    double l = TWO_OVER_PI * log_of(x), v = fused(l, j_start(order, x), poly(bessel_y_start[order], 8, x * x));
    return order ? fused(x, v, -TWO_OVER_PI / x) : v;
}
DEVICE double __nv_j0(double x) { return j_of(0, x); }
DEVICE double __nv_j1(double x) { return j_of(1, x); }
DEVICE double __nv_y0(double x) { return y_of(0, x); }
DEVICE double __nv_y1(double x) { return y_of(1, x); }

// Where the order is above the argument, backwards from an order at which J is nothing, and
// J0 + 2 J2 + 2 J4 + ... is 1; else forwards.
INLINE double j_down(int n, double x)
{
    double above = 0.0, here = 1.0, total = 0.0, found = 0.0;
    u32 m = ((u32)n + 20 + (u32)__builtin_sqrt(160.0 * (double)n)) & ~1u;
    for (u32 k = m; k > 0; k--) {
        double below = fused(2.0 * (double)k / x, here, -above);
        above = here, here = below;
        if (k - 1 == (u32)n) found = here;
        if ((k - 1) % 2 == 0) total += here;
        if (size(here) > 0x1p300)
            above *= 0x1p-300, here *= 0x1p-300, total *= 0x1p-300, found *= 0x1p-300;
    }
    return found / (2.0 * total - here);
}
INLINE double j_first_term(s32 n, double x)          // (x / 2)^n / n!
{
    double v = 1.0;
    for (s32 k = 1; k <= n && v > 0.0; k++) v *= 0.5 * x / (double)k;
    return v;
}
DEVICE double __nv_jn(s32 n, double f)
{
    double x = size(f), below = j_of(0, x), here = j_of(1, x);
    if (n < 0 || x != x) return no_number();
    if (n < 2) return n && f < 0.0 ? -here : n ? here : below;
    if (x == infinity() || (n > 1700 && x < 0.5 * (double)n)) here = 0.0;    // below 2^-1075
    else if (x < 0x1p-27) here = j_first_term(n, x);
    else if (x < (double)n) here = j_down(n, x);
    else
        for (s32 k = 1; k < n; k++) {
            double above = fused(2.0 * (double)k / x, here, -below);
            below = here, here = above;
        }
    return n & 1 && f < 0.0 ? -here : here;
}
DEVICE double __nv_yn(s32 n, double x)
{
    double below = y_of(0, x), here = y_of(1, x);
    if (n < 0) return no_number();
    if (!n) return below;
    for (s32 k = 1; k < n && here > -infinity() && x < infinity(); k++) {
        double above = fused(2.0 * (double)k / x, here, -below);
        below = here, here = above;
    }
    return here;
}

INLINE double i_of(int order, double x)
{
    double a = size(x), v;
    if (x != x) return x;
    if (a > 800.0) v = infinity();
    else if (a <= 8.0) v = poly(bessel_i_start[order], I_TERMS, a * a * 0.25) * (order ? a : 1.0);
    else {
        s32 k;
        struct two e = exp_parts(one(a), &k);
        double p = poly(bessel_i_far[order], I_TERMS, 16.0 / a - 1.0) / __builtin_sqrt(a);
        v = scale(p * e.hi, k);
    }
    return order ? with_sign(v, x) : v;
}
DEVICE double __nv_cyl_bessel_i0(double x) { return i_of(0, x); }
DEVICE double __nv_cyl_bessel_i1(double x) { return i_of(1, x); }

DEVICE float __nv_j0f(float x) { return (float)j_of(0, (double)x); }
DEVICE float __nv_j1f(float x) { return (float)j_of(1, (double)x); }
DEVICE float __nv_y0f(float x) { return (float)y_of(0, (double)x); }
DEVICE float __nv_y1f(float x) { return (float)y_of(1, (double)x); }
DEVICE float __nv_jnf(s32 n, float x) { return (float)__nv_jn(n, (double)x); }
DEVICE float __nv_ynf(s32 n, float x) { return (float)__nv_yn(n, (double)x); }
DEVICE float __nv_cyl_bessel_i0f(float x) { return (float)i_of(0, (double)x); }
DEVICE float __nv_cyl_bessel_i1f(float x) { return (float)i_of(1, (double)x); }
