/* Products of matrices by a warp: CUDA's nvcuda::wmma, by instructions of that name.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a lane holds in a fragment is the compiler's matter (compiler/ptx/expand_mma.c);
 * elements may repeat. */
#ifndef HEDDLE_MMA_H
#define HEDDLE_MMA_H
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
struct row_major {
};
struct col_major {
};
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32 {
};
} // namespace precision

namespace details
{
/* What an element is stored as, and how many a lane has. */
template <class T> struct stored {
    typedef T type;
};
template <> struct stored<precision::tf32> {
    typedef float type;
};
template <int M, int N, int K, class T> struct elements_a {
    enum { n = M * K / 32 };
};
template <int M, int N, int K> struct elements_a<M, N, K, __half> {
    enum { n = 16 };
};
template <int M, int N, int K, class T> struct elements_b {
    enum { n = K * N / 32 };
};
template <int M, int N, int K> struct elements_b<M, N, K, __half> {
    enum { n = 16 };
};
template <class Use, int M, int N, int K, class T> struct elements;
template <int M, int N, int K, class T>
struct elements<matrix_a, M, N, K, T> : elements_a<M, N, K, T> {
};
template <int M, int N, int K, class T>
struct elements<matrix_b, M, N, K, T> : elements_b<M, N, K, T> {
};
template <int M, int N, int K, class T> struct elements<accumulator, M, N, K, T> {
    enum { n = M * N / 32 };
};
} // namespace details

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
    typedef typename details::stored<T>::type element_type, storage_element_type;
    enum {
        num_elements = details::elements<Use, M, N, K, T>::n,
        num_storage_elements = num_elements
    };
    element_type x[num_elements] __attribute__((aligned(16)));
};

template <class Use, int M, int N, int K, class T, class Layout>
__device__ inline void fill_fragment(fragment<Use, M, N, K, T, Layout> &f,
                                     const typename details::stored<T>::type &v)
{
    for (int i = 0; i < (int)f.num_elements; i++) f.x[i] = v;
}
__device__ inline float __float_to_tf32(float v)
{
    unsigned d;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(d) : "f"(v));
    return __uint_as_float(d);
}

/* Elements as the register that holds them, whatever their type. */
typedef unsigned __attribute__((may_alias)) hd_word;
/* Registers by their number, in an instruction's text and as operands. */
#define HD_T1 "{%0}"
#define HD_T2 "{%0,%1}"
#define HD_T4 "{%0,%1,%2,%3}"
#define HD_T8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define HD_R1(c, x) c(x[0])
#define HD_R2(c, x) c(x[0]), c(x[1])
#define HD_R4(c, x) HD_R2(c, x), c(x[2]), c(x[3])
#define HD_R8(c, x) HD_R4(c, x), c(x[4]), c(x[5]), c(x[6]), c(x[7])
#define HD_A1 " [%1], %2;"
#define HD_A2 " [%2], %3;"
#define HD_A4 " [%4], %5;"
#define HD_A8 " [%8], %9;"
#define HD_S1 " [%1], {%0}, %2;"
#define HD_S2 " [%2], {%0,%1}, %3;"
#define HD_S4 " [%4], {%0,%1,%2,%3}, %5;"
#define HD_S8 " [%8], {%0,%1,%2,%3,%4,%5,%6,%7}, %9;"

#define HD_LOAD(Use, which, M, N, K, T, ty, Layout, layout, n, W, c)                               \
    __device__ inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f,                  \
                                            const details::stored<T>::type *p, unsigned ldm)       \
    {                                                                                              \
        W *x = (W *)f.x;                                                                           \
        asm volatile("wmma.load." which ".sync.aligned." layout ".m" #M "n" #N "k" #K "." ty       \
                     " " HD_T##n "," HD_A##n                                                       \
                     : HD_R##n("=" c, x)                                                           \
                     : "l"(p), "r"(ldm)                                                            \
                     : "memory");                                                                  \
    }
#define HD_LOADS(M, N, K, T, ty, na, nb, W, c)                                                     \
    HD_LOAD(matrix_a, "a", M, N, K, T, ty, row_major, "row", na, W, c)                             \
    HD_LOAD(matrix_a, "a", M, N, K, T, ty, col_major, "col", na, W, c)                             \
    HD_LOAD(matrix_b, "b", M, N, K, T, ty, row_major, "row", nb, W, c)                             \
    HD_LOAD(matrix_b, "b", M, N, K, T, ty, col_major, "col", nb, W, c)
#define HD_SUMS(M, N, K, T, ty, n, W, c)                                                           \
    __device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p,      \
                                            unsigned ldm, layout_t layout)                         \
    {                                                                                              \
        W *x = (W *)f.x;                                                                           \
        if (layout == mem_row_major)                                                               \
            asm volatile("wmma.load.c.sync.aligned.row.m" #M "n" #N "k" #K "." ty " " HD_T##n      \
                         "," HD_A##n                                                               \
                         : HD_R##n("=" c, x)                                                       \
                         : "l"(p), "r"(ldm)                                                        \
                         : "memory");                                                              \
        else                                                                                       \
            asm volatile("wmma.load.c.sync.aligned.col.m" #M "n" #N "k" #K "." ty " " HD_T##n      \
                         "," HD_A##n                                                               \
                         : HD_R##n("=" c, x)                                                       \
                         : "l"(p), "r"(ldm)                                                        \
                         : "memory");                                                              \
    }                                                                                              \
    __device__ inline void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f,     \
                                             unsigned ldm, layout_t layout)                        \
    {                                                                                              \
        const W *x = (const W *)f.x;                                                               \
        if (layout == mem_row_major)                                                               \
            asm volatile("wmma.store.d.sync.aligned.row.m" #M "n" #N "k" #K                        \
                         "." ty HD_S##n ::HD_R##n(c, x),                                           \
                         "l"(p), "r"(ldm)                                                          \
                         : "memory");                                                              \
        else                                                                                       \
            asm volatile("wmma.store.d.sync.aligned.col.m" #M "n" #N "k" #K                        \
                         "." ty HD_S##n ::HD_R##n(c, x),                                           \
                         "l"(p), "r"(ldm)                                                          \
                         : "memory");                                                              \
    }
/* d, then c, a, b as operands; where c begins follows from d's registers. */
#define HD_LIST8(b0, b1, b2, b3, b4, b5, b6, b7)                                                   \
    "{%" #b0 ",%" #b1 ",%" #b2 ",%" #b3 ",%" #b4 ",%" #b5 ",%" #b6 ",%" #b7 "}"
#define HD_MMA(M, N, K, T, TD, TC, types, sat, text, nd, nc, na, nb, WD, cd, WC, cc, W, c)         \
    template <class LA, class LB>                                                                  \
    __device__ inline void mma_sync(                                                               \
        fragment<accumulator, M, N, K, TD> &fd, const fragment<matrix_a, M, N, K, T, LA> &fa,      \
        const fragment<matrix_b, M, N, K, T, LB> &fb,                                              \
        const fragment<accumulator, M, N, K, TC> &fc, bool satf = false)                           \
    {                                                                                              \
        WD *d = (WD *)fd.x;                                                                        \
        const WC *s = (const WC *)fc.x;                                                            \
        const W *a = (const W *)fa.x, *b = (const W *)fb.x;                                        \
        if (satf)                                                                                  \
            asm volatile("wmma.mma.sync.aligned.row.col.m" #M "n" #N "k" #K "." types sat text     \
                         : HD_R##nd("=" cd, d)                                                     \
                         : HD_R##nc(cc, s), HD_R##na(c, a), HD_R##nb(c, b));                       \
        else                                                                                       \
            asm volatile("wmma.mma.sync.aligned.row.col.m" #M "n" #N "k" #K "." types text         \
                         : HD_R##nd("=" cd, d)                                                     \
                         : HD_R##nc(cc, s), HD_R##na(c, a), HD_R##nb(c, b));                       \
    }
#define HD_D8 " {%0,%1,%2,%3,%4,%5,%6,%7}, "
#define HD_D4 " {%0,%1,%2,%3}, "
#define HD_D2 " {%0,%1}, "
#define HD_8_8 HD_LIST8(8, 9, 10, 11, 12, 13, 14, 15)
#define HD_8_16 HD_LIST8(16, 17, 18, 19, 20, 21, 22, 23)
#define HD_8_24 HD_LIST8(24, 25, 26, 27, 28, 29, 30, 31)
#define HD_F32_8_8 HD_D8 HD_8_16 ", " HD_8_24 ", " HD_8_8 ";"
#define HD_F32_4_4 HD_D8 "{%16,%17,%18,%19}, {%20,%21,%22,%23}, " HD_8_8 ";"
#define HD_F32_8_2 HD_D8 HD_8_16 ", {%24,%25}, " HD_8_8 ";"
#define HD_F32_2_8 HD_D8 "{%16,%17}, " HD_LIST8(18, 19, 20, 21, 22, 23, 24, 25) ", " HD_8_8 ";"
#define HD_F32_2_2 HD_D8 "{%16,%17}, {%18,%19}, " HD_8_8 ";"
#define HD_F32_4_1 HD_D8 "{%16,%17,%18,%19}, {%20}, " HD_8_8 ";"
#define HD_F32_1_4 HD_D8 "{%16}, {%17,%18,%19,%20}, " HD_8_8 ";"

#define HD_SHAPE(M, N, K, na2, nb2, t2, na1, nb1, t1)                                              \
    HD_LOADS(M, N, K, __half, "f16", 8, 8, hd_word, "r")                                           \
    HD_LOADS(M, N, K, __nv_bfloat16, "bf16", na2, nb2, hd_word, "r")                               \
    HD_LOADS(M, N, K, signed char, "s8", na1, nb1, hd_word, "r")                                   \
    HD_LOADS(M, N, K, unsigned char, "u8", na1, nb1, hd_word, "r")                                 \
    HD_SUMS(M, N, K, float, "f32", 8, float, "f")                                                  \
    HD_SUMS(M, N, K, __half, "f16", 4, hd_word, "r")                                               \
    HD_SUMS(M, N, K, int, "s32", 8, int, "r")                                                      \
    HD_MMA(M, N, K, __half, float, float, "f32.f32", ".satfinite", HD_F32_8_8, 8, 8, 8, 8, float,  \
           "f", float, "f", hd_word, "r")                                                          \
    HD_MMA(M, N, K, __half, __half, __half, "f16.f16", ".satfinite",                               \
           HD_D4 HD_LIST8(8, 9, 10, 11, 12, 13, 14, 15) ", " HD_LIST8(16, 17, 18, 19, 20, 21, 22,  \
                                                                      23) ", {%4,%5,%6,%7};",      \
           4, 4, 8, 8, hd_word, "r", hd_word, "r", hd_word, "r")                                   \
    HD_MMA(M, N, K, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", "", t2, 8, 8, na2, nb2,      \
           float, "f", float, "f", hd_word, "r")                                                   \
    HD_MMA(M, N, K, signed char, int, int, "s32.s8.s8.s32", ".satfinite", t1, 8, 8, na1, nb1, int, \
           "r", int, "r", hd_word, "r")                                                            \
    HD_MMA(M, N, K, unsigned char, int, int, "s32.u8.u8.s32", ".satfinite", t1, 8, 8, na1, nb1,    \
           int, "r", int, "r", hd_word, "r")
HD_SHAPE(16, 16, 16, 4, 4, HD_F32_4_4, 2, 2, HD_F32_2_2)
HD_SHAPE(32, 8, 16, 8, 2, HD_F32_8_2, 4, 1, HD_F32_4_1)
HD_SHAPE(8, 32, 16, 2, 8, HD_F32_2_8, 1, 4, HD_F32_1_4)

HD_LOADS(16, 16, 8, precision::tf32, "tf32", 4, 4, hd_word, "r")
HD_SUMS(16, 16, 8, float, "f32", 8, float, "f")
HD_MMA(16, 16, 8, precision::tf32, float, float, "f32.tf32.tf32.f32", "", HD_F32_4_4, 8, 8, 4, 4,
       float, "f", float, "f", hd_word, "r")
HD_LOADS(8, 8, 4, double, "f64", 1, 1, double, "d")
HD_SUMS(8, 8, 4, double, "f64", 2, double, "d")
HD_MMA(8, 8, 4, double, double, double, "rn.f64.f64.f64.f64", "", HD_D2 "{%4}, {%5}, {%2,%3};", 2,
       2, 1, 1, double, "d", double, "d", double, "d")
} // namespace wmma
} // namespace nvcuda
#endif
#endif
