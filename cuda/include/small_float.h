/* f16 and bf16 to and from f32, rounding to nearest even, and the host's fma of them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_SMALL_FLOAT_H
#define HEDDLE_SMALL_FLOAT_H
#include <string.h>
static __inline__ __host__ __device__ unsigned heddle_word_of(float v)
{
    unsigned w;
    memcpy(&w, &v, sizeof w);
    return w;
}
static __inline__ __host__ __device__ float heddle_float_of(unsigned w)
{
    float v;
    memcpy(&v, &w, sizeof v);
    return v;
}
static __inline__ __host__ __device__ unsigned short heddle_f16_of(float v)
{
#ifdef __CUDA_ARCH__
    unsigned short h;
    __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v));
    return h;
#else
    unsigned w = heddle_word_of(v), sign = w >> 16 & 0x8000, a = w & 0x7fffffff;
    if (a > 0x7f800000) return 0x7fff;
    if (a >= 0x477ff000) return (unsigned short)(sign | 0x7c00);
    if (a < 0x38800000) {                   /* below the normal numbers: in units of 2^-24 */
        float units = heddle_float_of(a) * 16777216.0f, whole = (float)(unsigned)units,
              rest = units - whole;
        unsigned n = (unsigned)whole;
        n += rest > 0.5f || (rest == 0.5f && (n & 1));
        return (unsigned short)(sign | n);
    }
    a += 0xfff + (a >> 13 & 1);
    return (unsigned short)(sign | ((a - 0x38000000) >> 13));
#endif
}
static __inline__ __host__ __device__ float heddle_of_f16(unsigned short h)
{
#ifdef __CUDA_ARCH__
    float v;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(h));
    return v;
#else
    unsigned sign = (unsigned)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
    if (e == 31) return heddle_float_of(sign | 0x7f800000 | m << 13);
    if (!e) return (sign ? -1.0f : 1.0f) * (float)m * (1.0f / 16777216.0f);
    return heddle_float_of(sign | (e + 112) << 23 | m << 13);
#endif
}
static __inline__ __host__ __device__ unsigned short heddle_bf16_of(float v)
{
    unsigned w = heddle_word_of(v);
    if ((w & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return (unsigned short)((w + 0x7fff + (w >> 16 & 1)) >> 16);
}
static __inline__ __host__ __device__ float heddle_of_bf16(unsigned short h)
{
    return heddle_float_of((unsigned)h << 16);
}
/* v as an f32 that one more rounding, in any direction, makes right: where f32 lacks v, the odd one
 * of its two neighbours. */
static __inline__ __host__ __device__ float heddle_odd(float v) { return v; }
static __inline__ __host__ __device__ float heddle_odd(double v)
{
    float f = (float)v;
    unsigned w = heddle_word_of(f);
    if (v != v || (double)f == v || (w & 1)) return f;      /* a NaN, exact, or odd */
    double size = v < 0 ? -v : v, near = heddle_float_of(w & 0x7fffffff);
    return heddle_float_of(size > near ? w + 1 : w - 1);
}
static __inline__ __host__ __device__ float heddle_odd(unsigned long long v)
{
    if (v < 1 << 24) return (float)(unsigned)v;
    unsigned past = 40 - (unsigned)__builtin_clzll(v);
    unsigned m = (unsigned)(v >> past) | ((v & ((1ull << past) - 1)) != 0);
    return (float)m * heddle_float_of((127 + past) << 23);
}
static __inline__ __host__ __device__ float heddle_odd(long long v)
{
    return v < 0 ? -heddle_odd(0 - (unsigned long long)v) : heddle_odd((unsigned long long)v);
}
#define HD_ODD(T, AS) \
    static __inline__ __host__ __device__ float heddle_odd(T v) { return heddle_odd((AS)v); }
HD_ODD(int, long long)
HD_ODD(short, long long)
HD_ODD(long, long long)
HD_ODD(unsigned, unsigned long long)
HD_ODD(unsigned short, unsigned long long)
HD_ODD(unsigned long, unsigned long long)
#undef HD_ODD
/* A whole f32 as an integer: the nearest that there is; a NaN as PTX has it. */
template <class T> static __inline__ __host__ __device__ T heddle_whole(float v)
{
    const T least = (T)((T)-1 < 0 ? (T)1 << (sizeof(T) * 8 - 1) : 0), most = (T)~least;
    const float past = (float)(most / 2 + 1) * 2;
    if (v != v) return sizeof(T) == 8 ? (T)1 << 63 % (sizeof(T) * 8) : 0;
    return v >= past ? most : v <= (float)least ? least : (T)v;
}
/* a b + c of f16 or bf16 values, an f32 that one more rounding makes right: where f32 lacks the
 * sum, the odd one of its two neighbours.  f64 holds the product; what its sum loses is `rest'. */
static __inline__ float heddle_fma_odd(float a, float b, float c)
{
    double p = (double)a * b, s = p + c, t = s - p, rest = (p - (s - t)) + (c - t), past;
    float f = (float)s;
    unsigned w = heddle_word_of(f);
    if (s - s != 0 || (w & 1)) return f;            /* infinite, a NaN, or odd */
    past = f - s - rest;
    return past == 0 ? f : heddle_float_of((past < 0) == (s > 0) ? w + 1 : w - 1);
}
#endif
