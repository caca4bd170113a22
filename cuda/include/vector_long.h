/* The vector types of long, which heddle_cuda.h leaves out.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_VECTOR_LONG_H
#define HEDDLE_VECTOR_LONG_H
#define HEDDLE_LONG(T, N) \
    struct N##1 { T x; }; \
    struct __attribute__((aligned(16))) N##2 { T x, y; }; \
    struct N##3 { T x, y, z; }; \
    struct __attribute__((aligned(16))) N##4 { T x, y, z, w; }; \
    HD_HD N##1 make_##N##1(T x) { return {x}; } \
    HD_HD N##2 make_##N##2(T x, T y) { return {x, y}; } \
    HD_HD N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; } \
    HD_HD N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
HEDDLE_LONG(long, long)
HEDDLE_LONG(unsigned long, ulong)
#undef HEDDLE_LONG
#endif
