// Reads shared memory that was never written: it is unknown, and that has to be reported.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void unwritten(unsigned *out)
{
    __shared__ volatile unsigned tile[32];
    out[threadIdx.x] = tile[threadIdx.x];
}
