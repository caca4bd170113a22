/* Mathematics that CUDA lets host code call, and libm does not have.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_HOST_MATH_H
#define HEDDLE_HOST_MATH_H
/* By f80, so that the last rounding is almost the only one. */
static inline float rsqrtf(float x) { return (float)(1 / ::sqrt((double)x)); }
static inline double rsqrt(double x) { return (double)(1 / ::sqrtl((long double)x)); }
static inline float rcbrtf(float x) { return (float)(1 / ::cbrt((double)x)); }
static inline double rcbrt(double x) { return (double)(1 / ::cbrtl((long double)x)); }
/* x less an even number is exact; from there the nearest half is taken away, exact again. */
static inline double heddle_sinpi(double x, int quarters)
{
    double r = ::fmod(x, 2), n = ::rint(2 * r), t = (r - n / 2) * M_PI;
    int q = (int)n + quarters;
    double v = q & 1 ? ::cos(t) : ::sin(t);
    return q & 2 ? -v : v;
}
static inline double sinpi(double x)
{
    double v = heddle_sinpi(x, 0);
    return v == 0 ? ::copysign(v, x) : v;
}
static inline double cospi(double x)
{
    double v = heddle_sinpi(x, 1);
    return v == 0 ? 0 : v;
}
static inline float sinpif(float x) { return (float)sinpi((double)x); }
static inline float cospif(float x) { return (float)cospi((double)x); }
static inline void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
static inline void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
static inline double normcdf(double x)
{
    return (double)(::erfcl(x * -0.707106781186547524400844362104849039l) / 2);
}
/* The approximation of Abramowitz and Stegun, 26.2.23, then steps of Halley's; about 1, where erfc
 * has lost what 1 - x has not, by erf. */
static inline long double heddle_erfinv(long double x);
static inline long double heddle_erfcinv(long double x)
{
    if (!(x > 0 && x < 2)) return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
    if (x > 0.5l && x < 1.5l) return heddle_erfinv(1 - x);
    if (x > 1) return -heddle_erfcinv(2 - x);
    long double t = ::sqrtl(-2 * ::logl(x / 2));
    long double y = (t - (2.30753l + t * 0.27061l) / (1 + t * (0.99229l + t * 0.04481l))) *
                    0.707106781186547524400844362104849039l;
    for (int k = 0; k < 4; k++) {
        long double off = ::erfcl(y) - x;
        y += off / (1.12837916709551257389615890312154517l * ::expl(-y * y) - y * off);
    }
    return y;
}
static inline long double heddle_erfinv(long double x)
{
    if (x != x || ::fabsl(x) > 0.5l) return heddle_erfcinv(1 - x);
    const long double slope = 1.12837916709551257389615890312154517l;
    long double y = x / slope;
    for (int k = 0; k < 5; k++) {
        long double off = ::erfl(y) - x;
        y -= off / (slope * ::expl(-y * y) + y * off);
    }
    return y;
}
static inline double erfcinv(double x) { return (double)heddle_erfcinv(x); }
static inline double erfinv(double x) { return x == 0 ? x : (double)heddle_erfinv(x); }
static inline double normcdfinv(double x)
{
    return (double)(-1.41421356237309504880168872420969808l * heddle_erfcinv(2 * (long double)x));
}
static inline double erfcx(double x)
{
    long double l = x, q = 1 / (2 * l * l);
    if (x < 25) return (double)(::expl(l * l) * ::erfcl(l));
    return (double)(0.564189583547756286948079451560772586l / l *
                    (1 - q * (1 - 3 * q * (1 - 5 * q * (1 - 7 * q * (1 - 9 * q))))));
}
static inline double rhypot(double x, double y) { return 1 / ::hypot(x, y); }
static inline double norm3d(double x, double y, double z) { return ::hypot(::hypot(x, y), z); }
static inline double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
static inline double norm4d(double x, double y, double z, double w)
{
    return ::hypot(norm3d(x, y, z), w);
}
static inline double rnorm4d(double x, double y, double z, double w)
{
    return 1 / norm4d(x, y, z, w);
}
#define HD_NARROW(NAME) static inline float NAME##f(float x) { return (float)NAME((double)x); }
HD_NARROW(normcdf) HD_NARROW(normcdfinv) HD_NARROW(erfinv) HD_NARROW(erfcinv) HD_NARROW(erfcx)
#undef HD_NARROW
static inline float rhypotf(float x, float y) { return (float)rhypot(x, y); }
static inline float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
static inline float rnorm3df(float x, float y, float z) { return (float)rnorm3d(x, y, z); }
static inline float norm4df(float x, float y, float z, float w)
{
    return (float)norm4d(x, y, z, w);
}
static inline float fdividef(float x, float y) { return x / y; }
static inline float min(float a, float b) { return ::fminf(a, b); }
static inline float max(float a, float b) { return ::fmaxf(a, b); }
static inline double min(double a, double b) { return ::fmin(a, b); }
static inline double max(double a, double b) { return ::fmax(a, b); }
#define HD_NAMED(T, U) \
    static inline T U##min(T a, T b) { return a < b ? a : b; } \
    static inline T U##max(T a, T b) { return a > b ? a : b; }
HD_NAMED(unsigned, u)
HD_NAMED(long long, ll)
HD_NAMED(unsigned long long, ull)
#undef HD_NAMED
#endif
