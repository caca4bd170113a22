// What special.cu computes, by the library's own source on the host (which tests/unit/test_math.c holds to MPFR).
// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_math.h"
INLINE double rsqrt_of(double x) { return 1 / __builtin_sqrt(x); }
#include "../../../compiler/softlib/pi.cuh"
#include "../../../compiler/softlib/math.cuh"
#include "../../../compiler/softlib/special.cuh"
#define erf __nv_erf
#define erfc __nv_erfc
#define erfcx __nv_erfcx
#define normcdf __nv_normcdf
#include "../special.cu"

int main()
{
    std::vector<unsigned> few(32), all(256);
    launch(1, 4, [&] { special(8, few.data()); });
    print_hash("out", few);
    launch(1, 32, [&] { special(1, all.data()); });
    print_hash("out", all);
}
