// Smith and Waterman: each thread aligns the query with one protein.
// SPDX-License-Identifier: Apache-2.0
// A column of the matrix at a time, in registers; proteins differ in length.
#include "sw.h"
extern "C" __global__ void sw(const sw_row *profile, const unsigned char *letters, const int *first, const int *length, int *out,
                              int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned char *protein = letters + first[i];
    int h[SW_QUERY], e[SW_QUERY], best = 0, size = length[i];
    PA_UNROLL
    for (int k = 0; k < SW_QUERY; k++)
        h[k] = e[k] = 0;
    for (int at = 0; at < size; at++) {
        uint4 row = *(const uint4 *)&profile[protein[at]];
        unsigned scores[] = { row.x, row.y, row.z, row.w };
        int diagonal = 0, up = 0, f = 0;
        PA_UNROLL
        for (int k = 0; k < SW_QUERY; k++) {
            e[k] = max(e[k] - SW_EXTEND, h[k] - SW_OPEN);
            f = max(f - SW_EXTEND, up - SW_OPEN);
            up = max(max(diagonal + sw_score(scores, k), 0), max(e[k], f));
            diagonal = h[k];
            h[k] = up;
            best = max(best, up);
        }
    }
    out[i] = best;
}
