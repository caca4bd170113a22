// Mathematics in f64: what the library computes on the machine is what its source computes on the host, bit for bit.
// SPDX-License-Identifier: Apache-2.0
// The hash is that of host/maths.cc.
// RUN: --grid 1 --block 4 all:i32=0 out:u32[16]
// LANES: 4
// HASH: out 75dbe5cd
// RUN: --grid 1 --block 32 all:i32=1 out:u32[2048]
// LANES: none
// HASH: out baa7f34e
static __device__ void put(unsigned *&at, double v)
{
    unsigned w[2];
    __builtin_memcpy(w, &v, 8);
    at[0] = w[0], at[1] = w[1];
    at += 2;
}
extern "C" __global__ void maths(int all, unsigned *out)
{
    int t = threadIdx.x;
    // from 2^-12 to 2^12 and beyond, of both signs; exact
    double x = (t & 1 ? -1.0 : 1.0) * (t + 3) * (t < 16 ? 1.0 / 4096 : t < 30 ? 0.25 : 1.0e20), a = fabs(x), u = 1.0 / (a + 1.0);
    unsigned *at = out + (all ? 64 : 4) * t;
    put(at, sin(x)), put(at, pow(a, 1.75));
    if (!all) return;
    put(at, exp(x)), put(at, log(a));
    put(at, exp2(x)), put(at, exp10(x)), put(at, expm1(x)), put(at, log2(a)), put(at, log10(a)), put(at, log1p(a));
    put(at, sinh(x)), put(at, cosh(x)), put(at, tanh(x)), put(at, asinh(x)), put(at, acosh(a + 1.0)), put(at, atanh(u));
    put(at, cos(x)), put(at, tan(x)), put(at, sinpi(x)), put(at, cospi(x)), put(at, atan(x)), put(at, asin(u)), put(at, acos(-u));
    put(at, cbrt(x)), put(at, atan2(x, 1.5)), put(at, hypot(x, 2.0)), put(at, fmod(x, 0.3)), put(at, remainder(x, 0.3));
}
