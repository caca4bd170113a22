// Fields of signed numbers: shifted right, masked or cut to a smaller type, as the host does it.  The sign that a shift
// brings in is part of a field that ends beyond the number.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
typedef long long s64;
typedef unsigned long long u64;
enum { ROWS = 14 * 12 * 9, N = 8 };

// What S and B bits make of x.
template <int S, int B> __host__ __device__ void forms(s64 x, s64 *o)
{
    constexpr u64 mask = B < 64 ? (1ull << B % 64) - 1 : ~0ull;
    constexpr int s = S % 32, b = B < 32 ? B : 32;
    int w = (int)x;
    *o++ = x >> S & (s64)mask;
    *o++ = (s64)((u64)x >> S & mask);
    *o++ = (s64)((u64)x << (64 - B)) >> (64 - B) >> S;
    *o++ = (s64)((u64)x << S) >> (64 - B);
    *o++ = (s64)(unsigned)(x >> S) + (s64)(unsigned short)(x >> S) * 3;
    *o++ = (s64)(int)(x >> S) + (s64)(short)(x >> S) * 3;
    *o++ = (s64)(unsigned char)(x >> S) + (s64)(signed char)(x >> S) * 3;
    *o++ = w >> s & (int)(unsigned)mask;
    *o++ = (s64)((unsigned)w >> s & (unsigned)mask);
    *o++ = (int)((unsigned)w << (32 - b)) >> (32 - b) >> s;
    *o++ = (int)((unsigned)w << s) >> (32 - b);
    *o++ = (s64)(unsigned short)(w >> s) + (s64)(signed char)(w >> s) * 3;
    *o++ = (short)x >> S % 16 & (int)(unsigned)mask;
    *o++ = (x >> S) % 4096 + ((x >> S) & ~7ll);
}
template <int S> __host__ __device__ void widths(s64 x, s64 *o)
{
    forms<S, 1>(x, o), forms<S, 8>(x, o + 14), forms<S, 13>(x, o + 28), forms<S, 16>(x, o + 42);
    forms<S, 24>(x, o + 56), forms<S, 31>(x, o + 70), forms<S, 32>(x, o + 84), forms<S, 40>(x, o + 98);
    forms<S, 63>(x, o + 112);
}
__host__ __device__ void all(s64 x, s64 *o)
{
    enum { EACH = 14 * 9 };
    widths<0>(x, o), widths<1>(x, o + EACH), widths<7>(x, o + 2 * EACH), widths<8>(x, o + 3 * EACH);
    widths<16>(x, o + 4 * EACH), widths<31>(x, o + 5 * EACH), widths<33>(x, o + 6 * EACH), widths<36>(x, o + 7 * EACH);
    widths<40>(x, o + 8 * EACH), widths<50>(x, o + 9 * EACH), widths<56>(x, o + 10 * EACH), widths<63>(x, o + 11 * EACH);
}

__global__ void fields(s64 *out, const s64 *x) { all(x[threadIdx.x], out + threadIdx.x * ROWS); }

int main()
{
    static s64 out[N * ROWS], want[ROWS];
    s64 x[N] = { 1, -1, -4097, (s64)(1ull << 63), 0x0123456789abcdef, (s64)0xfedcba9876543210, (s64)0xdeadbeef80000001,
                 0x7fffffffffffffff };
    s64 *dx, *dout;
    cudaMalloc(&dx, sizeof x), cudaMalloc(&dout, sizeof out);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    fields<<<1, N>>>(dout, dx);
    if (cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost)) return puts("FAIL: launch"), 1;
    int bad = 0;
    for (int k = 0; k < N; k++) {
        volatile s64 hidden = x[k];
        all(hidden, want);
        for (int r = 0; r < ROWS; r++)
            if (out[k * ROWS + r] != want[r] && bad++ < 9)
                printf("FAIL: row %d of %llx is %llx, right is %llx\n", r, (u64)x[k], (u64)out[k * ROWS + r], (u64)want[r]);
    }
    puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
