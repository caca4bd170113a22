// Sound localization: each thread searches one ring of the sky for one frame of sound.
// SPDX-License-Identifier: Apache-2.0
// Rings near the poles are short: threads differ by their number alone.
#include "sl.h"
extern "C" __global__ void sl(const sl_ring *rings, const sl_pair *pairs, const float *correlations, sl_best *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    sl_ring ring = rings[i % SL_RINGS];
    const float *frame = correlations + i / SL_RINGS * (SL_PAIRS * SL_DELAYS);
    float most = -1e9f, step = 6.2831853f / (float)ring.directions;
    int best = 0;
    for (int d = 0; d < ring.directions; d++) {
        float x, y, response = 0.0f;
        pa_sincos((float)d * step, &y, &x);
        x *= ring.cosine;
        y *= ring.cosine;
        for (int k = 0; k < SL_PAIRS; k++)
            response += frame[k * SL_DELAYS + sl_delay(pairs[k], x, y, ring.sine)];
        if (response > most) {
            most = response;
            best = d;
        }
    }
    out[i].response = most;
    out[i].direction = best;
}
