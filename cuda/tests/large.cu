// A launch with the most parameters that CUDA allows: 32,764 bytes.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

struct Big { int v[8188]; };

__global__ void sums(long long *out, Big big, int first)
{
    long long sum = first;
    for (unsigned i = threadIdx.x; i < 8188; i += blockDim.x) sum += (long long)big.v[i] * (i + 1);
    out[threadIdx.x] = sum;
}

int main()
{
    static Big big;
    long long *out, got[128], wrong = 0;
    for (int i = 0; i < 8188; i++) big.v[i] = i * i - 77 * i;
    cudaMalloc(&out, sizeof got);
    sums<<<1, 128>>>(out, big, 9);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int t = 0; t < 128; t++) {
        long long sum = 9;
        for (int i = t; i < 8188; i += 128) sum += (long long)big.v[i] * (i + 1);
        wrong += got[t] != sum;
    }
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
