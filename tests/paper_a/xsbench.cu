// XSBench: macroscopic cross sections from tables, `lookups` by each thread.
// SPDX-License-Identifier: Apache-2.0
// Loop Merge at the loop over nuclides.  Prolog (the search) and epilog (the checksum) are expensive.
#include "xsbench.h"

// Bernstein's hash over the decimal digits of x, five of them decimals; the lowest digit comes first.
PA_FN unsigned hash_number(unsigned hash, float x)
{
    unsigned left = (unsigned)(x * 100000.0f);
    do {
        hash = hash * 33 + '0' + left % 10;
        left /= 10;
    } while (left);
    return hash * 33 + ' ';
}

extern "C" __global__ void xsbench(const float *running, const int *first, const int *nuclide, const float *density,
                                   const float *unionized, const int *index, const xs_point *points, float *sums,
                                   unsigned *hash, int total, int gridpoints, int lookups)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    unsigned verify = 0;
    SIMT_PREDICT(nuclides, 16);
    for (int k = 0; k < lookups; k++) {
        pa_u64 seed = pa_lcg_skip(MATERIAL_SEED, 2ull * (thread * lookups + k));
        float e = pa_lcg(&seed), macro[XS_KINDS] = { 0, 0, 0, 0, 0 };
        int m = material_pick(running, pa_lcg(&seed)), low = 0, high = total - 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (unionized[middle] > e)
                high = middle;
            else
                low = middle;
        }
        int i = first[m], end = first[m + 1];
        for (; i < end; i++) {
            SIMT_LABEL(nuclides);
            int n = nuclide[i];
            xs_add(macro, &points[n * gridpoints + index[low * NUCLIDES + n]], e, density[i]);
        }
        verify = hash_number(verify, e) + m;
        PA_UNROLL
        for (int x = 0; x < XS_KINDS; x++) {
            verify = hash_number(verify, macro[x]);
            sum += macro[x];
        }
    }
    sums[thread] = sum;
    hash[thread] = verify;
}
