/* cuRAND's device side: XORWOW and Philox generators, and the distributions over them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sequences have these generators' quality and period, but are not the numbers that cuRAND gives
 * for the same seed: how it begins a sequence is not published.  XORWOW: Marsaglia, "Xorshift RNGs"
 * (2003); Philox4x32-10: Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (2011). */
#ifndef HEDDLE_CURAND_KERNEL_H
#define HEDDLE_CURAND_KERNEL_H
#include "cuda_runtime.h"
#include "curand.h"
#define HD_RAND static __inline__ __attribute__((device))
struct curandStateXORWOW { unsigned d, v[5]; int has_normal; float normal; };
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
struct curandStatePhilox4_32_10 {
    uint4 counter, out;
    uint2 key;
    unsigned used;
    int has_normal;
    float normal;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

HD_RAND unsigned long long heddle_mix(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ull;             /* splitmix64 */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}
HD_RAND void heddle_seed(curandStateXORWOW *s, unsigned long long seed, unsigned long long sequence)
{
    unsigned long long x = heddle_mix(seed) ^ heddle_mix(~sequence);
    for (int i = 0; i < 5; i++) s->v[i] = (unsigned)(x = heddle_mix(x)) | (i == 0);
    s->d = (unsigned)(x >> 32);
    s->has_normal = 0;
}
HD_RAND unsigned curand(curandStateXORWOW *s)
{
    unsigned t = s->v[0] ^ s->v[0] >> 2;
    for (int i = 0; i < 4; i++) s->v[i] = s->v[i + 1];
    s->v[4] = s->v[4] ^ s->v[4] << 4 ^ t ^ t << 1;
    return s->v[4] + (s->d += 362437);
}
HD_RAND void skipahead(unsigned long long n, curandStateXORWOW *s)
{
    while (n--) curand(s);
}
HD_RAND void curand_init(unsigned long long seed, unsigned long long sequence,
                         unsigned long long offset, curandStateXORWOW *s)
{
    heddle_seed(s, seed, sequence);
    skipahead(offset, s);
}

/* In plain C: a host's compiler reads this, too. */
HD_RAND uint4 heddle_philox(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        c = make_uint4((unsigned)(b >> 32) ^ c.y ^ k.x, (unsigned)b,
                       (unsigned)(a >> 32) ^ c.w ^ k.y, (unsigned)a);
        k.x += 0x9e3779b9u, k.y += 0xbb67ae85u;
    }
    return c;
}
HD_RAND void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s)
{
    unsigned long long at = ((unsigned long long)s->counter.y << 32 | s->counter.x) + n / 4;
    s->used += (unsigned)(n % 4);
    at += s->used / 4;
    s->used %= 4;
    s->counter.x = (unsigned)at, s->counter.y = (unsigned)(at >> 32);
    s->out = heddle_philox(s->counter, s->key);
}
HD_RAND void curand_init(unsigned long long seed, unsigned long long sequence,
                         unsigned long long offset, curandStatePhilox4_32_10 *s)
{
    s->counter = make_uint4(0, 0, (unsigned)sequence, (unsigned)(sequence >> 32));
    s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    s->used = 0;
    s->has_normal = 0;
    skipahead(offset, s);
}
HD_RAND unsigned curand(curandStatePhilox4_32_10 *s)
{
    unsigned v = s->used == 0   ? s->out.x
                 : s->used == 1 ? s->out.y
                 : s->used == 2 ? s->out.z
                                : s->out.w;
    skipahead(1, s);
    return v;
}
HD_RAND uint4 curand4(curandStatePhilox4_32_10 *s)
{
    uint4 v;
    v.x = curand(s), v.y = curand(s), v.z = curand(s), v.w = curand(s);
    return v;
}

/* (0, 1], as cuRAND has it. */
HD_RAND float heddle_uniform(unsigned x) { return x * 2.3283064e-10f + 1.16415322e-10f; }
template <class S> HD_RAND float curand_uniform(S *s) { return heddle_uniform(curand(s)); }
template <class S> HD_RAND double curand_uniform_double(S *s)
{
    unsigned long long hi = curand(s), lo = curand(s);
    return (double)((hi << 32 | lo) >> 11) * 1.1102230246251565e-16 + 5.551115123125783e-17;
}
template <class S> HD_RAND float2 curand_normal2(S *s)
{
    float r = sqrtf(-2.0f * logf(curand_uniform(s))), angle = 6.2831853f * curand_uniform(s);
    return make_float2(r * sinf(angle), r * cosf(angle));
}
template <class S> HD_RAND float curand_normal(S *s)
{
    if (s->has_normal) {
        s->has_normal = 0;
        return s->normal;
    }
    float2 two = curand_normal2(s);
    s->has_normal = 1;
    s->normal = two.y;
    return two.x;
}
template <class S> HD_RAND double curand_normal_double(S *s)
{
    double r = sqrt(-2.0 * log(curand_uniform_double(s)));
    return r * sin(6.283185307179586 * curand_uniform_double(s));
}
template <class S> HD_RAND float curand_log_normal(S *s, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(s));
}
template <class S> HD_RAND float4 curand_uniform4(S *s)
{
    float4 v;
    v.x = curand_uniform(s), v.y = curand_uniform(s), v.z = curand_uniform(s),
    v.w = curand_uniform(s);
    return v;
}
template <class S> HD_RAND float4 curand_normal4(S *s)
{
    float2 a = curand_normal2(s), b = curand_normal2(s);
    return make_float4(a.x, a.y, b.x, b.y);
}
/* Knuth's product for small means, a normal approximation for large ones. */
template <class S> HD_RAND unsigned curand_poisson(S *s, double mean)
{
    if (mean > 60) {
        float v = rintf((float)mean + sqrtf((float)mean) * curand_normal(s));
        return v < 0 ? 0 : (unsigned)v;
    }
    float limit = expf(-(float)mean), product = 1;
    unsigned n = 0;
    while ((product *= curand_uniform(s)) > limit) n++;
    return n;
}
#undef HD_RAND
#endif
