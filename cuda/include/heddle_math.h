/* The functions behind clang's CUDA mathematics: __nv_NAME is what device code calls for NAME.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Here are those that an instruction, or heddle_cuda.h, has (NAME<0> is the function there); the
 * others are routines of the compiler's library, or, where it has none, errors that name them. */
#ifndef HEDDLE_MATH_H
#define HEDDLE_MATH_H
#define HD_NV(T, NAME) \
    extern "C" __device__ inline __attribute__((always_inline, nodebug)) T __nv_##NAME

/* ---- integers ---- */
HD_NV(int, abs)(int a) { return a < 0 ? -a : a; }
HD_NV(int, brev)(int a) { return (int)__builtin_bitreverse32((unsigned)a); }
HD_NV(int, clz)(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
HD_NV(int, ffs)(int a) { return __builtin_ffs(a); }
HD_NV(int, popc)(int a) { return __builtin_popcount((unsigned)a); }
HD_NV(long long, brevll)(long long a)
{
    return (long long)__builtin_bitreverse64((unsigned long long)a);
}
HD_NV(int, clzll)(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
HD_NV(int, ffsll)(long long a) { return __builtin_ffsll(a); }
HD_NV(int, popcll)(long long a) { return __builtin_popcountll((unsigned long long)a); }
HD_NV(long long, llabs)(long long a) { return a < 0 ? -a : a; }
HD_NV(int, byte_perm)(int a, int b, int s)
{
    return (int)__byte_perm<0>((unsigned)a, (unsigned)b, (unsigned)s);
}
#define HD_MIN_MAX(T, OF) \
    HD_NV(T, OF##min)(T a, T b) { return a < b ? a : b; } \
    HD_NV(T, OF##max)(T a, T b) { return a > b ? a : b; }
HD_MIN_MAX(int, )
HD_MIN_MAX(unsigned int, u)
HD_MIN_MAX(long long, ll)
HD_MIN_MAX(unsigned long long, ull)
#undef HD_MIN_MAX
HD_NV(int, mulhi)(int a, int b) { return (int)((long long)a * b >> 32); }
HD_NV(unsigned int, umulhi)(unsigned int a, unsigned int b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
HD_NV(long long, mul64hi)(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
HD_NV(unsigned long long, umul64hi)(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
HD_NV(int, mul24)(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
HD_NV(unsigned int, umul24)(unsigned int a, unsigned int b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}
HD_NV(int, sad)(int a, int b, int c)
{
    return (int)((a > b ? (unsigned)a - b : (unsigned)b - a) + c);
}
HD_NV(unsigned int, usad)(unsigned int a, unsigned int b, unsigned int c)
{
    return (a > b ? a - b : b - a) + c;
}
HD_NV(int, hadd)(int a, int b) { return (int)(((long long)a + b) >> 1); }
HD_NV(int, rhadd)(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
HD_NV(int, uhadd)(unsigned int a, unsigned int b)
{
    return (int)(((unsigned long long)a + b) >> 1);
}
HD_NV(unsigned int, urhadd)(unsigned int a, unsigned int b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
/* ---- bits ---- */
HD_NV(int, float_as_int)(float a) { return __nvvm_bitcast_f2i(a); }
HD_NV(unsigned int, float_as_uint)(float a) { return (unsigned)__nvvm_bitcast_f2i(a); }
HD_NV(float, int_as_float)(int a) { return __nvvm_bitcast_i2f(a); }
HD_NV(float, uint_as_float)(unsigned int a) { return __nvvm_bitcast_i2f((int)a); }
HD_NV(unsigned long long, double_as_longlong)(double a)
{
    return (unsigned long long)__nvvm_bitcast_d2ll(a);
}
HD_NV(double, longlong_as_double)(long long a) { return __nvvm_bitcast_ll2d(a); }
HD_NV(int, double2hiint)(double a) { return (int)(__nvvm_bitcast_d2ll(a) >> 32); }
HD_NV(int, double2loint)(double a) { return (int)__nvvm_bitcast_d2ll(a); }
HD_NV(double, hiloint2double)(int hi, int lo)
{
    return __nvvm_bitcast_ll2d((long long)hi << 32 | (unsigned)lo);
}
HD_NV(int, signbitf)(float a) { return __nvvm_bitcast_f2i(a) < 0; }
HD_NV(int, signbitd)(double a) { return __nvvm_bitcast_d2ll(a) < 0; }
HD_NV(int, isnanf)(float a) { return a != a; }
HD_NV(int, isnand)(double a) { return a != a; }
HD_NV(int, isinff)(float a) { return (__nvvm_bitcast_f2i(a) & 0x7fffffff) == 0x7f800000; }
HD_NV(int, finitef)(float a) { return (__nvvm_bitcast_f2i(a) & 0x7f800000) != 0x7f800000; }
HD_NV(int, isinfd)(double a)
{
    return (__nvvm_bitcast_d2ll(a) & 0x7fffffffffffffff) == 0x7ff0000000000000;
}
HD_NV(int, isfinited)(double a)
{
    return (__nvvm_bitcast_d2ll(a) & 0x7ff0000000000000) != 0x7ff0000000000000;
}
/* T; its names' ending and its builtins'; what clang calls it.  Differences are additions by name:
 * a product that is the argument must not be fused into them. */
#define HD_BOTH(T, F, N) \
    HD_NV(T, fabs##F)(T a) { return __builtin_fabs##F(a); } \
    HD_NV(T, copysign##F)(T a, T b) { return copysign##F<0>(a, b); } \
    HD_NV(T, fdim##F)(T a, T b) \
    { \
        return a != a || b != b ? a + b : a > b ? __nvvm_add_rn_##N(a, -b) : 0; \
    } \
    HD_NV(T, floor##F)(T a) { return __builtin_floor##F(a); } \
    HD_NV(T, ceil##F)(T a) { return __builtin_ceil##F(a); } \
    HD_NV(T, trunc##F)(T a) { return __builtin_trunc##F(a); } \
    HD_NV(T, rint##F)(T a) { return __builtin_rint##F(a); } \
    HD_NV(T, nearbyint##F)(T a) { return __builtin_rint##F(a); } \
    HD_NV(T, round##F)(T a) \
    { \
        T t = __builtin_trunc##F(a); \
        T rest = __builtin_fabs##F(__nvvm_add_rn_##N(a, -t)); \
        return rest >= (T)0.5 ? t + __builtin_copysign##F(1, a) : t; \
    } \
    HD_NV(T, modf##F)(T a, T *whole) \
    { \
        *whole = __builtin_trunc##F(a); \
        T rest = __nv_fabs##F(a) == __builtin_inf##F() ? 0 : __nvvm_add_rn_##N(a, -*whole); \
        return __builtin_copysign##F(rest, a); \
    } \
    HD_NV(long long, llrint##F)(T a) { return __nvvm_##N##2ll_rn(a); } \
    HD_NV(long long, llround##F)(T a) { return __nvvm_##N##2ll_rz(__nv_round##F(a)); }
HD_BOTH(float, f, f)
HD_BOTH(double, , d)
#undef HD_BOTH
/* ---- arithmetic with a rounding of its own: R in CUDA's names, N in clang's ---- */
#define HD_ROUNDED(R, N) \
    HD_NV(float, fadd_##R)(float a, float b) { return __nvvm_add_##N##_f(a, b); } \
    HD_NV(float, fsub_##R)(float a, float b) { return __nvvm_add_##N##_f(a, -b); } \
    HD_NV(float, fmul_##R)(float a, float b) { return __nvvm_mul_##N##_f(a, b); } \
    HD_NV(float, fdiv_##R)(float a, float b) { return __nvvm_div_##N##_f(a, b); } \
    HD_NV(float, frcp_##R)(float a) { return __nvvm_rcp_##N##_f(a); } \
    HD_NV(float, fsqrt_##R)(float a) { return __nvvm_sqrt_##N##_f(a); } \
    HD_NV(double, dadd_##R)(double a, double b) { return __nvvm_add_##N##_d(a, b); } \
    HD_NV(double, dsub_##R)(double a, double b) { return __nvvm_add_##N##_d(a, -b); } \
    HD_NV(double, dmul_##R)(double a, double b) { return __nvvm_mul_##N##_d(a, b); } \
    HD_NV(double, ddiv_##R)(double a, double b) { return __nvvm_div_##N##_d(a, b); } \
    HD_NV(double, drcp_##R)(double a) { return __nvvm_rcp_##N##_d(a); } \
    HD_NV(double, dsqrt_##R)(double a) { return __nvvm_sqrt_##N##_d(a); } \
    HD_NV(float, fmaf_##R)(float a, float b, float c) { return __nvvm_fma_##N##_f(a, b, c); } \
    HD_NV(float, fmaf_ieee_##R)(float a, float b, float c) { return __nvvm_fma_##N##_f(a, b, c); } \
    HD_NV(double, fma_##R)(double a, double b, double c) { return __nvvm_fma_##N##_d(a, b, c); } \
    HD_NV(int, float2int_##R)(float a) { return (int)__nvvm_f2i_##N(a); } \
    HD_NV(float, int2float_##R)(int a) { return __nvvm_i2f_##N(a); } \
    HD_NV(unsigned int, float2uint_##R)(float a) { return (unsigned int)__nvvm_f2ui_##N(a); } \
    HD_NV(float, uint2float_##R)(unsigned int a) { return __nvvm_ui2f_##N(a); } \
    HD_NV(long long, float2ll_##R)(float a) { return (long long)__nvvm_f2ll_##N(a); } \
    HD_NV(float, ll2float_##R)(long long a) { return __nvvm_ll2f_##N(a); } \
    HD_NV(unsigned long long, float2ull_##R)(float a) \
    { return (unsigned long long)__nvvm_f2ull_##N(a); } \
    HD_NV(float, ull2float_##R)(unsigned long long a) { return __nvvm_ull2f_##N(a); } \
    HD_NV(int, double2int_##R)(double a) { return (int)__nvvm_d2i_##N(a); } \
    HD_NV(unsigned int, double2uint_##R)(double a) { return (unsigned int)__nvvm_d2ui_##N(a); } \
    HD_NV(long long, double2ll_##R)(double a) { return (long long)__nvvm_d2ll_##N(a); } \
    HD_NV(double, ll2double_##R)(long long a) { return __nvvm_ll2d_##N(a); } \
    HD_NV(unsigned long long, double2ull_##R)(double a) \
    { return (unsigned long long)__nvvm_d2ull_##N(a); } \
    HD_NV(double, ull2double_##R)(unsigned long long a) { return __nvvm_ull2d_##N(a); } \
    HD_NV(float, double2float_##R)(double a) { return __nvvm_d2f_##N(a); }
HD_ROUNDED(rn, rn)
HD_ROUNDED(rz, rz)
HD_ROUNDED(rd, rm)
HD_ROUNDED(ru, rp)
#undef HD_ROUNDED
HD_NV(double, int2double_rn)(int a) { return a; }
HD_NV(double, uint2double_rn)(unsigned int a) { return a; }
HD_NV(float, fmaf)(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
HD_NV(double, fma)(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
HD_NV(float, sqrtf)(float a) { return __nvvm_sqrt_rn_f(a); }
HD_NV(double, sqrt)(double a) { return __nvvm_sqrt_rn_d(a); }
HD_NV(float, rsqrtf)(float a) { return __nvvm_rsqrt_approx_f(a); }
/* The nearest f64 of no f32 reaches the tie between two f32, so one more rounding is right. */
HD_NV(float, frsqrt_rn)(float a) { return (float)rsqrt<0>((double)a); }
HD_NV(double, rsqrt)(double a) { return rsqrt<0>(a); }
HD_NV(float, saturatef)(float a) { return __nvvm_saturate_f(a); }
HD_NV(float, fminf)(float a, float b) { return __nvvm_fmin_f(a, b); }
HD_NV(double, fmin)(double a, double b) { return __nvvm_fmin_d(a, b); }
HD_NV(float, fmaxf)(float a, float b) { return __nvvm_fmax_f(a, b); }
HD_NV(double, fmax)(double a, double b) { return __nvvm_fmax_d(a, b); }
/* ---- the quick ones ---- */
HD_NV(float, fast_sinf)(float a) { return __nvvm_sin_approx_f(a); }
HD_NV(float, fast_cosf)(float a) { return __nvvm_cos_approx_f(a); }
HD_NV(float, fast_tanf)(float a)
{
    return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
HD_NV(float, fast_log2f)(float a) { return __nvvm_lg2_approx_f(a); }
HD_NV(float, fast_logf)(float a) { return __nvvm_lg2_approx_f(a) * 0.693147181f; }
HD_NV(float, fast_log10f)(float a) { return __nvvm_lg2_approx_f(a) * 0.301029996f; }
HD_NV(float, fast_expf)(float a) { return __nvvm_ex2_approx_f(a * 1.44269504f); }
HD_NV(float, fast_exp10f)(float a) { return __nvvm_ex2_approx_f(a * 3.32192809f); }
HD_NV(float, fast_fdividef)(float a, float b) { return __nvvm_div_approx_f(a, b); }
HD_NV(float, fast_powf)(float a, float b)
{
    return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}
HD_NV(void, fast_sincosf)(float a, float *s, float *c)
{
    return (void)(*s = __nvvm_sin_approx_f(a), *c = __nvvm_cos_approx_f(a));
}
/* ---- heddle_cuda.h has them ---- */
#define HD_ELSEWHERE(NAME) HD_NV(float, NAME)(float a) { return NAME<0>(a); }
HD_ELSEWHERE(sinf) HD_ELSEWHERE(cosf) HD_ELSEWHERE(tanf) HD_ELSEWHERE(expf)
HD_ELSEWHERE(exp2f) HD_ELSEWHERE(logf) HD_ELSEWHERE(log2f) HD_ELSEWHERE(log10f)
HD_ELSEWHERE(tanhf)
#undef HD_ELSEWHERE
HD_NV(float, powf)(float a, float b) { return powf<0>(a, b); }
HD_NV(void, sincosf)(float a, float *s, float *c)
{
    return (void)(*s = sinf<0>(a), *c = cosf<0>(a));
}
#undef HD_NV
#endif
