// Mathematics in f64: what clang's and our headers call __nv_NAME.
// SPDX-License-Identifier: Apache-2.0
//
// Where a result needs more than 53 bits on the way, a value is a sum hi + lo of two numbers, lo below half a unit
// of hi.  make test-softlib holds every function to the error that CUDA documents for it.

struct two { double hi, lo; };
INLINE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
INLINE double size(double a) { return __builtin_fabs(a); }
INLINE double infinity(void) { return from_bits(0x7ff0000000000000ull); }
INLINE double no_number(void) { return from_bits(0x7ff8000000000000ull); }
INLINE double with_sign(double a, double s) { return from_bits((to_bits(a) & ~(1ull << 63)) | (to_bits(s) & 1ull << 63)); }
INLINE s32 exponent(double a) { return (s32)(to_bits(a) >> 52 & 0x7ff); }
INLINE struct two quick_sum(double a, double b)      // |a| >= |b|, or a is 0
{
    struct two r;
    r.hi = a + b, r.lo = b - (r.hi - a);
    return r;
}
INLINE struct two sum(double a, double b)
{
    struct two r;
    r.hi = a + b;
    double t = r.hi - a;
    r.lo = (a - (r.hi - t)) + (b - t);
    return r;
}
INLINE struct two product(double a, double b)
{
    struct two r;
    r.hi = a * b, r.lo = fused(a, b, -r.hi);
    return r;
}
INLINE struct two times(struct two a, double bh, double bl)
{
    struct two r = product(a.hi, bh);
    return quick_sum(r.hi, r.lo + fused(a.hi, bl, a.lo * bh));
}
INLINE double quotient(struct two a, struct two b)
{
    double q = a.hi / b.hi;
    return q + (fused(-q, b.lo, fused(-q, b.hi, a.hi)) + a.lo) / b.hi;
}
INLINE struct two one(double x)
{
    struct two r = { x, 0.0 };
    return r;
}
INLINE double power_of_two(s32 k) { return from_bits((u64)(u32)(k + 1023) << 52); }    // normal
INLINE double scale(double a, s32 k)                 // |k| < 3000; rounded once
{
    if (k > 1023) a *= power_of_two(1023), k -= 1023;
    if (k > 1023) a *= power_of_two(1023), k -= 1023;
    if (k < -969) a *= power_of_two(-969), k += 969;
    if (k < -969) a *= power_of_two(-969), k += 969;
    if (k < -1022) return a * power_of_two(-1022) * power_of_two(k + 1022);
    return a * power_of_two(k > 1023 ? 1023 : k);
}

#define LN2_HI 0x1.62e42fefa39efp-1
#define LN2_LO 0x1.abc9e3b39803fp-56
#define LN2_SHORT 0x1.62e42fee00000p-1               // 32 bits: products with exponents are exact
#define LN2_REST 0x1.a39ef35793c76p-33

// ---- exponentials ------------------------------------------------------------------------------

// e^(x.hi + x.lo) = (hi + lo) 2^k; |x| < 2000.  The series ends below 2^-57.
INLINE struct two exp_parts(struct two x, s32 *k)
{
    double n = __builtin_rint(x.hi * 0x1.71547652b82fep+0);
    struct two r = sum(fused(n, -LN2_SHORT, x.hi), fused(n, -LN2_REST, x.lo));
    double p = 1.0 / 6227020800.0;
    double h = r.hi;
    p = fused(p, h, 1.0 / 479001600.0), p = fused(p, h, 1.0 / 39916800.0), p = fused(p, h, 1.0 / 3628800.0);
    p = fused(p, h, 1.0 / 362880.0), p = fused(p, h, 1.0 / 40320.0), p = fused(p, h, 1.0 / 5040.0);
    p = fused(p, h, 1.0 / 720.0), p = fused(p, h, 1.0 / 120.0), p = fused(p, h, 1.0 / 24.0), p = fused(p, h, 1.0 / 6.0);
    *k = (s32)n;
    struct two square = product(h, h * 0.5), s = quick_sum(1.0, h);
    double tail = fused(p * h * h, h, square.lo) + (s.lo + fused(r.lo, h, r.lo));
    struct two t = quick_sum(s.hi, square.hi);
    return quick_sum(t.hi, t.lo + tail);
}
INLINE double exp_of(struct two x, s32 more)         // times 2^more
{
    s32 k;
    if (x.hi > 1500.0) return infinity();
    if (x.hi < -1500.0) return 0.0;
    if (x.hi != x.hi) return x.hi;
    struct two r = exp_parts(x, &k);
    return scale(r.hi, k + more);
}
DEVICE double __nv_exp(double x) { return exp_of(one(x), 0); }
DEVICE double __nv_exp2(double x)
{
    if (size(x) > 2000.0) x = with_sign(2000.0, x);
    double n = __builtin_rint(x);
    return x != x ? x : exp_of(times(one(x - n), LN2_HI, LN2_LO), (s32)n);
}
DEVICE double __nv_exp10(double x)
{
    return exp_of(size(x) < 500.0 ? times(one(x), 0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53) : one(x * 4.0), 0);
}
DEVICE double __nv_expm1(double x)
{
    s32 k;
    if (!(size(x) < 40.0)) return x < 0.0 ? -1.0 : __nv_exp(x);
    if (size(x) < 0x1p-54) return x;
    struct two e = exp_parts(one(x), &k);
    if (k) {
        double f = power_of_two(k);
        struct two s = sum(e.hi * f, -1.0);
        return s.hi + fused(e.lo, f, s.lo);
    }
    double p = 1.0 / 1307674368000.0;                // e^x - 1 itself, |x| < 0.35
    for (int n = 14; n > 2; n--) {
        static const double inverse[] = { 0, 0, 0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0, 1.0 / 40320.0,
                                          1.0 / 362880.0, 1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600.0,
                                          1.0 / 6227020800.0, 1.0 / 87178291200.0 };
        p = fused(p, x, inverse[n]);
    }
    struct two square = product(x, x * 0.5), s = quick_sum(x, square.hi);
    return s.hi + (fused(p * x, x * x, square.lo) + s.lo);
}

// ---- logarithms --------------------------------------------------------------------------------

// log(x (1 + tail)), x > 0 and finite: k log 2 + 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172.  The terms
// in s and s^3 have two parts, the others add less than 2^-12 of the first.
INLINE struct two log_parts(double x, double tail)
{
    s32 k = 0;
    if (exponent(x) == 0) x *= 0x1p54, k = -54;
    s32 e = (s32)((to_bits(x) - 0x3fe6a09e667f3bcdull) >> 52 & 0xfff);
    e = (s32)((u32)e << 20) >> 20;
    x = from_bits(to_bits(x) - ((u64)(s64)e << 52));
    k += e;
    double f = x - 1.0;
    struct two d = sum(2.0, f);
    double s = f / d.hi, rest = fused(-s, d.lo, fused(-s, d.hi, f)) / d.hi, z = s * s;
    double p = 2.0 / 25.0;
    p = fused(p, z, 2.0 / 23.0), p = fused(p, z, 2.0 / 21.0), p = fused(p, z, 2.0 / 19.0), p = fused(p, z, 2.0 / 17.0);
    p = fused(p, z, 2.0 / 15.0), p = fused(p, z, 2.0 / 13.0), p = fused(p, z, 2.0 / 11.0), p = fused(p, z, 2.0 / 9.0);
    p = fused(p, z, 2.0 / 7.0), p = fused(p, z, 2.0 / 5.0);
    struct two cube = times(product(s, s), s, rest * 3.0);
    cube = times(cube, 0x1.5555555555555p-1, 0x1.5555555555555p-55);
    double small = fused(p, z * z * s, cube.lo) + fused(rest, 2.0, tail);
    struct two r = quick_sum(2.0 * s, cube.hi);
    r = quick_sum(r.hi, r.lo + small);
    struct two whole = sum((double)k * LN2_SHORT, r.hi);
    return quick_sum(whole.hi, whole.lo + fused((double)k, LN2_REST, r.lo));
}
INLINE double log_special(double x) { return x == 0.0 ? -infinity() : x < 0.0 ? no_number() : x; }
INLINE bool positive(double x) { return x > 0.0 && x < infinity(); }
DEVICE double __nv_log(double x) { return positive(x) ? log_parts(x, 0.0).hi : log_special(x); }
DEVICE double __nv_log2(double x)
{
    return positive(x) ? times(log_parts(x, 0.0), 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56).hi : log_special(x);
}
DEVICE double __nv_log10(double x)
{
    return positive(x) ? times(log_parts(x, 0.0), 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57).hi : log_special(x);
}
// 2 artanh(r.hi + r.lo), below 1/16.
INLINE double twice_artanh(struct two r)
{
    double z = r.hi * r.hi, p = 2.0 / 15.0;
    p = fused(p, z, 2.0 / 13.0), p = fused(p, z, 2.0 / 11.0), p = fused(p, z, 2.0 / 9.0);
    p = fused(p, z, 2.0 / 7.0), p = fused(p, z, 2.0 / 5.0), p = fused(p, z, 2.0 / 3.0);
    return 2.0 * r.hi + fused(p * z, r.hi, 2.0 * r.lo);
}
DEVICE double __nv_log1p(double x)
{
    if (size(x) < 0x1p-54) return x;
    struct two s = sum(1.0, x), d = sum(2.0, x), r;
    if (!positive(s.hi)) return log_special(s.hi);
    if (size(x) > 0.0625) return log_parts(s.hi, s.lo / s.hi).hi;
    r.hi = x / d.hi, r.lo = fused(-r.hi, d.lo, fused(-r.hi, d.hi, x)) / d.hi;
    return twice_artanh(r);
}

DEVICE double __nv_pow(double x, double y)
{
    double a = size(x), t = size(y);
    bool whole = t >= 0x1p53 || __builtin_trunc(y) == y, odd = whole && t < 0x1p53 && ((s64)t & 1);
    if (y == 0.0 || x == 1.0) return 1.0;
    if (x != x || y != y) return x + y;
    if (t == infinity()) return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? infinity() : 0.0;
    double sign = x < 0.0 || (a == 0.0 && to_bits(x) >> 63) ? odd ? -1.0 : 1.0 : 1.0;
    if (a == 0.0 || a == infinity()) return with_sign((a == 0.0) == (y > 0.0) ? 0.0 : infinity(), sign);
    if (x < 0.0 && !whole) return no_number();
    struct two l = log_parts(a, 0.0);
    double rough = l.hi * y;
    if (!(size(rough) < 1400.0)) return with_sign(rough > 0.0 ? infinity() : 0.0, sign);
    return with_sign(exp_of(times(l, y, 0.0), 0), sign);
}

// ---- hyperbolic functions ----------------------------------------------------------------------

DEVICE double __nv_sinh(double x)
{
    double a = size(x);
    if (a < 22.0) {
        double t = __nv_expm1(a);
        return with_sign(a < 1.0 ? 0.5 * (2.0 * t - t * t / (t + 1.0)) : 0.5 * (t + t / (t + 1.0)), x);
    }
    return with_sign(exp_of(one(a), -1), x);
}
DEVICE double __nv_cosh(double x)
{
    double a = size(x), e = exp_of(one(a), -1);
    return a < 22.0 ? e + 0.25 / e : e;
}
DEVICE double __nv_tanh(double x)
{
    double a = size(x);
    if (!(a < 22.0)) return x != x ? x : with_sign(1.0, x);
    double t = __nv_expm1(2.0 * a);
    if (a >= 0.5) return with_sign(1.0 - 2.0 / (t + 2.0), x);
    return with_sign(quotient(one(t), sum(2.0, t)), x);
}
DEVICE double __nv_asinh(double x)
{
    double a = size(x);
    if (!(a < 0x1p28)) return x != x || a == infinity() ? x : with_sign(__nv_log(a) + LN2_HI, x);
    return with_sign(__nv_log1p(a + a * a / (1.0 + __builtin_sqrt(fused(a, a, 1.0)))), x);
}
DEVICE double __nv_acosh(double x)
{
    if (!(x < 0x1p28)) return x == infinity() || x != x ? x : __nv_log(x) + LN2_HI;
    if (x < 1.0) return no_number();
    double t = x - 1.0;
    return __nv_log1p(t + __builtin_sqrt(fused(t, t, 2.0 * t)));
}
DEVICE double __nv_atanh(double x)
{
    double a = size(x);
    if (!(a < 1.0)) return a == 1.0 ? with_sign(infinity(), x) : no_number();
    if (a < 0.0625) return a < 0x1p-27 ? x : 0.5 * twice_artanh(one(x));
    struct two n = sum(1.0, a), d = sum(1.0, -a);
    double q = n.hi / d.hi, rest = (fused(-q, d.lo, fused(-q, d.hi, n.hi)) + n.lo) / n.hi;
    return with_sign(0.5 * log_parts(q, rest).hi, x);
}

// ---- trigonometric functions -------------------------------------------------------------------

// x = q pi / 2 + r, |r| <= pi / 4.  x is m 2^e; of x 2 / pi the bits from 2 to 2^-190 are multiplied out.
INLINE struct two reduce(double x, u32 *q)
{
    double a = size(x);
    *q = 0;
    if (a <= 0x1.921fb54442d18p-1) return one(x);
    u64 m = (to_bits(a) & 0xfffffffffffffull) | 1ull << 52, high, p0, p1, p2;
    u32 at = (u32)(exponent(a) - 1075 + 62);
    p0 = multiply(m, window(at + 128), &high);
    p1 = multiply(m, window(at + 64), &p2);
    p1 += high;
    p2 += (p1 < high) + m * window(at);
    u64 f = p2 << 2 | p1 >> 62, g = p1 << 2 | p0 >> 62;
    *q = (u32)(p2 >> 62);
    bool up = f >> 63;                               // the nearer quadrant
    if (up) *q += 1, f = ~f, g = ~g;
    u32 z = clz(f);
    if (z) f = z > 63 ? g : f << z | g >> (64 - z), g = z > 63 ? 0 : g << z;
    // 53 bits of the fraction, then the next ones
    double hi = (double)(s64)(f >> 11), lo = (double)(s64)((f & 0x7ff) << 42 | g >> 22) * 0x1p-53;
    struct two r = times(quick_sum(hi, lo), 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54);
    double unit = power_of_two(-53 - (s32)z);
    if (up != (x < 0.0)) unit = -unit;
    if (x < 0.0) *q = 0 - *q;
    r.hi *= unit, r.lo *= unit;
    return r;
}
INLINE struct two sin_parts(struct two r)
{
    double z = r.hi * r.hi, p = 1.0 / 355687428096000.0;
    p = fused(p, z, -1.0 / 1307674368000.0), p = fused(p, z, 1.0 / 6227020800.0), p = fused(p, z, -1.0 / 39916800.0);
    p = fused(p, z, 1.0 / 362880.0), p = fused(p, z, -1.0 / 5040.0), p = fused(p, z, 1.0 / 120.0), p = fused(p, z, -1.0 / 6.0);
    return quick_sum(r.hi, fused(p * z, r.hi, fused(-0.5 * z, r.lo, r.lo)));
}
INLINE struct two cos_parts(struct two r)
{
    double z = r.hi * r.hi, p = -1.0 / 6402373705728000.0;
    p = fused(p, z, 1.0 / 20922789888000.0), p = fused(p, z, -1.0 / 87178291200.0), p = fused(p, z, 1.0 / 479001600.0);
    p = fused(p, z, -1.0 / 3628800.0), p = fused(p, z, 1.0 / 40320.0), p = fused(p, z, -1.0 / 720.0), p = fused(p, z, 1.0 / 24.0);
    double h = 0.5 * z, w = 1.0 - h;
    return quick_sum(w, (1.0 - w - h) + fused(p * z, z, -r.hi * r.lo));
}
INLINE bool is_finite(double x) { return size(x) < infinity(); }
INLINE double quadrant(struct two r, u32 q)          // sin(q pi / 2 + r)
{
    double v = q & 1 ? cos_parts(r).hi : sin_parts(r).hi;
    return q & 2 ? -v : v;
}
DEVICE double __nv_sin(double x)
{
    u32 q;
    if (!is_finite(x)) return no_number();
    struct two r = reduce(x, &q);
    return x == 0.0 ? x : quadrant(r, q);
}
DEVICE double __nv_cos(double x)
{
    u32 q;
    if (!is_finite(x)) return no_number();
    struct two r = reduce(x, &q);
    return quadrant(r, q + 1);
}
DEVICE double __nv_tan(double x)
{
    u32 q;
    if (!is_finite(x)) return no_number();
    if (size(x) < 0x1p-27) return x;
    struct two r = reduce(x, &q);
    struct two s = sin_parts(r), c = cos_parts(r);
    return q & 1 ? -quotient(c, s) : quotient(s, c);
}
DEVICE void __nv_sincos(double x, double *s, double *c)
{
    u32 q = 0;
    struct two r = is_finite(x) ? reduce(x, &q) : one(no_number());
    *s = x == 0.0 ? x : quadrant(r, q), *c = quadrant(r, q + 1);
}
// Of x pi: whole numbers of half turns are exact.
INLINE struct two half_turns(double x, u32 *q)
{
    double a = size(x) < 0x1p53 ? x : 0.0, n = __builtin_rint(2.0 * a);
    *q = (u32)(s64)n;
    return times(one(fused(n, -0.5, a)), 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53);
}
DEVICE double __nv_sinpi(double x)
{
    u32 q;
    if (!is_finite(x)) return no_number();
    struct two r = half_turns(x, &q);
    double v = quadrant(r, q);
    return v == 0.0 ? with_sign(0.0, x) : v;
}
DEVICE double __nv_cospi(double x)
{
    u32 q;
    if (!is_finite(x)) return no_number();
    struct two r = half_turns(x, &q);
    double v = quadrant(r, q + 1);
    return v == 0.0 ? 0.0 : v;
}
DEVICE void __nv_sincospi(double x, double *s, double *c) { *s = __nv_sinpi(x), *c = __nv_cospi(x); }

// atan(n / d) of positive ones, both of them exact or nearly so: atan(c) + atan((n - c d) / (d + c n)) of the
// nearest c of 0, 1/2, 1, 2, infinity, so that the argument of the series is below 1/4.
INLINE double atan_of(double n, double d)
{
    double hi, lo;
    struct two above, below;
    if (n < 0.25 * d) above = one(n), below = one(d), hi = lo = 0.0;
    else if (n < 0.75 * d) above = sum(n, -0.5 * d), below = sum(d, 0.5 * n), hi = 0x1.dac670561bb4fp-2, lo = 0x1.a2b7f222f65e2p-56;
    else if (n < 1.4 * d) above = sum(n, -d), below = sum(d, n), hi = 0x1.921fb54442d18p-1, lo = 0x1.1a62633145c07p-55;
    else if (n < 4.0 * d) above = sum(n, -2.0 * d), below = sum(d, 2.0 * n), hi = 0x1.1b6e192ebbe44p+0, lo = 0x1.b1b466a88828ep-54;
    else above = one(-d), below = one(n), hi = 0x1.921fb54442d18p+0, lo = 0x1.1a62633145c07p-54;
    double u = above.hi / below.hi;
    lo += (fused(-u, below.lo, fused(-u, below.hi, above.hi)) + above.lo) / below.hi;
    double z = u * u, p = -1.0 / 27.0;
    p = fused(p, z, 1.0 / 25.0), p = fused(p, z, -1.0 / 23.0), p = fused(p, z, 1.0 / 21.0), p = fused(p, z, -1.0 / 19.0);
    p = fused(p, z, 1.0 / 17.0), p = fused(p, z, -1.0 / 15.0), p = fused(p, z, 1.0 / 13.0), p = fused(p, z, -1.0 / 11.0);
    p = fused(p, z, 1.0 / 9.0), p = fused(p, z, -1.0 / 7.0), p = fused(p, z, 1.0 / 5.0), p = fused(p, z, -1.0 / 3.0);
    double t = fused(p * z, u, lo);
    if (hi == 0.0) return u + t;
    struct two s = quick_sum(hi, u);
    return s.hi + (s.lo + t);
}
DEVICE double __nv_atan(double x) { return x != x ? x : with_sign(atan_of(size(x) > 0x1p500 ? 0x1p500 : size(x), 1.0), x); }
DEVICE double __nv_atan2(double y, double x)
{
    const double pi = 0x1.921fb54442d18p+1, pi_rest = 0x1.1a62633145c07p-53;
    double a = size(y), b = size(x), r;
    bool left = to_bits(x) >> 63;
    if (x != x || y != y) return x + y;
    if (a == infinity() && b == infinity()) r = pi / 4.0;
    else if (a == 0.0) r = 0.0;
    else if (b == infinity()) r = 0.0;
    else if (a == infinity() || b == 0.0) r = pi / 2.0;
    else {
        s32 e = exponent(a), f = exponent(b), more = e > f ? e : f;
        double unit = more > 1500 ? 0x1p-600 : more < 500 ? 0x1p600 : 1.0;
        if (!left && e - f < -30) return with_sign(a / b, y);
        r = e - f > 300 ? pi / 2.0 : f - e > 300 ? 0.0 : atan_of(a * unit, b * unit);
    }
    return with_sign(left ? pi - (r - pi_rest) : r, y);
}
INLINE struct two root(struct two v)
{
    struct two r;
    r.hi = __builtin_sqrt(v.hi);
    r.lo = r.hi > 0.0 ? (fused(-r.hi, r.hi, v.hi) + v.lo) / (2.0 * r.hi) : 0.0;
    return r;
}
INLINE double asin_of(double a)                      // of 0 to 1
{
    struct two p = product(a, a), s = sum(1.0, -p.hi), d;
    s.lo -= p.lo;
    d = root(s);
    return fused(-a, d.lo, atan_of(a, d.hi));
}
DEVICE double __nv_asin(double x)
{
    double a = size(x);
    if (!(a <= 1.0)) return no_number();
    return a < 0x1p-27 ? x : with_sign(asin_of(a), x);
}
DEVICE double __nv_acos(double x)
{
    double a = size(x);
    if (!(a <= 1.0)) return no_number();
    if (a < 0.5) return 0x1.921fb54442d18p+0 - (with_sign(asin_of(a), x) - 0x1.1a62633145c07p-54);
    struct two n = root(one(1.0 - a)), d = root(sum(1.0, a));
    double r = 2.0 * atan_of(n.hi, d.hi) + fused(n.lo, d.hi, -n.hi * d.lo);
    return x < 0.0 ? 0x1.921fb54442d18p+1 - (r - 0x1.1a62633145c07p-53) : r;
}

// ---- roots, lengths, remainders ----------------------------------------------------------------

DEVICE double __nv_cbrt(double x)
{
    double a = size(x);
    if (!(a > 0.0 && a < infinity())) return x;
    s32 k = 0;
    if (exponent(a) == 0) a *= 0x1p54, k = -18;
    if (exponent(a) > 2000) a *= 0x1p-54, k = 18;
    double y = from_bits(to_bits(a) / 3 + 0x2a9f7893782da1ceull);
    for (int n = 0; n < 4; n++) y -= (y * y * y - a) / (3.0 * y * y);
    struct two s = product(y, y), c = times(s, y, 0.0);      // once more, with the remainder unrounded
    y -= ((c.hi - a) + c.lo) / (3.0 * s.hi);
    return with_sign(scale(y, k), x);
}
DEVICE double __nv_hypot(double x, double y)
{
    double a = size(x), b = size(y);
    if (a == infinity() || b == infinity()) return infinity();
    if (a != a || b != b) return a + b;
    if (a < b) { double t = a; a = b, b = t; }
    if (b == 0.0) return a;
    s32 k = exponent(a) > 1500 ? 600 : exponent(a) < 700 ? -600 : 0;
    double f = power_of_two(-k);
    a *= f, b *= f;
    struct two p = product(a, a), q = product(b, b), s = quick_sum(p.hi, q.hi);
    double h = __builtin_sqrt(s.hi), d = fused(-h, h, s.hi) + (s.lo + (p.lo + q.lo));
    return (h + d / (2.0 * h)) * power_of_two(k);
}
// 1 / cbrt(x): one more step from the rounded one, of a magnitude whose cube has bits to spare.
DEVICE double __nv_rcbrt(double x)
{
    double a = size(x), f = 1.0;
    if (!(a > 0.0 && a < infinity())) return 1.0 / x;
    if (exponent(a) < 200) a *= 0x1p600, f = 0x1p200;
    if (exponent(a) > 1800) a *= 0x1p-600, f = 0x1p-200;
    double r = 1.0 / __nv_cbrt(a);
    struct two c = times(product(r, r), r, 0.0);
    r += r * (fused(-a, c.hi, 1.0) - a * c.lo) / 3.0;
    return with_sign(r * f, x);
}
// The length of a vector, or the inverse of it; the sum of the squares in two parts.
INLINE double length_of(const double *v, s32 n, bool inverse)
{
    double most = 0.0, bad = 0.0;
    for (s32 k = 0; k < n; k++) {
        most = size(v[k]) > most ? size(v[k]) : most;
        if (v[k] != v[k]) bad = v[k];
    }
    if (most == infinity()) return inverse ? 0.0 : most;
    if (bad != bad) return bad;
    if (most == 0.0) return inverse ? infinity() : 0.0;
    s32 k = exponent(most) > 1500 ? 600 : exponent(most) < 700 ? -600 : 0;
    double f = power_of_two(-k), lo = 0.0;
    struct two s = { 0.0, 0.0 };
    for (s32 i = 0; i < n; i++) {
        struct two p = product(v[i] * f, v[i] * f);
        s = sum(s.hi, p.hi);
        lo += s.lo + p.lo;
    }
    s = quick_sum(s.hi, lo);
    double h = __builtin_sqrt(s.hi), d = (fused(-h, h, s.hi) + s.lo) / (2.0 * h), r = 1.0 / h;
    return inverse ? (r + r * (fused(-h, r, 1.0) - d * r)) * f : (h + d) * power_of_two(k);
}
#define LENGTHS(NAME, INVERSE) \
    DEVICE double __nv_##NAME(s32 n, const double *v) { return length_of(v, n, INVERSE); } \
    DEVICE double __nv_##NAME##3d(double a, double b, double c) \
    { \
        const double v[3] = { a, b, c }; \
        return length_of(v, 3, INVERSE); \
    } \
    DEVICE double __nv_##NAME##4d(double a, double b, double c, double d) \
    { \
        const double v[4] = { a, b, c, d }; \
        return length_of(v, 4, INVERSE); \
    } \
    DEVICE float __nv_##NAME##3df(float a, float b, float c) { return (float)__nv_##NAME##3d(a, b, c); } \
    DEVICE float __nv_##NAME##4df(float a, float b, float c, float d) { return (float)__nv_##NAME##4d(a, b, c, d); }
LENGTHS(norm, false)
LENGTHS(rnorm, true)
#undef LENGTHS
DEVICE double __nv_rhypot(double x, double y)
{
    const double v[2] = { x, y };
    return length_of(v, 2, true);
}
// Of f32 the squares need no scale.
INLINE double squares_of(const float *v, s32 n)
{
    double s = 0.0, most = 0.0;
    for (s32 k = 0; k < n; k++) {
        s = fused((double)v[k], (double)v[k], s);
        most = size((double)v[k]) > most ? size((double)v[k]) : most;
    }
    return most == infinity() ? most : s;
}
DEVICE float __nv_normf(s32 n, const float *v) { return (float)__builtin_sqrt(squares_of(v, n)); }
DEVICE float __nv_rnormf(s32 n, const float *v) { return (float)rsqrt_of(squares_of(v, n)); }
DEVICE double __nv_rsqrt(double x) { return rsqrt_of(x); }
DEVICE double __nv_sqrt(double x) { return __builtin_sqrt(x); }
DEVICE double __nv_fma(double a, double b, double c) { return fused(a, b, c); }

// The remainder of x / y, y not zero, both finite; the quotient's last bits.
INLINE double remainder_of(double x, double y, u32 *whole)
{
    u64 a = to_bits(size(x)), b = to_bits(size(y)), q;
    s32 e = (s32)(a >> 52), f = (s32)(b >> 52);
    *whole = 0;
    if (a < b) return size(x);
    u64 m = (a & 0xfffffffffffffull) | (e ? 1ull << 52 : 0), n = (b & 0xfffffffffffffull) | (f ? 1ull << 52 : 0);
    e += !e, f += !f;
    q = m / n, m -= q * n, *whole = (u32)q;
    for (s32 left = e - f; left > 0;) {              // eleven bits of the quotient at a time
        s32 step = left < 11 ? left : 11;
        m <<= step, left -= step;
        q = m / n, m -= q * n, *whole = *whole << step | (u32)q;
    }
    if (!m) return 0.0;
    s32 z = (s32)clz(m) - 11;
    if (z >= f) return from_bits(m << (f - 1));      // subnormal
    return from_bits((m << z) + ((u64)(u32)(f - z - 1) << 52));
}
DEVICE double __nv_fmod(double x, double y)
{
    u32 whole;
    if (x != x || y != y) return x + y;
    if (!is_finite(x) || y == 0.0) return no_number();
    return size(y) == infinity() ? x : with_sign(remainder_of(x, y, &whole), x);
}
DEVICE double __nv_remquo(double x, double y, s32 *quotient)     // three bits of it
{
    u32 whole = 0;
    *quotient = 0;
    if (x != x || y != y) return x + y;
    if (!is_finite(x) || y == 0.0) return no_number();
    if (size(y) == infinity()) return x;
    double b = size(y), r = remainder_of(x, y, &whole);
    bool odd = whole & 1;
    if (b > 0x1p1022 ? r > 0.5 * b || (r == 0.5 * b && odd) : r + r > b || (r + r == b && odd)) r -= b, whole++;
    *quotient = (to_bits(x) ^ to_bits(y)) >> 63 ? -(s32)(whole & 7) : (s32)(whole & 7);
    return r == 0.0 ? with_sign(0.0, x) : to_bits(x) >> 63 ? -r : r;
}
DEVICE double __nv_remainder(double x, double y)
{
    s32 quotient;
    return __nv_remquo(x, y, &quotient);
}

// ---- the parts of a number ---------------------------------------------------------------------

DEVICE double __nv_ldexp(double x, s32 n) { return scale(x, n > 2900 ? 2900 : n < -2900 ? -2900 : n); }
DEVICE double __nv_scalbn(double x, s32 n) { return __nv_ldexp(x, n); }
DEVICE double __nv_frexp(double x, s32 *n)
{
    *n = 0;
    if (x == 0.0 || !is_finite(x)) return x;
    if (exponent(x) == 0) x *= 0x1p54, *n = -54;
    *n += exponent(x) - 1022;
    return from_bits((to_bits(x) & ~0x7ff0000000000000ull) | 0x3fe0000000000000ull);
}
DEVICE s32 __nv_ilogb(double x)
{
    s32 n;
    if (x == 0.0 || x != x) return (s32)0x80000000;
    if (!is_finite(x)) return 0x7fffffff;
    __nv_frexp(x, &n);
    return n - 1;
}
DEVICE double __nv_logb(double x) { return x == 0.0 ? -infinity() : is_finite(x) ? (double)__nv_ilogb(x) : x != x ? x : infinity(); }
DEVICE double __nv_nextafter(double x, double y)
{
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0.0) return with_sign(from_bits(1), y);
    return from_bits(to_bits(x) + ((x < y) == (x > 0.0) ? 1 : ~0ull));
}
DEVICE float __nv_nextafterf(float x, float y)
{
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0.0f) return from_bits32(1 | (to_bits32(y) & 0x80000000));
    return from_bits32(to_bits32(x) + ((x < y) == (x > 0.0f) ? 1 : ~0u));
}
DEVICE double __nv_fmin(double a, double b) { return a != a ? b : b != b ? a : a < b || (a == b && to_bits(a) >> 63) ? a : b; }
DEVICE double __nv_fmax(double a, double b) { return a != a ? b : b != b ? a : a > b || (a == b && to_bits(b) >> 63) ? a : b; }
DEVICE double __nv_powi(double x, s32 n) { return __nv_pow(x, (double)n); }

// ---- f32 by way of f64: rounded twice, so never more than 0.5000001 units off ------------------

#define F32(NAME) DEVICE float __nv_##NAME##f(float x) { return (float)__nv_##NAME((double)x); }
F32(exp10) F32(expm1) F32(log1p) F32(sinh) F32(cosh) F32(asinh) F32(acosh) F32(atanh) F32(sinpi) F32(cospi) F32(atan)
F32(asin) F32(acos) F32(cbrt) F32(rcbrt) F32(logb)
#undef F32
DEVICE float __nv_atan2f(float y, float x) { return (float)__nv_atan2((double)y, (double)x); }
DEVICE float __nv_hypotf(float x, float y) { return (float)__nv_hypot((double)x, (double)y); }
DEVICE float __nv_rhypotf(float x, float y) { return (float)__nv_rhypot((double)x, (double)y); }
DEVICE float __nv_remquof(float x, float y, s32 *quotient) { return (float)__nv_remquo((double)x, (double)y, quotient); }
DEVICE float __nv_remainderf(float x, float y) { return (float)__nv_remainder((double)x, (double)y); }
DEVICE float __nv_ldexpf(float x, s32 n) { return (float)__nv_ldexp((double)x, n > 400 ? 400 : n < -400 ? -400 : n); }
DEVICE float __nv_scalbnf(float x, s32 n) { return __nv_ldexpf(x, n); }
DEVICE float __nv_frexpf(float x, s32 *n) { return (float)__nv_frexp((double)x, n); }
DEVICE s32 __nv_ilogbf(float x) { return __nv_ilogb((double)x); }
DEVICE float __nv_powif(float x, s32 n) { return (float)__nv_pow((double)x, (double)n); }
DEVICE void __nv_sincospif(float x, float *s, float *c) { *s = __nv_sinpif(x), *c = __nv_cospif(x); }
