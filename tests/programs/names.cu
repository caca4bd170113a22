// Names of CUDA's that few programs use: atomics of every scope.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scopes(unsigned *u)
{
    atomicInc_system(u, 4), atomicInc_block(u + 1, 4);
    atomicDec_system(u + 2, 9), atomicDec_block(u + 3, 9);
    atomicAdd_system(u + 4, 2u), atomicCAS_system(u + 5, 0u, 3u);
}

int main()
{
    static const unsigned want[6] = { 2, 2, 8, 8, 64, 3 };
    unsigned *d, got[6];
    cudaMalloc(&d, sizeof got);
    cudaMemset(d, 0, sizeof got);
    scopes<<<1, 32>>>(d);                  // 32 mod 5, and -32 mod 10
    if (cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost)) return puts("FAIL"), 1;
    bool ok = true;
    for (int k = 0; k < 6; k++)
        if (got[k] != want[k]) printf("%d: %u, should be %u\n", k, got[k], want[k]), ok = false;
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
