// Managed variables: their initial values, changes by host and device.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

__managed__ int m = 7;
__managed__ float table[64];

__global__ void fill(int add)
{
    table[threadIdx.x] = (float)(m * threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        m += add;
}

int main()
{
    bool ok = m == 7 && table[5] == 0;
    m += 3;
    fill<<<1, 64>>>(5);
    ok = ok && cudaDeviceSynchronize() == cudaSuccess && m == 15 && table[63] == 630;
    table[2] = 1;
    fill<<<1, 32>>>(1);
    ok = ok && cudaDeviceSynchronize() == cudaSuccess && m == 16 && table[2] == 30 && table[63] == 630;
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
