// Mipmapped arrays: levels that are copied, written as surfaces and fetched, between levels too; parts of them, and texels as
// others of their size; bytes of sRGB.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s: %s\n", what, cudaGetErrorName(cudaPeekAtLastError()));
    cudaGetLastError();
}
static void near(const char *what, float got, float want)
{
    if (!(fabsf(got - want) <= 1e-5f * (1 + fabsf(want))) && failures++ < 20) printf("FAIL %s: %.7g, not %.7g\n", what, got, want);
}
#define OK(call) expect(#call, (call) == cudaSuccess)
enum { N = 16 };
struct Place { float x, y, z, level; int layer; };
enum { FLAT, LINE, SOLID, LAYERS, LINES, CUBE, CUBES, BASE };
__global__ void fetch(cudaTextureObject_t t, int how, const Place *at, float *to)
{
    Place p = at[threadIdx.x];
    float v;
    if (how == FLAT) v = tex2DLod<float>(t, p.x, p.y, p.level);
    else if (how == LINE) v = tex1DLod<float>(t, p.x, p.level);
    else if (how == SOLID) v = tex3DLod<float>(t, p.x, p.y, p.z, p.level);
    else if (how == LAYERS) v = tex2DLayeredLod<float>(t, p.x, p.y, p.layer, p.level);
    else if (how == LINES) v = tex1DLayeredLod<float>(t, p.x, p.layer, p.level);
    else if (how == CUBE) v = texCubemapLod<float>(t, p.x, p.y, p.z, p.level);
    else if (how == CUBES) v = texCubemapLayeredLod<float>(t, p.x, p.y, p.z, p.layer, p.level);
    else v = tex2D<float>(t, p.x, p.y);
    to[threadIdx.x] = v;
}
// Steps of z, level texels from one thread to the next.
__global__ void slopes(cudaTextureObject_t t, int how, const Place *at, float *to)
{
    Place p = at[threadIdx.x];
    float2 dx = make_float2(p.z, 0), dy = make_float2(0, p.level);
    float v;
    if (how == LINE) v = tex1DGrad<float>(t, p.x, p.z, p.level);
    else if (how == LAYERS) v = tex2DLayeredGrad<float>(t, p.x, p.y, p.layer, dx, dy);
    else if (how == SOLID) v = tex3DGrad<float>(t, p.x, p.y, 0.0f, make_float4(p.z, 0, 0, 0), make_float4(0, 0, p.level, 0));
    else v = tex2DGrad<float>(t, p.x, p.y, dx, dy);
    to[threadIdx.x] = v;
}
// The next level: the mean of four texels of the one before, read by numbers.
__global__ void shrink(cudaTextureObject_t from, cudaSurfaceObject_t to, int w, int h)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += tex2D<float>(from, (2 * x + k % 2 + 0.5f) / (2 * w), (2 * y + k / 2 + 0.5f) / (2 * h));
    surf2Dwrite(sum / 4, to, 4 * x, y);
}
__global__ void bytes(cudaTextureObject_t t, float4 *to) { to[threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, 0.5f); }

static Place *places;
static float *results;
static float run(cudaTextureObject_t t, int how, Place p, bool slope = false)
{
    float v = -1;
    cudaMemcpy(places, &p, sizeof p, cudaMemcpyHostToDevice);
    if (slope) slopes<<<1, 1>>>(t, how, places, results);
    else fetch<<<1, 1>>>(t, how, places, results);
    cudaMemcpy(&v, results, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}
static cudaTextureDesc reading(float most)
{
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
    for (int k = 0; k < 3; k++) d.addressMode[k] = cudaAddressModeClamp;
    d.normalizedCoords = 1, d.maxMipmapLevelClamp = most;
    return d;
}
// Texel (x, y) of layer z of a level.
static float value(int level, int x, int y, int z) { return 1000 * level + 100 * z + 10 * y + x; }
static cudaMipmappedArray_t made(cudaExtent n, unsigned levels, unsigned flags)
{
    cudaMipmappedArray_t m = nullptr;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    OK(cudaMallocMipmappedArray(&m, &desc, n, levels, flags));
    for (unsigned k = 0; k < levels; k++) {
        cudaArray_t a;
        cudaExtent e;
        cudaChannelFormatDesc d;
        unsigned f;
        static float host[8 * 8 * 12];
        OK(cudaGetMipmappedArrayLevel(&a, m, k));
        OK(cudaArrayGetInfo(&d, &e, &f, a));
        int w = (int)e.width, h = e.height ? (int)e.height : 1, z = e.depth ? (int)e.depth : 1;
        for (int i = 0; i < w * h * z; i++) host[i] = value((int)k, i % w, i / w % h, i / w / h);
        cudaMemcpy3DParms p = { 0 };
        p.srcPtr = make_cudaPitchedPtr(host, w * 4, w, h), p.dstArray = a;
        p.extent = make_cudaExtent(w, h, z), p.kind = cudaMemcpyHostToDevice;
        OK(cudaMemcpy3D(&p));
    }
    return m;
}
static cudaTextureObject_t object(cudaMipmappedArray_t m, const cudaTextureDesc &d, const cudaResourceViewDesc *view = nullptr)
{
    cudaResourceDesc from;
    memset(&from, 0, sizeof from);
    from.resType = cudaResourceTypeMipmappedArray, from.res.mipmap.mipmap = m;
    cudaTextureObject_t t = 0;
    OK(cudaCreateTextureObject(&t, &from, &d, view));
    return t;
}

static void levels()
{
    cudaMipmappedArray_t m = made(make_cudaExtent(8, 4, 0), 4, 0);
    cudaTextureDesc d = reading(10), e = d;
    cudaTextureObject_t t = object(m, d);
    // Texel (5, 2) of 8 by 4 is (2, 1) of the next level, (1, 0), (0, 0).
    const Place at = { 5.5f / 8, 2.5f / 4 };
    static const struct { float level; float want; } nearest[] = {
        { 0, 25 }, { 0.49f, 25 }, { 0.5f, 1012 }, { 1.25f, 1012 }, { 2, 2001 }, { 3, 3000 }, { 9, 3000 }, { -4, 25 } };
    for (auto &k : nearest) near("the nearest level", run(t, FLAT, { at.x, at.y, 0, k.level }), k.want);
    near("without a level", run(t, BASE, at), 25);
    cudaDestroyTextureObject(t);
    d.mipmapFilterMode = cudaFilterModeLinear;
    t = object(m, d);
    near("between levels", run(t, FLAT, { at.x, at.y, 0, 0.25f }), 0.75f * 25 + 0.25f * 1012);
    near("at one", run(t, FLAT, { at.x, at.y, 0, 2 }), 2001);
    near("before the last", run(t, FLAT, { at.x, at.y, 0, 2.75f }), 0.25f * 2001 + 0.75f * 3000);
    near("past it", run(t, FLAT, { at.x, at.y, 0, 4 }), 3000);
    cudaDestroyTextureObject(t);
    e.mipmapLevelBias = 1, e.minMipmapLevelClamp = 1, e.maxMipmapLevelClamp = 2;
    t = object(m, e);
    near("a bias", run(t, FLAT, { at.x, at.y, 0, 0.6f }), 2001);
    near("not below", run(t, FLAT, { at.x, at.y, 0, -3 }), 1012);
    near("not above", run(t, FLAT, { at.x, at.y, 0, 3 }), 2001);
    cudaDestroyTextureObject(t);
    d.filterMode = cudaFilterModeLinear;                 // in all three directions
    t = object(m, d);
    near("between texels and levels", run(t, FLAT, { 0.5f, 0.5f, 0, 0.5f }), 0.5f * (10 * 1.5f + 3.5f) + 0.5f * (1000 + 10 * 0.5f + 1.5f));
    // How coordinates change: by 2 texels in x, 1/2 in y; by 1 and 4.
    near("a slope in x", run(t, FLAT, { 0.5f, 0.5f, 2 / 8.0f, 0.5f / 4 }, true), 1000 + 5 + 1.5f);
    near("a slope in y", run(t, FLAT, { 0.5f, 0.5f, 1 / 8.0f, 4 / 4.0f }, true), 2000 + 0.5f);
    near("no slope", run(t, FLAT, { 0.5f, 0.5f, 0, 0 }, true), 15 + 3.5f);
    cudaDestroyTextureObject(t);
    cudaResourceViewDesc view = { cudaResViewFormatNone, 4, 2, 0, 1, 2, 0, 0 }, same;
    t = object(m, reading(10), &view);
    near("level 0 of a part", run(t, FLAT, { at.x, at.y, 0, 0 }), 1012);
    near("its last", run(t, FLAT, { at.x, at.y, 0, 7 }), 2001);
    OK(cudaGetTextureObjectResourceViewDesc(&same, t));
    expect("what part", same.firstMipmapLevel == 1 && same.lastMipmapLevel == 2);
    cudaDestroyTextureObject(t);
    cudaArray_t a;
    expect("no such level", cudaGetMipmappedArrayLevel(&a, m, 4) == cudaErrorInvalidValue);
    OK(cudaGetMipmappedArrayLevel(&a, m, 1));
    expect("a level goes with the others", cudaFreeArray(a) == cudaErrorInvalidResourceHandle);
    OK(cudaFreeMipmappedArray(m));
    expect("it is gone", cudaFreeMipmappedArray(m) == cudaErrorInvalidResourceHandle);
}
static void shapes()
{
    cudaTextureDesc d = reading(10);
    cudaMipmappedArray_t line = made(make_cudaExtent(8, 0, 0), 3, 0), solid = made(make_cudaExtent(8, 4, 4), 3, 0);
    cudaMipmappedArray_t layers = made(make_cudaExtent(8, 4, 3), 3, cudaArrayLayered);
    cudaMipmappedArray_t lines = made(make_cudaExtent(8, 0, 3), 3, cudaArrayLayered);
    cudaMipmappedArray_t cube = made(make_cudaExtent(4, 4, 6), 2, cudaArrayCubemap);
    cudaMipmappedArray_t cubes = made(make_cudaExtent(4, 4, 12), 2, cudaArrayCubemap | cudaArrayLayered);
    cudaTextureObject_t t = object(line, d);
    near("a line", run(t, LINE, { 5.5f / 8, 0, 0, 1 }), 1002);
    near("a line's slope", run(t, LINE, { 5.5f / 8, 0, 0.1f / 8, 4 / 8.0f }, true), 2001);
    cudaDestroyTextureObject(t), t = object(solid, d);
    near("a solid", run(t, SOLID, { 5.5f / 8, 2.5f / 4, 3.5f / 4, 1 }), 1000 + 100 + 10 + 2);
    near("a solid's slope", run(t, SOLID, { 5.5f / 8, 0, 0, 4 / 4.0f }, true), 2001);
    cudaDestroyTextureObject(t), t = object(layers, d);
    near("layers", run(t, LAYERS, { 5.5f / 8, 2.5f / 4, 0, 1, 2 }), 1000 + 200 + 10 + 2);
    near("a layer's slope", run(t, LAYERS, { 5.5f / 8, 2.5f / 4, 2 / 8.0f, 0, 1 }, true), 1000 + 100 + 10 + 2);
    cudaDestroyTextureObject(t), t = object(lines, d);
    near("lines", run(t, LINES, { 5.5f / 8, 0, 0, 2, 1 }), 2000 + 100 + 1);
    cudaDestroyTextureObject(t), t = object(cube, d);
    near("a cube", run(t, CUBE, { 0.1f, -1, 0.1f, 1 }), 1000 + 300 + 1);
    cudaDestroyTextureObject(t), t = object(cubes, d);
    near("cubes", run(t, CUBES, { 0.1f, -1, 0.1f, 1, 1 }), 1000 + 900 + 1);
    cudaDestroyTextureObject(t);
    cudaResourceViewDesc view = { cudaResViewFormatNone, 8, 4, 3, 0, 2, 1, 2 };
    t = object(layers, d, &view);
    near("a part of the layers", run(t, LAYERS, { 5.5f / 8, 2.5f / 4, 0, 0, 0 }), 100 + 20 + 5);
    cudaDestroyTextureObject(t);
    for (cudaMipmappedArray_t m : { line, solid, layers, lines, cube, cubes }) OK(cudaFreeMipmappedArray(m));
}
static void written()
{
    cudaMipmappedArray_t m = made(make_cudaExtent(8, 4, 0), 3, cudaArraySurfaceLoadStore);
    for (unsigned k = 1; k < 3; k++) {
        cudaResourceDesc from, to;
        cudaTextureDesc d = reading(0);
        cudaTextureObject_t t;
        cudaSurfaceObject_t s;
        memset(&from, 0, sizeof from), memset(&to, 0, sizeof to);
        from.resType = to.resType = cudaResourceTypeArray;
        OK(cudaGetMipmappedArrayLevel(&from.res.array.array, m, k - 1));
        OK(cudaGetMipmappedArrayLevel(&to.res.array.array, m, k));
        OK(cudaCreateTextureObject(&t, &from, &d, nullptr));
        OK(cudaCreateSurfaceObject(&s, &to));
        shrink<<<1, dim3(8, 4)>>>(t, s, 8 >> k, 4 >> k);
        OK(cudaDeviceSynchronize());
        cudaDestroyTextureObject(t), cudaDestroySurfaceObject(s);
    }
    cudaTextureObject_t t = object(m, reading(10));
    near("a mean", run(t, FLAT, { 0.1f, 0.1f, 0, 1 }), (0 + 1 + 10 + 11) / 4.0f);
    near("a mean of means", run(t, FLAT, { 0.9f, 0.1f, 0, 2 }), (4 + 5 + 6 + 7) / 4.0f + 15);
    cudaDestroyTextureObject(t);
    OK(cudaFreeMipmappedArray(m));
}
static void srgb()
{
    static uchar4 host[N];
    static float4 back[N];
    float4 *d;
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
    cudaResourceDesc from;
    cudaTextureDesc how = reading(0);
    cudaTextureObject_t t;
    for (int k = 0; k < N; k++) host[k] = make_uchar4(k, k * 17, 255 - k, k * 17);
    OK(cudaMallocArray(&a, &desc, N, 1));
    OK(cudaMemcpy2DToArray(a, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice));
    OK(cudaMalloc(&d, sizeof back));
    memset(&from, 0, sizeof from);
    from.resType = cudaResourceTypeArray, from.res.array.array = a;
    how.sRGB = 1, how.readMode = cudaReadModeNormalizedFloat, how.normalizedCoords = 0;
    OK(cudaCreateTextureObject(&t, &from, &how, nullptr));
    bytes<<<1, N>>>(t, d);
    OK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
    for (int k = 0; k < N; k++) {
        auto even = [](int v) { float c = v / 255.0f; return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f); };
        near("red", back[k].x, even(host[k].x)), near("green", back[k].y, even(host[k].y)), near("blue", back[k].z, even(host[k].z));
        near("the fourth is even", back[k].w, host[k].w / 255.0f);
    }
    cudaDestroyTextureObject(t), cudaFreeArray(a), cudaFree(d);
}
// Words that are read as four bytes, as two halves, as a float, and as what has another size.
template <class T> __global__ void seen(cudaTextureObject_t t, T *to) { to[threadIdx.x] = tex2D<T>(t, threadIdx.x + 0.5f, 0.5f); }
static void views()
{
    static unsigned host[N];
    static uchar4 bytes[N];
    static float2 halves[N];
    static float floats[N];
    float2 *d;
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned>();
    cudaResourceDesc from;
    cudaTextureDesc how = reading(0);
    cudaTextureObject_t t = 0;
    for (int k = 0; k < N; k++) host[k] = 0x3c004000u + (k << 20) + 7 * k;
    OK(cudaMallocArray(&a, &desc, N, 1));
    OK(cudaMemcpy2DToArray(a, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice));
    OK(cudaMalloc(&d, sizeof halves));
    memset(&from, 0, sizeof from);
    from.resType = cudaResourceTypeArray, from.res.array.array = a;
    how.normalizedCoords = 0;
    cudaResourceViewDesc v = { cudaResViewFormatUnsignedChar4, N, 1 };
    OK(cudaCreateTextureObject(&t, &from, &how, &v));
    seen<uchar4><<<1, N>>>(t, (uchar4 *)d);
    OK(cudaMemcpy(bytes, d, sizeof bytes, cudaMemcpyDeviceToHost));
    expect("words as bytes", !memcmp(bytes, host, sizeof host));
    cudaDestroyTextureObject(t);
    v.format = cudaResViewFormatHalf2, how.filterMode = cudaFilterModeLinear;
    OK(cudaCreateTextureObject(&t, &from, &how, &v));
    seen<float2><<<1, N>>>(t, d);
    OK(cudaMemcpy(halves, d, sizeof halves, cudaMemcpyDeviceToHost));
    near("a half", halves[0].x, 2), near("its neighbour", halves[0].y, 1), near("a third", halves[8].y, 1.125f), near("a fourth", halves[8].x, 2 + 56 / 512.0f);
    cudaDestroyTextureObject(t);
    v.format = cudaResViewFormatFloat1;
    OK(cudaCreateTextureObject(&t, &from, &how, &v));
    seen<float><<<1, N>>>(t, (float *)d);
    OK(cudaMemcpy(floats, d, sizeof floats, cudaMemcpyDeviceToHost));
    expect("words as floats", !memcmp(floats, host, sizeof host));
    cudaDestroyTextureObject(t);
    // Bytes are fractions by the driver API, since a view says that they are bytes.
    CUDA_RESOURCE_DESC r;
    CUDA_TEXTURE_DESC h;
    CUDA_RESOURCE_VIEW_DESC w;
    CUtexObject o = 0;
    memset(&r, 0, sizeof r), memset(&h, 0, sizeof h), memset(&w, 0, sizeof w);
    r.res.array.hArray = (CUarray)a, w.format = CU_RES_VIEW_FORMAT_UINT_2X16, w.width = N, w.height = 1;
    expect("the driver's view", cuTexObjectCreate(&o, &r, &h, &w) == CUDA_SUCCESS);
    seen<float2><<<1, N>>>(o, d);
    OK(cudaMemcpy(halves, d, sizeof halves, cudaMemcpyDeviceToHost));
    near("a fraction", halves[3].x, (host[3] & 0xffff) / 65535.0f), near("the other", halves[3].y, (host[3] >> 16) / 65535.0f);
    cuTexObjectDestroy(o);
    v.format = cudaResViewFormatUnsignedChar2;
    expect("another size", cudaCreateTextureObject(&t, &from, &how, &v) == cudaErrorInvalidValue);
    v.format = cudaResViewFormatUnsignedBlockCompressed4;
    expect("blocks", cudaCreateTextureObject(&t, &from, &how, &v) == cudaErrorNotSupported);
    cudaFreeArray(a), cudaFree(d);
}
static void driver()
{
    CUDA_ARRAY3D_DESCRIPTOR d = { 8, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0 };
    CUmipmappedArray m;
    CUarray level;
    CUDA_ARRAY_DESCRIPTOR small;
    CUDA_RESOURCE_DESC from;
    CUDA_TEXTURE_DESC how;
    CUtexObject t = 0;
    memset(&from, 0, sizeof from), memset(&how, 0, sizeof how);
    expect("the driver's", cuMipmappedArrayCreate(&m, &d, 2) == CUDA_SUCCESS);
    expect("its level", cuMipmappedArrayGetLevel(&level, m, 1) == CUDA_SUCCESS &&
           cuArrayGetDescriptor(&small, level) == CUDA_SUCCESS && small.Width == 4 && small.Height == 2);
    float host[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    expect("its texels", cuMemcpyHtoA(level, 0, host, sizeof host) == CUDA_SUCCESS);
    from.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, from.res.mipmap.hMipmappedArray = m;
    how.flags = CU_TRSF_NORMALIZED_COORDINATES, how.maxMipmapLevelClamp = 5;
    expect("its object", cuTexObjectCreate(&t, &from, &how, nullptr) == CUDA_SUCCESS);
    near("a texel of it", run(t, FLAT, { 0.6f, 0.6f, 0, 1 }), 6);
    expect("no object any more", cuTexObjectDestroy(t) == CUDA_SUCCESS && cuMipmappedArrayDestroy(m) == CUDA_SUCCESS);
}
static void refused()
{
    cudaMipmappedArray_t m = nullptr, one;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaResourceDesc from;
    cudaTextureDesc d = reading(1);
    cudaTextureObject_t t;
    expect("no levels", cudaMallocMipmappedArray(&m, &desc, make_cudaExtent(4, 4, 0), 0) == cudaErrorInvalidValue);
    OK(cudaMallocMipmappedArray(&m, &desc, make_cudaExtent(4, 4, 0), 3));
    OK(cudaMallocMipmappedArray(&one, &desc, make_cudaExtent(1, 1, 0), 9));
    cudaArray_t a;
    expect("no more than there can be", cudaGetMipmappedArrayLevel(&a, one, 1) == cudaErrorInvalidValue);
    memset(&from, 0, sizeof from);
    from.resType = cudaResourceTypeMipmappedArray, from.res.mipmap.mipmap = m;
    d.mipmapFilterMode = cudaFilterModeLinear;
    expect("integers are not mixed", cudaCreateTextureObject(&t, &from, &d, nullptr) == cudaErrorInvalidFilterSetting);
    d = reading(1), d.normalizedCoords = 0;
    expect("coordinates are shares", cudaCreateTextureObject(&t, &from, &d, nullptr) == cudaErrorInvalidValue);
    OK(cudaFreeMipmappedArray(m));
    OK(cudaFreeMipmappedArray(one));
}
int main()
{
    cudaMalloc(&places, N * sizeof *places), cudaMalloc(&results, N * sizeof *results);
    levels(), shapes(), written(), srgb(), views(), driver(), refused();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
