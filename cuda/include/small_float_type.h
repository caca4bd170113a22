/* A type of 16 bits with its pair: conversions, arithmetic by f32 with one rounding at the end.
 * SPDX-License-Identifier: Apache-2.0
 *
 * cuda_fp16.h and cuda_bf16.h include it, each once, with its names: HD_T, HD_T2, HD_RAW, HD_RAW2
 * the types, HD_TAG and HD_TAG2 what functions call them, HD_BITS and HD_FLOAT the conversions of
 * small_float.h, HD_PTX the type in PTX, HD_PRODUCT the product of two. */
#define HD_SMALL static __inline__ __host__ __device__
#define HD_NAME_(a, b, c) a##b##c
#define HD_NAME(a, b, c) HD_NAME_(a, b, c)
struct HD_RAW { unsigned short x; };
struct HD_RAW2 { unsigned short x, y; };
struct HD_T {
    unsigned short bits;
    HD_T() = default;
    __host__ __device__ HD_T(const HD_RAW &r) : bits(r.x) {}
#define HD_FROM(T) \
    __host__ __device__ HD_T(T v) : bits(HD_BITS(heddle_odd(v))) {} \
    __host__ __device__ HD_T &operator=(T v) { bits = HD_BITS(heddle_odd(v)); return *this; }
    HD_FROM(float) HD_FROM(double) HD_FROM(short) HD_FROM(unsigned short) HD_FROM(int)
    HD_FROM(unsigned) HD_FROM(long) HD_FROM(unsigned long) HD_FROM(long long)
    HD_FROM(unsigned long long)
#undef HD_FROM
#define HD_TO(T) \
    __host__ __device__ operator T() const { return heddle_whole<T>(::truncf(HD_FLOAT(bits))); }
    HD_TO(char) HD_TO(signed char) HD_TO(unsigned char) HD_TO(short) HD_TO(unsigned short)
    HD_TO(int) HD_TO(unsigned) HD_TO(long) HD_TO(unsigned long) HD_TO(long long)
    HD_TO(unsigned long long)
#undef HD_TO
    __host__ __device__ operator bool() const { return (bits & 0x7fff) != 0; }
    __host__ __device__ operator float() const { return HD_FLOAT(bits); }
    __host__ __device__ operator HD_RAW() const { return {bits}; }
    __host__ __device__ HD_T &operator=(const HD_RAW &r) { bits = r.x; return *this; }
};
struct __attribute__((aligned(4))) HD_T2 {
    HD_T x, y;
    HD_T2() = default;
    __host__ __device__ HD_T2(HD_T a, HD_T b) : x(a), y(b) {}
    __host__ __device__ HD_T2(const HD_RAW2 &r) : x(HD_RAW{r.x}), y(HD_RAW{r.y}) {}
    __host__ __device__ operator HD_RAW2() const { return {x.bits, y.bits}; }
};
HD_SMALL HD_T __hfma(HD_T a, HD_T b, HD_T c);
HD_SMALL HD_T operator+(HD_T a, HD_T b) { return HD_T((float)a + (float)b); }
HD_SMALL HD_T &operator+=(HD_T &a, HD_T b) { return a = a + b; }
HD_SMALL HD_T2 operator+(HD_T2 a, HD_T2 b) { return HD_T2(a.x + b.x, a.y + b.y); }
HD_SMALL HD_T2 &operator+=(HD_T2 &a, HD_T2 b) { return a = a + b; }
HD_SMALL HD_T operator-(HD_T a, HD_T b) { return HD_T((float)a - (float)b); }
HD_SMALL HD_T &operator-=(HD_T &a, HD_T b) { return a = a - b; }
HD_SMALL HD_T2 operator-(HD_T2 a, HD_T2 b) { return HD_T2(a.x - b.x, a.y - b.y); }
HD_SMALL HD_T2 &operator-=(HD_T2 &a, HD_T2 b) { return a = a - b; }
HD_SMALL HD_T operator*(HD_T a, HD_T b) { return HD_PRODUCT(a, b); }
HD_SMALL HD_T &operator*=(HD_T &a, HD_T b) { return a = a * b; }
HD_SMALL HD_T2 operator*(HD_T2 a, HD_T2 b) { return HD_T2(a.x * b.x, a.y * b.y); }
HD_SMALL HD_T2 &operator*=(HD_T2 &a, HD_T2 b) { return a = a * b; }
HD_SMALL HD_T operator/(HD_T a, HD_T b) { return HD_T((float)a / (float)b); }
HD_SMALL HD_T &operator/=(HD_T &a, HD_T b) { return a = a / b; }
HD_SMALL HD_T2 operator/(HD_T2 a, HD_T2 b) { return HD_T2(a.x / b.x, a.y / b.y); }
HD_SMALL HD_T2 &operator/=(HD_T2 &a, HD_T2 b) { return a = a / b; }
HD_SMALL HD_T operator-(HD_T a) { a.bits ^= 0x8000; return a; }
HD_SMALL HD_T operator+(HD_T a) { return a; }
HD_SMALL HD_T2 operator-(HD_T2 a) { return HD_T2(-a.x, -a.y); }
HD_SMALL HD_T2 operator+(HD_T2 a) { return a; }
#define HD_STEP(T, OP, BY) \
    HD_SMALL T &operator OP(T &a) { return a = a BY; } \
    HD_SMALL T operator OP(T &a, int) { T old = a; a = a BY; return old; }
HD_STEP(HD_T, ++, + HD_T(1.0f))
HD_STEP(HD_T, --, - HD_T(1.0f))
HD_STEP(HD_T2, ++, + HD_T2(1.0f, 1.0f))
HD_STEP(HD_T2, --, - HD_T2(1.0f, 1.0f))
#undef HD_STEP
/* Comparisons: NAME is false of a NaN, NAME##u true; each of two numbers, of pairs as 1 and 0, as
 * whether both, and as a mask.  X and Y are the two as f32. */
#define HD_COMPARISON_OF(NAME, EXPR) \
    HD_SMALL bool __h##NAME(HD_T a, HD_T b) { float x = a, y = b; return EXPR; } \
    HD_SMALL HD_T2 __h##NAME##2(HD_T2 a, HD_T2 b) \
    { \
        return HD_T2(__h##NAME(a.x, b.x) ? 1.0f : 0.0f, __h##NAME(a.y, b.y) ? 1.0f : 0.0f); \
    } \
    HD_SMALL bool __hb##NAME##2(HD_T2 a, HD_T2 b) \
    { \
        return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); \
    } \
    HD_SMALL unsigned __h##NAME##2_mask(HD_T2 a, HD_T2 b) \
    { \
        return (__h##NAME(a.x, b.x) ? 0xffffu : 0) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0); \
    }
#define HD_COMPARISON(NAME, EXPR) \
    HD_COMPARISON_OF(NAME, EXPR) HD_COMPARISON_OF(NAME##u, EXPR || x != x || y != y)
HD_COMPARISON(eq, x == y)
HD_COMPARISON(ne, (x < y || x > y))
HD_COMPARISON(lt, x < y)
HD_COMPARISON(le, x <= y)
HD_COMPARISON(gt, x > y)
HD_COMPARISON(ge, x >= y)
#undef HD_COMPARISON
#undef HD_COMPARISON_OF
/* Of pairs: of both. */
#define HD_OPERATOR(OP, NAME) \
    HD_SMALL bool operator OP(HD_T a, HD_T b) { return __h##NAME(a, b); } \
    HD_SMALL bool operator OP(HD_T2 a, HD_T2 b) { return __hb##NAME##2(a, b); }
HD_OPERATOR(==, eq)
HD_OPERATOR(!=, neu)
HD_OPERATOR(<, lt)
HD_OPERATOR(<=, le)
HD_OPERATOR(>, gt)
HD_OPERATOR(>=, ge)
#undef HD_OPERATOR

HD_SMALL HD_T HD_NAME(__float2, HD_TAG, )(float v) { return HD_T(v); }
HD_SMALL HD_T HD_NAME(__float2, HD_TAG, _rn)(float v) { return HD_T(v); }
HD_SMALL HD_T HD_NAME(__double2, HD_TAG, )(double v) { return HD_T(v); }
HD_SMALL float HD_NAME(__, HD_TAG, 2float)(HD_T v) { return v; }
HD_SMALL unsigned short HD_NAME(__, HD_TAG, _as_ushort)(HD_T v) { return v.bits; }
HD_SMALL short HD_NAME(__, HD_TAG, _as_short)(HD_T v) { return (short)v.bits; }
/* From f32 in all roundings: a step back where the nearest lies too far. */
HD_SMALL HD_T HD_NAME(heddle_below_, HD_TAG, )(HD_T r)
{
    return HD_RAW{(unsigned short)(!(r.bits & 0x7fff) ? 0x8001 : r.bits & 0x8000 ? r.bits + 1
                                                                                  : r.bits - 1)};
}
HD_SMALL HD_T HD_NAME(__float2, HD_TAG, _rd)(float v)
{
    HD_T r(v);
    return (float)r > v ? HD_NAME(heddle_below_, HD_TAG, )(r) : r;
}
HD_SMALL HD_T HD_NAME(__float2, HD_TAG, _ru)(float v)
{
    return -HD_NAME(__float2, HD_TAG, _rd)(-v);
}
HD_SMALL HD_T HD_NAME(__float2, HD_TAG, _rz)(float v)
{
    return v < 0 ? HD_NAME(__float2, HD_TAG, _ru)(v) : HD_NAME(__float2, HD_TAG, _rd)(v);
}
/* Integers, both ways, in all roundings; signs of zero do not come from them. */
#define HD_ROUNDED(NAME, TYPE, R, WHOLE) \
    HD_SMALL HD_T HD_NAME(__##NAME##2, HD_TAG, R)(TYPE v) \
    { \
        return HD_NAME(__float2, HD_TAG, R)(heddle_odd(v)); \
    } \
    HD_SMALL TYPE HD_NAME(__, HD_TAG, 2##NAME##R)(HD_T v) { return heddle_whole<TYPE>(WHOLE(v)); }
#define HD_INTEGER(NAME, TYPE) \
    HD_ROUNDED(NAME, TYPE, _rn, ::rintf) HD_ROUNDED(NAME, TYPE, _rz, ::truncf) \
    HD_ROUNDED(NAME, TYPE, _rd, ::floorf) HD_ROUNDED(NAME, TYPE, _ru, ::ceilf)
HD_INTEGER(int, int)
HD_INTEGER(uint, unsigned)
HD_INTEGER(short, short)
HD_INTEGER(ushort, unsigned short)
HD_INTEGER(ll, long long)
HD_INTEGER(ull, unsigned long long)
#undef HD_INTEGER
#undef HD_ROUNDED
HD_SMALL signed char HD_NAME(__, HD_TAG, 2char_rz)(HD_T v) { return v; }
HD_SMALL unsigned char HD_NAME(__, HD_TAG, 2uchar_rz)(HD_T v) { return v; }
HD_SMALL HD_T HD_NAME(__ushort_as_, HD_TAG, )(unsigned short v) { return HD_RAW{v}; }
HD_SMALL HD_T HD_NAME(__short_as_, HD_TAG, )(short v) { return HD_RAW{(unsigned short)v}; }
HD_SMALL HD_T2 HD_NAME(make_, HD_TAG2, )(HD_T a, HD_T b) { return HD_T2(a, b); }
HD_SMALL HD_T2 HD_NAME(__, HD_TAG, HD_NAME(2, HD_TAG2, ))(HD_T a) { return HD_T2(a, a); }
HD_SMALL HD_T2 HD_NAME(__halves2, HD_TAG2, )(HD_T a, HD_T b) { return HD_T2(a, b); }
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
#define HD_OPERATOR(NAME, OP) \
    HD_SMALL HD_T __h##NAME(HD_T a, HD_T b) { return a OP b; } \
    HD_SMALL HD_T2 __h##NAME##2(HD_T2 a, HD_T2 b) { return a OP b; } \
    HD_SMALL HD_T __h##NAME##_rn(HD_T a, HD_T b) { return a OP b; } \
    HD_SMALL HD_T2 __h##NAME##2_rn(HD_T2 a, HD_T2 b) { return a OP b; }
#define HD_SATURATED(NAME) \
    HD_SMALL HD_T __h##NAME##_sat(HD_T a, HD_T b) \
    { return HD_NAME(heddle_sat_, HD_TAG, )(__h##NAME(a, b)); } \
    HD_SMALL HD_T2 __h##NAME##2_sat(HD_T2 a, HD_T2 b) \
    { return HD_T2(__h##NAME##_sat(a.x, b.x), __h##NAME##_sat(a.y, b.y)); }
/* To [0, 1]; what is no number becomes 0. */
HD_SMALL HD_T HD_NAME(heddle_sat_, HD_TAG, )(HD_T v)
{
    return HD_T(::fminf(::fmaxf(v, 0.0f), 1.0f));
}
HD_OPERATOR(add, +)
HD_OPERATOR(sub, -)
HD_OPERATOR(mul, *)
#undef HD_OPERATOR
HD_SATURATED(add)
HD_SATURATED(sub)
HD_SATURATED(mul)
#undef HD_SATURATED
HD_SMALL HD_T __hdiv(HD_T a, HD_T b) { return a / b; }
HD_SMALL HD_T2 __h2div(HD_T2 a, HD_T2 b) { return a / b; }
HD_SMALL HD_T __hfma(HD_T a, HD_T b, HD_T c)
{
#ifdef __CUDA_ARCH__
    HD_T d;
    __asm__("fma.rn." HD_PTX " %0, %1, %2, %3;" : "=h"(d.bits) : "h"(a.bits), "h"(b.bits),
            "h"(c.bits));
    return d;
#else
    return HD_T(heddle_fma_odd(a, b, c));
#endif
}
HD_SMALL HD_T2 __hfma2(HD_T2 a, HD_T2 b, HD_T2 c)
{
    return HD_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
HD_SMALL HD_T __hfma_sat(HD_T a, HD_T b, HD_T c)
{
    return HD_NAME(heddle_sat_, HD_TAG, )(__hfma(a, b, c));
}
HD_SMALL HD_T2 __hfma2_sat(HD_T2 a, HD_T2 b, HD_T2 c)
{
    return HD_T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
HD_SMALL HD_T __hfma_relu(HD_T a, HD_T b, HD_T c)
{
    HD_T v = __hfma(a, b, c);
    return (float)v <= 0.0f ? HD_T(0.0f) : v;
}
HD_SMALL HD_T2 __hfma2_relu(HD_T2 a, HD_T2 b, HD_T2 c)
{
    return HD_T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
/* c + a * b of complex numbers. */
HD_SMALL HD_T2 __hcmadd(HD_T2 a, HD_T2 b, HD_T2 c)
{
    return HD_T2(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
HD_SMALL HD_T __hneg(HD_T a) { return -a; }
HD_SMALL HD_T2 __hneg2(HD_T2 a) { return HD_T2(-a.x, -a.y); }
HD_SMALL HD_T __habs(HD_T a) { a.bits &= 0x7fff; return a; }
HD_SMALL HD_T2 __habs2(HD_T2 a) { return HD_T2(__habs(a.x), __habs(a.y)); }
HD_SMALL bool __hisnan(HD_T a) { return a != a; }
HD_SMALL HD_T2 __hisnan2(HD_T2 a)
{
    return HD_T2(a.x != a.x ? 1.0f : 0.0f, a.y != a.y ? 1.0f : 0.0f);
}
HD_SMALL int __hisinf(HD_T a)
{
    return (float)__habs(a) != __builtin_inff() ? 0 : a.bits & 0x8000 ? -1 : 1;
}
/* -0 lies below 0, which the host's fminf need not know. */
#define HD_CHOICE(NAME, ZEROS) \
    HD_SMALL HD_T __h##NAME(HD_T a, HD_T b) \
    { \
        if ((a.bits | b.bits) == 0x8000) return HD_RAW{(unsigned short)(a.bits ZEROS b.bits)}; \
        return HD_T(::f##NAME##f(a, b)); \
    }
HD_CHOICE(max, &)
HD_CHOICE(min, |)
#undef HD_CHOICE
HD_SMALL HD_T2 __hmax2(HD_T2 a, HD_T2 b)
{
    return HD_T2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
HD_SMALL HD_T2 __hmin2(HD_T2 a, HD_T2 b)
{
    return HD_T2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
HD_SMALL HD_T __hmax_nan(HD_T a, HD_T b)
{
    return a != a || b != b ? HD_T(HD_RAW{0x7fff}) : __hmax(a, b);
}
HD_SMALL HD_T __hmin_nan(HD_T a, HD_T b)
{
    return a != a || b != b ? HD_T(HD_RAW{0x7fff}) : __hmin(a, b);
}
HD_SMALL HD_T2 __hmax2_nan(HD_T2 a, HD_T2 b)
{
    return HD_T2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
}
HD_SMALL HD_T2 __hmin2_nan(HD_T2 a, HD_T2 b)
{
    return HD_T2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));
}
/* By the f32 function: of a number, and of two. */
#define HD_BY_F32(NAME, VALUE) \
    HD_SMALL HD_T h##NAME(HD_T a) { return HD_T(VALUE); } \
    HD_SMALL HD_T2 h2##NAME(HD_T2 a) { return HD_T2(h##NAME(a.x), h##NAME(a.y)); }
HD_BY_F32(sqrt, ::sqrtf(a))
HD_BY_F32(exp, ::expf(a))
HD_BY_F32(log, ::logf(a))
HD_BY_F32(sin, ::sinf(a))
HD_BY_F32(cos, ::cosf(a))
HD_BY_F32(floor, ::floorf(a))
HD_BY_F32(ceil, ::ceilf(a))
HD_BY_F32(trunc, ::truncf(a))
HD_BY_F32(rint, ::rintf(a))
HD_BY_F32(exp2, ::exp2f(a))
HD_BY_F32(log2, ::log2f(a))
HD_BY_F32(log10, ::log10f(a))
HD_BY_F32(rsqrt, 1 / ::sqrtf(a))
HD_BY_F32(rcp, 1 / (float)a)
HD_BY_F32(exp10, ::pow(10.0, (double)(float)a))
HD_BY_F32(tanh, ::tanhf(a))
HD_BY_F32(tanh_approx, ::tanhf(a))
#undef HD_BY_F32
#ifdef __CUDACC__
static __inline__ __device__ HD_T __ldg(const HD_T *p) { return *p; }
static __inline__ __device__ HD_T2 __ldg(const HD_T2 *p) { return *p; }
/* By the word that holds it; two in a word go one after the other. */
static __inline__ __device__ HD_T atomicAdd(HD_T *p, HD_T v)
{
    unsigned *word = (unsigned *)((unsigned long long)p & ~3ull);
    unsigned shift = ((unsigned long long)p & 2) * 8, old = *word, seen;
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
#undef HD_PRODUCT
