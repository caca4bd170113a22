// The gamma function and Bessel's in f32, computed in f64 and rounded once: what clang's and our
// headers call __nv_NAMEf.
// SPDX-License-Identifier: Apache-2.0
//
// log gamma by Stirling's series from 10 on; below, by the product that leads there.  Bessel's
// functions by polynomials: up to 8 in x^2 / 32 - 1, beyond in 128 / x^2 - 1 the amplitudes P and
// x Q of sqrt(2 / pi x) (P cos - Q sin); those of imaginary argument in x / 4 - 1 and 16 / x - 1,
// of e^-x I0, of e^-x I1 / x, and beyond 8 of both times sqrt(x).  The polynomials are Chebyshev
// fits, in 50 digits; those that have zeros nearby to 2^-55, others to 2^-30.
// Y0 and Y1 are polynomials beside 2 / pi log(x) J0 and 2 / pi (log(x) J1 - 1 / x).

TABLE const double bessel_near[4][17] = {
    { 0x1.776fc5f84e280p-5, 0x1.dc5071f1209f4p-1, -0x1.4c042a76a3d9ap-1, -0x1.9dbdd0f268edfp-1,
      0x1.09d33c82734c7p+0, -0x1.03d2da095b4d3p-1, 0x1.2afc33916d950p-3, -0x1.d27f3cd0c3c58p-6,
      0x1.09f3448afe768p-8, -0x1.d11773b2a6a1ap-12, 0x1.42bc90333e426p-15, -0x1.6cc526fb6b012p-19,
      0x1.56a7a33167081p-23, -0x1.0ff7eb0b1f8a4p-27, 0x1.71d0a2052d9dcp-32, -0x1.b5729d242acaep-37,
      0x1.c2c89ea282aaap-42 },
    { -0x1.dc5071f1209f4p-5, 0x1.4c042a76a3d9ap-4, 0x1.364e5cb5ceb27p-3, -0x1.09d33c82734c7p-2,
      0x1.44c7908bb221ep-3, -0x1.c07a4d5a245f5p-5, 0x1.982f5536aa883p-7, -0x1.09f3448afe858p-9,
      0x1.059d3114e70f5p-12, -0x1.936bb43ff9c57p-16, 0x1.f58f14a64570ep-20, -0x1.00fdba734560fp-23,
      0x1.b9f413c37fba1p-28, -0x1.43967959b697dp-32, 0x1.9882e6309407cp-37, -0x1.c2dff424052f8p-42,
      0x1.b3c9bd267e611p-47 },
    { -0x1.876cb72f1c7ebp-2, -0x1.a828bfbfdc936p-1, 0x1.a5a81d661f788p+0, 0x1.272bb3b608b4ep-3,
      -0x1.13da2b14a486ep+0, 0x1.58279811359ffp-1, -0x1.c06cc647f6a9dp-3, 0x1.7bd6bf2cea1e1p-5,
      -0x1.cc70601236723p-8, 0x1.a6a8c6c8b12bdp-11, -0x1.31537c5c91ee5p-14, 0x1.651b8fa0e8b06p-18,
      -0x1.5995ab83d71d2p-22, 0x1.1997d4a6c362ap-26, -0x1.880052e0f4585p-31, 0x1.d9b425efafdd8p-36,
      -0x1.f1a7711576130p-41 },
    { 0x1.21d516f81acf6p-4, -0x1.f26fddceafd0ep-3, 0x1.7edab31507d03p-6, 0x1.e16d7a1d07b70p-3,
      -0x1.923952d7c42a6p-3, 0x1.41bb6917b15d2p-4, -0x1.4198f92a31f29p-6, 0x1.c097bb98fe302p-9,
      -0x1.d1604f9ccaf30p-12, 0x1.76c164b7f48bbp-15, -0x1.e35169de28d6fp-19, 0x1.ff34fd2db670dp-23,
      -0x1.c3f1d9451cc62p-27, 0x1.532ea3c457655p-31, -0x1.b5d3615d1cb65p-36, 0x1.ed24ebd671b40p-41,
      -0x1.e58358b5996e3p-46 },
};
TABLE const double bessel_far_terms[4][10] = {
    { 0x1.ffb8dd3285043p-1, -0x1.193600c1e1187p-11, 0x1.9be0013c2eeafp-18, -0x1.b8d2d401a4d56p-23,
      0x1.b7f15498a9882p-27, -0x1.4d375339ddce7p-30, 0x1.5353db4db9b36p-33, -0x1.b149979d8928bp-36,
      0x1.85b481672b1eep-38, -0x1.6d432cb7153fep-40 },
    { -0x1.fdb5c0b2f3eb2p-4, 0x1.1e9a613911573p-11, -0x1.8c8434a413a45p-17, 0x1.3135a2ef79e4fp-21,
      -0x1.85912b96e9261p-25, 0x1.61b4f1664b186p-28, -0x1.9dbef0ce0af49p-31, 0x1.2757de352f4a3p-33,
      -0x1.2c827d7f6e2d5p-35, 0x1.329f0c1b6c666p-37 },
    { 0x1.003b71603372fp+0, 0x1.d73b8ea3c3b21p-11, -0x1.0b1541ac1c0eap-17, 0x1.077624ade8a4ep-22,
      -0x1.f963dc7e38037p-27, 0x1.75f3a276d80f5p-30, -0x1.77130257455eap-33, 0x1.d9d47344df3e0p-36,
      -0x1.a5ead8bea617fp-38, 0x1.88e8192bcb004p-40 },
    { 0x1.7f32370506356p-2, -0x1.938da0a0ba368p-11, 0x1.e8e0093d766bfp-17, -0x1.64230c6e1fda0p-21,
      0x1.b934807bb3ca0p-25, -0x1.89336fcdfbf94p-28, 0x1.c63a1a0d652a0p-31, -0x1.414f45207c539p-33,
      0x1.43f8057a1761fp-35, -0x1.48ac416e30219p-37 },
};
TABLE const double bessel_i_near[2][20] = {
    { 0x1.a7f09f8bb432ep-3, -0x1.cedd9fec5a165p-4, 0x1.8322d6dacf5fap-4, -0x1.6cb8d7ab095e7p-4,
      0x1.65c191bae5a6bp-4, -0x1.5c01fc52dedecp-4, 0x1.44be38f2f9da7p-4, -0x1.1cdce2ef6e9d7p-4,
      0x1.d0b5bf0183da0p-5, -0x1.5fe72e8838301p-5, 0x1.f16dbde679195p-6, -0x1.44036b943aa8ep-6,
      0x1.7a9a86f0970b5p-7, -0x1.b0d720be2894ep-8, 0x1.113cce027d817p-8, -0x1.0c5980528c40fp-9,
      0x1.b0b2486ed8f3fp-12, -0x1.af82352af7d52p-13,
      0x1.6d903a454cb34p-12, -0x1.1d4fe13ae9556p-13 },
    { 0x1.6e14eb8ccb580p-5, -0x1.f4bb0714e5456p-5, 0x1.16c39179c6ba7p-4, -0x1.1881386b1f27dp-4,
      0x1.0530e41c8b1f4p-4, -0x1.c4da8305d4740p-5, 0x1.6dfb59b7278cbp-5, -0x1.13d741d7a15c5p-5,
      0x1.83f8e2047a7bfp-6, -0x1.fe217466fadc9p-7, 0x1.3ac78a0611987p-7, -0x1.6b6c57abdfbedp-8,
      0x1.837308bad3f21p-9, -0x1.8db249c9c9721p-10, 0x1.a9eef2d2ab0c2p-11, -0x1.8279cb4b2f7b4p-12,
      0x1.887417355898cp-14, -0x1.558041adb6ce6p-15,
      0x1.8ea34b43fdf6cp-15, -0x1.2510397eb07dep-16 },
};
TABLE const double bessel_i_far[2][12] = {
    { 0x1.9bd428ad21906p-2, 0x1.b87969af09063p-9, 0x1.1daa796420a09p-13, 0x1.75e75dc96007cp-17,
      0x1.8e2be59a9ac2ap-20, 0x1.3dc203f520dc2p-22, 0x1.862124772d092p-24, 0x1.801075350baa2p-25,
      0x1.3cc366c2d8d7cp-26, -0x1.9de17fca56e26p-29,
      -0x1.d0fd7357e7bf2p-28, -0x1.f904303178d66p-30 },
    { 0x1.8ebe783a87079p-2, -0x1.3f7961959ef36p-7, -0x1.cbc5548cd5f77p-13, -0x1.f89da64dfff59p-17,
      -0x1.ec696e4e077d5p-20, -0x1.747771e21d6acp-22,
      -0x1.b65134d8e2810p-24, -0x1.a2fdcfd9201c9p-25,
      -0x1.605b2d9cfb4eep-26, 0x1.64900e027ea93p-29, 0x1.f101f653c457bp-28, 0x1.1e7d3f6439fa3p-29 },
};

#define TWO_OVER_PI 0x1.45f306dc9c883p-1

INLINE double poly(const double *c, int n, double u)
{
    double p = c[n - 1];
    for (int k = n - 2; k >= 0; k--) p = fused(p, u, c[k]);
    return p;
}

// ---- gamma -----------------------------------------------------------------------------------

// log(gamma(x) p), 0 < x < infinity: p is 1 from 10 on.
INLINE double stirling(double x, double *p)
{
    *p = 1.0;
    for (; x < 10.0; x += 1.0) *p *= x;
    double r = 1.0 / x, z = r * r, s = -691.0 / 360360.0;
    s = fused(s, z, 1.0 / 1188.0), s = fused(s, z, -1.0 / 1680.0), s = fused(s, z, 1.0 / 1260.0);
    s = fused(s, z, -1.0 / 360.0), s = fused(s, z, 1.0 / 12.0);
    return fused(x - 0.5, __nv_log(x), -x) + fused(s, r, 0x1.d67f1c864beb5p-1);
}
INLINE double gamma_of(double x)                     // 0 < x < 200
{
    double p, l = stirling(x, &p);
    return __nv_exp(l) / p;
}
DEVICE float __nv_tgammaf(float f)
{
    double x = (double)f;
    if (x == 0.0) return (float)with_sign(infinity(), x);
    if (x > 0.0) return x < 200.0 ? (float)gamma_of(x) : (float)infinity();
    if (x != x || __builtin_trunc(x) == x) return x != x ? f : (float)no_number();
    double s = -x * __nv_sinpi(x);                   // gamma(x) gamma(-x) = pi / (-x sin(pi x))
    return (float)(x < -200.0 ? with_sign(0.0, s) : 0x1.921fb54442d18p+1 / (s * gamma_of(-x)));
}
INLINE double log_gamma(double x)
{
    double p, l = stirling(x, &p);
    return p == 1.0 ? l : l - __nv_log(p);
}
DEVICE float __nv_lgammaf(float f)
{
    double x = (double)f, a = size(x);
    if (x != x) return f;
    if (a == infinity() || (x <= 0.0 && __builtin_trunc(x) == x)) return (float)infinity();
    if (x > 0.0) return x == 1.0 || x == 2.0 ? 0.0f : (float)log_gamma(x);
    return (float)(__nv_log(0x1.921fb54442d18p+1 / size(x * __nv_sinpi(x))) - log_gamma(a));
}

// ---- Bessel ----------------------------------------------------------------------------------

#define NEAR_TERMS 17
#define FAR_TERMS 10
INLINE double near_row(int row, double x)
{
    return poly(bessel_near[row], NEAR_TERMS, fused(x * x, 0.03125, -1.0));
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
INLINE double j_of(int order, double x)
{
    double a = size(x);
    if (x != x) return x;
    if (a <= 8.0) return order ? x * near_row(1, x) : near_row(0, x);
    double v = bessel_far(order, false, a);
    return order && x < 0.0 ? -v : v;
}
INLINE double y_of(int order, double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -infinity() : no_number();
    if (x > 8.0) return bessel_far(order, true, x);
    double l = TWO_OVER_PI * __nv_log(x);
    if (!order) return fused(l, near_row(0, x), near_row(2, x));
    return fused(x, fused(l, near_row(1, x), near_row(3, x)), -TWO_OVER_PI / x);
}
DEVICE float __nv_j0f(float x) { return (float)j_of(0, (double)x); }
DEVICE float __nv_j1f(float x) { return (float)j_of(1, (double)x); }
DEVICE float __nv_y0f(float x) { return (float)y_of(0, (double)x); }
DEVICE float __nv_y1f(float x) { return (float)y_of(1, (double)x); }

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
DEVICE float __nv_jnf(s32 n, float f)
{
    double x = size((double)f), below = j_of(0, x), here = j_of(1, x);
    if (n < 0 || x != x) return (float)no_number();
    if (n < 2) return (float)(n && f < 0.0f ? -here : n ? here : below);
    if (x == infinity() || x < 0x1p-100 || (n > 300 && x < 0.5 * (double)n))
        here = 0.0;                                  // below 2^-150
    else if (x < (double)n) here = j_down(n, x);
    else
        for (s32 k = 1; k < n; k++) {
            double above = fused(2.0 * (double)k / x, here, -below);
            below = here, here = above;
        }
    return (float)(n & 1 && f < 0.0f ? -here : here);
}
DEVICE float __nv_ynf(s32 n, float f)
{
    double x = (double)f, below = y_of(0, x), here = y_of(1, x);
    if (n < 0) return (float)no_number();
    if (!n) return (float)below;
    for (s32 k = 1; k < n && here > -infinity() && x < infinity(); k++) {
        double above = fused(2.0 * (double)k / x, here, -below);
        below = here, here = above;
    }
    return (float)here;
}

INLINE double i_of(int order, double x)
{
    double a = size(x), v;
    if (x != x) return x;
    if (a > 100.0) v = infinity();
    else if (a <= 8.0)
        v = poly(bessel_i_near[order], 20, fused(a, 0.25, -1.0)) * __nv_exp(a) * (order ? a : 1.0);
    else v = poly(bessel_i_far[order], 12, 16.0 / a - 1.0) * __nv_exp(a) / __builtin_sqrt(a);
    return order ? with_sign(v, x) : v;
}
DEVICE float __nv_cyl_bessel_i0f(float x) { return (float)i_of(0, (double)x); }
DEVICE float __nv_cyl_bessel_i1f(float x) { return (float)i_of(1, (double)x); }
