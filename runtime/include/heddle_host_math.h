/* Mathematics that CUDA lets host code call, and libm does not have.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_HOST_MATH_H
#define HEDDLE_HOST_MATH_H
static inline float rsqrtf(float x) { return 1 / ::sqrtf(x); }
static inline double rsqrt(double x) { return 1 / ::sqrt(x); }
static inline float rcbrtf(float x) { return 1 / ::cbrtf(x); }
static inline double rcbrt(double x) { return 1 / ::cbrt(x); }
static inline double sinpi(double x) { return ::sin(x * M_PI); }
static inline double cospi(double x) { return ::cos(x * M_PI); }
static inline float sinpif(float x) { return (float)::sin(x * M_PI); }
static inline float cospif(float x) { return (float)::cos(x * M_PI); }
static inline void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
static inline void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
static inline double normcdf(double x) { return ::erfc(x * -M_SQRT1_2) / 2; }
/* The approximation of Abramowitz and Stegun, 26.2.23, then three steps of Halley's. */
static inline double erfcinv(double x)
{
    if (!(x > 0 && x < 2)) return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
    if (x > 1) return -erfcinv(2 - x);
    double t = ::sqrt(-2 * ::log(x / 2));
    double y = (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481))) * M_SQRT1_2;
    for (int k = 0; k < 3; k++) {
        double off = ::erfc(y) - x;
        y += off / (M_2_SQRTPI * ::exp(-y * y) - y * off);
    }
    return y;
}
static inline double erfinv(double x)
{
    double y = ::fabs(x) < 0.5 ? x / M_2_SQRTPI : erfcinv(1 - x);
    for (int k = 0; k < 4 && ::fabs(x) < 0.5; k++) {
        double off = ::erf(y) - x;
        y -= off / (M_2_SQRTPI * ::exp(-y * y) + y * off);
    }
    return y;
}
static inline double normcdfinv(double x) { return -M_SQRT2 * erfcinv(2 * x); }
static inline double erfcx(double x)
{
    double q = 1 / (2 * x * x);
    if (x < 25) return ::exp(x * x) * ::erfc(x);
    return M_2_SQRTPI / 2 / x * (1 - q * (1 - 3 * q * (1 - 5 * q * (1 - 7 * q * (1 - 9 * q)))));
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
#define HD_NARROW(NAME) \
    static inline float NAME##f(float x) { return (float)NAME((double)x); } \
    static inline float NAME(float x) { return (float)NAME((double)x); }
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
static inline float min(float a, double b) { return (float)::fmin(a, b); }
static inline float max(float a, double b) { return (float)::fmax(a, b); }
#endif
