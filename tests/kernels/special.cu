// The error function and its relatives: the machine gives what the library's source gives on the host, bit for bit.
// SPDX-License-Identifier: Apache-2.0
// The hash is that of host/special.cc.
// RUN: --grid 1 --block 4 step:i32=8 out:u32[32]
// LANES: 4
// MODE: barrier
// HASH: out bb787e88
// RUN: --grid 1 --block 32 step:i32=1 out:u32[256]
// LANES: none
// HASH: out 60cb613d
static __device__ void put(unsigned *&at, double v)
{
    unsigned w[2];
    __builtin_memcpy(w, &v, 8);
    at[0] = w[0], at[1] = w[1];
    at += 2;
}
extern "C" __global__ void special(int step, unsigned *out)
{
    int t = threadIdx.x;
    double x = (double)(t * step - 9) * 0.84375;         // -7.6 to 18.6
    unsigned *at = out + 8 * t;
    put(at, erf(x * 0.25)), put(at, erfc(x)), put(at, erfcx(x)), put(at, normcdf(x * 0.5));
}
