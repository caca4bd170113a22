// Gamma and Bessel functions of f32: the model gives what the library's source gives on the host,
// bit for bit.
// SPDX-License-Identifier: Apache-2.0
// The hash is that of host/bessel.cc.
// RUN: --grid 1 --block 1 step:i32=8 out:f32[10]
// LANES: none
// MODE: barrier
// HASH: out 49844345
// RUN: --grid 1 --block 32 step:i32=1 out:f32[320]
// LANES: none
// HASH: out e02c5ed6
extern "C" __global__ void bessel(int step, float *out)
{
    int t = threadIdx.x;
    float x = (float)(t * step - 9) * 0.84375f, a = fabsf(x);        // -7.6 to 18.6
    float *at = out + 10 * t;
    at[0] = tgammaf(x), at[1] = lgammaf(x), at[2] = j0f(x), at[3] = j1f(x), at[4] = y0f(a);
    at[5] = y1f(a), at[6] = jnf(t & 7, x), at[7] = ynf(t & 7, a), at[8] = cyl_bessel_i0f(x);
    at[9] = cyl_bessel_i1f(x);
}
