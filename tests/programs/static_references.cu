// Two units with a static texture of one name each, from this one file: which is bound would be a guess.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
static texture<float, 1> mine;
__global__ void KERNEL(float *out) { out[threadIdx.x] = tex1Dfetch(mine, threadIdx.x); }
#ifdef MAIN
int main()
{
    void *p;
    cudaMalloc(&p, 32);
    puts(cudaGetErrorName(cudaBindTexture(0, mine, p, 32)));
}
#endif
