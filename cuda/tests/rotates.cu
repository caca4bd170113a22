// Rotates, funnels and shifts by counts of 0 to 200 whose mask the source writes, in the ways in which C programs do:
// what the mask leaves is the count.  The right values are made bit by bit.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
typedef unsigned long long u64; typedef unsigned u32; typedef unsigned short u16; typedef unsigned char u8;
#define ROWS(F) \
 F(0, u64, u64, x << (s & 63) | x >> (-s & 63)) \
 F(1, u64, u64, x >> (s & 63) | x << ((64 - s) & 63)) \
 F(2, u64, u64, (x << s % 64) | (x >> (64 - s % 64) % 64)) \
 F(3, u64, u64, __builtin_rotateleft64(x, s)) \
 F(4, u64, u64, __builtin_rotateright64(x, s)) \
 F(5, u64, u64, s % 64 ? x << s % 64 | x >> (64 - s % 64) : x) \
 F(6, u32, u64, (u32)x << (s & 31) | (u32)x >> (-s & 31)) \
 F(7, u32, u64, (u32)x >> (s & 31) | (u32)x << (-s & 31)) \
 F(8, u32, u64, __funnelshift_l((u32)x, (u32)x, s)) \
 F(9, u32, u64, __funnelshift_r((u32)x, (u32)(x >> 32), s)) \
 F(10, u32, u64, __funnelshift_lc((u32)x, (u32)(x >> 32), s)) \
 F(11, u32, u64, __funnelshift_rc((u32)x, (u32)(x >> 32), s)) \
 F(12, u32, u64, (u32)((x << (s & 31)) >> 32)) \
 F(13, u32, u64, (u32)(x >> (s & 31))) \
 F(14, u16, u64, (u16)((u16)x << (s & 15) | (u16)x >> (-s & 15))) \
 F(15, u8, u64, (u8)((u8)x << (s & 7) | (u8)x >> (-s & 7))) \
 F(16, u64, u64, x << (s & 63) | (x * 3 + 1) >> (-s & 63)) \
 F(17, u64, u64, x << (s & 63) | (x ^ 0x5555) >> 1 >> (~s & 63)) \
 F(18, u64, u64, (x >> 1) >> (~s & 63) | x << (s & 63)) \
 F(19, u64, u64, x << ((s + 5) & 63) | x >> (-(s + 5) & 63)) \
 F(20, u64, u64, x << (s & 0x3f) | x >> (64 - s & 0x3f)) \
 F(21, u64, u64, (s & 63) ? (x << (s & 63)) + (x >> (64 - (s & 63))) : x) \
 F(22, u64, u64, x << 13 | x >> 51) \
 F(23, u64, u64, x << 32 | x >> 32) \
 F(24, u64, u64, x >> 45 | x << 19) \
 F(25, u32, u64, __builtin_rotateleft32((u32)x, s)) \
 F(26, u16, u64, __builtin_rotateleft16((u16)x, s)) \
 F(27, u8, u64, __builtin_rotateright8((u8)x, s)) \
 F(28, u64, u64, x << (s & 63)) \
 F(29, u64, u64, x >> (s & 63)) \
 F(30, u64, u64, (u64)((long long)x >> (s & 63))) \
 F(31, u32, u64, (u32)x << (s & 31)) F(32, u32, u64, (u32)((int)x >> (s & 31))) \
 F(33, u64, u64, (x << (s & 63)) | ((u64)((long long)x >> (-s & 63))))\
 F(34, u64, u64, x << (s & 31) | x >> (-s & 31)) \
 F(35, u64, u64, x << (s & 127 & 63) | x >> ((128 - (s & 127)) & 63)) \
 F(36, u64, u64, x << (u8)(s & 63) | x >> (u8)(-s & 63)) \
 F(37, u64, u64, x << (int)(s % 64u) | x >> (int)((64u - s % 64u) % 64u)) \
 F(38, u64, u64, x << (s & 63) | y >> (-s & 63)) \
 F(39, u64, u64, (s & 63) ? x << (s & 63) | y >> (64 - (s & 63)) : x) \
 F(40, u64, u64, (s & 63) ? x >> (s & 63) | y << (64 - (s & 63)) : x) \
 F(41, u32, u64, (s & 31) ? (u32)x >> (s & 31) | (u32)y << (32 - (s & 31)) : (u32)x) \
 F(42, u64, u64, x + (x << (s & 63)) - (y >> (s & 63)))
#define COUNT(...) +1
enum { N = 0 ROWS(COUNT), XS = 6, SS = 201 };
__global__ void k(const u64 *xs, u64 *out)
{
    int s0 = blockIdx.x * blockDim.x + threadIdx.x;
    if (s0 >= SS) return;
    for (int i = 0; i < XS; i++) { u64 x = xs[i], y = xs[(i + 1) % XS]; u32 s = (u32)s0;
#define ROW(K, T, U, E) out[((size_t)K * XS + i) * SS + s0] = (T)(E);
    ROWS(ROW) }
}
template <int W> u64 rl(u64 x, unsigned s) { u64 r = 0; for (int b = 0; b < W; b++) if (x >> b & 1) r |= 1ull << (b + s) % W; return r; }
static u32 fl(u32 lo, u32 hi, u32 s) { u64 v = (u64)hi << 32 | lo; return (u32)((unsigned __int128)v << (s) >> 32); }
static u64 want(int k, u64 x, u64 y, u32 s)
{
    typedef unsigned __int128 w;
    u32 m = s % 64;
    switch (k) {
    case 0: case 2: case 3: case 5: case 20: case 21: case 35: case 36: case 37: return rl<64>(x, s);
    case 1: case 4: return rl<64>(x, 64 - s % 64);
    case 6: case 8: case 25: return rl<32>((u32)x, s);
    case 7: return rl<32>((u32)x, 32 - s % 32);
    case 9: return (u32)(x >> s % 32);
    case 10: { u32 c = s > 32 ? 32 : s; return c == 32 ? (u32)x : fl((u32)x, (u32)(x >> 32), c); }
    case 11: { u32 c = s > 32 ? 32 : s; return (u32)(x >> c); }
    case 12: return (u32)(x >> (32 - s % 32)); 
    case 13: return (u32)(x >> s % 32);
    case 14: case 26: return rl<16>((u16)x, s);
    case 15: return rl<8>((u8)x, s);
    case 27: return rl<8>((u8)x, 8 - s % 8);
    case 16: { u64 z = x * 3 + 1; return (u64)((w)x << m) | (u64)((w)z >> (64 - m) % 64); }
    case 17: return (u64)((w)x << m) | (u64)((w)(x ^ 0x5555) >> (64 - m));
    case 18: return rl<64>(x, m);
    case 19: return rl<64>(x, s + 5);
    case 22: return rl<64>(x, 13); case 23: return rl<64>(x, 32); case 24: return rl<64>(x, 19);
    case 28: return (u64)((w)x << m); case 29: return (u64)((w)x >> m); case 30: return (u64)((__int128)(long long)x >> m);
    case 31: return (u32)((u64)(u32)x << s % 32); case 32: return (u32)((long long)(int)x >> s % 32);
    case 33: return (u64)((w)x << m) | (u64)((__int128)(long long)x >> (64 - m) % 64);
    case 34: return (u64)((w)x << s % 32) | (u64)((w)x >> (32 - s % 32) % 32);
    case 38: return (u64)((w)x << m) | (u64)((w)y >> (64 - m) % 64);
    case 39: return m ? (u64)((w)x << m) | (u64)((w)y >> (64 - m)) : x;
    case 40: return m ? (u64)((w)x >> m) | (u64)((w)y << (64 - m)) : x;
    case 41: { u32 n = s % 32; return n ? (u32)((u32)x >> n | (u64)(u32)y << (32 - n)) : (u32)x; }
    case 42: return x + (u64)((w)x << m) - (u64)((w)y >> m);
    }
    return 0;
}
int main()
{
    static u64 xs[XS] = { 1, 0x8000000000000000, 0x0123456789abcdef, 0xfedcba9876543210, ~0ull, 0xdeadbeef00000001 }, out[N * XS * SS];
    u64 *dx, *d;
    cudaMalloc(&dx, sizeof xs); cudaMalloc(&d, sizeof out);
    cudaMemcpy(dx, xs, sizeof xs, cudaMemcpyHostToDevice);
    k<<<4, 64>>>(dx, d);
    if (cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost)) return puts("FAIL: launch"), 1;
    int bad = 0;
    for (int r = 0; r < N; r++) for (int i = 0; i < XS; i++) for (int s = 0; s < SS; s++) {
        u64 g = out[(r * XS + i) * SS + s], w = want(r, xs[i], xs[(i + 1) % XS], s);
        if (g != w && bad++ < 20) printf("row %d x %llx s %d: %llx, right is %llx\n", r, xs[i], s, g, w);
    }
    printf(bad ? "FAIL: %d\n" : "PASS\n", bad);
    return bad != 0;
}
