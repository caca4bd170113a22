// Two units with a static texture each, from this one file.  Which of two of one name is bound would be a guess.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
static texture<float, 1> NAME;
__global__ void KERNEL(float *out) { out[threadIdx.x] = tex1Dfetch(NAME, threadIdx.x); }
#ifdef MAIN
int main()
{
    float *p, *out, value = 1.5f, got = 0;
    cudaMalloc(&p, sizeof value);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    puts(cudaGetErrorName(cudaBindTexture(0, NAME, p, sizeof value)));
    KERNEL<<<1, 1>>>(out);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    puts(got == value ? "PASS" : "FAIL");
}
#endif
