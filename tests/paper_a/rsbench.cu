// RSBench: macroscopic cross sections of random materials, `lookups` by each thread (thread coarsening).
// SPDX-License-Identifier: Apache-2.0
// Figure 3 of the paper: the loop over 4 to 321 nuclides diverges; Loop Merge collects lanes at its body.
#include "rsbench.h"

extern "C" __global__ void rsbench(const float *running, const int *first, const int *nuclide, const float *density,
                                   const float *k0rs, const rs_window *windows, const rs_pole *poles, float *sums,
                                   unsigned *hash, int nwindows, int npoles, int momenta,
                                   int lookups)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    rs_xs sum = { 0, 0, 0, 0 };
    unsigned verify = 0;
    SIMT_PREDICT(nuclides);
    for (int look = 0; look < lookups; look++) {
        pa_u64 seed = pa_lcg_skip(MATERIAL_SEED, 2ull * (thread * lookups + look));
        float e = fmaxf(pa_lcg(&seed), 1e-4f), root = sqrtf(e);
        int m = material_pick(running, pa_lcg(&seed));
        rs_xs macro = { 0, 0, 0, 0 };
        int i = first[m], end = first[m + 1];
        for (; i < end; i++) {
            SIMT_LABEL(nuclides);
            int n = nuclide[i];
            const float *k = k0rs + n * RS_MOMENTA;
            struct rs_phase s = rs_phase(k[0], root, 0), p = rs_phase(k[1], root, 1), d = p, f = p;
            if (momenta > 2) {
                d = rs_phase(k[2], root, 2);
                f = rs_phase(k[3], root, 3);
            }
            const rs_window *w = &windows[n * nwindows + min((int)(e * nwindows), nwindows - 1)];
            rs_xs micro = { e * w->total, 0, e * w->absorbed, e * w->fission };
            for (int at = w->first; at < w->end; at++) {
                const rs_pole *pole = &poles[n * npoles + at];
                int l = pole->momentum;
                rs_pole_add(&micro, pole, l == 0 ? s : l == 1 ? p : l == 2 ? d : f, e, root);
            }
            micro.elastic = micro.total - micro.absorbed;
            macro.total = fmaf(micro.total, density[i], macro.total);
            macro.elastic = fmaf(micro.elastic, density[i], macro.elastic);
            macro.absorbed = fmaf(micro.absorbed, density[i], macro.absorbed);
            macro.fission = fmaf(micro.fission, density[i], macro.fission);
        }
        float best = macro.total;
        unsigned which = 1;
        if (macro.elastic > best) best = macro.elastic, which = 2;
        if (macro.absorbed > best) best = macro.absorbed, which = 3;
        if (macro.fission > best) which = 4;
        verify = verify * 31 + which;
        sum.total += macro.total;
        sum.elastic += macro.elastic;
        sum.absorbed += macro.absorbed;
        sum.fission += macro.fission;
    }
    sums[thread * 4] = sum.total;
    sums[thread * 4 + 1] = sum.elastic;
    sums[thread * 4 + 2] = sum.absorbed;
    sums[thread * 4 + 3] = sum.fission;
    hash[thread] = verify;
}
