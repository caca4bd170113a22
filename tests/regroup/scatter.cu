// Threads whose loops differ by their number, and whose data are their neighbours': another order scatters what they load.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

extern "C" __global__ void scatter(const unsigned *in, unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (unsigned k = 0; k < 20 + i % 3; k++)
        sum += in[k * n + i];
    out[i] = sum;
}
