/* Bessel functions, which Heddle does not have: a call for the device is an error that says so.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In place of those of clang's header, which get other names.  Their types are CUDA's, and the host
 * has its own. */
#ifndef HEDDLE_BESSEL_H
#define HEDDLE_BESSEL_H
#define j0 heddle_clang_j0
#define j1 heddle_clang_j1
#define jn heddle_clang_jn
#define y0 heddle_clang_y0
#define y1 heddle_clang_y1
#define yn heddle_clang_yn
#define j0f heddle_clang_j0f
#define j1f heddle_clang_j1f
#define jnf heddle_clang_jnf
#define y0f heddle_clang_y0f
#define y1f heddle_clang_y1f
#define ynf heddle_clang_ynf
#define cyl_bessel_i0 heddle_clang_cyl_bessel_i0
#define cyl_bessel_i1 heddle_clang_cyl_bessel_i1
#define cyl_bessel_i0f heddle_clang_cyl_bessel_i0f
#define cyl_bessel_i1f heddle_clang_cyl_bessel_i1f
#include <__clang_cuda_math.h>
#undef j0
#undef j1
#undef jn
#undef y0
#undef y1
#undef yn
#undef j0f
#undef j1f
#undef jnf
#undef y0f
#undef y1f
#undef ynf
#undef cyl_bessel_i0
#undef cyl_bessel_i1
#undef cyl_bessel_i0f
#undef cyl_bessel_i1f

#define HD_ONE(T, NAME, ...) \
    __device__ T NAME(__VA_ARGS__) \
        __attribute__((error("Heddle refuses it: Bessel functions are not there")));
#define HD_OF(NAME) \
    HD_ONE(double, NAME, double) HD_ONE(float, NAME, float) HD_ONE(float, NAME##f, float)
#define HD_ORDER(NAME) \
    HD_ONE(double, NAME, int, double) HD_ONE(float, NAME, int, float) \
    HD_ONE(float, NAME##f, int, float)
#define HD_HOST(NAME) \
    static __inline__ __attribute__((host, unused)) float NAME(float a) { return ::NAME##f(a); }
HD_OF(j0) HD_OF(j1) HD_OF(y0) HD_OF(y1) HD_OF(cyl_bessel_i0) HD_OF(cyl_bessel_i1)
HD_ORDER(jn) HD_ORDER(yn)
HD_HOST(j0) HD_HOST(j1) HD_HOST(y0) HD_HOST(y1)
static __inline__ __attribute__((host, unused)) float jn(int n, float a) { return ::jnf(n, a); }
static __inline__ __attribute__((host, unused)) float yn(int n, float a) { return ::ynf(n, a); }
#undef HD_HOST
#undef HD_ORDER
#undef HD_OF
#undef HD_ONE
#endif
