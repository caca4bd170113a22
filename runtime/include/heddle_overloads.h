/* What CUDA's mathematics has by one name for float and double: clang's headers declare the float
 * side of these and leave its definition to CUDA's own.  SPDX-License-Identifier: Apache-2.0 */
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
HD_FLOAT(float, scalbn)(float a, int n) { return ::scalbnf(a, n); }
HD_FLOAT(float, scalbln)(float a, long n) { return ::scalblnf(a, n); }
/* Of mixed signs the result is unsigned, as it is in C. */
#define HD_MIXED(A, B, U) HD_LESSER(A, B, U) HD_LESSER(B, A, U)
#define HD_LESSER(A, B, U) \
    static __inline__ __attribute__((host, device)) U min(A a, B b) \
    { return (U)a < (U)b ? (U)a : (U)b; } \
    static __inline__ __attribute__((host, device)) U max(A a, B b) \
    { return (U)a > (U)b ? (U)a : (U)b; }
HD_MIXED(int, unsigned, unsigned)
HD_MIXED(long, unsigned long, unsigned long)
HD_MIXED(long long, unsigned long long, unsigned long long)
#undef HD_LESSER
#undef HD_MIXED
#undef HD_ONE
#undef HD_TWO
#undef HD_FLOAT
#endif
