// What bessel.cu computes, by the library's own source on the host (which
// tests/unit/test_bessel.c holds to MPFR).
// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_math.h"
INLINE double rsqrt_of(double x) { return 1 / __builtin_sqrt(x); }
#include "../../../compiler/softlib/pi.cuh"
#include "../../../compiler/softlib/math.cuh"
#include "../../../compiler/softlib/bessel.cuh"
#define fabsf __builtin_fabsf
#define tgammaf __nv_tgammaf
#define lgammaf __nv_lgammaf
#define j0f __nv_j0f
#define j1f __nv_j1f
#define y0f __nv_y0f
#define y1f __nv_y1f
#define jnf __nv_jnf
#define ynf __nv_ynf
#define cyl_bessel_i0f __nv_cyl_bessel_i0f
#define cyl_bessel_i1f __nv_cyl_bessel_i1f
#include "../bessel.cu"

int main()
{
    std::vector<float> few(10), all(320);
    launch(1, 1, [&] { bessel(8, few.data()); });
    print_hash("out", few);
    launch(1, 32, [&] { bessel(1, all.data()); });
    print_hash("out", all);
}
