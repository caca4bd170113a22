// Texture and surface references, as programs for CUDA 11 and before have them: linear memory, rows
// with a pitch, arrays; elements as they are and as fractions; fields that change between launches;
// references passed to device functions.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define OK(call) ok((call), #call)
static void ok(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) printf("%s: %s\n", what, cudaGetErrorString(e)), exit(1);
}
static int wrong;
static void check(const char *what, int k, float got, float want)
{
    if (got != want && wrong++ < 5) printf("%s %d: %g, should be %g\n", what, k, got, want);
}

enum { W = 8, H = 4, N = W * H };
texture<float, 1, cudaReadModeElementType> line;
texture<int2> pairs;                                   // as Rodinia's programs write it
static texture<float, cudaTextureType2D> plane;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<unsigned char, 2, cudaReadModeElementType> bytes;
texture<float, 3, cudaReadModeElementType> never;      // no kernel reads it
surface<void, 2> board;
surface<void, cudaSurfaceType2D> other;

__device__ float twice(texture<float, 1, cudaReadModeElementType> t, int i)
{
    return 2 * tex1Dfetch(t, i);
}
__global__ void read_line(float *out)
{
    int i = threadIdx.x;
    int2 p = tex1Dfetch(pairs, i);
    out[i] = twice(line, i) + 1000.0f * p.x + 100000.0f * p.y;
}
__global__ void read_plane(float *out)
{
    int x = threadIdx.x % W, y = threadIdx.x / W;
    out[threadIdx.x] = tex2D(plane, x + 1.5f, y + 0.5f);
}
__global__ void read_colours(float *out)
{
    int x = threadIdx.x % W, y = threadIdx.x / W;
    float4 c = tex2D(colours, x + 0.5f, y + 0.5f);
    out[threadIdx.x] = c.x + c.y + c.z + c.w + tex2D(bytes, x + 0.5f, y + 0.5f);
}
__global__ void paint(void)
{
    int x = threadIdx.x % W, y = threadIdx.x / W;
    float v;
    surf2Dread(&v, other, x * 4, y);
    surf2Dwrite(v + surf2Dread<float>(other, x * 4, y), board, (W - 1 - x) * 4, y);
}

int main()
{
    float f[N], got[N], *out, *data;
    int2 two[N];
    unsigned char b[4 * N];
    for (int i = 0; i < N; i++) f[i] = i * 0.5f, two[i] = { i, N - i };
    for (int i = 0; i < 4 * N; i++) b[i] = (unsigned char)(i % 2 ? 0 : 255);
    OK(cudaMalloc(&out, sizeof f));
    OK(cudaMalloc(&data, sizeof f));
    OK(cudaMemcpy(data, f, sizeof f, cudaMemcpyHostToDevice));
    int2 *pair_data;
    OK(cudaMalloc(&pair_data, sizeof two));
    OK(cudaMemcpy(pair_data, two, sizeof two, cudaMemcpyHostToDevice));
    size_t offset = 1;
    OK(cudaBindTexture(&offset, line, data, sizeof f));
    OK(cudaBindTexture(0, pairs, pair_data));
    if (offset) printf("offset %zu\n", offset), wrong++;
    read_line<<<1, N>>>(out);
    OK(cudaMemcpy(got, out, sizeof f, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        check("line", i, got[i], 2 * f[i] + 1000.0f * i + 100000.0f * (N - i));

    // Another binding of the same reference.
    OK(cudaBindTexture(0, line, data + 4, cudaCreateChannelDesc<float>(), 8 * sizeof(float)));
    read_line<<<1, N>>>(out);
    OK(cudaMemcpy(got, out, sizeof f, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        check("part", i, got[i], (i < 8 ? 2 * f[i + 4] : 0) + 1000.0f * i + 100000.0f * (N - i));
    OK(cudaUnbindTexture(line));

    // An array; its fields change after it was bound.
    cudaArray_t a;
    OK(cudaMallocArray(&a, &plane.channelDesc, W, H));
    OK(cudaMemcpy2DToArray(a, 0, 0, f, W * 4, W * 4, H, cudaMemcpyHostToDevice));
    plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
    OK(cudaBindTextureToArray(plane, a));
    read_plane<<<1, N>>>(out);
    OK(cudaMemcpy(got, out, sizeof f, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) check("clamp", i, got[i], f[i % W < W - 1 ? i + 1 : i]);
    plane.addressMode[0] = cudaAddressModeBorder;
    plane.filterMode = cudaFilterModeLinear;
    read_plane<<<1, N>>>(out);
    OK(cudaMemcpy(got, out, sizeof f, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) check("border", i, got[i], i % W < W - 1 ? f[i + 1] : 0);

    // Rows with a pitch: fractions of four bytes, and single bytes.
    unsigned char *rows;
    size_t pitch;
    OK(cudaMallocPitch((void **)&rows, &pitch, W * 4, H));
    OK(cudaMemcpy2D(rows, pitch, b, W * 4, W * 4, H, cudaMemcpyHostToDevice));
    OK(cudaBindTexture2D(0, colours, rows, W, H, pitch));
    OK(cudaBindTexture2D(&offset, bytes, rows, cudaCreateChannelDesc<unsigned char>(), W, H,
                         pitch));
    read_colours<<<1, N>>>(out);
    OK(cudaMemcpy(got, out, sizeof f, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) check("colours", i, got[i], 2.0f + (i % W % 2 ? 0 : 255));

    // Surfaces.
    cudaArray_t from, to;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&from, &one, W, H, cudaArraySurfaceLoadStore));
    OK(cudaMallocArray(&to, &one, W, H, cudaArraySurfaceLoadStore));
    OK(cudaMemcpy2DToArray(from, 0, 0, f, W * 4, W * 4, H, cudaMemcpyHostToDevice));
    OK(cudaBindSurfaceToArray(other, from));
    OK(cudaBindSurfaceToArray(board, to));
    paint<<<1, N>>>();
    OK(cudaMemcpy2DFromArray(got, W * 4, to, 0, 0, W * 4, H, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) check("surface", i, got[i], 2 * f[i / W * W + W - 1 - i % W]);

    // What is wrong is an error.
    const textureReference *known;
    OK(cudaGetTextureReference(&known, &plane));
    if (known != &plane) printf("another reference\n"), wrong++;
    if (cudaGetTextureReference(&known, &f) != cudaErrorInvalidTexture) printf("a reference\n"), wrong++;
    if (cudaBindTexture(0, line, (float *)f, sizeof f) != cudaErrorInvalidValue)
        printf("bound to the host's memory\n"), wrong++;
    OK(cudaBindTextureToArray(plane, a));
    colours.filterMode = cudaFilterModeLinear;
    bytes.filterMode = cudaFilterModeLinear;           // not of integers
    read_colours<<<1, N>>>(out);
    if (cudaGetLastError() != cudaErrorInvalidFilterSetting) printf("filtered bytes\n"), wrong++;

    // An array that is freed is bound no longer; launches go on.
    bytes.filterMode = cudaFilterModePoint;
    OK(cudaFreeArray(a));
    plane.normalized = !plane.normalized;
    read_colours<<<1, N>>>(out);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    printf(wrong ? "FAIL\n" : "PASS\n");
    return wrong != 0;
}
