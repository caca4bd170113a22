/* Bessel functions, which Heddle does not have: before clang's headers, which define them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_BESSEL_H
#define HEDDLE_BESSEL_H
#define HD_ONE(T, NAME, ...) \
    static __device__ T NAME(__VA_ARGS__) __attribute__((unavailable("Heddle refuses it: Bessel functions are not there")));
#define HD_BESSEL(NAME, ...) HD_ONE(double, NAME, __VA_ARGS__ double) HD_ONE(float, NAME##f, __VA_ARGS__ float)
#define HD_ORDER int,
HD_BESSEL(j0)
HD_BESSEL(j1)
HD_BESSEL(jn, HD_ORDER)
HD_BESSEL(y0)
HD_BESSEL(y1)
HD_BESSEL(yn, HD_ORDER)
HD_BESSEL(cyl_bessel_i0)
HD_BESSEL(cyl_bessel_i1)
#undef HD_ORDER
#undef HD_BESSEL
#undef HD_ONE
#endif
