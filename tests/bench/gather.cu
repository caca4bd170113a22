// Eight loads of a thread, none of which waits for another, each lane's from a sector of its own.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void gather(const unsigned *table, unsigned *out, unsigned sectors)
{
    unsigned i = blockDim.x * blockIdx.x + threadIdx.x, sum = 0, at = i * 2654435761u;
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += table[(at * (2 * k + 1) & (sectors - 1)) * 8];
    out[i] = sum;
}
