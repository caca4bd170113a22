// Loads from shared memory without a conflict, in each of which nobody is interested.
// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void shared(int n)
{
    __shared__ volatile int words[256];
    for (int k = 0; k < n; k++)
#pragma unroll
        for (int j = 0; j < 32; j++)
            (void)words[threadIdx.x];
}
