// What maths.cu computes, by the library's own source on the host (which tests/unit/test_math.c holds to MPFR).
// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_math.h"
INLINE double rsqrt_of(double x) { return 1 / __builtin_sqrt(x); }
#include "../../../compiler/softlib/pi.cuh"
#include "../../../compiler/softlib/math.cuh"
#define fabs __builtin_fabs
#define sin __nv_sin
#define exp __nv_exp
#define log __nv_log
#define pow __nv_pow
#define exp2 __nv_exp2
#define exp10 __nv_exp10
#define expm1 __nv_expm1
#define log2 __nv_log2
#define log10 __nv_log10
#define log1p __nv_log1p
#define sinh __nv_sinh
#define cosh __nv_cosh
#define tanh __nv_tanh
#define asinh __nv_asinh
#define acosh __nv_acosh
#define atanh __nv_atanh
#define cos __nv_cos
#define tan __nv_tan
#define sinpi __nv_sinpi
#define cospi __nv_cospi
#define atan __nv_atan
#define asin __nv_asin
#define acos __nv_acos
#define cbrt __nv_cbrt
#define atan2 __nv_atan2
#define hypot __nv_hypot
#define fmod __nv_fmod
#define remainder __nv_remainder
#include "../maths.cu"

int main()
{
    std::vector<unsigned> few(16), all(2048);
    launch(1, 4, [&] { maths(0, few.data()); });
    print_hash("out", few);
    launch(1, 32, [&] { maths(1, all.data()); });
    print_hash("out", all);
}
