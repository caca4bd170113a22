/* Sound localization: an array, frames of one source and noise, and the host's directions.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The microphones are a tetrahedron; the correlation of a pair peaks at the delay of the frame's
 * source. */
#include "tests/paper_b/sl.h"
#include "tests/paper_b/random.h"
#include "tests/paper_b/workload.h"

static const struct sl_pair microphones[SL_MICROPHONES] = {
    { 9, 9, 9 }, { 9, -9, -9 }, { -9, 9, -9 }, { -9, -9, 9 }
};

static struct sl_best search(const struct sl_ring *ring, const struct sl_pair *pairs,
                             const float *frame)
{
    struct sl_best best = { -1e9f, 0 };
    for (int d = 0; d < ring->directions; d++) {
        float s, c, sum = 0.0f;
        pa_sincos((float)d * (6.2831853f / (float)ring->directions), &s, &c);
        float x = c * ring->cosine, y = s * ring->cosine;
        for (const struct sl_pair *q = pairs; q < pairs + SL_PAIRS; q++, frame += SL_DELAYS)
            sum += frame[sl_delay(*q, x, y, ring->sine)];
        frame -= SL_PAIRS * SL_DELAYS;
        if (sum > best.response)
            best = (struct sl_best){ sum, d };
    }
    return best;
}

static void make_frame(const struct sl_pair *pairs, float *frame, pa_u64 *seed)
{
    float z = 2.0f * pa_lcg(seed) - 1.0f, across = sqrtf(fmaxf(fmaf(-z, z, 1.0f), 0.0f)), s, c;
    pa_sincos(6.2831853f * pa_lcg(seed), &s, &c);
    for (int k = 0; k < SL_PAIRS; k++) {
        int peak = sl_delay(pairs[k], c * across, s * across, z);
        for (int d = 0; d < SL_DELAYS; d++) {
            float off = 0.5f * (float)(d - peak);
            frame[k * SL_DELAYS + d] = fmaf(0.3f, pa_lcg(seed),
                                            pb_exp(-0.5f * off * off < -60.0f ? -60.0f
                                                                              : -0.5f * off * off));
        }
    }
}

void sl_make(struct problem *p, enum size size)
{
    int n = size_threads(size), frames = (n + SL_RINGS - 1) / SL_RINGS,
        around = size == SIZE_RTL ? 60 : 360;
    pa_u64 seed = 343;
    workload_grid(p, n, 128);
    struct sl_ring *rings = problem_in(p, "rings", sizeof *rings * SL_RINGS);
    struct sl_pair *pairs = problem_in(p, "pairs", sizeof *pairs * SL_PAIRS);
    float *correlations = problem_in(p, "correlations",
                                     sizeof *correlations * SL_PAIRS * SL_DELAYS * (size_t)frames);
    struct sl_best *out = problem_out(p, "out", sizeof *out * (size_t)n);
    problem_int(p, "n", n);
    for (int r = 0; r < SL_RINGS; r++) {
        pa_sincos((float)(r - SL_RINGS / 2) * 0.017453293f, &rings[r].sine, &rings[r].cosine);
        rings[r].directions = 1 + (int)((float)around * fmaxf(rings[r].cosine, 0.0f));
    }
    for (int a = 0, k = 0; a < SL_MICROPHONES; a++)
        for (int b = a + 1; b < SL_MICROPHONES; b++)
            pairs[k++] = (struct sl_pair){ microphones[b].x - microphones[a].x,
                                           microphones[b].y - microphones[a].y,
                                           microphones[b].z - microphones[a].z };
    for (int f = 0; f < frames; f++)
        make_frame(pairs, correlations + f * SL_PAIRS * SL_DELAYS, &seed);
    for (int i = 0; i < n; i++)
        out[i] = search(&rings[i % SL_RINGS], pairs,
                        correlations + i / SL_RINGS * SL_PAIRS * SL_DELAYS);
}
