/* The functions behind clang's CUDA mathematics: __nv_NAME is what device code calls for NAME.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Here are those that an instruction, or heddle_cuda.h, has (NAME<0> is the function there); the others are routines
 * of the compiler's library, or, where it has none, errors that name them. */
#ifndef HEDDLE_MATH_H
#define HEDDLE_MATH_H
#define HD_NV(T, NAME) extern "C" __device__ inline __attribute__((always_inline, nodebug)) T __nv_##NAME

/* ---- integers ---- */
HD_NV(int, abs)(int a) { return a < 0 ? -a : a; }
HD_NV(int, brev)(int a) { return (int)__builtin_bitreverse32((unsigned)a); }
HD_NV(int, clz)(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
HD_NV(int, ffs)(int a) { return __builtin_ffs(a); }
HD_NV(int, popc)(int a) { return __builtin_popcount((unsigned)a); }
HD_NV(long long, brevll)(long long a) { return (long long)__builtin_bitreverse64((unsigned long long)a); }
HD_NV(int, clzll)(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
HD_NV(int, ffsll)(long long a) { return __builtin_ffsll(a); }
HD_NV(int, popcll)(long long a) { return __builtin_popcountll((unsigned long long)a); }
HD_NV(long long, llabs)(long long a) { return a < 0 ? -a : a; }
HD_NV(int, byte_perm)(int a, int b, int s) { return (int)__nvvm_prmt((unsigned)a, (unsigned)b, (unsigned)s); }
HD_NV(int, min)(int a, int b) { return a < b ? a : b; }
HD_NV(int, max)(int a, int b) { return a > b ? a : b; }
HD_NV(unsigned int, umin)(unsigned int a, unsigned int b) { return a < b ? a : b; }
HD_NV(unsigned int, umax)(unsigned int a, unsigned int b) { return a > b ? a : b; }
HD_NV(long long, llmin)(long long a, long long b) { return a < b ? a : b; }
HD_NV(long long, llmax)(long long a, long long b) { return a > b ? a : b; }
HD_NV(unsigned long long, ullmin)(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
HD_NV(unsigned long long, ullmax)(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
HD_NV(int, mulhi)(int a, int b) { return (int)((long long)a * b >> 32); }
HD_NV(unsigned int, umulhi)(unsigned int a, unsigned int b) { return (unsigned)((unsigned long long)a * b >> 32); }
HD_NV(long long, mul64hi)(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
HD_NV(unsigned long long, umul64hi)(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
HD_NV(int, mul24)(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
HD_NV(unsigned int, umul24)(unsigned int a, unsigned int b) { return (a & 0xffffff) * (b & 0xffffff); }
HD_NV(int, sad)(int a, int b, int c) { return (int)((a > b ? (unsigned)a - b : (unsigned)b - a) + c); }
HD_NV(unsigned int, usad)(unsigned int a, unsigned int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }
HD_NV(int, hadd)(int a, int b) { return (int)(((long long)a + b) >> 1); }
HD_NV(int, rhadd)(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
HD_NV(int, uhadd)(unsigned int a, unsigned int b) { return (int)(((unsigned long long)a + b) >> 1); }
HD_NV(unsigned int, urhadd)(unsigned int a, unsigned int b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
/* ---- bits ---- */
HD_NV(int, float_as_int)(float a) { return __nvvm_bitcast_f2i(a); }
HD_NV(unsigned int, float_as_uint)(float a) { return (unsigned)__nvvm_bitcast_f2i(a); }
HD_NV(float, int_as_float)(int a) { return __nvvm_bitcast_i2f(a); }
HD_NV(float, uint_as_float)(unsigned int a) { return __nvvm_bitcast_i2f((int)a); }
HD_NV(unsigned long long, double_as_longlong)(double a) { return (unsigned long long)__nvvm_bitcast_d2ll(a); }
HD_NV(double, longlong_as_double)(long long a) { return __nvvm_bitcast_ll2d(a); }
HD_NV(int, double2hiint)(double a) { return (int)(__nvvm_bitcast_d2ll(a) >> 32); }
HD_NV(int, double2loint)(double a) { return (int)__nvvm_bitcast_d2ll(a); }
HD_NV(double, hiloint2double)(int hi, int lo) { return __nvvm_bitcast_ll2d((long long)hi << 32 | (unsigned)lo); }
HD_NV(int, signbitf)(float a) { return __nvvm_bitcast_f2i(a) < 0; }
HD_NV(int, signbitd)(double a) { return __nvvm_bitcast_d2ll(a) < 0; }
HD_NV(int, isnanf)(float a) { return a != a; }
HD_NV(int, isnand)(double a) { return a != a; }
HD_NV(int, isinff)(float a) { return (__nvvm_bitcast_f2i(a) & 0x7fffffff) == 0x7f800000; }
HD_NV(int, finitef)(float a) { return (__nvvm_bitcast_f2i(a) & 0x7f800000) != 0x7f800000; }
HD_NV(int, isinfd)(double a) { return (__nvvm_bitcast_d2ll(a) & 0x7fffffffffffffff) == 0x7ff0000000000000; }
HD_NV(int, isfinited)(double a) { return (__nvvm_bitcast_d2ll(a) & 0x7ff0000000000000) != 0x7ff0000000000000; }
HD_NV(float, fabsf)(float a) { return __builtin_fabsf(a); }
HD_NV(float, copysignf)(float a, float b) { return __builtin_copysignf(a, b); }
HD_NV(float, fdimf)(float a, float b) { return a != a || b != b ? a + b : a > b ? a - b : 0; }
HD_NV(float, floorf)(float a) { return __builtin_floorf(a); }
HD_NV(float, ceilf)(float a) { return __builtin_ceilf(a); }
HD_NV(float, truncf)(float a) { return __builtin_truncf(a); }
HD_NV(float, rintf)(float a) { return __builtin_rintf(a); }
HD_NV(float, nearbyintf)(float a) { return __builtin_rintf(a); }
HD_NV(float, roundf)(float a)
{
    float t = __builtin_truncf(a);
    return __builtin_fabsf(a - t) >= (float)0.5 ? t + __builtin_copysignf(1, a) : t;
}
HD_NV(float, modff)(float a, float *whole)
{
    *whole = __builtin_truncf(a);
    return __builtin_copysignf(__nv_fabsf(a) == __builtin_inff() ? 0 : a - *whole, a);
}
HD_NV(long long, llrintf)(float a) { return __nvvm_f2ll_rn(a); }
HD_NV(long long, llroundf)(float a) { return __nvvm_f2ll_rz(__nv_roundf(a)); }
HD_NV(double, fabs)(double a) { return __builtin_fabs(a); }
HD_NV(double, copysign)(double a, double b) { return __builtin_copysign(a, b); }
HD_NV(double, fdim)(double a, double b) { return a != a || b != b ? a + b : a > b ? a - b : 0; }
HD_NV(double, floor)(double a) { return __builtin_floor(a); }
HD_NV(double, ceil)(double a) { return __builtin_ceil(a); }
HD_NV(double, trunc)(double a) { return __builtin_trunc(a); }
HD_NV(double, rint)(double a) { return __builtin_rint(a); }
HD_NV(double, nearbyint)(double a) { return __builtin_rint(a); }
HD_NV(double, round)(double a)
{
    double t = __builtin_trunc(a);
    return __builtin_fabs(a - t) >= (double)0.5 ? t + __builtin_copysign(1, a) : t;
}
HD_NV(double, modf)(double a, double *whole)
{
    *whole = __builtin_trunc(a);
    return __builtin_copysign(__nv_fabs(a) == __builtin_inf() ? 0 : a - *whole, a);
}
HD_NV(long long, llrint)(double a) { return __nvvm_d2ll_rn(a); }
HD_NV(long long, llround)(double a) { return __nvvm_d2ll_rz(__nv_round(a)); }
/* ---- arithmetic with a rounding of its own ---- */
HD_NV(float, fadd_rn)(float a, float b) { return __nvvm_add_rn_f(a, b); }
HD_NV(float, fsub_rn)(float a, float b) { return __nvvm_add_rn_f(a, -b); }
HD_NV(float, fmul_rn)(float a, float b) { return __nvvm_mul_rn_f(a, b); }
HD_NV(float, fdiv_rn)(float a, float b) { return __nvvm_div_rn_f(a, b); }
HD_NV(float, frcp_rn)(float a) { return __nvvm_rcp_rn_f(a); }
HD_NV(float, fsqrt_rn)(float a) { return __nvvm_sqrt_rn_f(a); }
HD_NV(double, dadd_rn)(double a, double b) { return __nvvm_add_rn_d(a, b); }
HD_NV(double, dsub_rn)(double a, double b) { return __nvvm_add_rn_d(a, -b); }
HD_NV(double, dmul_rn)(double a, double b) { return __nvvm_mul_rn_d(a, b); }
HD_NV(double, ddiv_rn)(double a, double b) { return __nvvm_div_rn_d(a, b); }
HD_NV(double, drcp_rn)(double a) { return __nvvm_rcp_rn_d(a); }
HD_NV(double, dsqrt_rn)(double a) { return __nvvm_sqrt_rn_d(a); }
HD_NV(float, fmaf_rn)(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
HD_NV(double, fma_rn)(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
HD_NV(int, float2int_rn)(float a) { return (int)__nvvm_f2i_rn(a); }
HD_NV(float, int2float_rn)(int a) { return __nvvm_i2f_rn(a); }
HD_NV(unsigned int, float2uint_rn)(float a) { return (unsigned int)__nvvm_f2ui_rn(a); }
HD_NV(float, uint2float_rn)(unsigned int a) { return __nvvm_ui2f_rn(a); }
HD_NV(long long, float2ll_rn)(float a) { return (long long)__nvvm_f2ll_rn(a); }
HD_NV(float, ll2float_rn)(long long a) { return __nvvm_ll2f_rn(a); }
HD_NV(unsigned long long, float2ull_rn)(float a) { return (unsigned long long)__nvvm_f2ull_rn(a); }
HD_NV(float, ull2float_rn)(unsigned long long a) { return __nvvm_ull2f_rn(a); }
HD_NV(int, double2int_rn)(double a) { return (int)__nvvm_d2i_rn(a); }
HD_NV(unsigned int, double2uint_rn)(double a) { return (unsigned int)__nvvm_d2ui_rn(a); }
HD_NV(long long, double2ll_rn)(double a) { return (long long)__nvvm_d2ll_rn(a); }
HD_NV(double, ll2double_rn)(long long a) { return __nvvm_ll2d_rn(a); }
HD_NV(unsigned long long, double2ull_rn)(double a) { return (unsigned long long)__nvvm_d2ull_rn(a); }
HD_NV(double, ull2double_rn)(unsigned long long a) { return __nvvm_ull2d_rn(a); }
HD_NV(float, double2float_rn)(double a) { return __nvvm_d2f_rn(a); }
HD_NV(float, fadd_rz)(float a, float b) { return __nvvm_add_rz_f(a, b); }
HD_NV(float, fsub_rz)(float a, float b) { return __nvvm_add_rz_f(a, -b); }
HD_NV(float, fmul_rz)(float a, float b) { return __nvvm_mul_rz_f(a, b); }
HD_NV(float, fdiv_rz)(float a, float b) { return __nvvm_div_rz_f(a, b); }
HD_NV(float, frcp_rz)(float a) { return __nvvm_rcp_rz_f(a); }
HD_NV(float, fsqrt_rz)(float a) { return __nvvm_sqrt_rz_f(a); }
HD_NV(double, dadd_rz)(double a, double b) { return __nvvm_add_rz_d(a, b); }
HD_NV(double, dsub_rz)(double a, double b) { return __nvvm_add_rz_d(a, -b); }
HD_NV(double, dmul_rz)(double a, double b) { return __nvvm_mul_rz_d(a, b); }
HD_NV(double, ddiv_rz)(double a, double b) { return __nvvm_div_rz_d(a, b); }
HD_NV(double, drcp_rz)(double a) { return __nvvm_rcp_rz_d(a); }
HD_NV(double, dsqrt_rz)(double a) { return __nvvm_sqrt_rz_d(a); }
HD_NV(float, fmaf_rz)(float a, float b, float c) { return __nvvm_fma_rz_f(a, b, c); }
HD_NV(double, fma_rz)(double a, double b, double c) { return __nvvm_fma_rz_d(a, b, c); }
HD_NV(int, float2int_rz)(float a) { return (int)__nvvm_f2i_rz(a); }
HD_NV(float, int2float_rz)(int a) { return __nvvm_i2f_rz(a); }
HD_NV(unsigned int, float2uint_rz)(float a) { return (unsigned int)__nvvm_f2ui_rz(a); }
HD_NV(float, uint2float_rz)(unsigned int a) { return __nvvm_ui2f_rz(a); }
HD_NV(long long, float2ll_rz)(float a) { return (long long)__nvvm_f2ll_rz(a); }
HD_NV(float, ll2float_rz)(long long a) { return __nvvm_ll2f_rz(a); }
HD_NV(unsigned long long, float2ull_rz)(float a) { return (unsigned long long)__nvvm_f2ull_rz(a); }
HD_NV(float, ull2float_rz)(unsigned long long a) { return __nvvm_ull2f_rz(a); }
HD_NV(int, double2int_rz)(double a) { return (int)__nvvm_d2i_rz(a); }
HD_NV(unsigned int, double2uint_rz)(double a) { return (unsigned int)__nvvm_d2ui_rz(a); }
HD_NV(long long, double2ll_rz)(double a) { return (long long)__nvvm_d2ll_rz(a); }
HD_NV(double, ll2double_rz)(long long a) { return __nvvm_ll2d_rz(a); }
HD_NV(unsigned long long, double2ull_rz)(double a) { return (unsigned long long)__nvvm_d2ull_rz(a); }
HD_NV(double, ull2double_rz)(unsigned long long a) { return __nvvm_ull2d_rz(a); }
HD_NV(float, double2float_rz)(double a) { return __nvvm_d2f_rz(a); }
HD_NV(float, fadd_rd)(float a, float b) { return __nvvm_add_rm_f(a, b); }
HD_NV(float, fsub_rd)(float a, float b) { return __nvvm_add_rm_f(a, -b); }
HD_NV(float, fmul_rd)(float a, float b) { return __nvvm_mul_rm_f(a, b); }
HD_NV(float, fdiv_rd)(float a, float b) { return __nvvm_div_rm_f(a, b); }
HD_NV(float, frcp_rd)(float a) { return __nvvm_rcp_rm_f(a); }
HD_NV(float, fsqrt_rd)(float a) { return __nvvm_sqrt_rm_f(a); }
HD_NV(double, dadd_rd)(double a, double b) { return __nvvm_add_rm_d(a, b); }
HD_NV(double, dsub_rd)(double a, double b) { return __nvvm_add_rm_d(a, -b); }
HD_NV(double, dmul_rd)(double a, double b) { return __nvvm_mul_rm_d(a, b); }
HD_NV(double, ddiv_rd)(double a, double b) { return __nvvm_div_rm_d(a, b); }
HD_NV(double, drcp_rd)(double a) { return __nvvm_rcp_rm_d(a); }
HD_NV(double, dsqrt_rd)(double a) { return __nvvm_sqrt_rm_d(a); }
HD_NV(float, fmaf_rd)(float a, float b, float c) { return __nvvm_fma_rm_f(a, b, c); }
HD_NV(double, fma_rd)(double a, double b, double c) { return __nvvm_fma_rm_d(a, b, c); }
HD_NV(int, float2int_rd)(float a) { return (int)__nvvm_f2i_rm(a); }
HD_NV(float, int2float_rd)(int a) { return __nvvm_i2f_rm(a); }
HD_NV(unsigned int, float2uint_rd)(float a) { return (unsigned int)__nvvm_f2ui_rm(a); }
HD_NV(float, uint2float_rd)(unsigned int a) { return __nvvm_ui2f_rm(a); }
HD_NV(long long, float2ll_rd)(float a) { return (long long)__nvvm_f2ll_rm(a); }
HD_NV(float, ll2float_rd)(long long a) { return __nvvm_ll2f_rm(a); }
HD_NV(unsigned long long, float2ull_rd)(float a) { return (unsigned long long)__nvvm_f2ull_rm(a); }
HD_NV(float, ull2float_rd)(unsigned long long a) { return __nvvm_ull2f_rm(a); }
HD_NV(int, double2int_rd)(double a) { return (int)__nvvm_d2i_rm(a); }
HD_NV(unsigned int, double2uint_rd)(double a) { return (unsigned int)__nvvm_d2ui_rm(a); }
HD_NV(long long, double2ll_rd)(double a) { return (long long)__nvvm_d2ll_rm(a); }
HD_NV(double, ll2double_rd)(long long a) { return __nvvm_ll2d_rm(a); }
HD_NV(unsigned long long, double2ull_rd)(double a) { return (unsigned long long)__nvvm_d2ull_rm(a); }
HD_NV(double, ull2double_rd)(unsigned long long a) { return __nvvm_ull2d_rm(a); }
HD_NV(float, double2float_rd)(double a) { return __nvvm_d2f_rm(a); }
HD_NV(float, fadd_ru)(float a, float b) { return __nvvm_add_rp_f(a, b); }
HD_NV(float, fsub_ru)(float a, float b) { return __nvvm_add_rp_f(a, -b); }
HD_NV(float, fmul_ru)(float a, float b) { return __nvvm_mul_rp_f(a, b); }
HD_NV(float, fdiv_ru)(float a, float b) { return __nvvm_div_rp_f(a, b); }
HD_NV(float, frcp_ru)(float a) { return __nvvm_rcp_rp_f(a); }
HD_NV(float, fsqrt_ru)(float a) { return __nvvm_sqrt_rp_f(a); }
HD_NV(double, dadd_ru)(double a, double b) { return __nvvm_add_rp_d(a, b); }
HD_NV(double, dsub_ru)(double a, double b) { return __nvvm_add_rp_d(a, -b); }
HD_NV(double, dmul_ru)(double a, double b) { return __nvvm_mul_rp_d(a, b); }
HD_NV(double, ddiv_ru)(double a, double b) { return __nvvm_div_rp_d(a, b); }
HD_NV(double, drcp_ru)(double a) { return __nvvm_rcp_rp_d(a); }
HD_NV(double, dsqrt_ru)(double a) { return __nvvm_sqrt_rp_d(a); }
HD_NV(float, fmaf_ru)(float a, float b, float c) { return __nvvm_fma_rp_f(a, b, c); }
HD_NV(double, fma_ru)(double a, double b, double c) { return __nvvm_fma_rp_d(a, b, c); }
HD_NV(int, float2int_ru)(float a) { return (int)__nvvm_f2i_rp(a); }
HD_NV(float, int2float_ru)(int a) { return __nvvm_i2f_rp(a); }
HD_NV(unsigned int, float2uint_ru)(float a) { return (unsigned int)__nvvm_f2ui_rp(a); }
HD_NV(float, uint2float_ru)(unsigned int a) { return __nvvm_ui2f_rp(a); }
HD_NV(long long, float2ll_ru)(float a) { return (long long)__nvvm_f2ll_rp(a); }
HD_NV(float, ll2float_ru)(long long a) { return __nvvm_ll2f_rp(a); }
HD_NV(unsigned long long, float2ull_ru)(float a) { return (unsigned long long)__nvvm_f2ull_rp(a); }
HD_NV(float, ull2float_ru)(unsigned long long a) { return __nvvm_ull2f_rp(a); }
HD_NV(int, double2int_ru)(double a) { return (int)__nvvm_d2i_rp(a); }
HD_NV(unsigned int, double2uint_ru)(double a) { return (unsigned int)__nvvm_d2ui_rp(a); }
HD_NV(long long, double2ll_ru)(double a) { return (long long)__nvvm_d2ll_rp(a); }
HD_NV(double, ll2double_ru)(long long a) { return __nvvm_ll2d_rp(a); }
HD_NV(unsigned long long, double2ull_ru)(double a) { return (unsigned long long)__nvvm_d2ull_rp(a); }
HD_NV(double, ull2double_ru)(unsigned long long a) { return __nvvm_ull2d_rp(a); }
HD_NV(float, double2float_ru)(double a) { return __nvvm_d2f_rp(a); }
HD_NV(double, int2double_rn)(int a) { return a; }
HD_NV(double, uint2double_rn)(unsigned int a) { return a; }
HD_NV(float, fmaf)(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
HD_NV(double, fma)(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
HD_NV(float, sqrtf)(float a) { return __nvvm_sqrt_rn_f(a); }
HD_NV(double, sqrt)(double a) { return __nvvm_sqrt_rn_d(a); }
HD_NV(float, rsqrtf)(float a) { return __nvvm_rsqrt_approx_f(a); }
HD_NV(float, frsqrt_rn)(float a) { return __nvvm_rcp_rn_f(__nvvm_sqrt_rn_f(a)); }
HD_NV(double, rsqrt)(double a) { return __nvvm_rcp_rn_d(__nvvm_sqrt_rn_d(a)); }
HD_NV(float, saturatef)(float a) { return __nvvm_saturate_f(a); }
HD_NV(float, fminf)(float a, float b) { return __nvvm_fmin_f(a, b); }
HD_NV(double, fmin)(double a, double b) { return __nvvm_fmin_d(a, b); }
HD_NV(float, fmaxf)(float a, float b) { return __nvvm_fmax_f(a, b); }
HD_NV(double, fmax)(double a, double b) { return __nvvm_fmax_d(a, b); }
/* ---- the quick ones ---- */
HD_NV(float, fast_sinf)(float a) { return __nvvm_sin_approx_f(a); }
HD_NV(float, fast_cosf)(float a) { return __nvvm_cos_approx_f(a); }
HD_NV(float, fast_tanf)(float a) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a)); }
HD_NV(float, fast_log2f)(float a) { return __nvvm_lg2_approx_f(a); }
HD_NV(float, fast_logf)(float a) { return __nvvm_lg2_approx_f(a) * 0.693147181f; }
HD_NV(float, fast_log10f)(float a) { return __nvvm_lg2_approx_f(a) * 0.301029996f; }
HD_NV(float, fast_expf)(float a) { return __nvvm_ex2_approx_f(a * 1.44269504f); }
HD_NV(float, fast_exp10f)(float a) { return __nvvm_ex2_approx_f(a * 3.32192809f); }
HD_NV(float, fast_fdividef)(float a, float b) { return __nvvm_div_approx_f(a, b); }
HD_NV(float, fast_powf)(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }
HD_NV(void, fast_sincosf)(float a, float *s, float *c) { return (void)(*s = __nvvm_sin_approx_f(a), *c = __nvvm_cos_approx_f(a)); }
/* ---- heddle_cuda.h has them ---- */
HD_NV(float, sinf)(float a) { return sinf<0>(a); }
HD_NV(float, cosf)(float a) { return cosf<0>(a); }
HD_NV(float, tanf)(float a) { return tanf<0>(a); }
HD_NV(float, expf)(float a) { return expf<0>(a); }
HD_NV(float, exp2f)(float a) { return exp2f<0>(a); }
HD_NV(float, logf)(float a) { return logf<0>(a); }
HD_NV(float, log2f)(float a) { return log2f<0>(a); }
HD_NV(float, log10f)(float a) { return log10f<0>(a); }
HD_NV(float, tanhf)(float a) { return tanhf<0>(a); }
HD_NV(float, powf)(float a, float b) { return powf<0>(a, b); }
HD_NV(float, fmodf)(float a, float b) { return fmodf<0>(a, b); }
HD_NV(void, sincosf)(float a, float *s, float *c) { return (void)(*s = sinf<0>(a), *c = cosf<0>(a)); }
#undef HD_NV
#endif
