// Parameters as every source of every kind of operation: the compiler makes constants of them where an instruction
// takes one, and exchanges sources for it.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4
// RUN: --grid 2 --block 40 out:u32[4800] n:u32=37 s:i32=-9 f:f32=0.75 w:u64=4294967333 d:f64=-1.25
// HASH: out fdd2a17a
// RUN: --grid 2 --block 40 --constants loads out:u32[4800] n:u32=37 s:i32=-9 f:f32=0.75 w:u64=4294967333 d:f64=-1.25
// HASH: out fdd2a17a
extern "C" __global__ void param_sources(unsigned *out, unsigned n, int s, float f, unsigned long long w, double d)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i * 2654435761u >> 26, y = i * 40503u >> 3 & 1023;
    const int t = (int)x - 32;
    const float g = (float)t * 0.25f, h = (float)y;
    const unsigned long long v = (unsigned long long)y << 30 | x;
    unsigned *o = out + 60 * i, k = 0;
    o[k++] = n + x, o[k++] = n - x, o[k++] = x - n, o[k++] = n * x, o[k++] = n * x + y, o[k++] = x * y + n;
    o[k++] = n & x, o[k++] = n | x, o[k++] = n ^ x, o[k++] = (n & x) ^ y, o[k++] = (x & y) ^ n, o[k++] = (x & ~n) | (y & n);
    o[k++] = n < x ? x : y, o[k++] = x < n ? n : y, o[k++] = n <= x, o[k++] = x >= n, o[k++] = n == x, o[k++] = x != n;
    o[k++] = s < t ? 1u : 2u, o[k++] = t < s ? n : x, o[k++] = s >= t, o[k++] = s > t ? (unsigned)s : x;
    o[k++] = n << (x & 31), o[k++] = x << (n & 31), o[k++] = n >> (x & 31), o[k++] = (unsigned)(s >> (x & 31));
    o[k++] = (unsigned)(t >> (n & 7)), o[k++] = x + y + n, o[k++] = n - x - y, o[k++] = (unsigned)((long long)s * t >> 3);
    o[k++] = (unsigned)((unsigned long long)n * y >> 5), o[k++] = (unsigned)(w + v), o[k++] = (unsigned)((w + v) >> 32);
    o[k++] = (unsigned)(w - v), o[k++] = (unsigned)((v - w) >> 32), o[k++] = w < v, o[k++] = v <= w ? x : n;
    const float r[] = { f + g, f - g, g - f, f * g, g * -f, f < g ? g : h, g < f ? f : h, f >= g ? h : g, g == f ? f : g };
    const double q[] = { d + g, d - g, g - d, d * h, d < g ? d : h, g >= d ? h : d };
#pragma unroll
    for (unsigned j = 0; j < 9; j++) {
        union { float real; unsigned word; } bits = { r[j] };
        o[k++] = bits.word;
    }
#pragma unroll
    for (unsigned j = 0; j < 6; j++) {
        union { double real; unsigned word[2]; } bits = { q[j] };
        o[k++] = bits.word[0] ^ bits.word[1];
    }
    o[k++] = x % 3 ? n : y;
    if (x % 5 == 1)
        o[k++] = n + (unsigned)s * x;
    else
        o[k++] = (unsigned)s - y;
}
