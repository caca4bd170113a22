// Gamma and Bessel functions: the model gives what the library's source gives on the host, bit for bit.
// SPDX-License-Identifier: Apache-2.0
// The hash is that of host/bessel.cc.
// RUN: --grid 1 --block 1 step:i32=8 out:u32[30]
// LANES: none
// MODE: barrier
// HASH: out bd6e15a2
// RUN: --grid 1 --block 32 step:i32=1 out:u32[960]
// LANES: none
// HASH: out def3de9d
template <class T> static __device__ void put(unsigned *&at, T v)
{
    __builtin_memcpy(at, &v, sizeof v);
    at += sizeof v / 4;
}
extern "C" __global__ void bessel(int step, unsigned *out)
{
    int t = threadIdx.x;
    float x = (float)(t * step - 9) * 0.84375f, a = fabsf(x);        // -7.6 to 18.6
    double d = x, e = a;
    unsigned *at = out + 30 * t;
    put(at, tgammaf(x)), put(at, lgammaf(x)), put(at, j0f(x)), put(at, j1f(x)), put(at, y0f(a));
    put(at, y1f(a)), put(at, jnf(t & 7, x)), put(at, ynf(t & 7, a)), put(at, cyl_bessel_i0f(x));
    put(at, cyl_bessel_i1f(x));
    put(at, tgamma(d)), put(at, lgamma(d)), put(at, j0(d)), put(at, j1(d)), put(at, y0(e));
    put(at, y1(e)), put(at, jn(t & 7, d)), put(at, yn(t & 7, e)), put(at, cyl_bessel_i0(d));
    put(at, cyl_bessel_i1(d));
}
