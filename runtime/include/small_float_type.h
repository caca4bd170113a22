/* A type of 16 bits with its pair: conversions, arithmetic by f32 with one rounding at the end.
 * SPDX-License-Identifier: Apache-2.0
 *
 * cuda_fp16.h and cuda_bf16.h include it, each once, with its names: HD_T, HD_T2, HD_RAW, HD_RAW2 the types, HD_TAG and
 * HD_TAG2 what functions call them, HD_BITS and HD_FLOAT the conversions of small_float.h, HD_PTX the type in PTX. */
#define HD_SMALL static __inline__ __host__ __device__
#define HD_NAME_(a, b, c) a##b##c
#define HD_NAME(a, b, c) HD_NAME_(a, b, c)
struct HD_RAW { unsigned short x; };
struct HD_RAW2 { unsigned short x, y; };
struct HD_T {
    unsigned short bits;
    HD_T() = default;
    __host__ __device__ HD_T(const HD_RAW &r) : bits(r.x) {}
    __host__ __device__ HD_T(float v) : bits(HD_BITS(v)) {}
    __host__ __device__ HD_T(double v) : bits(HD_BITS((float)v)) {}
    __host__ __device__ HD_T(int v) : bits(HD_BITS((float)v)) {}
    __host__ __device__ HD_T(unsigned v) : bits(HD_BITS((float)v)) {}
    __host__ __device__ HD_T(long long v) : bits(HD_BITS((float)v)) {}
    __host__ __device__ HD_T(unsigned long long v) : bits(HD_BITS((float)v)) {}
    __host__ __device__ HD_T(short v) : bits(HD_BITS((float)v)) {}
    __host__ __device__ HD_T(unsigned short v) : bits(HD_BITS((float)v)) {}
    __host__ __device__ operator float() const { return HD_FLOAT(bits); }
    __host__ __device__ operator HD_RAW() const { return {bits}; }
    __host__ __device__ HD_T &operator=(float v) { bits = HD_BITS(v); return *this; }
    __host__ __device__ HD_T &operator=(double v) { bits = HD_BITS((float)v); return *this; }
    __host__ __device__ HD_T &operator=(int v) { bits = HD_BITS((float)v); return *this; }
    __host__ __device__ HD_T &operator=(const HD_RAW &r) { bits = r.x; return *this; }
};
struct __attribute__((aligned(4))) HD_T2 {
    HD_T x, y;
    HD_T2() = default;
    __host__ __device__ HD_T2(HD_T a, HD_T b) : x(a), y(b) {}
    __host__ __device__ HD_T2(const HD_RAW2 &r) : x(HD_RAW{r.x}), y(HD_RAW{r.y}) {}
    __host__ __device__ operator HD_RAW2() const { return {x.bits, y.bits}; }
};
HD_SMALL HD_T operator+(HD_T a, HD_T b) { return HD_T((float)a + (float)b); }
HD_SMALL HD_T &operator+=(HD_T &a, HD_T b) { return a = a + b; }
HD_SMALL HD_T2 operator+(HD_T2 a, HD_T2 b) { return HD_T2(a.x + b.x, a.y + b.y); }
HD_SMALL HD_T2 &operator+=(HD_T2 &a, HD_T2 b) { return a = a + b; }
HD_SMALL HD_T operator-(HD_T a, HD_T b) { return HD_T((float)a - (float)b); }
HD_SMALL HD_T &operator-=(HD_T &a, HD_T b) { return a = a - b; }
HD_SMALL HD_T2 operator-(HD_T2 a, HD_T2 b) { return HD_T2(a.x - b.x, a.y - b.y); }
HD_SMALL HD_T2 &operator-=(HD_T2 &a, HD_T2 b) { return a = a - b; }
HD_SMALL HD_T operator*(HD_T a, HD_T b) { return HD_T((float)a * (float)b); }
HD_SMALL HD_T &operator*=(HD_T &a, HD_T b) { return a = a * b; }
HD_SMALL HD_T2 operator*(HD_T2 a, HD_T2 b) { return HD_T2(a.x * b.x, a.y * b.y); }
HD_SMALL HD_T2 &operator*=(HD_T2 &a, HD_T2 b) { return a = a * b; }
HD_SMALL HD_T operator/(HD_T a, HD_T b) { return HD_T((float)a / (float)b); }
HD_SMALL HD_T &operator/=(HD_T &a, HD_T b) { return a = a / b; }
HD_SMALL HD_T2 operator/(HD_T2 a, HD_T2 b) { return HD_T2(a.x / b.x, a.y / b.y); }
HD_SMALL HD_T2 &operator/=(HD_T2 &a, HD_T2 b) { return a = a / b; }
HD_SMALL HD_T operator-(HD_T a) { a.bits ^= 0x8000; return a; }
HD_SMALL HD_T operator+(HD_T a) { return a; }
HD_SMALL HD_T &operator++(HD_T &a) { return a = a + HD_T(1.0f); }
HD_SMALL HD_T &operator--(HD_T &a) { return a = a - HD_T(1.0f); }
HD_SMALL bool operator==(HD_T a, HD_T b) { return (float)a == (float)b; }
HD_SMALL bool operator!=(HD_T a, HD_T b) { return (float)a != (float)b; }
HD_SMALL bool operator<(HD_T a, HD_T b) { return (float)a < (float)b; }
HD_SMALL bool operator<=(HD_T a, HD_T b) { return (float)a <= (float)b; }
HD_SMALL bool operator>(HD_T a, HD_T b) { return (float)a > (float)b; }
HD_SMALL bool operator>=(HD_T a, HD_T b) { return (float)a >= (float)b; }

HD_SMALL HD_T HD_NAME(__float2, HD_TAG, )(float v) { return HD_T(v); }
HD_SMALL HD_T HD_NAME(__float2, HD_TAG, _rn)(float v) { return HD_T(v); }
HD_SMALL HD_T HD_NAME(__double2, HD_TAG, )(double v) { return HD_T(v); }
HD_SMALL float HD_NAME(__, HD_TAG, 2float)(HD_T v) { return v; }
HD_SMALL HD_T HD_NAME(__int2, HD_TAG, _rn)(int v) { return HD_T(v); }
HD_SMALL HD_T HD_NAME(__uint2, HD_TAG, _rn)(unsigned v) { return HD_T(v); }
HD_SMALL HD_T HD_NAME(__short2, HD_TAG, _rn)(short v) { return HD_T(v); }
HD_SMALL HD_T HD_NAME(__ushort2, HD_TAG, _rn)(unsigned short v) { return HD_T(v); }
HD_SMALL HD_T HD_NAME(__ll2, HD_TAG, _rn)(long long v) { return HD_T(v); }
HD_SMALL int HD_NAME(__, HD_TAG, 2int_rz)(HD_T v) { return (int)(float)v; }
HD_SMALL unsigned HD_NAME(__, HD_TAG, 2uint_rz)(HD_T v) { return (unsigned)(float)v; }
HD_SMALL int HD_NAME(__, HD_TAG, 2int_rn)(HD_T v) { return (int)::rintf(v); }
HD_SMALL short HD_NAME(__, HD_TAG, 2short_rz)(HD_T v) { return (short)(float)v; }
HD_SMALL unsigned short HD_NAME(__, HD_TAG, _as_ushort)(HD_T v) { return v.bits; }
HD_SMALL short HD_NAME(__, HD_TAG, _as_short)(HD_T v) { return (short)v.bits; }
HD_SMALL HD_T HD_NAME(__ushort_as_, HD_TAG, )(unsigned short v) { return HD_RAW{v}; }
HD_SMALL HD_T HD_NAME(__short_as_, HD_TAG, )(short v) { return HD_RAW{(unsigned short)v}; }
HD_SMALL HD_T2 HD_NAME(make_, HD_TAG2, )(HD_T a, HD_T b) { return HD_T2(a, b); }
HD_SMALL HD_T2 HD_NAME(__, HD_TAG, HD_NAME(2, HD_TAG2, ))(HD_T a) { return HD_T2(a, a); }
HD_SMALL HD_T2 HD_NAME(__, HD_TAG, HD_NAME(s2, HD_TAG2, ))(HD_T a, HD_T b) { return HD_T2(a, b); }
HD_SMALL HD_T2 HD_NAME(__float2, HD_TAG2, _rn)(float a) { return HD_T2(a, a); }
HD_SMALL HD_T2 HD_NAME(__floats2, HD_TAG2, _rn)(float a, float b) { return HD_T2(a, b); }
HD_SMALL HD_T2 HD_NAME(__float22, HD_TAG2, _rn)(float2 v) { return HD_T2(v.x, v.y); }
HD_SMALL float2 HD_NAME(__, HD_TAG2, 2float2)(HD_T2 v) { return {(float)v.x, (float)v.y}; }
HD_SMALL HD_T HD_NAME(__low2, HD_TAG, )(HD_T2 v) { return v.x; }
HD_SMALL HD_T HD_NAME(__high2, HD_TAG, )(HD_T2 v) { return v.y; }
HD_SMALL float __low2float(HD_T2 v) { return v.x; }
HD_SMALL float __high2float(HD_T2 v) { return v.y; }
HD_SMALL HD_T2 HD_NAME(__low2, HD_TAG2, )(HD_T2 v) { return HD_T2(v.x, v.x); }
HD_SMALL HD_T2 HD_NAME(__high2, HD_TAG2, )(HD_T2 v) { return HD_T2(v.y, v.y); }
HD_SMALL HD_T2 __lowhigh2highlow(HD_T2 v) { return HD_T2(v.y, v.x); }
HD_SMALL HD_T2 HD_NAME(__lows2, HD_TAG2, )(HD_T2 a, HD_T2 b) { return HD_T2(a.x, b.x); }
HD_SMALL HD_T2 HD_NAME(__highs2, HD_TAG2, )(HD_T2 a, HD_T2 b) { return HD_T2(a.y, b.y); }
HD_SMALL HD_T __hadd(HD_T a, HD_T b) { return a + b; }
HD_SMALL HD_T2 __hadd2(HD_T2 a, HD_T2 b) { return a + b; }
HD_SMALL HD_T __hadd_rn(HD_T a, HD_T b) { return a + b; }
HD_SMALL HD_T2 __hadd2_rn(HD_T2 a, HD_T2 b) { return a + b; }
HD_SMALL HD_T __hsub(HD_T a, HD_T b) { return a - b; }
HD_SMALL HD_T2 __hsub2(HD_T2 a, HD_T2 b) { return a - b; }
HD_SMALL HD_T __hsub_rn(HD_T a, HD_T b) { return a - b; }
HD_SMALL HD_T2 __hsub2_rn(HD_T2 a, HD_T2 b) { return a - b; }
HD_SMALL HD_T __hmul(HD_T a, HD_T b) { return a * b; }
HD_SMALL HD_T2 __hmul2(HD_T2 a, HD_T2 b) { return a * b; }
HD_SMALL HD_T __hmul_rn(HD_T a, HD_T b) { return a * b; }
HD_SMALL HD_T2 __hmul2_rn(HD_T2 a, HD_T2 b) { return a * b; }
HD_SMALL HD_T __hdiv(HD_T a, HD_T b) { return a / b; }
HD_SMALL HD_T2 __h2div(HD_T2 a, HD_T2 b) { return a / b; }
HD_SMALL HD_T __hfma(HD_T a, HD_T b, HD_T c)
{
#ifdef __CUDA_ARCH__
    HD_T d;
    __asm__("fma.rn." HD_PTX " %0, %1, %2, %3;" : "=h"(d.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return d;
#else
    return HD_T(heddle_fma_odd(a, b, c));
#endif
}
HD_SMALL HD_T2 __hfma2(HD_T2 a, HD_T2 b, HD_T2 c)
{
    return HD_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
HD_SMALL HD_T __hneg(HD_T a) { return -a; }
HD_SMALL HD_T2 __hneg2(HD_T2 a) { return HD_T2(-a.x, -a.y); }
HD_SMALL HD_T __habs(HD_T a) { a.bits &= 0x7fff; return a; }
HD_SMALL HD_T2 __habs2(HD_T2 a) { return HD_T2(__habs(a.x), __habs(a.y)); }
HD_SMALL bool __heq(HD_T a, HD_T b) { return a == b; }
HD_SMALL HD_T2 __heq2(HD_T2 a, HD_T2 b)
{
    return HD_T2(a.x == b.x ? 1.0f : 0.0f, a.y == b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hne(HD_T a, HD_T b) { return a != b; }
HD_SMALL HD_T2 __hne2(HD_T2 a, HD_T2 b)
{
    return HD_T2(a.x != b.x ? 1.0f : 0.0f, a.y != b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hlt(HD_T a, HD_T b) { return a < b; }
HD_SMALL HD_T2 __hlt2(HD_T2 a, HD_T2 b)
{
    return HD_T2(a.x < b.x ? 1.0f : 0.0f, a.y < b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hle(HD_T a, HD_T b) { return a <= b; }
HD_SMALL HD_T2 __hle2(HD_T2 a, HD_T2 b)
{
    return HD_T2(a.x <= b.x ? 1.0f : 0.0f, a.y <= b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hgt(HD_T a, HD_T b) { return a > b; }
HD_SMALL HD_T2 __hgt2(HD_T2 a, HD_T2 b)
{
    return HD_T2(a.x > b.x ? 1.0f : 0.0f, a.y > b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hge(HD_T a, HD_T b) { return a >= b; }
HD_SMALL HD_T2 __hge2(HD_T2 a, HD_T2 b)
{
    return HD_T2(a.x >= b.x ? 1.0f : 0.0f, a.y >= b.y ? 1.0f : 0.0f);
}
HD_SMALL bool __hisnan(HD_T a) { return a != a; }
HD_SMALL HD_T __hmax(HD_T a, HD_T b) { return HD_T(::fmaxf(a, b)); }
HD_SMALL HD_T __hmin(HD_T a, HD_T b) { return HD_T(::fminf(a, b)); }
HD_SMALL HD_T2 __hmax2(HD_T2 a, HD_T2 b)
{
    return HD_T2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
HD_SMALL HD_T2 __hmin2(HD_T2 a, HD_T2 b)
{
    return HD_T2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
HD_SMALL HD_T hsqrt(HD_T a) { return HD_T(::sqrtf(a)); }
HD_SMALL HD_T2 h2sqrt(HD_T2 a) { return HD_T2(hsqrt(a.x), hsqrt(a.y)); }
HD_SMALL HD_T hexp(HD_T a) { return HD_T(::expf(a)); }
HD_SMALL HD_T2 h2exp(HD_T2 a) { return HD_T2(hexp(a.x), hexp(a.y)); }
HD_SMALL HD_T hlog(HD_T a) { return HD_T(::logf(a)); }
HD_SMALL HD_T2 h2log(HD_T2 a) { return HD_T2(hlog(a.x), hlog(a.y)); }
HD_SMALL HD_T hsin(HD_T a) { return HD_T(::sinf(a)); }
HD_SMALL HD_T2 h2sin(HD_T2 a) { return HD_T2(hsin(a.x), hsin(a.y)); }
HD_SMALL HD_T hcos(HD_T a) { return HD_T(::cosf(a)); }
HD_SMALL HD_T2 h2cos(HD_T2 a) { return HD_T2(hcos(a.x), hcos(a.y)); }
HD_SMALL HD_T hfloor(HD_T a) { return HD_T(::floorf(a)); }
HD_SMALL HD_T2 h2floor(HD_T2 a) { return HD_T2(hfloor(a.x), hfloor(a.y)); }
HD_SMALL HD_T hceil(HD_T a) { return HD_T(::ceilf(a)); }
HD_SMALL HD_T2 h2ceil(HD_T2 a) { return HD_T2(hceil(a.x), hceil(a.y)); }
HD_SMALL HD_T htrunc(HD_T a) { return HD_T(::truncf(a)); }
HD_SMALL HD_T2 h2trunc(HD_T2 a) { return HD_T2(htrunc(a.x), htrunc(a.y)); }
HD_SMALL HD_T hrint(HD_T a) { return HD_T(::rintf(a)); }
HD_SMALL HD_T2 h2rint(HD_T2 a) { return HD_T2(hrint(a.x), hrint(a.y)); }
HD_SMALL HD_T hexp2(HD_T a) { return HD_T(::exp2f(a)); }
HD_SMALL HD_T2 h2exp2(HD_T2 a) { return HD_T2(hexp2(a.x), hexp2(a.y)); }
HD_SMALL HD_T hlog2(HD_T a) { return HD_T(::log2f(a)); }
HD_SMALL HD_T2 h2log2(HD_T2 a) { return HD_T2(hlog2(a.x), hlog2(a.y)); }
HD_SMALL HD_T hlog10(HD_T a) { return HD_T(::log10f(a)); }
HD_SMALL HD_T2 h2log10(HD_T2 a) { return HD_T2(hlog10(a.x), hlog10(a.y)); }
HD_SMALL HD_T hrsqrt(HD_T a) { return HD_T(1 / ::sqrtf(a)); }
HD_SMALL HD_T2 h2rsqrt(HD_T2 a) { return HD_T2(hrsqrt(a.x), hrsqrt(a.y)); }
HD_SMALL HD_T hrcp(HD_T a) { return HD_T(1 / (float)a); }
#ifdef __CUDACC__
static __inline__ __device__ HD_T __ldg(const HD_T *p) { return *p; }
static __inline__ __device__ HD_T2 __ldg(const HD_T2 *p) { return *p; }
/* By the word that holds it; two in a word go one after the other. */
static __inline__ __device__ HD_T atomicAdd(HD_T *p, HD_T v)
{
    unsigned *word = (unsigned *)((unsigned long long)p & ~3ull), shift = ((unsigned long long)p & 2) * 8, old = *word, seen;
    do {
        seen = old;
        HD_T sum = HD_T(HD_RAW{(unsigned short)(seen >> shift)}) + v;
        old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | (unsigned)sum.bits << shift);
    } while (old != seen);
    return HD_RAW{(unsigned short)(old >> shift)};
}
static __inline__ __device__ HD_T2 atomicAdd(HD_T2 *p, HD_T2 v)
{
    HD_T a = atomicAdd(&p->x, v.x);
    return HD_T2(a, atomicAdd(&p->y, v.y));
}
#define HD_SMALL_SHUFFLE(NAME, LANE) \
    static __inline__ __device__ HD_T NAME(unsigned m, HD_T v, LANE l, int w = 32) \
    { return HD_RAW{(unsigned short)NAME(m, (unsigned)v.bits, l, w)}; } \
    static __inline__ __device__ HD_T2 NAME(unsigned m, HD_T2 v, LANE l, int w = 32) \
    { return HD_T2(NAME(m, v.x, l, w), NAME(m, v.y, l, w)); }
HD_SMALL_SHUFFLE(__shfl_sync, int)
HD_SMALL_SHUFFLE(__shfl_up_sync, unsigned)
HD_SMALL_SHUFFLE(__shfl_down_sync, unsigned)
HD_SMALL_SHUFFLE(__shfl_xor_sync, int)
#undef HD_SMALL_SHUFFLE
#endif
#undef HD_NAME
#undef HD_NAME_
#undef HD_SMALL
#undef HD_T
#undef HD_T2
#undef HD_RAW
#undef HD_RAW2
#undef HD_TAG
#undef HD_TAG2
#undef HD_BITS
#undef HD_FLOAT
#undef HD_PTX
