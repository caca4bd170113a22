/* Random numbers of the inputs, the same on every host: exact operations of f32 alone.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_B_RANDOM_H
#define PAPER_B_RANDOM_H
#include "tests/paper_a/shared.h"

/* e^x to about 2^-22, |x| < 80: 2^k times a polynomial of what is left. */
PA_FN float pb_exp(float x)
{
    float shifted = fmaf(x, 1.44269504f, 12582912.0f), k = shifted - 12582912.0f;
    float r = fmaf(k, -1.42860677e-6f, fmaf(k, -0.693145752f, x));
    float p = fmaf(fmaf(fmaf(fmaf(fmaf(r, 0.0083333333f, 0.041666667f), r, 0.16666667f), r, 0.5f),
                        r, 1.0f),
                   r, 1.0f);
    return p * pa_float((pa_u32)((int)k + 127) << 23);
}

/* Normal with mean 0 and deviation 1 (Box and Muller). */
PA_FN float pb_normal(pa_u64 *seed)
{
    float s, c, r = sqrtf(-2.0f * pa_log(fmaxf(pa_lcg(seed), 1e-7f)));
    pa_sincos(6.2831853f * pa_lcg(seed), &s, &c);
    return r * c;
}

/* Log-normal with this mean, not median; at least 1. */
PA_FN int pb_length(pa_u64 *seed, float mean, float sigma)
{
    float x = mean * pb_exp(fmaf(sigma, pb_normal(seed), -0.5f * sigma * sigma));
    return x < 1.0f ? 1 : (int)x;
}

/* 0 to n - 1. */
PA_FN int pb_below(pa_u64 *seed, int n) { return (int)(pa_lcg(seed) * (float)n); }
#endif
