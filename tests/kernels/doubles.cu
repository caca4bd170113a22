// f64: rows of the unit, or routines, in divergent code and beside each other.
// SPDX-License-Identifier: Apache-2.0
// The hash is that of host/doubles.cc.
// LANES: 4
// RUN: --grid 1 --block 32 a:f32[32]=rand:3 b:f32[32]=rand:4 out:u32[768]
// HASH: out 679c8f5c
// RUN: --f64 routines --grid 1 --block 32 a:f32[32]=rand:3 b:f32[32]=rand:4 out:u32[768]
// HASH: out 679c8f5c
#ifdef __CUDA_ARCH__             /* products that no compiler makes a part of a fused multiply-add */
#define TIMES(a, b) __nvvm_mul_rn_d(a, b)
#else
#define TIMES(a, b) ((a) * (b))
#endif
struct out64 { unsigned *at; };
static __device__ void put(out64 &o, double v)
{
    unsigned w[2];
    __builtin_memcpy(w, &v, 8);
    o.at[0] = w[0], o.at[1] = w[1];
    o.at += 2;
}
// Newton's iteration: as many rounds as the argument needs.
static __device__ double cube_root(double v)
{
    double r = 0.55;
    for (int k = 0; k < 9; k++) {
        double next = r - (TIMES(TIMES(r, r), r) - v) / (3.0 * r * r);
        if (next >= r) break;
        r = next;
    }
    return r;
}
extern "C" __global__ void doubles(const float *a, const float *b, unsigned *out)
{
    unsigned i = threadIdx.x;
    double x = TIMES((double)a[i], 1.0e3) - 400.0, y = (double)b[i] / 7.0;
    long long n = (long long)(x * 1.0e12);
    out64 o = { out + 24 * i };
    put(o, i % 3 == 0 ? x + y : i % 3 == 1 ? x - TIMES(y, 1.0e-9) : x * y);
    put(o, x / y);
    put(o, __builtin_fma(x, y, -TIMES(x, y)));
    put(o, i & 8 ? cube_root(y) : -y);
    put(o, (double)n);
    put(o, (double)(unsigned long long)n + (double)(int)x + (double)(unsigned)(y * 4.0e9));
    put(o, (double)(float)(x / 3.0));
    put(o, x < y ? x : y);
    put(o, (x == (double)(float)x) + TIMES(2.0, (x != y)) + TIMES(4.0, (x <= -0.0)) + TIMES(8.0, !(x > y)));
    put(o, __builtin_floor(x) + TIMES(__builtin_ceil(y), 0.5) + TIMES(__builtin_trunc(x / 10.0), 0.25));
    put(o, __builtin_copysign(__builtin_fabs(x) * 1.0e-310, y - 0.05));
    put(o, x * 1.0e300 * (y * 1.0e200) * (i & 4 ? 1.0 : -1.0));
}
