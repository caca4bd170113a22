/* f16: the type, conversions, arithmetic by f32 with one rounding at the end.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_FP16_H
#define HEDDLE_CUDA_FP16_H
#include "cuda_runtime.h"
#include "small_float.h"
#define HD_SMALL static __inline__ __host__ __device__
struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
struct __half {
    unsigned short bits;
    __half() = default;
    __host__ __device__ __half(const __half_raw &r) : bits(r.x) {}
    __host__ __device__ __half(float v) : bits(heddle_f16_of(v)) {}
    __host__ __device__ __half(double v) : bits(heddle_f16_of((float)v)) {}
    __host__ __device__ __half(int v) : bits(heddle_f16_of((float)v)) {}
    __host__ __device__ __half(unsigned v) : bits(heddle_f16_of((float)v)) {}
    __host__ __device__ __half(long long v) : bits(heddle_f16_of((float)v)) {}
    __host__ __device__ __half(unsigned long long v) : bits(heddle_f16_of((float)v)) {}
    __host__ __device__ __half(short v) : bits(heddle_f16_of((float)v)) {}
    __host__ __device__ __half(unsigned short v) : bits(heddle_f16_of((float)v)) {}
    __host__ __device__ operator float() const { return heddle_of_f16(bits); }
    __host__ __device__ operator __half_raw() const { return {bits}; }
    __host__ __device__ __half &operator=(float v) { bits = heddle_f16_of(v); return *this; }
    __host__ __device__ __half &operator=(double v) { bits = heddle_f16_of((float)v); return *this; }
    __host__ __device__ __half &operator=(int v) { bits = heddle_f16_of((float)v); return *this; }
    __host__ __device__ __half &operator=(const __half_raw &r) { bits = r.x; return *this; }
};
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    __host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
HD_SMALL __half operator+(__half a, __half b) { return __half((float)a + (float)b); }
HD_SMALL __half &operator+=(__half &a, __half b) { return a = a + b; }
HD_SMALL __half2 operator+(__half2 a, __half2 b) { return __half2(a.x + b.x, a.y + b.y); }
HD_SMALL __half2 &operator+=(__half2 &a, __half2 b) { return a = a + b; }
HD_SMALL __half operator-(__half a, __half b) { return __half((float)a - (float)b); }
HD_SMALL __half &operator-=(__half &a, __half b) { return a = a - b; }
HD_SMALL __half2 operator-(__half2 a, __half2 b) { return __half2(a.x - b.x, a.y - b.y); }
HD_SMALL __half2 &operator-=(__half2 &a, __half2 b) { return a = a - b; }
HD_SMALL __half operator*(__half a, __half b) { return __half((float)a * (float)b); }
HD_SMALL __half &operator*=(__half &a, __half b) { return a = a * b; }
HD_SMALL __half2 operator*(__half2 a, __half2 b) { return __half2(a.x * b.x, a.y * b.y); }
HD_SMALL __half2 &operator*=(__half2 &a, __half2 b) { return a = a * b; }
HD_SMALL __half operator/(__half a, __half b) { return __half((float)a / (float)b); }
HD_SMALL __half &operator/=(__half &a, __half b) { return a = a / b; }
HD_SMALL __half2 operator/(__half2 a, __half2 b) { return __half2(a.x / b.x, a.y / b.y); }
HD_SMALL __half2 &operator/=(__half2 &a, __half2 b) { return a = a / b; }
HD_SMALL __half operator-(__half a) { a.bits ^= 0x8000; return a; }
HD_SMALL __half operator+(__half a) { return a; }
HD_SMALL __half &operator++(__half &a) { return a = a + __half(1.0f); }
HD_SMALL __half &operator--(__half &a) { return a = a - __half(1.0f); }
HD_SMALL bool operator==(__half a, __half b) { return (float)a == (float)b; }
HD_SMALL bool operator!=(__half a, __half b) { return (float)a != (float)b; }
HD_SMALL bool operator<(__half a, __half b) { return (float)a < (float)b; }
HD_SMALL bool operator<=(__half a, __half b) { return (float)a <= (float)b; }
HD_SMALL bool operator>(__half a, __half b) { return (float)a > (float)b; }
HD_SMALL bool operator>=(__half a, __half b) { return (float)a >= (float)b; }

HD_SMALL __half __float2half(float v) { return __half(v); }
HD_SMALL __half __float2half_rn(float v) { return __half(v); }
HD_SMALL __half __double2half(double v) { return __half(v); }
HD_SMALL float __half2float(__half v) { return v; }
HD_SMALL __half __int2half_rn(int v) { return __half(v); }
HD_SMALL __half __uint2half_rn(unsigned v) { return __half(v); }
HD_SMALL __half __short2half_rn(short v) { return __half(v); }
HD_SMALL __half __ushort2half_rn(unsigned short v) { return __half(v); }
HD_SMALL __half __ll2half_rn(long long v) { return __half(v); }
HD_SMALL int __half2int_rz(__half v) { return (int)(float)v; }
HD_SMALL unsigned __half2uint_rz(__half v) { return (unsigned)(float)v; }
HD_SMALL int __half2int_rn(__half v) { return (int)::rintf(v); }
HD_SMALL short __half2short_rz(__half v) { return (short)(float)v; }
HD_SMALL unsigned short __half_as_ushort(__half v) { return v.bits; }
HD_SMALL short __half_as_short(__half v) { return (short)v.bits; }
HD_SMALL __half __ushort_as_half(unsigned short v) { return __half_raw{v}; }
HD_SMALL __half __short_as_half(short v) { return __half_raw{(unsigned short)v}; }
HD_SMALL __half2 make_half2(__half a, __half b) { return __half2(a, b); }
HD_SMALL __half2 __half2half2(__half a) { return __half2(a, a); }
HD_SMALL __half2 __halfs2half2(__half a, __half b) { return __half2(a, b); }
HD_SMALL __half2 __float2half2_rn(float a) { return __half2(a, a); }
HD_SMALL __half2 __floats2half2_rn(float a, float b) { return __half2(a, b); }
HD_SMALL __half2 __float22half2_rn(float2 v) { return __half2(v.x, v.y); }
HD_SMALL float2 __half22float2(__half2 v) { return {(float)v.x, (float)v.y}; }
HD_SMALL __half __low2half(__half2 v) { return v.x; }
HD_SMALL __half __high2half(__half2 v) { return v.y; }
HD_SMALL float __low2float(__half2 v) { return v.x; }
HD_SMALL float __high2float(__half2 v) { return v.y; }
HD_SMALL __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
HD_SMALL __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
HD_SMALL __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
HD_SMALL __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
HD_SMALL __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
HD_SMALL __half __hadd(__half a, __half b) { return a + b; }
HD_SMALL __half2 __hadd2(__half2 a, __half2 b) { return a + b; }
HD_SMALL __half __hadd_rn(__half a, __half b) { return a + b; }
HD_SMALL __half2 __hadd2_rn(__half2 a, __half2 b) { return a + b; }
HD_SMALL __half __hsub(__half a, __half b) { return a - b; }
HD_SMALL __half2 __hsub2(__half2 a, __half2 b) { return a - b; }
HD_SMALL __half __hsub_rn(__half a, __half b) { return a - b; }
HD_SMALL __half2 __hsub2_rn(__half2 a, __half2 b) { return a - b; }
HD_SMALL __half __hmul(__half a, __half b) { return a * b; }
HD_SMALL __half2 __hmul2(__half2 a, __half2 b) { return a * b; }
HD_SMALL __half __hmul_rn(__half a, __half b) { return a * b; }
HD_SMALL __half2 __hmul2_rn(__half2 a, __half2 b) { return a * b; }
HD_SMALL __half __hdiv(__half a, __half b) { return a / b; }
HD_SMALL __half2 __h2div(__half2 a, __half2 b) { return a / b; }
HD_SMALL __half __hfma(__half a, __half b, __half c) { return __half(::fmaf(a, b, c)); }
HD_SMALL __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
HD_SMALL __half __hneg(__half a) { return -a; }
HD_SMALL __half2 __hneg2(__half2 a) { return __half2(-a.x, -a.y); }
HD_SMALL __half __habs(__half a) { a.bits &= 0x7fff; return a; }
HD_SMALL __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
HD_SMALL bool __heq(__half a, __half b) { return a == b; }
HD_SMALL __half2 __heq2(__half2 a, __half2 b)
{
    return __half2(a.x == b.x ? 1.0f : 0.0f, a.y == b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hne(__half a, __half b) { return a != b; }
HD_SMALL __half2 __hne2(__half2 a, __half2 b)
{
    return __half2(a.x != b.x ? 1.0f : 0.0f, a.y != b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hlt(__half a, __half b) { return a < b; }
HD_SMALL __half2 __hlt2(__half2 a, __half2 b)
{
    return __half2(a.x < b.x ? 1.0f : 0.0f, a.y < b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hle(__half a, __half b) { return a <= b; }
HD_SMALL __half2 __hle2(__half2 a, __half2 b)
{
    return __half2(a.x <= b.x ? 1.0f : 0.0f, a.y <= b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hgt(__half a, __half b) { return a > b; }
HD_SMALL __half2 __hgt2(__half2 a, __half2 b)
{
    return __half2(a.x > b.x ? 1.0f : 0.0f, a.y > b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hge(__half a, __half b) { return a >= b; }
HD_SMALL __half2 __hge2(__half2 a, __half2 b)
{
    return __half2(a.x >= b.x ? 1.0f : 0.0f, a.y >= b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hisnan(__half a) { return a != a; }
HD_SMALL __half __hmax(__half a, __half b) { return __half(::fmaxf(a, b)); }
HD_SMALL __half __hmin(__half a, __half b) { return __half(::fminf(a, b)); }
HD_SMALL __half2 __hmax2(__half2 a, __half2 b)
{
    return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
HD_SMALL __half2 __hmin2(__half2 a, __half2 b)
{
    return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
HD_SMALL __half hsqrt(__half a) { return __half(::sqrtf(a)); }
HD_SMALL __half2 h2sqrt(__half2 a) { return __half2(hsqrt(a.x), hsqrt(a.y)); }
HD_SMALL __half hexp(__half a) { return __half(::expf(a)); }
HD_SMALL __half2 h2exp(__half2 a) { return __half2(hexp(a.x), hexp(a.y)); }
HD_SMALL __half hlog(__half a) { return __half(::logf(a)); }
HD_SMALL __half2 h2log(__half2 a) { return __half2(hlog(a.x), hlog(a.y)); }
HD_SMALL __half hsin(__half a) { return __half(::sinf(a)); }
HD_SMALL __half2 h2sin(__half2 a) { return __half2(hsin(a.x), hsin(a.y)); }
HD_SMALL __half hcos(__half a) { return __half(::cosf(a)); }
HD_SMALL __half2 h2cos(__half2 a) { return __half2(hcos(a.x), hcos(a.y)); }
HD_SMALL __half hfloor(__half a) { return __half(::floorf(a)); }
HD_SMALL __half2 h2floor(__half2 a) { return __half2(hfloor(a.x), hfloor(a.y)); }
HD_SMALL __half hceil(__half a) { return __half(::ceilf(a)); }
HD_SMALL __half2 h2ceil(__half2 a) { return __half2(hceil(a.x), hceil(a.y)); }
HD_SMALL __half htrunc(__half a) { return __half(::truncf(a)); }
HD_SMALL __half2 h2trunc(__half2 a) { return __half2(htrunc(a.x), htrunc(a.y)); }
HD_SMALL __half hrint(__half a) { return __half(::rintf(a)); }
HD_SMALL __half2 h2rint(__half2 a) { return __half2(hrint(a.x), hrint(a.y)); }
HD_SMALL __half hexp2(__half a) { return __half(::exp2f(a)); }
HD_SMALL __half2 h2exp2(__half2 a) { return __half2(hexp2(a.x), hexp2(a.y)); }
HD_SMALL __half hlog2(__half a) { return __half(::log2f(a)); }
HD_SMALL __half2 h2log2(__half2 a) { return __half2(hlog2(a.x), hlog2(a.y)); }
HD_SMALL __half hlog10(__half a) { return __half(::log10f(a)); }
HD_SMALL __half2 h2log10(__half2 a) { return __half2(hlog10(a.x), hlog10(a.y)); }
HD_SMALL __half hrsqrt(__half a) { return __half(1 / ::sqrtf(a)); }
HD_SMALL __half2 h2rsqrt(__half2 a) { return __half2(hrsqrt(a.x), hrsqrt(a.y)); }
HD_SMALL __half hrcp(__half a) { return __half(1 / (float)a); }
#ifdef __CUDACC__
static __inline__ __device__ __half __ldg(const __half *p) { return *p; }
static __inline__ __device__ __half2 __ldg(const __half2 *p) { return *p; }
/* By the word that holds it; two in a word go one after the other. */
static __inline__ __device__ __half atomicAdd(__half *p, __half v)
{
    unsigned *word = (unsigned *)((unsigned long long)p & ~3ull), shift = ((unsigned long long)p & 2) * 8, old = *word, seen;
    do {
        seen = old;
        __half sum = __half(__half_raw{(unsigned short)(seen >> shift)}) + v;
        old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | (unsigned)sum.bits << shift);
    } while (old != seen);
    return __half_raw{(unsigned short)(old >> shift)};
}
static __inline__ __device__ __half2 atomicAdd(__half2 *p, __half2 v)
{
    __half a = atomicAdd(&p->x, v.x);
    return __half2(a, atomicAdd(&p->y, v.y));
}
#define HD_SMALL_SHUFFLE(NAME, LANE) \
    static __inline__ __device__ __half NAME(unsigned m, __half v, LANE l, int w = 32) \
    { return __half_raw{(unsigned short)NAME(m, (unsigned)v.bits, l, w)}; } \
    static __inline__ __device__ __half2 NAME(unsigned m, __half2 v, LANE l, int w = 32) \
    { return __half2(NAME(m, v.x, l, w), NAME(m, v.y, l, w)); }
HD_SMALL_SHUFFLE(__shfl_sync, int)
HD_SMALL_SHUFFLE(__shfl_up_sync, unsigned)
HD_SMALL_SHUFFLE(__shfl_down_sync, unsigned)
HD_SMALL_SHUFFLE(__shfl_xor_sync, int)
#undef HD_SMALL_SHUFFLE
#endif
#undef HD_SMALL
typedef __half half;
typedef __half2 half2;
#endif
