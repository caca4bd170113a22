// The kernel of tests/kernels/leader.cu in a program.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>
#include "../../tests/kernels/leader.cu"

int main()
{
    enum { N = 256 };
    static int from[N], to[N];
    int *d, *e, *n, kept = 0, want = 0;
    bool seen[N] = {}, ok = true;
    for (int k = 0; k < N; k++) from[k] = k, want += k % 3 == 1;
    cudaMalloc(&d, sizeof to), cudaMalloc(&e, sizeof from), cudaMalloc(&n, sizeof *n);
    cudaMemset(n, 0, sizeof *n), cudaMemcpy(e, from, sizeof from, cudaMemcpyHostToDevice);
    keep<<<2, N / 2>>>(e, d, n);
    cudaMemcpy(&kept, n, sizeof kept, cudaMemcpyDeviceToHost), cudaMemcpy(to, d, sizeof to, cudaMemcpyDeviceToHost);
    for (int k = 0; k < kept && k < N; k++) {
        bool one = (unsigned)to[k] < N && to[k] % 3 == 1 && !seen[to[k]];
        ok &= one;
        if (one) seen[to[k]] = true;
    }
    puts(ok && kept == want ? "PASS" : "FAIL");
    return !ok || kept != want;
}
