/* CUDA's vector types and the words of its language, in C and C++, with and without clang's CUDA.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where clang compiles CUDA, heddle_cuda.h has declared all of it already. */
#ifndef HEDDLE_VECTOR_TYPES_H
#define HEDDLE_VECTOR_TYPES_H
/* Headers of programs ask by these names whether CUDA's own were included. */
#define __VECTOR_TYPES_H__
/* CUDA's name for: __host__ and the like are there (thrust asks, and undefines them else). */
#define __HOST_DEFINES_H__
#define __DRIVER_TYPES_H__
#ifndef HEDDLE_CUDA_H
#ifndef __host__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#endif
#ifdef __cplusplus
#define HEDDLE_MAKE(T, N) \
    static inline N##1 make_##N##1(T x) { N##1 v = {x}; return v; } \
    static inline N##2 make_##N##2(T x, T y) { N##2 v = {x, y}; return v; } \
    static inline N##3 make_##N##3(T x, T y, T z) { N##3 v = {x, y, z}; return v; } \
    static inline N##4 make_##N##4(T x, T y, T z, T w) { N##4 v = {x, y, z, w}; return v; }
#else
#define HEDDLE_MAKE(T, N)
#endif
#define HEDDLE_VECTOR(T, N, A2, A4) \
    typedef struct N##1 { T x; } N##1; \
    typedef struct __attribute__((aligned(A2))) N##2 { T x, y; } N##2; \
    typedef struct N##3 { T x, y, z; } N##3; \
    typedef struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; } N##4; \
    HEDDLE_MAKE(T, N)
HEDDLE_VECTOR(signed char, char, 2, 4)
HEDDLE_VECTOR(unsigned char, uchar, 2, 4)
HEDDLE_VECTOR(short, short, 4, 8)
HEDDLE_VECTOR(unsigned short, ushort, 4, 8)
HEDDLE_VECTOR(int, int, 8, 16)
HEDDLE_VECTOR(unsigned, uint, 8, 16)
HEDDLE_VECTOR(long, long, 16, 16)
HEDDLE_VECTOR(unsigned long, ulong, 16, 16)
HEDDLE_VECTOR(float, float, 8, 16)
HEDDLE_VECTOR(long long, longlong, 16, 16)
HEDDLE_VECTOR(unsigned long long, ulonglong, 16, 16)
HEDDLE_VECTOR(double, double, 16, 16)
#undef HEDDLE_VECTOR
#undef HEDDLE_MAKE
#ifdef __cplusplus
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    operator uint3() const { uint3 v = {x, y, z}; return v; }
};
#else
typedef struct dim3 { unsigned x, y, z; } dim3;
#endif
#endif
#endif
