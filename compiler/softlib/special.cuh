// The error function and its relatives in f64: what clang's and our headers call __nv_NAME.
// SPDX-License-Identifier: Apache-2.0
//
// Below 1/2 a polynomial in x^2 gives erf.  Above, e^(x^2) erfc(x) is a polynomial over 1 + 2 x (over x from 8 on),
// and e^(-x^2) has x^2 in two parts.  The polynomials are Chebyshev fits, in 40 digits, to 2^-57 of their values.

// erf(x) / x = 2 / sqrt(pi) + z P(z), z = x^2 up to 1.
#define ERF_HI 0x1.20dd750429b6dp+0
#define ERF_LO 0x1.1ae3a914fed80p-56
INLINE double erf_near(double x)
{
    double z = x * x, p = 0x1.0f8a27a51ad26p-34;
    p = fused(p, z, -0x1.3c1e91b012003p-30), p = fused(p, z, 0x1.f8d476ab1a455p-27);
    p = fused(p, z, -0x1.5f39372686202p-23), p = fused(p, z, 0x1.b9e2333703249p-20);
    p = fused(p, z, -0x1.f4d21efdafc7dp-17), p = fused(p, z, 0x1.f9a324ddf0f34p-14);
    p = fused(p, z, -0x1.c02db3f4735cbp-11), p = fused(p, z, 0x1.565bcd0e434bbp-8);
    p = fused(p, z, -0x1.b82ce312882f8p-6), p = fused(p, z, 0x1.ce2f21a042bd7p-4);
    p = fused(p, z, -0x1.812746b0379e7p-2);
    return fused(x, ERF_HI, x * fused(p, z, ERF_LO));
}

TABLE const double erfcx_terms[3][18] = {
    { 0x1.4991bfd1167abp+0, 0x1.86b2c764604b0p-7, -0x1.0c7d693fdf9d7p-2, 0x1.c05dd8cc7dbf6p-5,
      0x1.8f906229dc430p-5, 0x1.0a96c4f0e1650p-10, -0x1.5f29abb983e01p-7, -0x1.49be855405915p-8,
      0x1.2d637be9277dcp-12, 0x1.a5e99a2431c43p-10, 0x1.e4f998c04d5ecp-11, 0x1.df7c860198f52p-14,
      -0x1.d30a952a539f6p-13, -0x1.af0a440c88450p-13, -0x1.552537e3bc620p-14, 0x1.eb157851b07ccp-18,
      0x1.db8229dcb6c88p-16, 0x1.94f1c0eebef7fp-17 },
    { 0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a28ep-3, 0x1.f7f5df66fd7bep-7, 0x1.16ecefcfa5395p-4,
      -0x1.9ddb23c3e90fcp-4, 0x1.7fee004e1256fp-4, -0x1.0fb06dfe49400p-4, 0x1.3079edf6808b4p-5,
      -0x1.09623884c7de1p-6, 0x1.49c672895da43p-8, -0x1.8d4a9b53c153ap-11, -0x1.a1df300d34f9bp-13,
      0x1.3be0a1daec318p-13, -0x1.99541ca2bc82ep-16, -0x1.78c0a294c4a27p-17, 0x1.7e6e8fee6a537p-18,
      0x1.5f64963e3b39cp-22, -0x1.9eaabbe5d0ca0p-21 },
    { 0x1.20dd750429b6dp-1, -0x1.20dd750429b6ap-2, 0x1.b14c2f863cd09p-2, -0x1.0ecf9db22dcd5p+0,
      0x1.d9eb523cffac1p+1, -0x1.0a941d3c39608p+4, 0x1.6e7fbe5cf0f63p+6, -0x1.291444a208fc4p+9,
      0x1.0fb875c82fba2p+12, -0x1.efb44ffea1553p+14, 0x1.36d86852f4a3cp+17, 0.0,
      0.0, 0.0, 0.0, 0.0,
      0.0, 0.0 },
};

INLINE double erfcx_far(double x)                    // from 1/2 on
{
    int row = x < 2.0 ? 0 : x < 8.0 ? 1 : 2;
    double middle = row ? 4.0 : 1.25, d = row < 2 ? fused(2.0, x, 1.0) : x;
    double u = row < 2 ? (x - middle) / (x + middle) : 1.0 / (x * x), p = erfcx_terms[row][17];
    for (int k = 16; k >= 0; k--) p = fused(p, u, erfcx_terms[row][k]);
    return p / d;
}

// erfc(x (1 + tail)) of a positive x from 1/2 on; tail below a few units of x's last place.
INLINE double erfc_far(double x, double tail)
{
    if (x > 40.0) return 0.0;
    struct two square = product(x, x), e;
    s32 k;
    square.lo += 2.0 * tail * square.hi;
    square.hi = -square.hi, square.lo = -square.lo;
    e = exp_parts(square, &k);
    double r = erfcx_far(x);
    return scale(fused(e.hi, r, e.lo * r), k);
}

DEVICE double __nv_erf(double x)
{
    double a = size(x);
    if (x != x || a <= 1.0) return erf_near(x);
    return with_sign(a > 6.0 ? 1.0 : 1.0 - erfc_far(a, 0.0), x);
}
DEVICE double __nv_erfc(double x)
{
    double a = size(x);
    if (x != x) return x;
    if (a < 0.5) return 1.0 - erf_near(x);
    return x > 0.0 ? erfc_far(a, 0.0) : a > 6.0 ? 2.0 : 2.0 - erfc_far(a, 0.0);
}
DEVICE double __nv_erfcx(double x)
{
    if (x != x) return x;
    if (x >= 0.5) return erfcx_far(x);
    if (x < -26.7) return infinity();
    struct two square = product(x, x), e;
    s32 k;
    e = exp_parts(square, &k);
    double c = size(x) < 0.5 ? 1.0 - erf_near(x) : 2.0 - (x < -6.0 ? 0.0 : erfc_far(-x, 0.0));
    return scale(fused(e.hi, c, e.lo * c), k);
}
// erfc(-x / sqrt 2) / 2
DEVICE double __nv_normcdf(double x)
{
    if (x != x) return x;
    if (size(x) > 60.0) return x > 0.0 ? 1.0 : 0.0;
    struct two y = times(one(x), 0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55);
    double a = size(y.hi);
    if (a < 0.5) return fused(0.5, erf_near(y.hi), 0.5);
    double c = 0.5 * erfc_far(a, y.lo / y.hi);
    return x < 0.0 ? c : 1.0 - c;
}

// The inverses by Newton's iterations, in the middle for erf, beyond for the logarithm of erfc, which is nearly a
// parabola.
#define HALF_SQRT_PI 0x1.c5bf891b4ef6bp-1
INLINE double erfinv_near(double x)                  // up to 0.65
{
    double y = HALF_SQRT_PI * x;
    for (int n = 0; n < 5; n++) y = fused((x - erf_near(y)) * HALF_SQRT_PI, __nv_exp(y * y), y);
    return y;
}
INLINE double erfcinv_far(double c)                  // from 0.35 down
{
    double log_c = __nv_log(c), t = __builtin_sqrt(-log_c), y = t - __nv_log(2.0 * HALF_SQRT_PI * t) / (2.0 * t);
    for (int n = 0; n < 5; n++) {
        double r = erfcx_far(y < 0.5 ? 0.5 : y);
        struct two square = product(y, y);
        y += ((__nv_log(r) - square.lo) - (square.hi + log_c)) * HALF_SQRT_PI * r;
    }
    return y;
}
DEVICE double __nv_erfinv(double x)
{
    double a = size(x);
    if (!(a < 1.0)) return a == 1.0 ? with_sign(infinity(), x) : x != x ? x : no_number();
    if (a < 0x1p-30) return a < 0x1p-1000 ? 2.0 * HALF_SQRT_PI * (0.5 * x) : HALF_SQRT_PI * x;
    return a <= 0.65 ? erfinv_near(x) : with_sign(erfcinv_far(1.0 - a), x);
}
DEVICE double __nv_erfcinv(double x)
{
    if (!(x > 0.0 && x < 2.0)) return x == 0.0 ? infinity() : x == 2.0 ? -infinity() : x != x ? x : no_number();
    return x < 0.35 ? erfcinv_far(x) : x > 1.65 ? -erfcinv_far(2.0 - x) : erfinv_near(1.0 - x);
}
DEVICE double __nv_normcdfinv(double x)
{
    double r = __nv_erfcinv(2.0 * x);
    return r == 0.0 || !is_finite(r) ? 0.0 - r : times(one(r), -0x1.6a09e667f3bcdp+0, 0x1.bdd3413b26456p-54).hi;
}

// ---- f32 by way of f64 ---------------------------------------------------------------------------

DEVICE float __nv_erff(float x) { return (float)__nv_erf((double)x); }
DEVICE float __nv_erfcf(float x) { return (float)__nv_erfc((double)x); }
DEVICE float __nv_erfcxf(float x) { return (float)__nv_erfcx((double)x); }
DEVICE float __nv_normcdff(float x) { return (float)__nv_normcdf((double)x); }
DEVICE float __nv_erfinvf(float x) { return (float)__nv_erfinv((double)x); }
DEVICE float __nv_erfcinvf(float x) { return (float)__nv_erfcinv((double)x); }
DEVICE float __nv_normcdfinvf(float x) { return (float)__nv_normcdfinv((double)x); }
