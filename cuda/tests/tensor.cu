// Products of matrices by mma.sync and wmma, ldmatrix and its like: element by element as the PTX ISA lays
// them out, against sums on the host in ascending k, bit by bit.  SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static void check(const char *what, bool ok)
{
    if (!ok) failures++, printf("FAIL %s\n", what);
}
static uint32_t seed = 1;
static uint32_t rnd() { return seed = seed * 1664525u + 1013904223u, seed >> 8; }
static float bits_float(uint32_t v) { float f; memcpy(&f, &v, 4); return f; }
static uint32_t float_bits(float f) { uint32_t v; memcpy(&v, &f, 4); return v; }

// ---- values that f16, bf16 and tf32 hold exactly ------------------------------------------------
static uint32_t to_half(float f)            // of a number that fits, rounded to nearest
{
    uint32_t b = float_bits(f), s = b >> 16 & 0x8000;
    double a = fabs((double)f);
    if (a == 0) return s;
    if (a >= 65520) return s | 0x7c00;
    int e = (int)floor(log2(a));
    if (e < -14) e = -14;
    double q = nearbyint(ldexp(a, 10 - e));
    if (q >= 2048) q /= 2, e++;
    if (e > 15) return s | 0x7c00;
    return q < 1024 ? s | (uint32_t)q : s | (uint32_t)((e + 15) << 10 | ((uint32_t)q & 1023));
}
static float from_half(uint32_t h)
{
    int e = h >> 10 & 31, m = h & 1023;
    double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return (float)(h & 0x8000 ? -v : v);
}
enum type { F16, BF16, TF32, S8, U8, S4, U4, B1 };
static const int width[] = { 16, 16, 32, 8, 8, 4, 4, 1 };
static uint32_t random_element(type t)
{
    uint32_t r = rnd();
    switch (t) {
    case F16: return to_half((float)((int)(r & 0xffff) - 32768) / (r & 0x10000 ? 4096.0f : 70000000.0f));
    case BF16: return float_bits((float)((int)(r & 0xffff) - 32768) / 3000.0f) >> 16;
    case TF32: return float_bits((float)((int)(r & 0xfffff) - 524288) / 30000.0f);     // low bits are ignored
    default: return r & ((1u << width[t]) - 1);
    }
}
static double value(type t, uint32_t e)
{
    switch (t) {
    case F16: return from_half(e);
    case BF16: return bits_float(e << 16);
    case TF32: return bits_float(e & 0xffffe000);
    case S8: return (int8_t)e;
    case S4: return (int)(e ^ 8) - 8;
    default: return e;
    }
}

// ---- the matrices, and where a lane has what ---------------------------------------------------
static uint32_t A[16][256], B[256][8];
static double bound[16][8];
static const int G(int lane) { return lane >> 2; }
static const int T(int lane) { return lane & 3; }
// Element i of a lane's A: PTX ISA, by the bits of an element.
static void place_a(int bits, int lane, int i, int *row, int *col)
{
    int per = 32 / bits, reg = i / per;          // per elements in a register
    *row = G(lane) + (reg & 1 ? 8 : 0);
    *col = T(lane) * per + i % per + (reg >= 2 ? 4 * per : 0);
}
static void place_b(int bits, int lane, int i, int *k, int *col)
{
    int per = 32 / bits, reg = i / per;
    *k = T(lane) * per + i % per + (reg ? 4 * per : 0);
    *col = G(lane);
}
static void place_c(int lane, int i, int *row, int *col)
{
    *row = G(lane) + (i < 2 ? 0 : 8);
    *col = T(lane) * 2 + (i & 1);
}
struct regs { uint32_t a[4], b[2], c[4], d[4]; };

#define PRODUCT(name, na, nb, ptx) \
    __global__ void name(regs *r) \
    { \
        regs *m = r + threadIdx.x; \
        uint32_t d0, d1, d2, d3; \
        asm volatile(ptx : "=r"(d0), "=r"(d1), "=r"(d2), "=r"(d3) \
                     : "r"(m->a[0]), "r"(m->a[1]), "r"(m->a[2]), "r"(m->a[3]), "r"(m->b[0]), "r"(m->b[1]), \
                       "r"(m->c[0]), "r"(m->c[1]), "r"(m->c[2]), "r"(m->c[3])); \
        m->d[0] = d0, m->d[1] = d1, m->d[2] = d2, m->d[3] = d3; \
    }
#define FOUR(op) op " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
#define TWO(op) op " {%0,%1,%2,%3}, {%4,%5}, {%8}, {%10,%11,%12,%13};"
#define EIGHT(op) "mov.b32 %2, 0; mov.b32 %3, 0; " op " {%0,%1}, {%4}, {%8}, {%10,%11};"
#define HALF(op) "mov.b32 %2, 0; mov.b32 %3, 0; " op " {%0,%1}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11};"
// Into the registers that C has.
#define SAME "{.reg .b32 x<4>; mov.b32 x0, %10; mov.b32 x1, %11; mov.b32 x2, %12; mov.b32 x3, %13;\n\t" \
             "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {x0,x1,x2,x3}, {%4,%5,%6,%7}, {%8,%9}, {x0,x1,x2,x3};\n\t" \
             "mov.b32 %0, x0; mov.b32 %1, x1; mov.b32 %2, x2; mov.b32 %3, x3;}"
PRODUCT(f16_16, 4, 2, FOUR("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"))
PRODUCT(f16_same, 4, 2, SAME)
PRODUCT(f16_8, 2, 1, TWO("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"))
PRODUCT(f16_f16, 4, 2, HALF("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"))
PRODUCT(bf16_16, 4, 2, FOUR("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"))
PRODUCT(bf16_8, 2, 1, TWO("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32"))
PRODUCT(tf32_8, 4, 2, FOUR("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"))
PRODUCT(tf32_4, 2, 1, TWO("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"))
PRODUCT(s8_32, 4, 2, FOUR("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"))
PRODUCT(s8u8_32, 4, 2, FOUR("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32"))
PRODUCT(u8s8_16, 2, 1, TWO("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32"))
PRODUCT(u8_sat, 4, 2, FOUR("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32"))
PRODUCT(s8_eight, 1, 1, EIGHT("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32"))
PRODUCT(s4_64, 4, 2, FOUR("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32"))
PRODUCT(u4s4_32, 2, 1, TWO("mma.sync.aligned.m16n8k32.row.col.s32.u4.s4.s32"))
PRODUCT(b1_xor, 4, 2, FOUR("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc"))
PRODUCT(b1_and, 2, 1, TWO("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc"))

enum sum { FLOAT, HALVES, WRAP, SATURATE, XOR, AND };
static void product(const char *name, void (*kernel)(regs *), type ta, type tb, int m, int k, sum how)
{
    static regs r[32];
    regs *dev;
    uint32_t C[16][8], D[16][8];
    int bits = width[ta], na = m * k * bits / 1024, nb = k * bits / 128;
    bool integral = ta >= S8;
    memset(r, 0, sizeof r);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < k; j++) A[i][j] = random_element(ta);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < 8; j++) B[i][j] = random_element(tb);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++)
            C[i][j] = how == FLOAT ? float_bits((float)((int)(rnd() & 0xffff) - 32768) / 100.0f)
                      : how == HALVES ? to_half((float)((int)(rnd() & 0xffff) - 32768) / 5000.0f)
                      : how == SATURATE && rnd() & 1 ? 0x7fffff00u + (rnd() & 255) : rnd() << 8;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 8; j++) {
            float f = how == HALVES ? from_half(C[i][j]) : bits_float(C[i][j]);
            double exact = f, size = fabs((double)f);
            int64_t n = 0;
            for (int q = 0; q < k; q++) {
                double a = value(ta, A[i][q]), b = value(tb, B[q][j]);
                f = fmaf((float)a, (float)b, f);
                exact += a * b, size += fabs(a * b);
                n += how == XOR ? (A[i][q] ^ B[q][j]) & 1 : how == AND ? A[i][q] & B[q][j] & 1 : (int64_t)(a * b);
            }
            int64_t s = (int64_t)(int32_t)C[i][j] + n;
            if (how == SATURATE) s = s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s;
            D[i][j] = integral ? (uint32_t)s : how == HALVES ? to_half(f) : float_bits(f);
            // k roundings of at most half an ulp of what has been summed
            if (!integral && how == FLOAT) check(name, fabs(f - exact) <= size * k * ldexp(1, -24));
        }
    for (int l = 0; l < 32; l++) {
        int x, y;
        for (int i = 0; i < na * 32 / bits; i++) {
            if (m == 8) x = G(l), y = T(l) * (32 / bits) + i;
            else place_a(bits, l, i, &x, &y);
            r[l].a[i * bits / 32] |= A[x][y] << (bits == 32 ? 0 : i * bits % 32);
        }
        for (int i = 0; i < nb * 32 / bits; i++) {
            place_b(bits, l, i, &x, &y);
            r[l].b[i * bits / 32] |= B[x][y] << (bits == 32 ? 0 : i * bits % 32);
        }
        for (int i = 0; i < m / 4; i++) {
            place_c(l, i, &x, &y);
            if (how == HALVES) r[l].c[i / 2] |= C[x][y] << i % 2 * 16;
            else r[l].c[i] = C[x][y];
        }
    }
    cudaMalloc(&dev, sizeof r);
    cudaMemcpy(dev, r, sizeof r, cudaMemcpyHostToDevice);
    kernel<<<1, 32>>>(dev);
    check(name, cudaMemcpy(r, dev, sizeof r, cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaFree(dev);
    int wrong = 0;
    for (int l = 0; l < 32; l++)
        for (int i = 0; i < m / 4; i++) {
            int x, y;
            place_c(l, i, &x, &y);
            uint32_t got = how == HALVES ? r[l].d[i / 2] >> i % 2 * 16 & 0xffff : r[l].d[i];
            if (got != D[x][y] && !wrong++) printf("%s: lane %d, %d: %08x, not %08x\n", name, l, i, got, D[x][y]);
        }
    check(name, !wrong);
}

// ---- f64 ---------------------------------------------------------------------------------------
__global__ void doubles(const double *a, const double *b, const double *c, double *d)      // 16 by 8 by 8
{
    int l = threadIdx.x, g = l >> 2, t = l & 3;
    double d0, d1, d2, d3, e0, e1;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
                 : "=d"(d0), "=d"(d1), "=d"(d2), "=d"(d3)
                 : "d"(a[g * 8 + t]), "d"(a[(g + 8) * 8 + t]), "d"(a[g * 8 + t + 4]), "d"(a[(g + 8) * 8 + t + 4]),
                   "d"(b[t * 8 + g]), "d"(b[(t + 4) * 8 + g]), "d"(c[g * 8 + 2 * t]), "d"(c[g * 8 + 2 * t + 1]),
                   "d"(c[(g + 8) * 8 + 2 * t]), "d"(c[(g + 8) * 8 + 2 * t + 1]));
    d[g * 8 + 2 * t] = d0, d[g * 8 + 2 * t + 1] = d1, d[(g + 8) * 8 + 2 * t] = d2, d[(g + 8) * 8 + 2 * t + 1] = d3;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};" : "=d"(e0), "=d"(e1)
                 : "d"(a[g * 8 + t]), "d"(b[t * 8 + g]), "d"(c[g * 8 + 2 * t]), "d"(c[g * 8 + 2 * t + 1]));
    d[128 + g * 8 + 2 * t] = e0, d[128 + g * 8 + 2 * t + 1] = e1;
}
static void test_doubles()
{
    static double a[128], b[64], c[128], d[192], *x[4];
    for (double &v : a) v = (int)rnd() / 1e4 - 700;
    for (double &v : b) v = (int)rnd() / 3e5 - 20;
    for (double &v : c) v = (int)rnd() / 1e3 - 7000;
    double *from[] = { a, b, c, d };
    size_t size[] = { sizeof a, sizeof b, sizeof c, sizeof d };
    for (int i = 0; i < 4; i++)
        cudaMalloc(&x[i], size[i]), cudaMemcpy(x[i], from[i], size[i], cudaMemcpyHostToDevice);
    doubles<<<1, 32>>>(x[0], x[1], x[2], x[3]);
    cudaMemcpy(d, x[3], sizeof d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            double s = c[i * 8 + j];
            for (int k = 0; k < 8; k++) {
                s = fma(a[i * 8 + k], b[k * 8 + j], s);
                if (k == 3 && i < 8) check("f64 m8n8k4", d[128 + i * 8 + j] == s);
            }
            check("f64 m16n8k8", d[i * 8 + j] == s);
        }
}

// ---- ldmatrix, stmatrix, movmatrix; under a guard --------------------------------------------------
__global__ void move(uint32_t *out)
{
    __shared__ __attribute__((aligned(16))) uint16_t m[4][8][24];      // rows 48 bytes apart
    int l = threadIdx.x;
    for (int i = l; i < 4 * 8 * 24; i += 32) (&m[0][0][0])[i] = (uint16_t)i;
    __syncwarp();
    uint32_t r[14], p = (uint32_t)(uint64_t)__cvta_generic_to_shared(&m[l >> 3][l & 7][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(p) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4+16];"
                 : "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "r"(p) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.b16 {%0,%1}, [%2];" : "=r"(r[8]), "=r"(r[9])
                 : "l"(&m[l >> 3 & 1][l & 7][0]) : "memory");
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[10]) : "r"(r[0]));
    r[11] = 77;
    asm volatile("{.reg .pred q; setp.eq.u32 q, %2, 1; @q ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];}"
                 : "+r"(r[11]) : "r"(p), "r"(blockDim.x) : "memory");
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" :: "r"(p), "r"(r[0]), "r"(r[1]) : "memory");
    __syncwarp();
    r[12] = m[0][l & 7][l >> 3] | (uint32_t)m[1][l & 7][4 + (l >> 3)] << 16;
    r[13] = m[2][l & 7][l >> 3];
    for (int i = 0; i < 14; i++) out[14 * l + i] = r[i];
}
static void test_move()
{
    static uint32_t r[32 * 14], *dev;
    cudaMalloc(&dev, sizeof r);
    move<<<1, 32>>>(dev);
    cudaMemcpy(r, dev, sizeof r, cudaMemcpyDeviceToHost);
    auto m = [](int i, int row, int col) { return (uint32_t)((i * 8 + row) * 24 + col); };
    for (int l = 0; l < 32; l++) {
        const uint32_t *x = r + 14 * l;
        int g = l >> 2, t = l & 3;
        for (int i = 0; i < 4; i++) {
            check("ldmatrix", x[i] == (m(i, g, 2 * t) | m(i, g, 2 * t + 1) << 16));
            check("ldmatrix.trans", x[4 + i] == (m(i, 2 * t, 8 + g) | m(i, 2 * t + 1, 8 + g) << 16));
        }
        check("ldmatrix.x2", x[8] == x[0] && x[9] == x[1]);
        check("movmatrix", x[10] == (m(0, 2 * t, g) | m(0, 2 * t + 1, g) << 16));
        check("a guard that holds nowhere", x[11] == 77);
        check("stmatrix", x[12] == (m(0, l >> 3, l & 7) | m(1, 4 + (l >> 3), l & 7) << 16));
        check("beside stmatrix", x[13] == m(2, l & 7, l >> 3));
    }
}

// ---- wmma: whole matrices, by rows and by columns --------------------------------------------------
#define WMMA(name, shape, la, lb, lc) \
    __global__ void name(const uint16_t *a, const uint16_t *b, const float *c, float *d, uint16_t *h, int lda, int ldb, int ldc) \
    { \
        asm volatile("{.reg .b32 a<8>, b<8>, h<4>; .reg .f32 c<8>;\n\t" \
            "wmma.load.a.sync.aligned." la "." shape ".global.f16 {a0,a1,a2,a3,a4,a5,a6,a7}, [%0], %5;\n\t" \
            "wmma.load.b.sync.aligned." lb "." shape ".f16 {b0,b1,b2,b3,b4,b5,b6,b7}, [%1], %6;\n\t" \
            "wmma.load.c.sync.aligned." lc "." shape ".global.f32 {c0,c1,c2,c3,c4,c5,c6,c7}, [%2], %7;\n\t" \
            "wmma.mma.sync.aligned." la "." lb "." shape ".f16.f32 {h0,h1,h2,h3}, {a0,a1,a2,a3,a4,a5,a6,a7}, " \
            "{b0,b1,b2,b3,b4,b5,b6,b7}, {c0,c1,c2,c3,c4,c5,c6,c7};\n\t" \
            "wmma.mma.sync.aligned." la "." lb "." shape ".f32.f32 {c0,c1,c2,c3,c4,c5,c6,c7}, {a0,a1,a2,a3,a4,a5,a6,a7}, " \
            "{b0,b1,b2,b3,b4,b5,b6,b7}, {c0,c1,c2,c3,c4,c5,c6,c7};\n\t" \
            "wmma.store.d.sync.aligned." lc "." shape ".global.f32 [%3], {c0,c1,c2,c3,c4,c5,c6,c7}, %7;\n\t" \
            "wmma.store.d.sync.aligned." lc "." shape ".global.f16 [%4], {h0,h1,h2,h3}, %7;}" \
            :: "l"(a), "l"(b), "l"(c), "l"(d), "l"(h), "r"(lda), "r"(ldb), "r"(ldc) : "memory"); \
    }
WMMA(w16_rr, "m16n16k16", "row", "row", "row")
WMMA(w16_cc, "m16n16k16", "col", "col", "col")
WMMA(w32_rc, "m32n8k16", "row", "col", "row")
WMMA(w32_cr, "m32n8k16", "col", "row", "col")
WMMA(w8_rc, "m8n32k16", "row", "col", "col")
WMMA(w8_cr, "m8n32k16", "col", "row", "row")
static void test_wmma(const char *name, void (*kernel)(const uint16_t *, const uint16_t *, const float *, float *, uint16_t *, int,
                                                      int, int), int m, int n, bool ra, bool rb, bool rc)
{
    int lda = (ra ? 16 : m) + 8, ldb = (rb ? n : 16) + 8, ldc = (rc ? n : m) + 4;      // more than needed
    static uint16_t a[40 * 40], b[40 * 40], h[40 * 40], *da, *db, *dh;
    static float c[40 * 40], d[40 * 40], *dc, *dd;
    for (uint16_t &v : a) v = (uint16_t)random_element(F16);
    for (uint16_t &v : b) v = (uint16_t)random_element(F16);
    for (float &v : c) v = (float)((int)(rnd() & 0xffff) - 32768) / 100.0f;
    memset(d, 0, sizeof d), memset(h, 0, sizeof h);
    cudaMalloc(&da, sizeof a), cudaMalloc(&db, sizeof b), cudaMalloc(&dc, sizeof c), cudaMalloc(&dd, sizeof d), cudaMalloc(&dh, sizeof h);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice), cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice), cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice);
    cudaMemcpy(dh, h, sizeof h, cudaMemcpyHostToDevice);
    kernel<<<1, 32>>>(da, db, dc, dd, dh, lda, ldb, ldc);
    cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost), cudaMemcpy(h, dh, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0, beside = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int at = rc ? i * ldc + j : j * ldc + i;
            float s = c[at];
            for (int k = 0; k < 16; k++)
                s = fmaf(from_half(a[ra ? i * lda + k : k * lda + i]), from_half(b[rb ? k * ldb + j : j * ldb + k]), s);
            wrong += float_bits(d[at]) != float_bits(s) || h[at] != to_half(s);
            d[at] = 0, h[at] = 0;
        }
    for (int i = 0; i < 1600; i++) beside += d[i] != 0 || h[i];
    check(name, !wrong && !beside);
}
__global__ void bytes(const int8_t *a, const uint8_t *b, int *d)       // 16 by 16 by 16, B by columns; in shared memory
{
    __shared__ __attribute__((aligned(32))) int8_t s[256];
    for (int i = threadIdx.x; i < 256; i += 32) s[i] = a[i];
    __syncthreads();
    asm volatile("{.reg .b32 a<2>, b<2>, c<8>;\n\t"
        "wmma.load.a.sync.aligned.col.m16n16k16.shared.s8 {a0,a1}, [%0];\n\t"
        "wmma.load.b.sync.aligned.row.m16n16k16.global.s8 {b0,b1}, [%1], 16;\n\t"
        "mov.b32 c0, 0; mov.b32 c1, 0; mov.b32 c2, 0; mov.b32 c3, 0; mov.b32 c4, 0; mov.b32 c5, 0; mov.b32 c6, 0; mov.b32 c7, 0;\n\t"
        "wmma.mma.sync.aligned.col.row.m16n16k16.s32.s8.s8.s32 {c0,c1,c2,c3,c4,c5,c6,c7}, {a0,a1}, {b0,b1}, {c0,c1,c2,c3,c4,c5,c6,c7};\n\t"
        "wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%2], {c0,c1,c2,c3,c4,c5,c6,c7}, 16;}"
        :: "r"((uint32_t)(uint64_t)__cvta_generic_to_shared(s)), "l"(b), "l"(d) : "memory");
}
static void test_bytes()
{
    static int8_t a[256], b[256], *da, *db;
    static int d[256], *dd;
    for (int i = 0; i < 256; i++) a[i] = (int8_t)rnd(), b[i] = (int8_t)rnd();
    cudaMalloc(&da, 256), cudaMalloc(&db, 256), cudaMalloc(&dd, 1024);
    cudaMemcpy(da, a, 256, cudaMemcpyHostToDevice), cudaMemcpy(db, b, 256, cudaMemcpyHostToDevice);
    bytes<<<1, 32>>>(da, (uint8_t *)db, dd);
    cudaMemcpy(d, dd, 1024, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            int s = 0;
            for (int k = 0; k < 16; k++) s += a[k * 16 + i] * b[k * 16 + j];
            check("wmma s8", d[i * 16 + j] == s);
        }
}

int main()
{
    product("f16 m16n8k16", f16_16, F16, F16, 16, 16, FLOAT);
    product("f16 into C", f16_same, F16, F16, 16, 16, FLOAT);
    product("f16 m16n8k8", f16_8, F16, F16, 16, 8, FLOAT);
    product("f16 of f16", f16_f16, F16, F16, 16, 16, HALVES);
    product("bf16 m16n8k16", bf16_16, BF16, BF16, 16, 16, FLOAT);
    product("bf16 m16n8k8", bf16_8, BF16, BF16, 16, 8, FLOAT);
    product("tf32 m16n8k8", tf32_8, TF32, TF32, 16, 8, FLOAT);
    product("tf32 m16n8k4", tf32_4, TF32, TF32, 16, 4, FLOAT);
    product("s8 m16n8k32", s8_32, S8, S8, 16, 32, WRAP);
    product("s8 by u8", s8u8_32, S8, U8, 16, 32, WRAP);
    product("u8 by s8", u8s8_16, U8, S8, 16, 16, WRAP);
    product("u8 .satfinite", u8_sat, U8, U8, 16, 32, SATURATE);
    product("s8 m8n8k16", s8_eight, S8, S8, 8, 16, WRAP);
    product("s4 m16n8k64", s4_64, S4, S4, 16, 64, WRAP);
    product("u4 by s4", u4s4_32, U4, S4, 16, 32, WRAP);
    product("b1 xor", b1_xor, B1, B1, 16, 256, XOR);
    product("b1 and", b1_and, B1, B1, 16, 128, AND);
    test_doubles();
    test_move();
    test_wmma("wmma 16 rows", w16_rr, 16, 16, true, true, true);
    test_wmma("wmma 16 columns", w16_cc, 16, 16, false, false, false);
    test_wmma("wmma 32 rows", w32_rc, 32, 8, true, false, true);
    test_wmma("wmma 32 columns", w32_cr, 32, 8, false, true, false);
    test_wmma("wmma 8 rows", w8_rc, 8, 32, true, false, false);
    test_wmma("wmma 8 columns", w8_cr, 8, 32, false, true, true);
    test_bytes();
    check("at the end", cudaDeviceSynchronize() == cudaSuccess);
    puts(failures ? "FAIL" : "PASS");
    return failures > 0;
}
