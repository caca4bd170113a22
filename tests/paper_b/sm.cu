// Stereo matching: each thread finds the disparity of one grid cell.
// SPDX-License-Identifier: Apache-2.0
// How soon a disparity is given up depends on what the cell shows.
#include "sm.h"
// Eight pixels of `a` with eight of `b`; those of `a` are aligned.
static __device__ __forceinline__ int row_cost(const unsigned *a, int at, const unsigned *b, int other)
{
    unsigned shift = 8 * (other & 3), low = b[other >> 2], middle = b[(other >> 2) + 1], high = b[(other >> 2) + 2];
    unsigned first = a[at >> 2], second = a[(at >> 2) + 1];
    unsigned with = (unsigned)(((pa_u64)middle << 32 | low) >> shift), with2 = (unsigned)(((pa_u64)high << 32 | middle) >> shift);
    int sum = 0;
    PA_UNROLL
    for (int k = 0; k < 32; k += 8)
        sum += abs((int)(first >> k & 255) - (int)(with >> k & 255)) + abs((int)(second >> k & 255) - (int)(with2 >> k & 255));
    return sum;
}

extern "C" __global__ void sm(const unsigned *left, const unsigned *right, sm_best *out, int cells, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int corner = i / cells * SM_CELL * stride + i % cells * SM_CELL + SM_MARGIN, texture = 0;
    for (int y = 0; y < SM_CELL; y++)
        texture += row_cost(left, corner + y * stride, left, corner + y * stride + 1);
    sm_best best = { -1, 1 << 20, 1 << 20 };
    for (int d = 0; d < SM_DISPARITIES && texture >= SM_FLAT; d++) {
        int cost = 0;
        for (int y = 0; y < SM_CELL && cost < best.second; y++)
            cost += row_cost(left, corner + y * stride, right, corner + y * stride - d);
        if (cost < best.cost) {
            best.second = best.cost;
            best.cost = cost;
            best.disparity = d;
        } else if (cost < best.second)
            best.second = cost;
    }
    out[i] = best;
}
