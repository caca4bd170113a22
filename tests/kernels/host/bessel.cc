// What bessel.cu computes, by the library's own source on the host (which
// tests/unit/test_bessel.c holds to MPFR).
// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_math.h"
INLINE double rsqrt_of(double x) { return 1 / __builtin_sqrt(x); }
#include "../../../compiler/softlib/pi.cuh"
#include "../../../compiler/softlib/math.cuh"
#include "../../../compiler/softlib/bessel_terms.cuh"
#include "../../../compiler/softlib/gamma.cuh"
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
#define tgamma __nv_tgamma
#define lgamma __nv_lgamma
#define j0 __nv_j0
#define j1 __nv_j1
#define y0 __nv_y0
#define y1 __nv_y1
#define jn __nv_jn
#define yn __nv_yn
#define cyl_bessel_i0 __nv_cyl_bessel_i0
#define cyl_bessel_i1 __nv_cyl_bessel_i1
#include "../bessel.cu"

int main()
{
    std::vector<unsigned> few(30), all(960);
    launch(1, 1, [&] { bessel(8, few.data()); });
    print_hash("out", few);
    launch(1, 32, [&] { bessel(1, all.data()); });
    print_hash("out", all);
}
