// Needleman and Wunsch: each thread scores one read.
// SPDX-License-Identifier: Apache-2.0
// A column of the matrix at a time, in registers; reads differ in length, and bases that were not called take a way of
// their own.
#include "nw.h"
extern "C" __global__ void nw(const nw_row *profile, const unsigned char *bases, const int *first, const int *length, int *out,
                              int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned char *read = bases + first[i];
    int h[NW_QUERY], size = length[i];
    PA_UNROLL
    for (int k = 0; k < NW_QUERY; k++)
        h[k] = -NW_GAP * (k + 1);
    for (int at = 0; at < size; at++) {
        int base = read[at], diagonal = -NW_GAP * at, up = diagonal - NW_GAP;
        if (base == NW_UNKNOWN) {                    // the mean of what it may have been
            int sum = 0;
            for (int b = 0; b < NW_UNKNOWN; b++)
                sum += nw_score(profile[b].scores, at % NW_QUERY);
            up += sum / NW_UNKNOWN;
        }
        uint4 row = *(const uint4 *)&profile[base];
        unsigned scores[] = { row.x, row.y, row.z, row.w };
        PA_UNROLL
        for (int k = 0; k < NW_QUERY; k++) {
            int match = diagonal + nw_score(scores, k);
            diagonal = h[k];
            up = max(match, max(up, diagonal) - NW_GAP);
            h[k] = up;
        }
    }
    out[i] = h[NW_QUERY - 1];
}
