/* What CUDA's mathematics has by one name for float and double: clang's headers declare the float
 * side of the standard's and leave its definition to CUDA's own, which has more, for the host too.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_OVERLOADS_H
#define HEDDLE_OVERLOADS_H
#define HD_FLOAT(T, NAME) static __inline__ __attribute__((device, always_inline, nodebug)) T NAME
#define HD_ONE(T, NAME) HD_FLOAT(T, NAME)(float a) { return ::NAME##f(a); }
#define HD_TWO(NAME) HD_FLOAT(float, NAME)(float a, float b) { return ::NAME##f(a, b); }
HD_ONE(float, acosh)
HD_ONE(float, asinh)
HD_ONE(float, atanh)
HD_ONE(float, cbrt)
HD_ONE(float, erf)
HD_ONE(float, erfc)
HD_ONE(float, exp2)
HD_ONE(float, expm1)
HD_ONE(float, lgamma)
HD_ONE(float, log1p)
HD_ONE(float, log2)
HD_ONE(float, logb)
HD_ONE(float, nearbyint)
HD_ONE(float, rint)
HD_ONE(float, round)
HD_ONE(float, tgamma)
HD_ONE(float, trunc)
HD_ONE(int, ilogb)
HD_ONE(long, lrint)
HD_ONE(long, lround)
HD_ONE(long long, llrint)
HD_ONE(long long, llround)
HD_TWO(copysign)
HD_TWO(fdim)
HD_TWO(fmax)
HD_TWO(fmin)
HD_TWO(hypot)
HD_TWO(nextafter)
HD_TWO(remainder)
HD_FLOAT(float, fma)(float a, float b, float c) { return ::fmaf(a, b, c); }
HD_FLOAT(float, remquo)(float a, float b, int *q) { return ::remquof(a, b, q); }
HD_FLOAT(float, scalbn)(float a, int n) { return ::scalbnf(a, n); }
HD_FLOAT(float, scalbln)(float a, long n) { return ::scalblnf(a, n); }
HD_FLOAT(double, copysign)(float a, double b) { return ::copysign((double)a, b); }
HD_FLOAT(double, copysign)(double a, float b) { return ::copysign(a, (double)b); }
/* In the place of clang's, which have the same arguments: the attribute makes ours the better. */
#define HD_BETTER(T, NAME) \
    static __inline__ __attribute__((device, always_inline, nodebug, enable_if(true, ""))) T NAME
HD_BETTER(double, pow)(float a, int n) { return ::pow((double)a, (double)n); }
HD_BETTER(double, pow)(double a, int n) { return ::pow(a, (double)n); }
/* A double is 0 or infinite after 5000 halvings or doublings, or was before. */
#define HD_SCALED(T, NAME, BY) \
    HD_BETTER(T, NAME)(T a, long n) \
    { return BY(a, (int)(n > 5000 ? 5000 : n < -5000 ? -5000 : n)); }
HD_SCALED(float, scalbln, ::scalbnf)
HD_SCALED(float, scalblnf, ::scalbnf)
HD_SCALED(double, scalbln, ::scalbn)
#undef HD_SCALED
#undef HD_BETTER
namespace std {
using ::copysign;
using ::pow;
using ::scalbln;
using ::scalblnf;
}
#undef HD_FLOAT
#define HD_FLOAT(T, NAME) static __inline__ __attribute__((host, device, unused)) T NAME
HD_ONE(float, cospi)
HD_ONE(float, erfcinv)
HD_ONE(float, erfcx)
HD_ONE(float, erfinv)
HD_ONE(float, exp10)
HD_ONE(float, normcdf)
HD_ONE(float, normcdfinv)
HD_ONE(float, rcbrt)
HD_ONE(float, rsqrt)
HD_ONE(float, sinpi)
HD_FLOAT(void, sincos)(float a, float *s, float *c) { ::sincosf(a, s, c); }
HD_FLOAT(void, sincospi)(float a, float *s, float *c) { ::sincospif(a, s, c); }
/* Of mixed signs the result is unsigned, as it is in C. */
#define HD_MIXED(A, B, U) HD_LESSER(A, B, U) HD_LESSER(B, A, U)
#define HD_LESSER(A, B, U) \
    static __inline__ __attribute__((host, device)) U min(A a, B b) \
    { return (U)a < (U)b ? (U)a : (U)b; } \
    static __inline__ __attribute__((host, device)) U max(A a, B b) \
    { return (U)a > (U)b ? (U)a : (U)b; }
/* Of float and double, double; on both sides what is no number is not taken. */
#define HD_WIDER(A, B) \
    static __inline__ __attribute__((host, device)) double min(A a, B b) { return ::fmin(a, b); } \
    static __inline__ __attribute__((host, device)) double max(A a, B b) { return ::fmax(a, b); }
HD_WIDER(float, double)
HD_WIDER(double, float)
#undef HD_WIDER
HD_MIXED(int, unsigned, unsigned)
HD_MIXED(long, unsigned long, unsigned long)
HD_MIXED(long long, unsigned long long, unsigned long long)
#undef HD_LESSER
#undef HD_MIXED
#undef HD_ONE
#undef HD_TWO
#undef HD_FLOAT
#endif
