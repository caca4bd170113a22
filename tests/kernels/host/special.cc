// What special.cu computes, by the library's own source on the host (which tests/unit/test_math.c holds to MPFR).
// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#define INLINE static inline __attribute__((unused))
#define DEVICE static __attribute__((unused))
#define TABLE static
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
INLINE u64 to_bits(double d) { u64 u; memcpy(&u, &d, 8); return u; }
INLINE double from_bits(u64 u) { double d; memcpy(&d, &u, 8); return d; }
INLINE u32 clz(u64 v) { return v ? (u32)__builtin_clzll(v) : 64; }
INLINE u64 multiply(u64 a, u64 b, u64 *high)
{
    unsigned __int128 p = (unsigned __int128)a * b;
    *high = (u64)(p >> 64);
    return (u64)p;
}
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
