/* What a CUDA C kernel finds declared when Heddle compiles it: the part of the CUDA language that
 * needs no SDK.
 * SPDX-License-Identifier: Apache-2.0
 *
 * clang includes this file before the source.  Functions are templates without parameters of their
 * own, so that a source which defines the same function itself keeps its own. */
#ifndef HEDDLE_CUDA_H
#define HEDDLE_CUDA_H
#define __HEDDLE__ 1
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define HD_FN template <int = 0> static __inline__ __attribute__((device, always_inline, nodebug))
#define HD_HD                                                                                      \
    template <int = 0> static __inline__ __attribute__((host, device, always_inline, nodebug))

/* ---- vector types ---------------------------------------------------------------------------- */
#define HD_VEC(T, N, A1, A2, A4) \
    struct N##1 { T x; }; \
    struct __attribute__((aligned(A2))) N##2 { T x, y; }; \
    struct N##3 { T x, y, z; }; \
    struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; }; \
    HD_HD N##1 make_##N##1(T x) { return {x}; } \
    HD_HD N##2 make_##N##2(T x, T y) { return {x, y}; } \
    HD_HD N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; } \
    HD_HD N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
HD_VEC(signed char, char, 1, 2, 4)
HD_VEC(unsigned char, uchar, 1, 2, 4)
HD_VEC(short, short, 2, 4, 8)
HD_VEC(unsigned short, ushort, 2, 4, 8)
HD_VEC(int, int, 4, 8, 16)
HD_VEC(unsigned, uint, 4, 8, 16)
HD_VEC(float, float, 4, 8, 16)
HD_VEC(long long, longlong, 8, 16, 16)
HD_VEC(unsigned long long, ulonglong, 8, 16, 16)
HD_VEC(double, double, 8, 16, 16)
#undef HD_VEC
struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
        : x(a), y(b), z(c)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const { return {x, y, z}; }
};
typedef decltype(sizeof 0) hd_size;
/* No line of these functions, nor of ours, gets into the image: inlined, they are at the line that
 * calls them. */
#define always_inline always_inline, nodebug
#ifdef HEDDLE_OWN_WARP_SIZE                   /* the source has a variable of that name */
#define warpSize heddle_warp_size
#endif
#include <__clang_cuda_builtin_vars.h>
#undef warpSize
#undef always_inline

/* ---- barriers, fences, time ------------------------------------------------------------------ */
HD_FN int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
HD_FN int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
HD_FN int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
HD_FN void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
HD_FN void __threadfence() { __nvvm_membar_gl(); }
HD_FN void __threadfence_block() { __nvvm_membar_cta(); }
HD_FN void __threadfence_system() { __nvvm_membar_sys(); }
HD_FN void __trap() { __asm__ volatile("trap;"); }
HD_FN void __nanosleep(unsigned ns) { __asm__ volatile("nanosleep.u32 %0;" ::"r"(ns)); }
HD_FN long clock() { return (long)__nvvm_read_ptx_sreg_clock(); }
HD_FN long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
extern "C" __device__ int printf(const char *, ...);
#ifndef HEDDLE_PROGRAM                        /* which declares them as the C library does */
extern "C" __device__ void *hd_malloc(hd_size) __asm__("malloc");
extern "C" __device__ void hd_free(void *) __asm__("free");
HD_FN void *malloc(hd_size n) { return hd_malloc(n); }
HD_FN void free(void *p) { hd_free(p); }
#endif
/* Placement new without <new>, whose own goes before these.  The other forms are the language's,
 * and routines of the compiler's library. */
#define HD_PLACE(OF) \
    template <int = 0> __inline__ __attribute__((host, device, always_inline, nodebug)) \
    void *operator new OF(hd_size, void *p) noexcept { return p; } \
    template <int = 0> __inline__ __attribute__((host, device, always_inline, nodebug)) \
    void operator delete OF(void *, void *) noexcept {}
HD_PLACE()
HD_PLACE([])
#undef HD_PLACE
/* Aligned ones for either side: <new> has the host's alone, and clang then takes new from there and
 * delete from here. */
#ifdef __cpp_aligned_new
namespace std {
enum class align_val_t : hd_size;
struct nothrow_t;
}
#define HD_ALIGNED(SIDE, OF) \
    SIDE void *operator new OF(hd_size, std::align_val_t); \
    SIDE void *operator new OF(hd_size, std::align_val_t, const std::nothrow_t &) noexcept; \
    SIDE void operator delete OF(void *, std::align_val_t) noexcept; \
    SIDE void operator delete OF(void *, hd_size, std::align_val_t) noexcept; \
    SIDE void operator delete OF(void *, std::align_val_t, const std::nothrow_t &) noexcept;
HD_ALIGNED(__host__, )
HD_ALIGNED(__host__, [])
HD_ALIGNED(__device__, )
HD_ALIGNED(__device__, [])
#undef HD_ALIGNED
#endif
extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *,
                                        hd_size);
HD_FN void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{ __assertfail(what, file, line, function, 1); }

/* ---- lanes talk to lanes --------------------------------------------------------------------- */
HD_FN unsigned __activemask()
{
    unsigned m;
    __asm__ volatile("activemask.b32 %0;" : "=r"(m));
    return m;
}
HD_FN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
HD_FN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
HD_FN int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
HD_FN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
HD_FN unsigned __match_any_sync(unsigned mask, unsigned v)
{
    return __nvvm_match_any_sync_i32(mask, v);
}
HD_FN unsigned __match_any_sync(unsigned mask, int v) { return __nvvm_match_any_sync_i32(mask, v); }
HD_FN unsigned __match_all_sync(unsigned mask, unsigned v, int *p)
{
    return __nvvm_match_all_sync_i32p(mask, v, p);
}
HD_FN unsigned __match_all_sync(unsigned mask, int v, int *p)
{
    return __nvvm_match_all_sync_i32p(mask, v, p);
}
HD_FN unsigned __match_any_sync(unsigned mask, unsigned long long v)
{
    return __nvvm_match_any_sync_i64(mask, v);
}
HD_FN unsigned __match_all_sync(unsigned mask, unsigned long long v, int *p)
{
    return __nvvm_match_all_sync_i64p(mask, v, p);
}
#define HD_SHFL(NAME, OP, LANE, BASE) \
    HD_FN int NAME(unsigned m, int v, LANE l, int w = 32) \
    { return __nvvm_shfl_sync_##OP##_i32(m, v, l, ((32 - w) << 8) | (BASE)); } \
    HD_FN unsigned NAME(unsigned m, unsigned v, LANE l, int w = 32) \
    { return __nvvm_shfl_sync_##OP##_i32(m, v, l, ((32 - w) << 8) | (BASE)); } \
    HD_FN float NAME(unsigned m, float v, LANE l, int w = 32) \
    { return __nvvm_shfl_sync_##OP##_f32(m, v, l, ((32 - w) << 8) | (BASE)); } \
    HD_FN unsigned long long NAME(unsigned m, unsigned long long v, LANE l, int w = 32) \
    { return (unsigned long long)(unsigned)NAME(m, (int)(v >> 32), l, w) \
    << 32 | (unsigned)NAME(m, (int)v, l, w); } \
    HD_FN long long NAME(unsigned m, long long v, LANE l, int w = 32) \
    { return (long long)NAME(m, (unsigned long long)v, l, w); }
HD_SHFL(__shfl_sync, idx, int, 31)
HD_SHFL(__shfl_up_sync, up, unsigned, 0)
HD_SHFL(__shfl_down_sync, down, unsigned, 31)
HD_SHFL(__shfl_xor_sync, bfly, int, 31)
#undef HD_SHFL

/* ---- atomics --------------------------------------------------------------------------------- */
typedef unsigned long long hd_u64;
#define HD_ATOMIC(NAME, OP, SUF32, USUF32, SUF64, USUF64) \
    HD_FN int NAME(int *p, int v) { return __nvvm_atom_##OP##_gen_##SUF32(p, v); } \
    HD_FN unsigned NAME(unsigned *p, unsigned v) \
    { return __nvvm_atom_##OP##_gen_##USUF32((HD_PTR_##USUF32 *)p, v); } \
    HD_FN hd_u64 NAME(hd_u64 *p, hd_u64 v) \
    { return __nvvm_atom_##OP##_gen_##USUF64((HD_PTR_##USUF64 *)p, v); } \
    HD_FN long long NAME(long long *p, long long v) { return __nvvm_atom_##OP##_gen_##SUF64(p, v); }
#define HD_PTR_i int
#define HD_PTR_ui unsigned
#define HD_PTR_ll long long
#define HD_PTR_ull unsigned long long
HD_ATOMIC(atomicAdd, add, i, i, ll, ll)
HD_ATOMIC(atomicMin, min, i, ui, ll, ull)
HD_ATOMIC(atomicMax, max, i, ui, ll, ull)
HD_ATOMIC(atomicAnd, and, i, i, ll, ll)
HD_ATOMIC(atomicOr, or, i, i, ll, ll)
HD_ATOMIC(atomicXor, xor, i, i, ll, ll)
HD_ATOMIC(atomicExch, xchg, i, i, ll, ll)
#undef HD_ATOMIC
HD_FN float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
HD_FN int atomicSub(int *p, int v) { return __nvvm_atom_add_gen_i(p, -v); }
HD_FN unsigned atomicSub(unsigned *p, unsigned v)
{
    return __nvvm_atom_add_gen_i((int *)p, -(int)v);
}
HD_FN unsigned atomicInc(unsigned *p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
HD_FN unsigned atomicDec(unsigned *p, unsigned v) { return __nvvm_atom_dec_gen_ui(p, v); }
HD_FN int atomicCAS(int *p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
HD_FN unsigned atomicCAS(unsigned *p, unsigned c, unsigned v)
{
    return __nvvm_atom_cas_gen_i((int *)p, c, v);
}
HD_FN hd_u64 atomicCAS(hd_u64 *p, hd_u64 c, hd_u64 v)
{
    return __nvvm_atom_cas_gen_ll((long long *)p, c, v);
}
HD_FN float atomicExch(float *p, float v)
{
    return __nvvm_bitcast_i2f(__nvvm_atom_xchg_gen_i((int *)p, __nvvm_bitcast_f2i(v)));
}

/* ---- integers -------------------------------------------------------------------------------- */
HD_FN int __popc(unsigned x) { return __builtin_popcount(x); }
HD_FN int __popcll(hd_u64 x) { return __builtin_popcountll(x); }
HD_FN int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
HD_FN int __clzll(long long x) { return x ? __builtin_clzll((hd_u64)x) : 64; }
HD_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
HD_FN hd_u64 __brevll(hd_u64 x) { return __builtin_bitreverse64(x); }
HD_FN int __ffs(int x) { return x ? 32 - __clz(x & -x) : 0; }
HD_FN int __ffsll(long long x) { return x ? 64 - __clzll(x & -x) : 0; }
/* Bit 3 of a selector is prmt's alone. */
HD_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    return __nvvm_prmt(a, b, s & 0x7777);
}
HD_FN unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((hd_u64)a * b >> 32); }
HD_FN int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
HD_FN hd_u64 __umul64hi(hd_u64 a, hd_u64 b) { return (hd_u64)((unsigned __int128)a * b >> 64); }
HD_FN int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
HD_FN unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
HD_FN unsigned __sad(int a, int b, unsigned c)
{
    return (a > b ? (unsigned)a - b : (unsigned)b - a) + c;
}
HD_FN unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
#define HD_FUNNEL(NAME, MODE) \
    HD_FN unsigned NAME(unsigned lo, unsigned hi, unsigned n) \
    { unsigned d; __asm__("shf." MODE ".b32 %0, %1, %2, %3;" : "=r"(d) : "r"(lo), "r"(hi), \
    "r"(n)); return d; }
HD_FUNNEL(__funnelshift_l, "l.wrap")
HD_FUNNEL(__funnelshift_lc, "l.clamp")
HD_FUNNEL(__funnelshift_r, "r.wrap")
HD_FUNNEL(__funnelshift_rc, "r.clamp")
#undef HD_FUNNEL
#define HD_MINMAX(T) \
    HD_HD T min(T a, T b) { return a < b ? a : b; } \
    HD_HD T max(T a, T b) { return a > b ? a : b; }
HD_MINMAX(int)
HD_MINMAX(unsigned)
HD_MINMAX(long)
HD_MINMAX(unsigned long)
HD_MINMAX(long long)
HD_MINMAX(unsigned long long)
#undef HD_MINMAX
HD_FN unsigned min(int a, unsigned b) { return (unsigned)a < b ? (unsigned)a : b; }
HD_FN unsigned min(unsigned a, int b) { return a < (unsigned)b ? a : (unsigned)b; }
HD_FN unsigned max(int a, unsigned b) { return (unsigned)a > b ? (unsigned)a : b; }
HD_FN unsigned max(unsigned a, int b) { return a > (unsigned)b ? a : (unsigned)b; }
HD_FN int abs(int a) { return a < 0 ? -a : a; }
HD_FN long long llabs(long long a) { return a < 0 ? -a : a; }

/* ---- conversions by truncation --------------------------------------------------------------- */
/* clang takes its own intrinsics of these names for the conversions of C: integers are rounded to
 * nearest, and what the integer has no room for is undefined. */
#define HD_TRUNCATES(NAME, R, D, A, S, FORM) \
    HD_FN R hd_##NAME##_rz(A a) { R d; __asm__("cvt." FORM " %0, %1;" : D(d) : S(a)); return d; }
HD_TRUNCATES(i2f, float, "=f", int, "r", "rz.f32.s32")
HD_TRUNCATES(ui2f, float, "=f", unsigned, "r", "rz.f32.u32")
HD_TRUNCATES(ll2f, float, "=f", long long, "l", "rz.f32.s64")
HD_TRUNCATES(ull2f, float, "=f", hd_u64, "l", "rz.f32.u64")
HD_TRUNCATES(ll2d, double, "=d", long long, "l", "rz.f64.s64")
HD_TRUNCATES(ull2d, double, "=d", hd_u64, "l", "rz.f64.u64")
HD_TRUNCATES(f2i, int, "=r", float, "f", "rzi.s32.f32")
HD_TRUNCATES(f2ui, unsigned, "=r", float, "f", "rzi.u32.f32")
HD_TRUNCATES(f2ll, long long, "=l", float, "f", "rzi.s64.f32")
HD_TRUNCATES(f2ull, hd_u64, "=l", float, "f", "rzi.u64.f32")
HD_TRUNCATES(d2i, int, "=r", double, "d", "rzi.s32.f64")
HD_TRUNCATES(d2ui, unsigned, "=r", double, "d", "rzi.u32.f64")
HD_TRUNCATES(d2ll, long long, "=l", double, "d", "rzi.s64.f64")
HD_TRUNCATES(d2ull, hd_u64, "=l", double, "d", "rzi.u64.f64")
#undef HD_TRUNCATES
#define __nvvm_i2f_rz hd_i2f_rz
#define __nvvm_ui2f_rz hd_ui2f_rz
#define __nvvm_ll2f_rz hd_ll2f_rz
#define __nvvm_ull2f_rz hd_ull2f_rz
#define __nvvm_ll2d_rz hd_ll2d_rz
#define __nvvm_ull2d_rz hd_ull2d_rz
#define __nvvm_f2i_rz hd_f2i_rz
#define __nvvm_f2ui_rz hd_f2ui_rz
#define __nvvm_f2ll_rz hd_f2ll_rz
#define __nvvm_f2ull_rz hd_f2ull_rz
#define __nvvm_d2i_rz hd_d2i_rz
#define __nvvm_d2ui_rz hd_d2ui_rz
#define __nvvm_d2ll_rz hd_d2ll_rz
#define __nvvm_d2ull_rz hd_d2ull_rz

/* ---- f32 ------------------------------------------------------------------------------------- */
/* T; its names' ending and its builtins'; what clang calls it. */
#define HD_BOTH(T, F, N) \
    HD_FN T min(T a, T b) { return __nvvm_fmin_##N(a, b); } \
    HD_FN T max(T a, T b) { return __nvvm_fmax_##N(a, b); } \
    HD_FN T fmin##F(T a, T b) { return __nvvm_fmin_##N(a, b); } \
    HD_FN T fmax##F(T a, T b) { return __nvvm_fmax_##N(a, b); } \
    HD_FN T fabs##F(T x) { return __builtin_fabs##F(x); } \
    HD_FN T floor##F(T x) { return __builtin_floor##F(x); } \
    HD_FN T ceil##F(T x) { return __builtin_ceil##F(x); } \
    HD_FN T trunc##F(T x) { return __builtin_trunc##F(x); } \
    HD_FN T rint##F(T x) { return __builtin_rint##F(x); }
/* Bits: __builtin_copysign loses the sign that a NaN is to take. */
HD_FN float copysignf(float x, float y)
{
    return __nvvm_bitcast_i2f((__nvvm_bitcast_f2i(x) & 0x7fffffff) |
                              (int)(__nvvm_bitcast_f2i(y) & 0x80000000));
}
HD_FN double copysign(double x, double y)
{
    return __nvvm_bitcast_ll2d((__nvvm_bitcast_d2ll(x) & 0x7fffffffffffffff) |
                               (long long)(__nvvm_bitcast_d2ll(y) & 0x8000000000000000));
}
HD_BOTH(float, f, f)
HD_FN float nearbyintf(float x) { return __builtin_rintf(x); }
HD_FN float roundf(float x)
{
    float t = truncf(x);
    return fabsf(__nvvm_add_rn_f(x, -t)) >= 0.5f ? t + copysignf(1.0f, x) : t; /* never fused */
}
HD_FN float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
HD_FN float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
HD_FN float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
HD_FN bool isnan(float x) { return x != x; }
HD_FN bool isinf(float x) { return fabsf(x) == __builtin_inff(); }
HD_FN bool isfinite(float x) { return fabsf(x) < __builtin_inff(); }
HD_FN int __float_as_int(float x) { return __nvvm_bitcast_f2i(x); }
HD_FN unsigned __float_as_uint(float x) { return (unsigned)__nvvm_bitcast_f2i(x); }
HD_FN float __int_as_float(int x) { return __nvvm_bitcast_i2f(x); }
HD_FN float __uint_as_float(unsigned x) { return __nvvm_bitcast_i2f((int)x); }
/* R in CUDA's names, N in clang's. */
#define HD_ROUND(R, N) \
    HD_FN float __fadd_##R(float a, float b) { return __nvvm_add_##N##_f(a, b); } \
    HD_FN float __fsub_##R(float a, float b) { return __nvvm_add_##N##_f(a, -b); } \
    HD_FN float __fmul_##R(float a, float b) { return __nvvm_mul_##N##_f(a, b); } \
    HD_FN float __fmaf_##R(float a, float b, float c) { return __nvvm_fma_##N##_f(a, b, c); } \
    HD_FN float __fdiv_##R(float a, float b) { return __nvvm_div_##N##_f(a, b); } \
    HD_FN float __frcp_##R(float a) { return __nvvm_rcp_##N##_f(a); } \
    HD_FN float __fsqrt_##R(float a) { return __nvvm_sqrt_##N##_f(a); } \
    HD_FN int __float2int_##R(float a) { return __nvvm_f2i_##N(a); } \
    HD_FN unsigned __float2uint_##R(float a) { return __nvvm_f2ui_##N(a); } \
    HD_FN long long __float2ll_##R(float a) { return __nvvm_f2ll_##N(a); } \
    HD_FN float __int2float_##R(int a) { return __nvvm_i2f_##N(a); } \
    HD_FN float __uint2float_##R(unsigned a) { return __nvvm_ui2f_##N(a); }
HD_ROUND(rn, rn)
HD_ROUND(rz, rz)
HD_ROUND(rd, rm)
HD_ROUND(ru, rp)
#undef HD_ROUND
HD_FN float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
HD_FN float __saturatef(float x) { return __nvvm_saturate_f(x); }
HD_FN float __sinf(float x) { return __nvvm_sin_approx_f(x); }
HD_FN float __cosf(float x) { return __nvvm_cos_approx_f(x); }
HD_FN float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
HD_FN float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
HD_FN float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.693147181f; }
HD_FN float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.301029996f; }
HD_FN float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
HD_FN float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.44269504f); }
HD_FN float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.32192809f); }
HD_FN float __powf(float x, float y) { return exp2f(y * __log2f(x)); }
/* e^x = 2^t e^r with t integral and |r| <= ln(2)/2, so that the argument of ex2 keeps its low
 * bits. */
HD_FN float expf(float x)
{
    float t = rintf(x * 1.44269504f), r = fmaf(t, -0.693145752f, x);
    r = fmaf(t, -1.42860677e-6f, r);
    float half = rintf(t * 0.5f), e = exp2f(r * 1.44269504f) * exp2f(half) * exp2f(t - half);
    return x > 89.0f ? __builtin_inff() : x < -104.0f ? 0.0f : e;
}
/* r, or what has no logarithm, or an infinite one. */
HD_FN float hd_log_special(float x, float r)
{
    return x > 0.0f && x < __builtin_inff() ? r
           : x == 0.0f                      ? -__builtin_inff()
           : x > 0.0f                       ? x
                                            : __builtin_nanf("");
}
/* log x = k log 2 + 2 artanh(s), s = (m - 1) / (m + 1), m in [2/3, 4/3); five terms are below
 * 2^-27. */
HD_FN float logf(float x)
{
    float scaled = x < 1.17549435e-38f ? x * 8388608.0f : x,
          k = x < 1.17549435e-38f ? -23.0f : 0.0f;
    int e = (__float_as_int(scaled) - 0x3f2aaaab) >> 23;
    float m = __int_as_float(__float_as_int(scaled) - (e << 23)) - 1.0f;
    k += (float)e;
    float s = __fdiv_rn(m, m + 2.0f), q = s * s;
    float p = fmaf(q, 0.222222222f, 0.285714286f);
    p = fmaf(p, q, 0.4f);
    p = fmaf(p, q, 0.666666667f);
    float tail = s * q * p + k * 1.42860677e-6f;      /* s = m/2 - s m/2: no bits of m are lost */
    return hd_log_special(x, fmaf(k, 0.693145752f, m - (s * m - tail)));
}
/* log2 x = hi + lo of an x from 2^-149 on, to 2^-29 of itself: k + (2 / log 2) artanh(s), as above,
 * with s, its first product and the sum in two parts each. */
HD_FN float hd_log2(float x, float *lo)
{
    float scaled = x < 1.17549435e-38f ? x * 8388608.0f : x,
          k = x < 1.17549435e-38f ? -23.0f : 0.0f;
    int e = (__float_as_int(scaled) - 0x3f3504f3) >> 23;
    float m = __int_as_float(__float_as_int(scaled) - (e << 23)), d = __fadd_rn(m, 1.0f);
    k += (float)e;
    float r = __frcp_rn(d), n = m - 1.0f, s = __fmul_rn(n, r);
    float rest = fmaf(-s, __fsub_rn(m, __fsub_rn(d, 1.0f)), fmaf(-s, d, n)) * r;
    float q = __fmul_rn(s, s), cube = __fmul_rn(s, q), p = fmaf(q, 0.0909090909f, 0.111111111f);
    p = fmaf(fmaf(p, q, 0.142857143f), q, 0.2f);
    float less = fmaf(s, fmaf(s, s, -q), fmaf(s, q, -cube)) + 3.0f * q * rest;   /* than s^3 */
    rest = fmaf(cube, fmaf(p, q, -9.93410776e-9f), fmaf(less, 0.333333343f, rest));
    rest = fmaf(cube, 0.333333343f, rest);
    float first = __fmul_rn(s, 2.88539004f), sum = __fadd_rn(k, first);
    rest = fmaf(rest, 2.88539004f, fmaf(s, 3.85192598e-8f, fmaf(s, 2.88539004f, -first)));
    rest = __fadd_rn(rest, __fsub_rn(first, __fsub_rn(sum, k)));
    float hi = __fadd_rn(sum, rest);
    *lo = __fsub_rn(rest, __fsub_rn(hi, sum));
    return hi;
}
HD_FN float log2f(float x)
{
    float lo, hi = hd_log2(x, &lo);
    return hd_log_special(x, hi);
}
HD_FN float log10f(float x)
{
    float lo, hi = hd_log2(x, &lo), first = __fmul_rn(hi, 0.301029996f);
    lo = fmaf(hi, -1.43209889e-8f, fmaf(lo, 0.301029996f, fmaf(hi, 0.301029996f, -first)));
    return hd_log_special(x, __fadd_rn(first, lo));
}
/* 2^(y log2 x), the product in two parts; then what C says of signs, zeros and infinities. */
HD_FN float powf(float x, float y)
{
    float a = fabsf(x), inf = __builtin_inff(), r;
    bool whole = truncf(y) == y, odd = whole && fabsf(y - 2.0f * truncf(y * 0.5f)) == 1.0f;
    if (x == 1.0f || y == 0.0f) return 1.0f;
    if (x != x || y != y) return x + y;
    if (a == 0.0f || a == inf) r = (a == 0.0f) == (y > 0.0f) ? 0.0f : inf;
    else if (fabsf(y) == inf) r = a == 1.0f ? 1.0f : (a > 1.0f) == (y > 0.0f) ? inf : 0.0f;
    else {
        float lo, hi = hd_log2(a, &lo), t = __fmul_rn(y, hi);
        lo = fmaf(y, lo, fmaf(y, hi, -t));
        if (fabsf(t) > 200.0f) {
            r = t > 0.0f ? inf : 0.0f;
        } else {
            float n = rintf(t), half = rintf(n * 0.5f);
            r = exp2f(__fadd_rn(__fsub_rn(t, n), lo)) * exp2f(half) * exp2f(n - half);
        }
        if (x < 0.0f && !whole) return __builtin_nanf("");
    }
    return odd ? copysignf(r, x) : r;
}
/* Reduced by multiples of pi/2 in three parts up to |x| of 48000, beyond by the library. */
extern "C" __device__ unsigned long long __hd_over_pi(float);
HD_FN float hd_sin_quadrant(float x, int shift)
{
    float k = rintf(x * 0.636619772f), r = fmaf(k, -1.57079601f, x);
    r = fmaf(k, -3.13916473e-7f, r);
    r = fmaf(k, -5.39030253e-15f, r);
    int q = (int)k;
    if (fabsf(x) > 48000.0f) {
        unsigned long long far = __hd_over_pi(x);
        q = (int)(far >> 32), r = __uint_as_float((unsigned)far);
    }
    q += shift;
    float s = r * r;
    float sine = fmaf(fmaf(fmaf(fmaf(2.71811842e-6f, s, -1.98393348e-4f), s, 8.33329763e-3f), s,
                           -0.166666666f),
                      s * r, r);
    float cosine = fmaf(fmaf(fmaf(fmaf(2.44326943e-5f, s, -1.38873162e-3f), s, 4.16666456e-2f), s,
                             -0.5f),
                        s, 1.0f);
    float v = q & 1 ? cosine : sine;
    return q & 2 ? -v : v;
}
HD_FN float sinf(float x) { return x == 0.0f ? x : hd_sin_quadrant(x, 0); }
HD_FN float cosf(float x) { return hd_sin_quadrant(x, 1); }
HD_FN float tanf(float x) { return __fdiv_rn(sinf(x), cosf(x)); }
HD_FN void sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
HD_FN float tanhf(float x)
{
    float a = fabsf(x), e = expf(2.0f * a);
    float q = a * a, p = fmaf(q, -0.00661022775f, 0.0213093888f);
    p = fmaf(fmaf(fmaf(p, q, -0.0539094284f), q, 0.133331135f), q, -0.333333313f);
    float t = a < 0.55f ? fmaf(q * a, p, a) : 1.0f - __fdiv_rn(2.0f, e + 1.0f);
    return copysignf(t, x);
}
extern "C" __device__ float __nv_fmodf(float, float);
HD_FN float fmodf(float x, float y) { return __nv_fmodf(x, y); }

/* ---- f64: instructions, or routines of the compiler's library -------------------------------- */
HD_BOTH(double, , d)
#undef HD_BOTH
HD_FN double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
HD_FN double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
HD_FN double rsqrt(double x) { return __nvvm_rsqrt_approx_d(x); }       /* here, the nearest */
HD_FN long long __double_as_longlong(double x) { return __nvvm_bitcast_d2ll(x); }
HD_FN double __longlong_as_double(long long x) { return __nvvm_bitcast_ll2d(x); }
#define HD_F64(N) \
    extern "C" __device__ double __nv_##N(double); \
    HD_FN double N(double x) { return __nv_##N(x); }
HD_F64(exp) HD_F64(exp2) HD_F64(exp10) HD_F64(expm1) HD_F64(log) HD_F64(log2) HD_F64(log10)
HD_F64(log1p) HD_F64(sinh) HD_F64(cosh) HD_F64(tanh) HD_F64(asinh) HD_F64(acosh) HD_F64(atanh)
HD_F64(sin) HD_F64(cos) HD_F64(tan) HD_F64(sinpi) HD_F64(cospi) HD_F64(atan) HD_F64(asin)
HD_F64(acos) HD_F64(cbrt) HD_F64(rcbrt) HD_F64(erfinv) HD_F64(erfcinv) HD_F64(normcdfinv)
HD_F64(erf) HD_F64(erfc) HD_F64(erfcx) HD_F64(normcdf) HD_F64(tgamma) HD_F64(lgamma)
#undef HD_F64
#define HD_F32(N) \
    extern "C" __device__ float __nv_##N(float); \
    HD_FN float N(float x) { return __nv_##N(x); }
HD_F32(tgammaf) HD_F32(lgammaf)
#undef HD_F32
#define HD_F64(N) \
    extern "C" __device__ double __nv_##N(double, double); \
    HD_FN double N(double x, double y) { return __nv_##N(x, y); }
HD_F64(pow) HD_F64(atan2) HD_F64(hypot) HD_F64(rhypot) HD_F64(fmod) HD_F64(remainder)
HD_F64(nextafter)
#undef HD_F64
template <class T> static __inline__ __device__ T __ldg(const T *p) { return *p; }
static __inline__ __device__ int __ldg(const int *p) { return __nvvm_ldg_i(p); }
static __inline__ __device__ unsigned __ldg(const unsigned *p) { return __nvvm_ldg_ui(p); }
static __inline__ __device__ float __ldg(const float *p) { return __nvvm_ldg_f(p); }
#endif
