// One of two files, both made from this one: a kernel, a variable and a texture of the same names, each file's own.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
static __device__ int value = SIDE;
static texture<float, 1> image;
namespace inner { static __device__ int value = 1; }
namespace { __device__ int hidden = 10 * SIDE; }
static __global__ void kernel(float *out) { *out = 100 * tex1Dfetch(image, 0) + value + hidden + inner::value; }
#if SIDE == 1
float second(int v, float texel);
static float first(int v, float texel)
#else
float second(int v, float texel)
#endif
{
    float *p, *out, got = 0;
    const int thousands = 1000 * SIDE;
    cudaMemcpyToSymbol(inner::value, &thousands, sizeof thousands);
    cudaMalloc(&p, sizeof texel), cudaMalloc(&out, sizeof got);
    cudaMemcpy(p, &texel, sizeof texel, cudaMemcpyHostToDevice);
    if (v) cudaMemcpyToSymbol(value, &v, sizeof v);
    cudaBindTexture(0, image, p, sizeof texel);
    kernel<<<1, 1>>>(out);
    cudaError_t e = cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess) puts(cudaGetErrorName(e));
    return got;
}
#if SIDE == 1
int main()
{
    bool ok = first(0, 2) == 1211 && second(0, 3) == 2322 && first(5, 1) == 1115 && second(7, 4) == 2427 && first(0, 0) == 1015;
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
#endif
