/* bf16: the type, conversions, arithmetic by f32 with one rounding at the end.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CUDA_BF16_H
#define HEDDLE_CUDA_BF16_H
#include "cuda_runtime.h"
#include "small_float.h"
#define HD_SMALL static __inline__ __host__ __device__
struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat162_raw { unsigned short x, y; };
struct __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &r) : bits(r.x) {}
    __host__ __device__ __nv_bfloat16(float v) : bits(heddle_bf16_of(v)) {}
    __host__ __device__ __nv_bfloat16(double v) : bits(heddle_bf16_of((float)v)) {}
    __host__ __device__ __nv_bfloat16(int v) : bits(heddle_bf16_of((float)v)) {}
    __host__ __device__ __nv_bfloat16(unsigned v) : bits(heddle_bf16_of((float)v)) {}
    __host__ __device__ __nv_bfloat16(long long v) : bits(heddle_bf16_of((float)v)) {}
    __host__ __device__ __nv_bfloat16(unsigned long long v) : bits(heddle_bf16_of((float)v)) {}
    __host__ __device__ __nv_bfloat16(short v) : bits(heddle_bf16_of((float)v)) {}
    __host__ __device__ __nv_bfloat16(unsigned short v) : bits(heddle_bf16_of((float)v)) {}
    __host__ __device__ operator float() const { return heddle_of_bf16(bits); }
    __host__ __device__ operator __nv_bfloat16_raw() const { return {bits}; }
    __host__ __device__ __nv_bfloat16 &operator=(float v) { bits = heddle_bf16_of(v); return *this; }
    __host__ __device__ __nv_bfloat16 &operator=(double v) { bits = heddle_bf16_of((float)v); return *this; }
    __host__ __device__ __nv_bfloat16 &operator=(int v) { bits = heddle_bf16_of((float)v); return *this; }
    __host__ __device__ __nv_bfloat16 &operator=(const __nv_bfloat16_raw &r) { bits = r.x; return *this; }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    __host__ __device__ __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
HD_SMALL __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat16((float)a + (float)b);
}
HD_SMALL __nv_bfloat16 &operator+=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = a + b; }
HD_SMALL __nv_bfloat162 operator+(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x + b.x, a.y + b.y);
}
HD_SMALL __nv_bfloat162 &operator+=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a + b; }
HD_SMALL __nv_bfloat16 operator-(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat16((float)a - (float)b);
}
HD_SMALL __nv_bfloat16 &operator-=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = a - b; }
HD_SMALL __nv_bfloat162 operator-(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x - b.x, a.y - b.y);
}
HD_SMALL __nv_bfloat162 &operator-=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a - b; }
HD_SMALL __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat16((float)a * (float)b);
}
HD_SMALL __nv_bfloat16 &operator*=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = a * b; }
HD_SMALL __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x * b.x, a.y * b.y);
}
HD_SMALL __nv_bfloat162 &operator*=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a * b; }
HD_SMALL __nv_bfloat16 operator/(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat16((float)a / (float)b);
}
HD_SMALL __nv_bfloat16 &operator/=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = a / b; }
HD_SMALL __nv_bfloat162 operator/(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x / b.x, a.y / b.y);
}
HD_SMALL __nv_bfloat162 &operator/=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a / b; }
HD_SMALL __nv_bfloat16 operator-(__nv_bfloat16 a) { a.bits ^= 0x8000; return a; }
HD_SMALL __nv_bfloat16 operator+(__nv_bfloat16 a) { return a; }
HD_SMALL __nv_bfloat16 &operator++(__nv_bfloat16 &a) { return a = a + __nv_bfloat16(1.0f); }
HD_SMALL __nv_bfloat16 &operator--(__nv_bfloat16 &a) { return a = a - __nv_bfloat16(1.0f); }
HD_SMALL bool operator==(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a == (float)b; }
HD_SMALL bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a != (float)b; }
HD_SMALL bool operator<(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a < (float)b; }
HD_SMALL bool operator<=(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a <= (float)b; }
HD_SMALL bool operator>(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a > (float)b; }
HD_SMALL bool operator>=(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a >= (float)b; }

HD_SMALL __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
HD_SMALL __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
HD_SMALL __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16(v); }
HD_SMALL float __bfloat162float(__nv_bfloat16 v) { return v; }
HD_SMALL __nv_bfloat16 __int2bfloat16_rn(int v) { return __nv_bfloat16(v); }
HD_SMALL __nv_bfloat16 __uint2bfloat16_rn(unsigned v) { return __nv_bfloat16(v); }
HD_SMALL __nv_bfloat16 __short2bfloat16_rn(short v) { return __nv_bfloat16(v); }
HD_SMALL __nv_bfloat16 __ushort2bfloat16_rn(unsigned short v) { return __nv_bfloat16(v); }
HD_SMALL __nv_bfloat16 __ll2bfloat16_rn(long long v) { return __nv_bfloat16(v); }
HD_SMALL int __bfloat162int_rz(__nv_bfloat16 v) { return (int)(float)v; }
HD_SMALL unsigned __bfloat162uint_rz(__nv_bfloat16 v) { return (unsigned)(float)v; }
HD_SMALL int __bfloat162int_rn(__nv_bfloat16 v) { return (int)::rintf(v); }
HD_SMALL short __bfloat162short_rz(__nv_bfloat16 v) { return (short)(float)v; }
HD_SMALL unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.bits; }
HD_SMALL short __bfloat16_as_short(__nv_bfloat16 v) { return (short)v.bits; }
HD_SMALL __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) { return __nv_bfloat16_raw{v}; }
HD_SMALL __nv_bfloat16 __short_as_bfloat16(short v) { return __nv_bfloat16_raw{(unsigned short)v}; }
HD_SMALL __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
HD_SMALL __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
HD_SMALL __nv_bfloat162 __bfloat16s2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
HD_SMALL __nv_bfloat162 __float2bfloat162_rn(float a) { return __nv_bfloat162(a, a); }
HD_SMALL __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(a, b); }
HD_SMALL __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __nv_bfloat162(v.x, v.y); }
HD_SMALL float2 __bfloat1622float2(__nv_bfloat162 v) { return {(float)v.x, (float)v.y}; }
HD_SMALL __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
HD_SMALL __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
HD_SMALL float __low2float(__nv_bfloat162 v) { return v.x; }
HD_SMALL float __high2float(__nv_bfloat162 v) { return v.y; }
HD_SMALL __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.x, v.x); }
HD_SMALL __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.y); }
HD_SMALL __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }
HD_SMALL __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x, b.x);
}
HD_SMALL __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.y, b.y);
}
HD_SMALL __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
HD_SMALL __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return a + b; }
HD_SMALL __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
HD_SMALL __nv_bfloat162 __hadd2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return a + b; }
HD_SMALL __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return a - b; }
HD_SMALL __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) { return a - b; }
HD_SMALL __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return a - b; }
HD_SMALL __nv_bfloat162 __hsub2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return a - b; }
HD_SMALL __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
HD_SMALL __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return a * b; }
HD_SMALL __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
HD_SMALL __nv_bfloat162 __hmul2_rn(__nv_bfloat162 a, __nv_bfloat162 b) { return a * b; }
HD_SMALL __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return a / b; }
HD_SMALL __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return a / b; }
HD_SMALL __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return __nv_bfloat16(::fmaf(a, b, c));
}
HD_SMALL __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
HD_SMALL __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
HD_SMALL __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return __nv_bfloat162(-a.x, -a.y); }
HD_SMALL __nv_bfloat16 __habs(__nv_bfloat16 a) { a.bits &= 0x7fff; return a; }
HD_SMALL __nv_bfloat162 __habs2(__nv_bfloat162 a)
{
    return __nv_bfloat162(__habs(a.x), __habs(a.y));
}
HD_SMALL bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return a == b; }
HD_SMALL __nv_bfloat162 __heq2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x == b.x ? 1.0f : 0.0f, a.y == b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return a != b; }
HD_SMALL __nv_bfloat162 __hne2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x != b.x ? 1.0f : 0.0f, a.y != b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b; }
HD_SMALL __nv_bfloat162 __hlt2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x < b.x ? 1.0f : 0.0f, a.y < b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return a <= b; }
HD_SMALL __nv_bfloat162 __hle2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x <= b.x ? 1.0f : 0.0f, a.y <= b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return a > b; }
HD_SMALL __nv_bfloat162 __hgt2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x > b.x ? 1.0f : 0.0f, a.y > b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return a >= b; }
HD_SMALL __nv_bfloat162 __hge2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x >= b.x ? 1.0f : 0.0f, a.y >= b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hisnan(__nv_bfloat16 a) { return a != a; }
HD_SMALL __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat16(::fmaxf(a, b));
}
HD_SMALL __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat16(::fminf(a, b));
}
HD_SMALL __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
HD_SMALL __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
HD_SMALL __nv_bfloat16 hsqrt(__nv_bfloat16 a) { return __nv_bfloat16(::sqrtf(a)); }
HD_SMALL __nv_bfloat162 h2sqrt(__nv_bfloat162 a) { return __nv_bfloat162(hsqrt(a.x), hsqrt(a.y)); }
HD_SMALL __nv_bfloat16 hexp(__nv_bfloat16 a) { return __nv_bfloat16(::expf(a)); }
HD_SMALL __nv_bfloat162 h2exp(__nv_bfloat162 a) { return __nv_bfloat162(hexp(a.x), hexp(a.y)); }
HD_SMALL __nv_bfloat16 hlog(__nv_bfloat16 a) { return __nv_bfloat16(::logf(a)); }
HD_SMALL __nv_bfloat162 h2log(__nv_bfloat162 a) { return __nv_bfloat162(hlog(a.x), hlog(a.y)); }
HD_SMALL __nv_bfloat16 hsin(__nv_bfloat16 a) { return __nv_bfloat16(::sinf(a)); }
HD_SMALL __nv_bfloat162 h2sin(__nv_bfloat162 a) { return __nv_bfloat162(hsin(a.x), hsin(a.y)); }
HD_SMALL __nv_bfloat16 hcos(__nv_bfloat16 a) { return __nv_bfloat16(::cosf(a)); }
HD_SMALL __nv_bfloat162 h2cos(__nv_bfloat162 a) { return __nv_bfloat162(hcos(a.x), hcos(a.y)); }
HD_SMALL __nv_bfloat16 hfloor(__nv_bfloat16 a) { return __nv_bfloat16(::floorf(a)); }
HD_SMALL __nv_bfloat162 h2floor(__nv_bfloat162 a)
{
    return __nv_bfloat162(hfloor(a.x), hfloor(a.y));
}
HD_SMALL __nv_bfloat16 hceil(__nv_bfloat16 a) { return __nv_bfloat16(::ceilf(a)); }
HD_SMALL __nv_bfloat162 h2ceil(__nv_bfloat162 a) { return __nv_bfloat162(hceil(a.x), hceil(a.y)); }
HD_SMALL __nv_bfloat16 htrunc(__nv_bfloat16 a) { return __nv_bfloat16(::truncf(a)); }
HD_SMALL __nv_bfloat162 h2trunc(__nv_bfloat162 a)
{
    return __nv_bfloat162(htrunc(a.x), htrunc(a.y));
}
HD_SMALL __nv_bfloat16 hrint(__nv_bfloat16 a) { return __nv_bfloat16(::rintf(a)); }
HD_SMALL __nv_bfloat162 h2rint(__nv_bfloat162 a) { return __nv_bfloat162(hrint(a.x), hrint(a.y)); }
HD_SMALL __nv_bfloat16 hexp2(__nv_bfloat16 a) { return __nv_bfloat16(::exp2f(a)); }
HD_SMALL __nv_bfloat162 h2exp2(__nv_bfloat162 a) { return __nv_bfloat162(hexp2(a.x), hexp2(a.y)); }
HD_SMALL __nv_bfloat16 hlog2(__nv_bfloat16 a) { return __nv_bfloat16(::log2f(a)); }
HD_SMALL __nv_bfloat162 h2log2(__nv_bfloat162 a) { return __nv_bfloat162(hlog2(a.x), hlog2(a.y)); }
HD_SMALL __nv_bfloat16 hlog10(__nv_bfloat16 a) { return __nv_bfloat16(::log10f(a)); }
HD_SMALL __nv_bfloat162 h2log10(__nv_bfloat162 a)
{
    return __nv_bfloat162(hlog10(a.x), hlog10(a.y));
}
HD_SMALL __nv_bfloat16 hrsqrt(__nv_bfloat16 a) { return __nv_bfloat16(1 / ::sqrtf(a)); }
HD_SMALL __nv_bfloat162 h2rsqrt(__nv_bfloat162 a)
{
    return __nv_bfloat162(hrsqrt(a.x), hrsqrt(a.y));
}
HD_SMALL __nv_bfloat16 hrcp(__nv_bfloat16 a) { return __nv_bfloat16(1 / (float)a); }
#ifdef __CUDACC__
static __inline__ __device__ __nv_bfloat16 __ldg(const __nv_bfloat16 *p) { return *p; }
static __inline__ __device__ __nv_bfloat162 __ldg(const __nv_bfloat162 *p) { return *p; }
/* By the word that holds it; two in a word go one after the other. */
static __inline__ __device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v)
{
    unsigned *word = (unsigned *)((unsigned long long)p & ~3ull), shift = ((unsigned long long)p & 2) * 8, old = *word, seen;
    do {
        seen = old;
        __nv_bfloat16 sum = __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)(seen >> shift)}) + v;
        old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | (unsigned)sum.bits << shift);
    } while (old != seen);
    return __nv_bfloat16_raw{(unsigned short)(old >> shift)};
}
static __inline__ __device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v)
{
    __nv_bfloat16 a = atomicAdd(&p->x, v.x);
    return __nv_bfloat162(a, atomicAdd(&p->y, v.y));
}
#define HD_SMALL_SHUFFLE(NAME, LANE) \
    static __inline__ __device__ __nv_bfloat16 NAME(unsigned m, __nv_bfloat16 v, LANE l, int w = 32) \
    { return __nv_bfloat16_raw{(unsigned short)NAME(m, (unsigned)v.bits, l, w)}; } \
    static __inline__ __device__ __nv_bfloat162 NAME(unsigned m, __nv_bfloat162 v, LANE l, int w = 32) \
    { return __nv_bfloat162(NAME(m, v.x, l, w), NAME(m, v.y, l, w)); }
HD_SMALL_SHUFFLE(__shfl_sync, int)
HD_SMALL_SHUFFLE(__shfl_up_sync, unsigned)
HD_SMALL_SHUFFLE(__shfl_down_sync, unsigned)
HD_SMALL_SHUFFLE(__shfl_xor_sync, int)
#undef HD_SMALL_SHUFFLE
#endif
#undef HD_SMALL
#define make___nv_bfloat162 make_bfloat162
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
