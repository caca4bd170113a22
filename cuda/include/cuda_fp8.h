/* e4m3 and e5m2: numbers of eight bits, one, two and four of them, for host and device.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_FP8_H
#define HEDDLE_CUDA_FP8_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "vector_types.h"
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;
#define HD_FP8 static __inline__ __attribute__((host, device, unused))
/* To the nearest, even where two are.  Too large: the largest, or else a NaN (e4m3) or infinity. */
HD_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double v, __nv_saturation_t limit,
                                                 __nv_fp8_interpretation_t kind)
{
    const int fraction = kind == __NV_E5M2 ? 2 : 3, least = kind == __NV_E5M2 ? -14 : -6;
    const unsigned most = kind == __NV_E5M2 ? 0x7b : 0x7e, past = kind == __NV_E5M2 ? 0x7c : 0x7f;
    unsigned long long w, size, steps, rest, half;
    __builtin_memcpy(&w, &v, sizeof w);
    size = w & 0x7fffffffffffffffull;
    unsigned sign = (unsigned)(w >> 56) & 0x80, code;
    if (size > 0x7ff0000000000000ull)
        return (__nv_fp8_storage_t)(sign | (kind == __NV_E5M2 ? 0x7e | (w >> 50 & 1) : 0x7f));
    int e = (int)(size >> 52) - 1023, shift = 52 - fraction + (e < least ? least - e : 0);
    if (e > 15 || shift > 54) code = e > 15 ? most + 1 : 0;
    else {
        size = (size & 0xfffffffffffffull) | 1ull << 52;
        steps = size >> shift, rest = size & ((1ull << shift) - 1), half = 1ull << (shift - 1);
        steps += rest > half || (rest == half && (steps & 1));
        code = (unsigned)steps + ((unsigned)((e < least ? least : e) - least) << fraction);
    }
    if (code > most) code = limit == __NV_SATFINITE ? most : past;
    return (__nv_fp8_storage_t)(sign | code);
}
HD_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float v, __nv_saturation_t limit,
                                                __nv_fp8_interpretation_t kind)
{
    return v != v ? 0x7f : __nv_cvt_double_to_fp8((double)v, limit, kind);
}
HD_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind)
{
    __half_raw h;
    unsigned size = v & 0x7f, sign = (v & 0x80u) << 8;
    if (size > (kind == __NV_E5M2 ? 0x7cu : 0x7eu)) h.x = 0x7fff;
    else if (kind == __NV_E5M2) h.x = (unsigned short)(sign | size << 8);
    else if (size >= 8) h.x = (unsigned short)(sign | (size + (8 << 3)) << 7);
    else {
        unsigned e = 9;                                 /* f16 has no subnormals there */
        for (; size && !(size & 8); size <<= 1) e--;
        h.x = (unsigned short)(size ? sign | e << 10 | (size & 7) << 7 : sign);
    }
    return h;
}
HD_FP8 float heddle_of_fp8(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind)
{
    return heddle_of_f16(__nv_cvt_fp8_to_halfraw(v, kind).x);
}
HD_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw v, __nv_saturation_t limit,
                                                  __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(heddle_of_f16(v.x), limit, kind);
}
HD_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw v, __nv_saturation_t limit,
                                                      __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(heddle_of_bf16(v.x), limit, kind);
}
/* Of two, the first is in the lower byte. */
#define HD_FP8_TWO(NAME, OF, FROM) \
    HD_FP8 __nv_fp8x2_storage_t NAME(FROM v, __nv_saturation_t limit, __nv_fp8_interpretation_t \
        kind) \
    { return (__nv_fp8x2_storage_t)(OF(v.x, limit, kind) | OF(v.y, limit, kind) << 8); }
HD_FP8_TWO(__nv_cvt_float2_to_fp8x2, __nv_cvt_float_to_fp8, float2)
HD_FP8_TWO(__nv_cvt_double2_to_fp8x2, __nv_cvt_double_to_fp8, double2)
#undef HD_FP8_TWO
HD_FP8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t limit,
                                                       __nv_fp8_interpretation_t kind)
{
    const float2 f = { heddle_of_f16(v.x), heddle_of_f16(v.y) };
    return __nv_cvt_float2_to_fp8x2(f, limit, kind);
}
HD_FP8 __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw v,
                                                           __nv_saturation_t limit,
                                                           __nv_fp8_interpretation_t kind)
{
    const float2 f = { heddle_of_bf16(v.x), heddle_of_bf16(v.y) };
    return __nv_cvt_float2_to_fp8x2(f, limit, kind);
}
HD_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t
    kind)
{
    __half2_raw h;
    h.x = __nv_cvt_fp8_to_halfraw((unsigned char)v, kind).x;
    h.y = __nv_cvt_fp8_to_halfraw((unsigned char)(v >> 8), kind).x;
    return h;
}
#undef HD_FP8

#define HD_MEMBER __attribute__((host, device))
#define HD_FP8_FROM(NAME, T) \
    HD_MEMBER explicit __nv_fp8_##NAME(T v) : __nv_fp8_##NAME(heddle_odd(v)) {}
#define HD_FP8_TO(KIND, T) \
    HD_MEMBER explicit operator T() const \
    { return heddle_whole<T>(::truncf(heddle_of_fp8(__x, KIND))); }
#define HD_FP8_TYPES(NAME, KIND) \
    struct __nv_fp8_##NAME { \
        __nv_fp8_storage_t __x; \
        __nv_fp8_##NAME() = default; \
        HD_MEMBER explicit __nv_fp8_##NAME(float v) : __x(__nv_cvt_float_to_fp8(v, \
            __NV_SATFINITE, KIND)) {} \
        HD_MEMBER explicit __nv_fp8_##NAME(double v) : __x(__nv_cvt_double_to_fp8(v, \
            __NV_SATFINITE, KIND)) {} \
        HD_FP8_FROM(NAME, short) HD_FP8_FROM(NAME, unsigned short) HD_FP8_FROM(NAME, int) \
        HD_FP8_FROM(NAME, unsigned) HD_FP8_FROM(NAME, long) HD_FP8_FROM(NAME, unsigned long) \
        HD_FP8_FROM(NAME, long long) HD_FP8_FROM(NAME, unsigned long long) \
        HD_MEMBER explicit __nv_fp8_##NAME(__half v) : __nv_fp8_##NAME((float)v) {} \
        HD_MEMBER explicit __nv_fp8_##NAME(__nv_bfloat16 v) : __nv_fp8_##NAME((float)v) {} \
        HD_FP8_TO(KIND, char) HD_FP8_TO(KIND, signed char) HD_FP8_TO(KIND, unsigned char) \
        HD_FP8_TO(KIND, short) HD_FP8_TO(KIND, unsigned short) HD_FP8_TO(KIND, int) \
        HD_FP8_TO(KIND, unsigned) HD_FP8_TO(KIND, long) HD_FP8_TO(KIND, unsigned long) \
        HD_FP8_TO(KIND, long long) HD_FP8_TO(KIND, unsigned long long) \
        HD_MEMBER explicit operator float() const { return heddle_of_fp8(__x, KIND); } \
        HD_MEMBER explicit operator double() const { return (double)heddle_of_fp8(__x, KIND); } \
        HD_MEMBER explicit operator bool() const { return __x & 0x7f; } \
        HD_MEMBER explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, \
            KIND)); } \
        HD_MEMBER explicit operator __nv_bfloat16() const { \
            return __nv_bfloat16(heddle_of_fp8(__x, KIND)); } \
    }; \
    struct __nv_fp8x2_##NAME { \
        __nv_fp8x2_storage_t __x; \
        __nv_fp8x2_##NAME() = default; \
        HD_MEMBER explicit __nv_fp8x2_##NAME(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, \
            __NV_SATFINITE, KIND)) {} \
        HD_MEMBER explicit __nv_fp8x2_##NAME(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, \
            __NV_SATFINITE, KIND)) {} \
        HD_MEMBER explicit __nv_fp8x2_##NAME(__half2 v) : __nv_fp8x2_##NAME(float2{(float)v.x, \
            (float)v.y}) {} \
        HD_MEMBER explicit __nv_fp8x2_##NAME(__nv_bfloat162 v) \
            : __nv_fp8x2_##NAME(float2{(float)v.x, (float)v.y}) {} \
        HD_MEMBER explicit operator float2() const \
        { return { heddle_of_fp8((unsigned char)__x, KIND), heddle_of_fp8((unsigned char)(__x >> \
            8), KIND) }; } \
        HD_MEMBER explicit operator __half2() const { \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND)); } \
    }; \
    struct __nv_fp8x4_##NAME { \
        __nv_fp8x4_storage_t __x; \
        __nv_fp8x4_##NAME() = default; \
        HD_MEMBER explicit __nv_fp8x4_##NAME(float4 v) \
            : __x(__nv_cvt_float2_to_fp8x2(float2{v.x, v.y}, __NV_SATFINITE, KIND) | \
                  (unsigned)__nv_cvt_float2_to_fp8x2(float2{v.z, v.w}, __NV_SATFINITE, \
                      KIND) << 16) {} \
        HD_MEMBER explicit __nv_fp8x4_##NAME(double4 v) \
            : __x(__nv_cvt_double2_to_fp8x2(double2{v.x, v.y}, __NV_SATFINITE, KIND) | \
                  (unsigned)__nv_cvt_double2_to_fp8x2(double2{v.z, v.w}, __NV_SATFINITE, \
                      KIND) << 16) {} \
        HD_MEMBER explicit __nv_fp8x4_##NAME(__half2 v, __half2 w) \
            : __nv_fp8x4_##NAME(float4{(float)v.x, (float)v.y, (float)w.x, (float)w.y}) {} \
        HD_MEMBER explicit __nv_fp8x4_##NAME(__nv_bfloat162 v, __nv_bfloat162 w) \
            : __nv_fp8x4_##NAME(float4{(float)v.x, (float)v.y, (float)w.x, (float)w.y}) {} \
        HD_MEMBER explicit operator float4() const \
        { \
            return { heddle_of_fp8((unsigned char)__x, KIND), heddle_of_fp8((unsigned char)(__x \
                >> 8), KIND), \
                     heddle_of_fp8((unsigned char)(__x >> 16), KIND), \
                         heddle_of_fp8((unsigned char)(__x >> 24), KIND) }; \
        } \
    };
HD_FP8_TYPES(e4m3, __NV_E4M3)
HD_FP8_TYPES(e5m2, __NV_E5M2)
#undef HD_FP8_TYPES
#undef HD_FP8_FROM
#undef HD_FP8_TO
#undef HD_MEMBER
#endif
