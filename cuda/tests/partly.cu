// One kernel calls what is nowhere; the other one runs all the same.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
extern "C" __device__ int nowhere(int);
extern "C" __global__ void part(int *p) { *p = nowhere(*p); }
extern "C" __global__ void whole(int *p) { *p = 42; }
int main()
{
    int *p, v = 0;
    cudaMalloc(&p, sizeof v);
    part<<<1, 1>>>(p);
    cudaError_t e = cudaGetLastError();
    whole<<<1, 1>>>(p);
    cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
    printf("the other one ran: %d, %s\n", v, cudaGetErrorName(e));
    return 1;
}
