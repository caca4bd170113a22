/* Listing 1 of the paper: a rare condition over expensive code, in a loop.  docs/speculative.md takes it apart.
 * SPDX-License-Identifier: Apache-2.0 */
#include <simt_predict.h>
extern "C" __global__ void listing_1(unsigned *out, unsigned n)
{
    unsigned x = threadIdx.x * 77 + 3, s = 0;
    SIMT_PREDICT(L1);
    for (unsigned i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        if ((x >> 20 & 7) == 0) {
            SIMT_LABEL(L1);
#pragma unroll 1
            for (unsigned j = 0; j < 40; j++) s = (s ^ j) * 2654435761u + (s >> 7);
        }
        s ^= x >> 3;
    }
    out[threadIdx.x] = s;
}
