// Small numbers, several in a word: video instructions, pairs of 16-bit integers, numbers of eight bits.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;
static void check(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s\n", what);
}
static uint32_t seed = 7;
static uint32_t rnd() { return seed = seed * 1664525u + 1013904223u, seed ^ seed >> 15; }
enum { N = 256 };

#define VIDEO(name, text) \
    __global__ void name(const uint32_t *in, uint32_t *out) \
    { \
        unsigned t = blockIdx.x * blockDim.x + threadIdx.x; \
        uint32_t d = in[3 * t + 2]; \
        asm volatile(text : "+r"(d) : "r"(in[3 * t]), "r"(in[3 * t + 1]), "r"(in[3 * t + 2])); \
        out[t] = d; \
    }
VIDEO(sad_u, "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;")
VIDEO(sad_s, "vabsdiff4.u32.s32.s32 %0, %1, %2, %3;")
VIDEO(add_sat, "vadd4.s32.s32.s32.sat %0, %1, %2, %3;")
VIDEO(add_mask, "vadd4.u32.u32.s32 %0.b20, %1, %2, %3;")
VIDEO(sub_sat, "vsub2.u32.u32.u32.sat %0, %1, %2, %3;")
VIDEO(avrg, "vavrg2.s32.s32.s32 %0, %1, %2, %3;")
VIDEO(least, "vmin4.s32.s32.u32 %0, %1.b7015, %2, %3;")
VIDEO(most, "vmax2.u32.u32.u32 %0, %1, %2.h03, %3;")
VIDEO(ge, "vset4.u32.u32.ge %0, %1, %2, %3;")
VIDEO(lt, "vset2.s32.s32.lt.add %0, %1, %2, %3;")
VIDEO(guarded, "{.reg .pred p; setp.lt.s32 p, %1, 0; @p vmin2.u32.u32.u32 %0, %1, %2, %3;}")
VIDEO(pair_max, "max.s16x2 %0, %1, %2;")
VIDEO(pair_relu, "min.relu.s16x2 %0, %1, %2;")
VIDEO(pair_add, "add.u16x2 %0, %1, %2;")
VIDEO(one_relu, "max.relu.s32 %0, %1, %2;")

static int part(uint32_t v, int k, int bits, bool sign)
{
    uint32_t u = v >> k * bits & ((1u << bits) - 1);
    return sign && u >> (bits - 1) ? (int)u - (1 << bits) : (int)u;
}
struct video {
    const char *name;
    void (*kernel)(const uint32_t *, uint32_t *);
    int n;
    bool sd, sa, sb, sat, add;
    unsigned mask;
    int (*op)(int, int);
    const char *a, *b;           // parts of a and b that are taken, from the highest
    bool negative;               // under a guard: only where a is less than zero
};
static int v_add(int x, int y) { return x + y; }
static int v_sub(int x, int y) { return x - y; }
static int v_avrg(int x, int y) { return (int)floor((x + y + (x + y >= 0 ? 1 : 0)) / 2.0); }
static int v_abs(int x, int y) { return x > y ? x - y : y - x; }
static int v_min(int x, int y) { return x < y ? x : y; }
static int v_max(int x, int y) { return x > y ? x : y; }
static int v_ge(int x, int y) { return x >= y; }
static int v_lt(int x, int y) { return x < y; }
static int v_min0(int x, int y) { int m = v_min(x, y); return m < 0 ? 0 : m; }
static const video every[] = {
    { "vabsdiff4.add", sad_u, 4, false, false, false, false, true, 15, v_abs, "3210", "7654" },
    { "vabsdiff4 signed", sad_s, 4, false, true, true, false, false, 15, v_abs, "3210", "7654" },
    { "vadd4.sat", add_sat, 4, true, true, true, true, false, 15, v_add, "3210", "7654" },
    { "vadd4 of parts", add_mask, 4, false, false, true, false, false, 5, v_add, "3210", "7654" },
    { "vsub2.sat", sub_sat, 2, false, false, false, true, false, 3, v_sub, "10", "32" },
    { "vavrg2", avrg, 2, true, true, true, false, false, 3, v_avrg, "10", "32" },
    { "vmin4 selected", least, 4, true, true, false, false, false, 15, v_min, "7015", "7654" },
    { "vmax2 selected", most, 2, false, false, false, false, false, 3, v_max, "10", "03" },
    { "vset4", ge, 4, false, false, false, false, false, 15, v_ge, "3210", "7654" },
    { "vset2.add", lt, 2, false, true, true, false, true, 3, v_lt, "10", "32" },
    { "vmin2 guarded", guarded, 2, false, false, false, false, false, 3, v_min, "10", "32", true },
    { "max.s16x2", pair_max, 2, true, true, true, false, false, 3, v_max, "10", "32" },
    { "min.relu.s16x2", pair_relu, 2, true, true, true, false, false, 3, v_min0, "10", "32" },
    { "add.u16x2", pair_add, 2, false, false, false, false, false, 3, v_add, "10", "32" },
};
static uint32_t run_one(const video &v, uint32_t a, uint32_t b, uint32_t c)
{
    int bits = 32 / v.n;
    uint32_t d = c;
    if (v.negative && (int32_t)a >= 0) return c;
    for (int k = 0; k < v.n; k++) {
        if (!(v.mask >> k & 1)) continue;
        int ia = v.a[v.n - 1 - k] - '0', ib = v.b[v.n - 1 - k] - '0';
        int x = part(ia < v.n ? a : b, ia % v.n, bits, v.sa), y = part(ib < v.n ? a : b, ib % v.n, bits, v.sb), r = v.op(x, y);
        if (v.sat) {
            int lo = v.sd ? -(1 << (bits - 1)) : 0, hi = v.sd ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
            r = r < lo ? lo : r > hi ? hi : r;
        }
        uint32_t m = ((1u << bits) - 1) << k * bits;
        d = v.add ? d + (uint32_t)r : (d & ~m) | ((uint32_t)r << k * bits & m);
    }
    return d;
}
static uint32_t corner()
{
    static const uint32_t c[] = { 0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x00ff00ff };
    uint32_t r = rnd();
    return r & 3 ? rnd() : c[(r >> 2) % 7];
}
static void test_video()
{
    static uint32_t in[3 * N], out[N], *di, *d;
    cudaMalloc(&di, sizeof in), cudaMalloc(&d, sizeof out);
    for (uint32_t &v : in) v = corner();
    cudaMemcpy(di, in, sizeof in, cudaMemcpyHostToDevice);
    for (const video &v : every) {
        v.kernel<<<N / 64, 64>>>(di, d);
        check(v.name, cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess);
        for (int i = 0; i < N; i++)
            check(v.name, out[i] == run_one(v, in[3 * i], in[3 * i + 1], in[3 * i + 2]));
    }
    one_relu<<<N / 64, 64>>>(di, d);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) check("max.relu.s32", (int)out[i] == v_max(v_max((int)in[3 * i], (int)in[3 * i + 1]), 0));
}

// ---- e4m3 and e5m2, by a search among all their values -------------------------------------------
static double fp8(int code, bool e5m2)
{
    int f = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7, e = (code & 0x7f) >> f, m = code & ((1 << f) - 1);
    if ((code & 0x7f) > (e5m2 ? 0x7c : 0x7e)) return NAN;
    if (e5m2 && (code & 0x7f) == 0x7c) return code & 0x80 ? -INFINITY : INFINITY;
    double v = e ? ldexp((1 << f) + m, e - bias - f) : ldexp(m, 1 - bias - f);
    return code & 0x80 ? -v : v;
}
static int nearest(double v, bool e5m2)
{
    int most = e5m2 ? 0x7b : 0x7e, best = 0, sign = signbit(v) ? 0x80 : 0;
    if (v != v) return 0x7f;
    v = fabs(v);
    if (v >= fp8(most, e5m2)) return sign | most;
    for (int c = 0; c <= most; c++) {
        double now = fabs(fp8(c, e5m2) - v), was = fabs(fp8(best, e5m2) - v);
        if (now < was || (now == was && !(c & 1))) best = c;
    }
    return sign | best;
}
__global__ void narrow(const float *in, uint16_t *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    uint16_t a, b, c;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(a) : "f"(in[2 * t + 1]), "f"(in[2 * t]));
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(b) : "f"(in[2 * t + 1]), "f"(in[2 * t]));
    asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(c) : "f"(in[2 * t + 1]), "f"(in[2 * t]));
    out[3 * t] = a, out[3 * t + 1] = b, out[3 * t + 2] = c;
}
__global__ void widen(uint32_t *out)
{
    unsigned t = threadIdx.x;
    uint16_t two = (uint16_t)(t | (255 - t) << 8), back;
    uint32_t a, b;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(a) : "h"(two));
    asm("cvt.rn.relu.f16x2.e5m2x2 %0, %1;" : "=r"(b) : "h"(two));
    asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(back) : "r"(a));
    out[3 * t] = a, out[3 * t + 1] = b, out[3 * t + 2] = back;
}
static double half(uint32_t h)
{
    int e = h >> 10 & 31, m = h & 1023;
    double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h & 0x8000 ? -v : v;
}
static bool same(double a, double b) { return a != a ? b != b : a == b && !signbit(a) == !signbit(b); }
static void test_fp8()
{
    enum { M = 1024 };
    static float in[2 * M], *di;
    static uint16_t out[3 * M], *d;
    static uint32_t wide[768], *dw;
    for (int i = 0; i < 2 * M; i++) {
        uint32_t bits = rnd();
        if (i < 508) in[i] = (float)((fp8(i % 127, i & 1) + fp8(i % 127 + 1, i & 1)) / 2 * (i & 256 ? -1 : 1));     // ties
        else if (i & 1) in[i] = (float)((int)(bits & 0xffff) - 32768) / (float)(1 << (bits >> 16 & 31));
        else memcpy(&in[i], &bits, 4);
    }
    cudaMalloc(&di, sizeof in), cudaMalloc(&d, sizeof out), cudaMalloc(&dw, sizeof wide);
    cudaMemcpy(di, in, sizeof in, cudaMemcpyHostToDevice);
    narrow<<<M / 64, 64>>>(di, d);
    check("fp8 runs", cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < 2 * M; i++) {
        int s = i % 2 * 8, relu = in[i] != in[i] ? 0x7f : signbit(in[i]) ? 0 : nearest(in[i], false);
        check("to e4m3", (out[i / 2 * 3] >> s & 255) == nearest(in[i], false));
        check("to e5m2", (out[i / 2 * 3 + 1] >> s & 255) == nearest(in[i], true));
        check("to e4m3 .relu", (out[i / 2 * 3 + 2] >> s & 255) == relu);
    }
    widen<<<1, 256>>>(dw);
    cudaMemcpy(wide, dw, sizeof wide, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 256; t++)
        for (int k = 0; k < 2; k++) {
            int code = k ? 255 - t : t;
            double a = fp8(code, false), b = fp8(code, true);
            check("from e4m3", same(half(wide[3 * t] >> 16 * k & 0xffff), a));
            check("from e5m2 .relu", same(half(wide[3 * t + 1] >> 16 * k & 0xffff), b != b ? b : signbit(b) ? 0 : b));
            check("there and back", (wide[3 * t + 2] >> 8 * k & 255) == (uint32_t)(a != a ? 0x7f : code));
        }
}

int main()
{
    test_video();
    test_fp8();
    check("at the end", cudaDeviceSynchronize() == cudaSuccess);
    puts(failures ? "FAIL" : "PASS");
    return failures > 0;
}
