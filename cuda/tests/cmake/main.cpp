/* C++ that a host compiler compiles: the run time, cuBLAS and a kernel of the library.
 * SPDX-License-Identifier: Apache-2.0 */
#include <cstdio>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include "parts.h"

int main()
{
    const int n = 100;
    float x[n], *d, *e, sum = 0, want = 0;
    for (int i = 0; i < n; i++) {
        x[i] = (float)i;
        want += 2 * x[i] + 7;
    }
    cublasHandle_t blas;
    bool ok = cuInit(0) == CUDA_SUCCESS && !cudaMalloc((void **)&d, sizeof x) &&
              !cudaMalloc((void **)&e, sizeof x) &&
              !cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    scale(d, e, 2, n);
    ok = ok && !cublasCreate(&blas) && !cublasSasum(blas, n, e, 1, &sum) && !cublasDestroy(blas);
    printf("%s: %g\n", ok && sum == want ? "PASS" : "FAIL", (double)sum);
    return !(ok && sum == want);
}
