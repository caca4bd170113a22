// The loops of tests/silicon/kernels/p_loop_merge.cu, with work in place of its trace points.
// SPDX-License-Identifier: Apache-2.0
#include <simt_predict.h>
#define STEP(id) x = x * 1664525u + 1013904223u + (id)

__global__ void p_loop_merge(const unsigned *in, float *out, unsigned n)
{
    unsigned x = in[threadIdx.x];
    float f = x;
    SIMT_PREDICT(body);
    for (unsigned i = 0; i < n; i++) {
        STEP(i);
        unsigned t = (x >> 20) & 15u;
        for (unsigned j = 0; j < t; j++) {
            SIMT_LABEL(body);
            for (int k = 0; k < 24; k++)
                f = f * 0.9999f + 0.13f * k;
        }
    }
    out[threadIdx.x] = f;
}
