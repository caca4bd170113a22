/* What the library's mathematics needs of a machine beside f64, of the host: the counterpart of
 * softlib's math_machine.cuh, in C and C++.  rsqrt_of is its includer's: test_math.c has a rounded
 * one, for which it needs MPFR.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HOST_MATH_H
#define HOST_MATH_H
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((unused))
#define DEVICE static __attribute__((unused))
#define TABLE static
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
INLINE u64 to_bits(double d) { u64 u; memcpy(&u, &d, 8); return u; }
INLINE double from_bits(u64 u) { double d; memcpy(&d, &u, 8); return d; }
INLINE u32 to_bits32(float f) { u32 u; memcpy(&u, &f, 4); return u; }
INLINE float from_bits32(u32 u) { float f; memcpy(&f, &u, 4); return f; }
INLINE u32 clz(u64 v) { return v ? (u32)__builtin_clzll(v) : 64; }
INLINE u64 multiply(u64 a, u64 b, u64 *high)
{
    unsigned __int128 p = (unsigned __int128)a * b;
    *high = (u64)(p >> 64);
    return (u64)p;
}
#endif
