/* Values and types of CUDA's header functions that were wrong once; right, with the reason, stands
 * beside each row.  [doc] is CUDA's documentation (Math API), [C] the C standard (7.12, F.10), [C++]
 * std's overloads (26.8.1: of float and an integer: double), [PTX] the PTX ISA, [exact] exact
 * arithmetic, rounded once.  An H200 (nvcc 13, sm_90) prints PASS.
 * SPDX-License-Identifier: Apache-2.0
 *
 *     heddle nvcc header_values.cu -o x && ./x          (-DONLY='"__byte_perm"': rows of that name) */
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned long long u64;
typedef long long s64;
#ifndef ONLY
#define ONLY ""
#endif

/* What the rows read, so that the compiler does not know it. */
struct operands {
    unsigned a, b, sel;
    float f15, f7, max_f, one_f, zero_f, minus0_f, minus_inf_f, nan_f, tiny_f, big_f;
    double half_tie, below_inf, tiny_h, bf_tie, zero_d;
    int int_tie;
    s64 ll_tie;
    long big, low;
    unsigned short h1, h_nan, h_minus0, h_plus0, h300, h_minus300, b_nan;
};

#define BITS(T, v) ({ T v_ = (v); u64 w_ = 0; memcpy(&w_, &v_, sizeof v_); w_; })
#define H(x) __ushort_as_half(x)
#define B(x) __ushort_as_bfloat16(x)
#define ROWS(ROW) \
    /* [doc] "the selector indices are ... s<2:0>, s<6:4>, s<10:8>, s<14:12>": bits 3, 7, 11, 15 have no \
     * meaning; prmt.b32's sign replication is not __byte_perm's. */ \
    ROW("__byte_perm, selector 0xba98", __byte_perm(p->a, p->b, p->sel), 0x83427120) \
    /* [exact] 1 / sqrt(x), to nearest even: rounding the root before the quotient is once too often */ \
    ROW("__frsqrt_rn(1.5)", BITS(float, __frsqrt_rn(p->f15)), 0x3f5105ec) \
    ROW("__frsqrt_rn(7)", BITS(float, __frsqrt_rn(p->f7)), 0x3ec1848f) \
    ROW("__frsqrt_rn(FLT_MAX)", BITS(float, __frsqrt_rn(p->max_f)), 0x1f800000) \
    /* [C] 0, an infinity and a NaN stay what they are, whatever the exponent */ \
    ROW("scalbln(0.0f, 2^40)", BITS(float, scalbln(p->zero_f, p->big)), 0) \
    ROW("scalbln(0.0, 2^40)", BITS(double, scalbln(p->zero_d, p->big)), 0) \
    ROW("scalbln(-inf, -2^40)", BITS(float, scalbln(p->minus_inf_f, p->low)), 0xff800000) \
    ROW("isnan(scalbln(NaN, 2^40))", std::isnan(scalbln(p->nan_f, p->big)), 1) \
    /* [C++] pow(float, int) is pow(double, double) */ \
    ROW("sizeof pow(float, int)", sizeof pow(p->f15, 2), 8) \
    ROW("sizeof std::pow(float, int)", sizeof std::pow(p->f15, 2), 8) \
    ROW("pow(1 + 2^-23, 2)", BITS(double, pow(p->one_f, 2)), 0x3ff0000040000040) \
    /* [C] the sign is copied, of a NaN too */ \
    ROW("signbit(copysign(NaN, -1.0f))", std::signbit(copysignf(p->nan_f, -p->f7)), 1) \
    /* [doc] CUDA's float overloads by the double's name */ \
    ROW("sizeof rsqrt(float)", sizeof rsqrt(p->f7), 4) \
    ROW("sizeof rcbrt(float)", sizeof rcbrt(p->f7), 4) \
    ROW("sizeof sinpi(float)", sizeof sinpi(p->f7), 4) \
    ROW("sizeof cospi(float)", sizeof cospi(p->f7), 4) \
    ROW("sizeof exp10(float)", sizeof exp10(p->f7), 4) \
    ROW("sizeof erfinv(float)", sizeof erfinv(p->f7), 4) \
    ROW("sizeof erfcinv(float)", sizeof erfcinv(p->f7), 4) \
    ROW("sizeof erfcx(float)", sizeof erfcx(p->f7), 4) \
    ROW("sizeof normcdf(float)", sizeof normcdf(p->f7), 4) \
    ROW("sizeof normcdfinv(float)", sizeof normcdfinv(p->f7), 4) \
    ROW("sizeof j0(float)", sizeof j0(p->f7), 4) \
    ROW("sizeof jn(2, float)", sizeof jn(2, p->f7), 4) \
    ROW("sizeof y1(float)", sizeof y1(p->f7), 4) \
    ROW("sizeof cyl_bessel_i0(float)", sizeof cyl_bessel_i0(p->f7), 4) \
    /* [exact] one rounding from f64: 1 + 2^-11 + 2^-40 lies above the tie between 0x3c00 and 0x3c01 */ \
    ROW("__double2half(1 + 2^-11 + 2^-40)", BITS(__half, __double2half(p->half_tie)), 0x3c01) \
    ROW("__half(1 + 2^-11 + 2^-40)", BITS(__half, __half(p->half_tie)), 0x3c01) \
    ROW("__double2half(65520 - 2^-30)", BITS(__half, __double2half(p->below_inf)), 0x7bff) \
    ROW("__double2half(2^-25 + 2^-70)", BITS(__half, __double2half(p->tiny_h)), 0x0001) \
    ROW("__double2bfloat16(1 + 2^-8 + 2^-40)", BITS(__nv_bfloat16, __double2bfloat16(p->bf_tie)), \
        0x3f81) \
    /* [exact] 2^24 + 2^16 + 1: above the tie between 2^24 and 2^24 + 2^17 */ \
    ROW("__int2bfloat16_rn", BITS(__nv_bfloat16, __int2bfloat16_rn(p->int_tie)), 0x4b81) \
    ROW("__uint2bfloat16_rn", BITS(__nv_bfloat16, __uint2bfloat16_rn((unsigned)p->int_tie)), 0x4b81) \
    ROW("__ll2bfloat16_rn", BITS(__nv_bfloat16, __ll2bfloat16_rn(p->ll_tie)), 0x4b81) \
    /* [doc] "NaN inputs generate false results"; __hneu is the one that says true */ \
    ROW("__hne(1, NaN)", __hne(H(p->h1), H(p->h_nan)), 0) \
    ROW("__hne2({1,1}, {NaN,NaN})", BITS(__half2, __hne2(__half2half2(H(p->h1)), \
                                                        __half2half2(H(p->h_nan)))), 0) \
    ROW("__hbne2({1,1}, {NaN,NaN})", __hbne2(__half2half2(H(p->h1)), __half2half2(H(p->h_nan))), 0) \
    ROW("__hne(bf16 1, NaN)", __hne(B(p->h1), B(p->b_nan)), 0) \
    /* [doc, PTX] fma.relu clamps a negative result to 0; -0 becomes +0 (an H200 does) */ \
    ROW("__hfma_relu(-0, 0, -0)", BITS(__half, __hfma_relu(H(p->h_minus0), H(p->h_plus0), \
                                                          H(p->h_minus0))), 0) \
    /* [PTX] cvt.rzi.s8.f16 and .u8 saturate */ \
    ROW("__half2char_rz(300)", (unsigned char)__half2char_rz(H(p->h300)), 0x7f) \
    ROW("__half2char_rz(-300)", (unsigned char)__half2char_rz(H(p->h_minus300)), 0x80) \
    ROW("__half2uchar_rz(300)", __half2uchar_rz(H(p->h300)), 0xff) \
    /* [PTX] sin.approx.f32 of -0 is -0 */ \
    ROW("__sinf(-0)", BITS(float, __sinf(p->minus0_f)), 0x80000000) \
    /* [PTX] div.approx.f32: for 2^126 < |b| < 2^128 the result is 0, or a NaN of an infinite a */ \
    ROW("__fdividef(1, 2^127)", BITS(float, __fdividef(1.0f, p->big_f)), 0) \
    ROW("isnan(__fdividef(-inf, 2^127))", std::isnan(__fdividef(p->minus_inf_f, p->big_f)), 1)
/* [doc] what the host's side of the headers says */
#define HOST_ROWS(ROW) \
    ROW("host: sizeof min(float, double)", sizeof min(1.0f, 0.1), 8) \
    ROW("host: sizeof max(float, double)", sizeof max(1.0f, 0.1), 8) \
    ROW("host: min(1.0f, 0.1)", BITS(double, min(p->f7, 0.1)), 0x3fb999999999999a) \
    ROW("host: sinpi(1.0)", BITS(double, sinpi(p->f7 - 6.0)), 0) \
    ROW("host: cospi(0.5)", BITS(double, cospi(p->f7 - 6.5)), 0) \
    ROW("host: sizeof rsqrt(float)", sizeof rsqrt(p->f7), 4)

#define COUNT(NAME, VALUE, WANT) + 1
#define N (0 ROWS(COUNT))

__global__ void rows(u64 *out, const struct operands *p)
{
    int k = 0;
#define STORE(NAME, VALUE, WANT) out[k++] = (u64)(VALUE);
    ROWS(STORE)
}

static int bad, tried;
static void check(const char *name, u64 value, u64 want)
{
    if (strncmp(name, ONLY, sizeof ONLY - 1) != 0) return;
    tried++;
    if (value != want && ++bad) printf("FAIL: %s is %llx, right is %llx\n", name, value, want);
}

int main()
{
    static u64 out[N];
    struct operands in = { 0x83427120, 0x8f1e0d7c, 0xba98 }, *p = &in, *d;
    in.f15 = 1.5f, in.f7 = 7, in.max_f = 3.40282347e38f, in.one_f = 1 + ldexpf(1, -23);
    in.zero_f = 0, in.minus0_f = -0.0f, in.minus_inf_f = -INFINITY, in.nan_f = NAN;
    in.big_f = ldexpf(1, 127), in.zero_d = 0;
    in.half_tie = 1 + ldexp(1, -11) + ldexp(1, -40), in.below_inf = 65520 - ldexp(1, -30);
    in.tiny_h = ldexp(1, -25) + ldexp(1, -70), in.bf_tie = 1 + ldexp(1, -8) + ldexp(1, -40);
    in.int_tie = (1 << 24) + (1 << 16) + 1, in.ll_tie = in.int_tie;
    in.big = 1l << 40, in.low = -in.big;
    in.h1 = 0x3c00, in.h_nan = 0x7e00, in.h_minus0 = 0x8000, in.h300 = 0x5cb0;
    in.h_minus300 = 0xdcb0, in.b_nan = 0x7fc0;
    u64 *dout;
    cudaMalloc(&d, sizeof in), cudaMalloc(&dout, sizeof out);
    cudaMemcpy(d, &in, sizeof in, cudaMemcpyHostToDevice);
    rows<<<1, 1>>>(dout, d);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    if (cudaDeviceSynchronize() != cudaSuccess) return printf("FAIL: launch\n"), 1;
    int k = 0;
#define CHECK(NAME, VALUE, WANT) check(NAME, out[k++], WANT);
    ROWS(CHECK)
#define HOST_CHECK(NAME, VALUE, WANT) check(NAME, (u64)(VALUE), WANT);
    HOST_ROWS(HOST_CHECK)
    if (bad) return printf("%d of %d rows are wrong\n", bad, tried), 1;
    printf("PASS\n");
    return 0;
}
