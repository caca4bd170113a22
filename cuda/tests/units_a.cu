// Device code of three files, linked: functions and variables of the other one, functions by pointer, weak ones in both, and
// names that are each file's own.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include "units.h"
#include <cstdio>

static __device__ int own = 3;
static __device__ __noinline__ int helper(int x) { return x + own; }
__global__ void other(int *out);                     // of the other file
__global__ void all(int *out)
{
    int i = threadIdx.x;
    Shape s;
    out[i] = scaled(i) + table[i & 7] + twice(i) + applied(helper, i) + s.area(1);
    atomicAdd(&counter, 1);
}
void launch_other(int *out);

int main()
{
    int *out, got[32], more[32], wrong = 0;
    cudaMalloc(&out, sizeof got);
    all<<<1, 32>>>(out);
    cudaError_t e = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    launch_other(out);
    cudaMemcpy(more, out, sizeof more, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) {
        wrong += got[i] != 5 * i + (i & 7) * 10 + 2 * i + (i + 3) * 2 + 1;
        wrong += more[i] != 32 + (i - 7) + 2 * i;
    }
    printf("%s\n", e == cudaSuccess && !wrong ? "PASS" : "FAIL");
    return wrong != 0;
}
