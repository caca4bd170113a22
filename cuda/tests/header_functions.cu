/* Functions of CUDA's headers that were not there once, each with its right value: CUDA Math API, CUDA
 * C++ Programming Guide ("Address Space Conversion Functions", "Warp Match Functions", "atomicAdd()":
 * float2 and float4 from 9.0 on), exact arithmetic.  An H200 (nvcc 13, sm_90) prints PASS.
 * SPDX-License-Identifier: Apache-2.0
 *
 *     heddle nvcc -arch=sm_90 -std=c++17 header_functions.cu -o x && ./x       (-DROW=K: one of them) */
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef unsigned u32;
typedef unsigned long long u64;

struct operands {
    int a, b, c;
    long long l;
    float x;
    double d;
    unsigned short h1, h2, b1, b2;
    alignas(16) float pair[4];
};
#define BITS(T, v) ({ T v_ = (v); u64 w_ = 0; memcpy(&w_, &v_, sizeof v_); w_; })
#define H2 __halves2half2(__ushort_as_half(p->h1), __ushort_as_half(p->h2))
#define B2 __halves2bfloat162(__ushort_as_bfloat16(p->b1), __ushort_as_bfloat16(p->b2))

/* a = 0x01020304, b = 0x05060708, c = 10; l = 3; x = 1.5; h1, b1 = 1, h2, b2 = 2; pair = 1, 2, 3, 4 */
#ifdef ROW
#define TAKEN(K) ((K) == ROW)
#else
#define TAKEN(K) 1
#endif
template <int K> __global__ void row(u64 *, struct operands *) {}
template <int K> struct expected { static constexpr const char *name = 0; static constexpr u64 want = 0; };
#define DEFINE(K, NAME, VALUE, WANT) \
    template <> __global__ void row<K>(u64 *out, struct operands *p) \
    { \
        __shared__ int s; \
        int q = 0; \
        (void)q, (void)s; \
        u64 v = (u64)(VALUE); \
        if (threadIdx.x == 0) out[0] = v; \
    } \
    template <> struct expected<K> { \
        static constexpr const char *name = NAME; \
        static constexpr u64 want = (u64)(long long)(WANT); \
    };

#if TAKEN(0)
DEFINE(0, "__dp2a_lo", (u32)__dp2a_lo(p->a, p->b, p->c), 258 * 7 + 772 * 8 - 0 + 10)
#endif
#if TAKEN(1)
DEFINE(1, "__dp2a_hi", (u32)__dp2a_hi((u32)p->a, (u32)p->b, (u32)p->c), 258 * 5 + 772 * 6 + 10)
#endif
#if TAKEN(2)
DEFINE(2, "__dp2a_lo of vectors",
    (u32)__dp2a_lo(make_short2(3, -4), make_char4(5, 6, 7, 8), p->c), 3 * 5 - 4 * 6 + 10)
#endif
#if TAKEN(3)
DEFINE(3, "__dp4a of vectors",
    (u32)__dp4a(make_char4(1, -2, 3, 4), make_char4(5, 6, 7, 8), p->c), 5 - 12 + 21 + 32 + 10)
#endif
#if TAKEN(4)
DEFINE(4, "__nv_bswap32", __nv_bswap32((u32)p->a), 0x04030201)
#endif
#if TAKEN(5)
DEFINE(5, "__nv_bswap16", __nv_bswap16((unsigned short)p->a), 0x0403)
#endif
#if TAKEN(6)
DEFINE(6, "__match_all_sync(float)", __match_all_sync(~0u, p->x, &q), 0xffffffff)
#endif
#if TAKEN(7)
DEFINE(7, "__match_all_sync(double)", __match_all_sync(~0u, p->d, &q), 0xffffffff)
#endif
#if TAKEN(8)
DEFINE(8, "__match_all_sync(long long)", __match_all_sync(~0u, p->l, &q), 0xffffffff)
#endif
#if TAKEN(9)
DEFINE(9, "__isGridConstant", __isGridConstant(&q), 0)
#endif
#if TAKEN(10)
DEFINE(10, "__isClusterShared", __isClusterShared(&q), 0)
#endif
#if TAKEN(11)
DEFINE(11, "__cvta_generic_to_global",
    *(const int *)__cvta_global_to_generic(__cvta_generic_to_global(&p->a)), 0x01020304)
#endif
#if TAKEN(12)
DEFINE(12, "__cvta_generic_to_local",
    (__cvta_local_to_generic(__cvta_generic_to_local(&q)) == (void *)&q), 1)
#endif
#if TAKEN(13)
DEFINE(13, "__cvta_shared_to_generic",
    (__cvta_shared_to_generic(__cvta_generic_to_shared(&s)) == (void *)&s), 1)
#endif
#if TAKEN(14)
DEFINE(14, "atomicAdd(float2 *)", BITS(float, atomicAdd((float2 *)p->pair, make_float2(0, 0)).y),
    0x40000000)
#endif
#if TAKEN(15)
DEFINE(15, "atomicAdd(float4 *)", BITS(float, atomicAdd((float4 *)p->pair,
    make_float4(0, 0, 0, 0)).w), 0x40800000)
#endif
#if TAKEN(16)
DEFINE(16, "__prof_trigger", ({ __prof_trigger(0); 1; }), 1)
#endif
#if TAKEN(17)
DEFINE(17, "__fmaf_ieee_rn", BITS(float, __fmaf_ieee_rn(p->x, p->x, p->x)), 0x40700000)
#endif
#if TAKEN(18)
DEFINE(18, "__heq2_mask", __heq2_mask(H2, __half2half2(__ushort_as_half(p->h1))), 0x0000ffff)
#endif
#if TAKEN(19)
DEFINE(19, "__hgtu2_mask", __hgtu2_mask(H2, __half2half2(__ushort_as_half(p->h1))), 0xffff0000)
#endif
#if TAKEN(20)
DEFINE(20, "__heq2_mask, bf16", __heq2_mask(B2, __bfloat162bfloat162(__ushort_as_bfloat16(p->b1))),
    0x0000ffff)
#endif
#if TAKEN(21)
DEFINE(21, "__int2half_rz(2049 + 2)", BITS(__half, __int2half_rz(p->c + 2041)), 0x6801)
#endif
#if TAKEN(22)
DEFINE(22, "__int2half_rd(-2049)", BITS(__half, __int2half_rd(-p->c - 2039)), 0xe801)
#endif
#if TAKEN(23)
DEFINE(23, "__uint2half_ru(2049)", BITS(__half, __uint2half_ru((u32)p->c + 2039)), 0x6801)
#endif
#if TAKEN(24)
DEFINE(24, "__ll2half_rz(2051)", BITS(__half, __ll2half_rz(p->l + 2048)), 0x6801)
#endif
#if TAKEN(25)
DEFINE(25, "__short2half_rd(2051)", BITS(__half, __short2half_rd((short)(p->c + 2041))), 0x6801)
#endif
#if TAKEN(26)
DEFINE(26, "__half2ushort_rz", __half2ushort_rz(__ushort_as_half(p->h2)), 2)
#endif
#if TAKEN(27)
DEFINE(27, "__int2bfloat16_rz(259)", BITS(__nv_bfloat16, __int2bfloat16_rz(p->c + 249)), 0x4381)
#endif

static int bad, tried;
template <int K> void check()
{
    if (expected<K>::name) {
        static const struct operands in = { 0x01020304, 0x05060708, 10, 3, 1.5f, 2.5, 0x3c00, 0x4000,
                                            0x3f80, 0x4000, { 1, 2, 3, 4 } };
        struct operands *p;
        u64 *out, got = 0;
        tried++;
        cudaMalloc(&p, sizeof in), cudaMalloc(&out, 8);
        cudaMemcpy(p, &in, sizeof in, cudaMemcpyHostToDevice);
        row<K><<<1, 32>>>(out, p);
        cudaError_t e = cudaDeviceSynchronize();
        if (e == cudaSuccess) e = cudaGetLastError();
        cudaMemcpy(&got, out, 8, cudaMemcpyDeviceToHost);
        if (e != cudaSuccess) bad++, printf("FAIL: %s: %s\n", expected<K>::name, cudaGetErrorString(e));
        else if (got != expected<K>::want)
            bad++, printf("FAIL: %s is %llx, right is %llx\n", expected<K>::name, got,
                          expected<K>::want);
    }
    if constexpr (K > 0) check<K - 1>();
}

int main()
{
    check<27>();
    if (bad) return printf("%d of %d are missing or wrong\n", bad, tried), 1;
    printf("PASS\n");
    return 0;
}
