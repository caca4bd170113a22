// Which layer a layered texture or surface has for numbers that are none: layers.txt is what an H100
// printed.  Of four layers, layer k holds 100 k and more; -7: nothing was read.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
enum { N = 11 };
__constant__ int layer[N] = { 0, 3, 4, 7, 100, 65535, 65536, 2147483647, -1, -2, -2147483647 - 1 };

__global__ void k(cudaTextureObject_t two, cudaTextureObject_t one, cudaSurfaceObject_t s, float *out)
{
    int i = threadIdx.x;
    float clamp = -7, zero = -7;
    out[i] = tex2DLayered<float>(two, 1.5f, 1.5f, layer[i]);
    out[i + N] = tex1DLayered<float>(one, 1.5f, layer[i]);
    surf2DLayeredread(&clamp, s, 4, 1, layer[i], cudaBoundaryModeClamp);
    surf2DLayeredread(&zero, s, 4, 1, layer[i], cudaBoundaryModeZero);
    out[i + 2 * N] = clamp;
    out[i + 3 * N] = zero;
}

static cudaArray_t array(float *texels, int height, unsigned flags)
{
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaMalloc3DArray(&a, &f, make_cudaExtent(4, height, 4), cudaArrayLayered | flags);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(texels, height ? 16 : 64, 4, height ? 4 : 1);
    p.dstArray = a;
    p.extent = make_cudaExtent(4, height ? height : 1, 4);
    p.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&p);
    return a;
}

int main()
{
    static const char *const what[] = { "2D texture", "1D texture", "2D surface, clamp", "2D surface, zero" };
    float texels[64], *out, got[4 * N];
    for (int i = 0; i < 64; i++) texels[i] = i / 16 * 100 + i % 16;
    cudaResourceDesc d = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t two, one;
    cudaSurfaceObject_t s;
    d.resType = cudaResourceTypeArray;
    d.res.array.array = array(texels, 4, cudaArraySurfaceLoadStore);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaCreateTextureObject(&two, &d, &how, nullptr);
    cudaCreateSurfaceObject(&s, &d);
    d.res.array.array = array(texels, 0, 0);
    cudaCreateTextureObject(&one, &d, &how, nullptr);
    cudaMalloc(&out, sizeof got);
    k<<<1, N>>>(two, one, s, out);
    cudaError_t e = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess) return printf("%s\n", cudaGetErrorString(e)), 1;
    for (int w = 0; w < 4; w++) {
        printf("%-17s", what[w]);
        for (int i = 0; i < N; i++) printf(" %3g", got[w * N + i]);
        printf("\n");
    }
}
