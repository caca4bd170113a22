/* What the nine workloads and their host versions share: random numbers and elementary functions
 * that come out the same, bit for bit, on both.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only exact operations are used: + - * / of f32, sqrt, conversions, fmaf.  A device compiler fuses
 * a product with the sum that uses it and C does not, so such a pair is always written as fmaf:
 * here, and in all that is compiled for both sides. */
#ifndef PAPER_A_SHARED_H
#define PAPER_A_SHARED_H
#if defined(__CUDACC__) || defined(__CUDA__)
#ifndef PA_UNMARKED                              /* defined: the annotations are not there */
#include <simt_predict.h>
#else
#define SIMT_PREDICT(...) ((void)0)
#define SIMT_LABEL(name) ((void)0)
#endif
#define PA_FN static __inline__ __attribute__((device, always_inline))
#define PA_UNROLL _Pragma("unroll")              /* small arrays stay in registers */
typedef unsigned int pa_u32;
typedef unsigned long long pa_u64;
PA_FN pa_u32 pa_bits(float x) { return __float_as_uint(x); }
PA_FN float pa_float(pa_u32 x) { return __uint_as_float(x); }
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
#define PA_FN static inline __attribute__((unused))
#define PA_UNROLL
typedef uint32_t pa_u32;
typedef unsigned long long pa_u64;
PA_FN pa_u32 pa_bits(float x) { pa_u32 u; memcpy(&u, &x, sizeof u); return u; }
PA_FN float pa_float(pa_u32 x) { float f; memcpy(&f, &x, sizeof f); return f; }
#endif

/* ---- random numbers in [0, 1) ---- */

/* RSBench and XSBench: x' = (a x + 1) mod 2^63; the top 24 of 63 bits. */
PA_FN float pa_lcg(pa_u64 *state)
{
    *state = (2806196910506780709ull * *state + 1) & 0x7fffffffffffffffull;
    return (float)(pa_u32)(*state >> 39) * 0x1p-24f;
}

/* The same, n steps further: (a, c) is squared for each bit of n. */
PA_FN pa_u64 pa_lcg_skip(pa_u64 state, pa_u64 n)
{
    pa_u64 a = 2806196910506780709ull, c = 1, an = 1, cn = 0;
    for (; n; n >>= 1) {
        if (n & 1) {
            an *= a;
            cn = cn * a + c;
        }
        c *= a + 1;
        a *= a;
    }
    return (an * state + cn) & 0x7fffffffffffffffull;
}

/* Marsaglia's multiply with carry: x and its carry in one word, as GPU ports of MCML do it.  In (0,
 * 1]. */
PA_FN float pa_mwc(pa_u64 *state)
{
    *state = (*state & 0xffffffffull) * 4294967118ull + (*state >> 32);
    return (float)(((pa_u32)*state >> 8) + 1) * 0x1p-24f;
}

/* L'Ecuyer's RANECU (1988), the generator of PENELOPE and MC-GPU: two congruential ones by
 * Schrage's method. */
struct pa_ranecu { int a, b; };
PA_FN float pa_ranecu(struct pa_ranecu *r)
{
    int qa = r->a / 53668, qb = r->b / 52774;
    r->a = 40014 * (r->a - qa * 53668) - qa * 12211;
    r->b = 40692 * (r->b - qb * 52774) - qb * 3791;
    r->a += r->a < 0 ? 2147483563 : 0;
    r->b += r->b < 0 ? 2147483399 : 0;
    int z = r->a - r->b;
    z += z < 1 ? 2147483562 : 0;
    return (float)(z >> 7) * 0x1p-24f;
}

/* A start for generator n: the finalizer of MurmurHash3. */
PA_FN pa_u32 pa_hash(pa_u32 n)
{
    n = (n ^ n >> 16) * 0x85ebca6bu;
    n = (n ^ n >> 13) * 0xc2b2ae35u;
    return n ^ n >> 16;
}

/* ---- elementary functions, to about 2^-22 ---- */

/* log x, x a normal number: k log 2 + 2 artanh((m - 1) / (m + 1)), m in [2/3, 4/3). */
PA_FN float pa_log(float x)
{
    int k = (int)(pa_bits(x) - 0x3f2aaaabu) >> 23;
    float m = pa_float(pa_bits(x) - ((pa_u32)k << 23)) - 1.0f;
    float s = m / (m + 2.0f), q = s * s;
    float p = fmaf(fmaf(fmaf(fmaf(q, 0.22222222f, 0.28571429f), q, 0.4f), q, 0.66666667f), q, 2.0f);
    return fmaf((float)k, 0.69314718f, s * p);
}

/* Sine and cosine of any moderate x: x - k pi/2 in two parts, a polynomial each, exchanged by
 * quadrant. */
PA_FN void pa_sincos(float x, float *sine, float *cosine)
{
    float shifted = fmaf(x, 0.63661977f, 12582912.0f), k = shifted - 12582912.0f;
    float r = fmaf(k, 4.3711388e-8f, fmaf(k, -1.57079637f, x)), s = r * r;
    float a = fmaf(fmaf(fmaf(fmaf(2.7181184e-6f, s, -1.9839335e-4f), s, 8.3332976e-3f), s,
                        -0.16666667f),
                   s * r, r);
    float b = fmaf(fmaf(fmaf(fmaf(2.4432694e-5f, s, -1.3887316e-3f), s, 4.1666646e-2f), s, -0.5f),
                   s, 1.0f);
    pa_u32 quadrant = pa_bits(shifted) & 3;
    float first = quadrant & 1 ? b : a, second = quadrant & 1 ? a : b;
    *sine = quadrant & 2 ? -first : first;
    *cosine = (quadrant + 1) & 2 ? -second : second;
}

/* atan x: for |x| > 1 of the reciprocal.  (Abramowitz and Stegun 4.4.49.) */
PA_FN float pa_atan(float x)
{
    float a = fabsf(x), y = a > 1.0f ? 1.0f / a : a, s = y * y;
    float p = fmaf(fmaf(fmaf(fmaf(0.0028662257f, s, -0.0161657367f), s, 0.0429096138f), s,
                        -0.0752896400f),
                   s, 0.1065626393f);
    p = fmaf(fmaf(fmaf(fmaf(p, s, -0.1420889944f), s, 0.1999355085f), s, -0.3333314528f), s, 1.0f) *
        y;
    p = a > 1.0f ? 1.57079633f - p : p;
    return x < 0.0f ? -p : p;
}

/* ---- vectors ---- */
struct pa_v3 { float x, y, z; };
PA_FN struct pa_v3 pa_xyz(float x, float y, float z) { struct pa_v3 v = { x, y, z }; return v; }
PA_FN struct pa_v3 pa_sub(struct pa_v3 a, struct pa_v3 b)
{
    return pa_xyz(a.x - b.x, a.y - b.y, a.z - b.z);
}
PA_FN struct pa_v3 pa_times(struct pa_v3 a, float s) { return pa_xyz(a.x * s, a.y * s, a.z * s); }
/* a + s b */
PA_FN struct pa_v3 pa_along(struct pa_v3 a, float s, struct pa_v3 b)
{
    return pa_xyz(fmaf(s, b.x, a.x), fmaf(s, b.y, a.y), fmaf(s, b.z, a.z));
}
PA_FN float pa_dot(struct pa_v3 a, struct pa_v3 b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}
PA_FN struct pa_v3 pa_cross(struct pa_v3 a, struct pa_v3 b)
{
    return pa_xyz(fmaf(a.y, b.z, -(a.z * b.y)), fmaf(a.z, b.x, -(a.x * b.z)),
                  fmaf(a.x, b.y, -(a.y * b.x)));
}
PA_FN struct pa_v3 pa_unit(struct pa_v3 a) { return pa_times(a, 1.0f / sqrtf(pa_dot(a, a))); }

/* Turns direction d by the polar angle whose cosine is given and an azimuth, both about d
 * itself. */
PA_FN struct pa_v3 pa_turn(struct pa_v3 d, float cosine, float azimuth)
{
    float s, c, sine = sqrtf(fmaxf(fmaf(-cosine, cosine, 1.0f), 0.0f)),
                across = fmaf(-d.z, d.z, 1.0f);
    pa_sincos(azimuth, &s, &c);
    if (across < 1e-6f)
        return pa_xyz(sine * c, sine * s, d.z < 0.0f ? -cosine : cosine);
    float root = sqrtf(across), f = sine / root, xz = d.x * d.z, yz = d.y * d.z;
    return pa_xyz(fmaf(f, fmaf(xz, c, -(d.y * s)), d.x * cosine),
                  fmaf(f, fmaf(yz, c, d.x * s), d.y * cosine), fmaf(-sine * c, root, d.z * cosine));
}

#endif
