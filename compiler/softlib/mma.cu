// Products of matrices that the lanes of a warp hold together: what mma and wmma call (compiler/ptx/expand_mma.c).
// SPDX-License-Identifier: Apache-2.0
//
// One step: 16 rows of A and 8 columns of B, of each four words in the direction of k.  Lane 4g + t holds word t of
// rows g and g + 8 of A, word t of column g of B, and of the sum row g's columns 2t and 2t + 1, then row g + 8's.  A word
// holds one, two, four, eight or 32 elements.  A sum takes its products in ascending k, one by one.
#include "softlib/types.cuh"

struct __attribute__((aligned(16))) quad { u32 v[4]; };
struct __attribute__((aligned(16))) pair { double v[2]; };

INLINE void together() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
INLINE u32 own_lane()
{
    u32 l;
    asm("mov.u32 %0, %%laneid;" : "=r"(l));
    return l;
}
// From another lane; all are together.
INLINE u32 of(u32 v, u32 lane)
{
    u32 d;
    asm volatile("shfl.idx.b32 %0, %1, %2, 31;" : "=r"(d) : "r"(v), "r"(lane));
    return d;
}

INLINE float as_float(u32 v) { return __nvvm_bitcast_i2f((int)v); }
INLINE u32 as_bits(float v) { return (u32)__nvvm_bitcast_f2i(v); }
INLINE float f16(u32 h)
{
    float f;
    asm("{.reg .b16 h;\n\tcvt.u16.u32 h, %1;\n\tcvt.f32.f16 %0, h;}" : "=f"(f) : "r"(h));
    return f;
}
INLINE u32 fused(float a, float b, u32 c) { return as_bits(__nvvm_fma_rn_f(a, b, as_float(c))); }

// c and the products of two words' elements.
INLINE u32 dot_f16(u32 a, u32 b, u32 c) { return fused(f16(a >> 16), f16(b >> 16), fused(f16(a), f16(b), c)); }
INLINE u32 dot_bf16(u32 a, u32 b, u32 c)
{
    c = fused(as_float(a << 16), as_float(b << 16), c);
    return fused(as_float(a & 0xffff0000), as_float(b & 0xffff0000), c);
}
INLINE u32 dot_tf32(u32 a, u32 b, u32 c) { return fused(as_float(a & 0xffffe000), as_float(b & 0xffffe000), c); }
#define DOT4(name, ta, tb) \
    INLINE u32 dot_##name(u32 a, u32 b, u32 c) \
    { \
        u32 d; \
        asm("dp4a." ta "." tb " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); \
        return d; \
    }
DOT4(s8s8, "s32", "s32")
DOT4(s8u8, "s32", "u32")
DOT4(u8s8, "u32", "s32")
DOT4(u8u8, "u32", "u32")
// The nibbles of a word that stand in its bytes' lower halves, as bytes.
INLINE u32 u4(u32 v) { return v & 0x0f0f0f0f; }
INLINE u32 s4(u32 v) { return (((u4(v) ^ 0x08080808) | 0x80808080) - 0x08080808) ^ 0x80808080; }
INLINE u32 dot_s4s4(u32 a, u32 b, u32 c) { return dot_s8s8(s4(a >> 4), s4(b >> 4), dot_s8s8(s4(a), s4(b), c)); }
INLINE u32 dot_s4u4(u32 a, u32 b, u32 c) { return dot_s8u8(s4(a >> 4), u4(b >> 4), dot_s8u8(s4(a), u4(b), c)); }
INLINE u32 dot_u4s4(u32 a, u32 b, u32 c) { return dot_u8s8(u4(a >> 4), s4(b >> 4), dot_u8s8(u4(a), s4(b), c)); }
INLINE u32 dot_u4u4(u32 a, u32 b, u32 c) { return dot_u8u8(u4(a >> 4), u4(b >> 4), dot_u8u8(u4(a), u4(b), c)); }
INLINE u32 dot_xor(u32 a, u32 b, u32 c) { return c + (u32)__builtin_popcount(a ^ b); }
INLINE u32 dot_and(u32 a, u32 b, u32 c) { return c + (u32)__builtin_popcount(a & b); }

#define STEP(name) \
    DEVICE quad __hd_mma_##name(u32 a0, u32 a1, u32 b, u32 c0, u32 c1, u32 c2, u32 c3) \
    { \
        together(); \
        u32 lane = own_lane(), row = lane & ~3u, column = (lane & 3) * 8; \
        quad d = { { c0, c1, c2, c3 } }; \
        _Pragma("unroll") \
        for (u32 w = 0; w < 4; w++) { \
            u32 upper = of(a0, row + w), lower = of(a1, row + w); \
            u32 left = of(b, column + w), right = of(b, column + 4 + w); \
            d.v[0] = dot_##name(upper, left, d.v[0]); \
            d.v[1] = dot_##name(upper, right, d.v[1]); \
            d.v[2] = dot_##name(lower, left, d.v[2]); \
            d.v[3] = dot_##name(lower, right, d.v[3]); \
        } \
        return d; \
    }
STEP(f16)
STEP(bf16)
STEP(tf32)
STEP(s8s8)
STEP(s8u8)
STEP(u8s8)
STEP(u8u8)
STEP(s4s4)
STEP(s4u4)
STEP(u4s4)
STEP(u4u4)
STEP(xor)
STEP(and)

INLINE double of(double v, u32 lane)
{
    u64 bits = (u64)__nvvm_bitcast_d2ll(v);
    bits = (u64)of((u32)bits, lane) | (u64)of((u32)(bits >> 32), lane) << 32;
    return __nvvm_bitcast_ll2d((s64)bits);
}
// f64: eight rows, four elements of k.
DEVICE pair __hd_mma_f64(double a, double b, double c0, double c1)
{
    together();
    u32 lane = own_lane(), row = lane & ~3u, column = (lane & 3) * 8;
    pair d = { { c0, c1 } };
    _Pragma("unroll")
    for (u32 w = 0; w < 4; w++) {
        double r = of(a, row + w);
        d.v[0] = __nvvm_fma_rn_d(r, of(b, column + w), d.v[0]);
        d.v[1] = __nvvm_fma_rn_d(r, of(b, column + 4 + w), d.v[1]);
    }
    return d;
}
