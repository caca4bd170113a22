// Cube maps that are filtered across the edges of their faces, and levels of cubes by how directions change.  What is
// fetched is computed on the host, too, in another way: a texel past an edge is the one that its direction meets.
// Says PASS.  With an argument, a part of the cubes.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s: %s\n", what, cudaGetErrorName(cudaPeekAtLastError()));
    cudaGetLastError();
}
#define OK(call) expect(#call, (call) == cudaSuccess)
static void near(const char *what, int k, double got, double want)
{
    if (!(fabs(got - want) <= 2e-5 * (1 + fabs(want))) && failures++ < 20) printf("FAIL %s %d: %.7g, not %.7g\n", what, k, got, want);
}

enum { MOST = 5, CUBES = 2, THREADS = 1024 };
static int threads = THREADS, slants = 60;               // how many are asked for
struct Way { float x, y, z; int layer; };
static float texels[CUBES * 6 * MOST * MOST];

__global__ void fetch(cudaTextureObject_t t, bool layered, const Way *at, float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Way p = at[i];
    to[i] = layered ? texCubemapLayered<float>(t, p.x, p.y, p.z, p.layer) : texCubemap<float>(t, p.x, p.y, p.z);
}

// ---- on the host ----

struct Place { int face; double s, t; };                  // from -1 to 1
static Place meets(double x, double y, double z)
{
    double ax = fabs(x), ay = fabs(y), az = fabs(z);
    if (ax >= ay && ax >= az) return x < 0 ? Place { 1, z / ax, -y / ax } : Place { 0, -z / ax, -y / ax };
    if (ay >= az) return y < 0 ? Place { 3, x / ay, -z / ay } : Place { 2, x / ay, z / ay };
    return z < 0 ? Place { 5, -x / az, -y / az } : Place { 4, x / az, -y / az };
}
static Way direction(int face, double s, double t)
{
    float a = (float)s, b = (float)t;
    const Way all[] = { { 1, -b, -a }, { -1, -b, a }, { a, 1, b }, { a, -1, -b }, { a, -b, 1 }, { -a, -b, -1 } };
    return all[face];
}
static double texel(int n, int layer, int face, int x, int y)
{
    if (x < 0 || y < 0 || x >= n || y >= n) {
        Way w = direction(face, (2 * x + 1.0) / n - 1, (2 * y + 1.0) / n - 1);
        Place p = meets(w.x, w.y, w.z);
        face = p.face, x = (int)floor((p.s + 1) / 2 * n), y = (int)floor((p.t + 1) / 2 * n);
    }
    return texels[((layer * 6 + face) * n + y) * n + x];
}
static double expected(int n, Way w)
{
    Place p = meets(w.x, w.y, w.z);
    int fx = (int)rint(((p.s + 1) / 2 * n - 0.5) * 256), fy = (int)rint(((p.t + 1) / 2 * n - 0.5) * 256);
    int x = fx >> 8, y = fy >> 8;
    double a = (fx & 255) / 256.0, b = (fy & 255) / 256.0, v[4], mean = 0;
    int lost = -1;
    for (int k = 0; k < 4; k++) {
        int i = x + k % 2, j = y + k / 2;
        if ((i < 0 || i >= n) && (j < 0 || j >= n)) lost = k;
        else mean += (v[k] = texel(n, w.layer, p.face, i, j)) / 3;
    }
    if (lost >= 0) v[lost] = mean;
    return (1 - b) * ((1 - a) * v[0] + a * v[1]) + b * ((1 - a) * v[2] + a * v[3]);
}

// ---- the device's ----

static cudaTextureObject_t cube(int n, bool layered, bool seamless)
{
    cudaArray_t a = nullptr;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    int faces = layered ? 6 * CUBES : 6;
    OK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(n, n, faces), cudaArrayCubemap | (layered ? cudaArrayLayered : 0)));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(texels, n * sizeof(float), n, n);
    p.dstArray = a, p.extent = make_cudaExtent(n, n, faces), p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    cudaResourceDesc from = {};
    from.resType = cudaResourceTypeArray, from.res.array.array = a;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1, how.filterMode = cudaFilterModeLinear, how.seamlessCubemap = seamless;
    cudaTextureObject_t t = 0;
    OK(cudaCreateTextureObject(&t, &from, &how, nullptr));
    cudaTextureDesc same = {};
    OK(cudaGetTextureObjectTextureDesc(&same, t));
    expect("what it was made for", same.seamlessCubemap == (int)seamless);
    return t;
}
static void run(cudaTextureObject_t t, bool layered, const Way *ways, float *got)
{
    Way *at;
    float *to;
    OK(cudaMalloc(&at, THREADS * sizeof *at));
    OK(cudaMalloc(&to, THREADS * sizeof *to));
    OK(cudaMemcpy(at, ways, THREADS * sizeof *at, cudaMemcpyHostToDevice));
    fetch<<<threads / 128, 128>>>(t, layered, at, to);
    OK(cudaMemcpy(got, to, threads * sizeof *to, cudaMemcpyDeviceToHost));
    cudaFree(at), cudaFree(to);
}
static float odd() { return (float)(rand() % 2001 - 1000) / 997; }
static void seamless(int n, bool layered)
{
    static Way w[THREADS];
    static float got[THREADS];
    for (int k = 0; k < threads; k++) {
        // Two of three lie by an edge or a corner; the others anywhere.
        float s = k % 3 == 1 ? odd() : copysignf(1 - 0.3f * fabsf(odd()) / n, odd());
        float t = k % 3 == 2 ? odd() : copysignf(1 - 0.3f * fabsf(odd()) / n, odd());
        w[k] = direction(k % 6, s, t);
        float far = 0.5f + fabsf(odd());
        w[k].x *= far, w[k].y *= far, w[k].z *= far;
        w[k].layer = layered ? k / 6 % CUBES : 0;
    }
    cudaTextureObject_t t = cube(n, layered, true), plain = cube(n, layered, false);
    run(t, layered, w, got);
    for (int k = 0; k < threads; k++) near(layered ? "cubes" : "a cube", 10000 * n + k, got[k], expected(n, w[k]));
    // On both sides of an edge the same, all around; and a face of its own ends in the edge of its texels.
    double most = 0;
    for (int k = 0; k < threads; k += 2)
        for (int m = 0; m < 2; m++) {
            float s = m ? 1.0000001f : 0.9999999f, e = (k / 2 % 32 - 16) / 16.5f;
            const Way all[] = { { s, 1, e, 0 }, { s, e, 1, 0 }, { e, s, 1, 0 } };
            w[k + m] = all[k / 64 % 3];
            for (float *c : { &w[k + m].x, &w[k + m].y, &w[k + m].z })
                if (k / 192 >> (c - &w[k + m].x) & 1) *c = -*c;
        }
    run(t, layered, w, got);
    for (int k = 0; k < threads; k += 2) near("an edge", 10000 * n + k, got[k], got[k + 1]);
    run(plain, layered, w, got);
    for (int k = 0; k < threads; k += 2) most = fmax(most, fabs(got[k] - got[k + 1]));
    expect("faces apart are not the same", most > 1);
    cudaDestroyTextureObject(t), cudaDestroyTextureObject(plain);
}

// ---- levels ----

__global__ void slope(cudaTextureObject_t t, bool layered, Way at, float4 dx, float4 dy, float *to)
{
    *to = layered ? texCubemapLayeredGrad<float>(t, at.x, at.y, at.z, at.layer, dx, dy)
                  : texCubemapGrad<float>(t, at.x, at.y, at.z, dx, dy);
}
// All texels of a level are its number, so that what is fetched is the level.
static cudaMipmappedArray_t numbered(int n, int levels, bool layered)
{
    cudaMipmappedArray_t m = nullptr;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    int faces = layered ? 6 * CUBES : 6;
    OK(cudaMallocMipmappedArray(&m, &desc, make_cudaExtent(n, n, faces), levels,
                                cudaArrayCubemap | (layered ? cudaArrayLayered : 0)));
    for (int k = 0; k < levels; k++, n /= 2) {
        cudaArray_t a;
        OK(cudaGetMipmappedArrayLevel(&a, m, k));
        float *host = (float *)malloc(n * n * faces * sizeof *host);
        for (int i = 0; i < n * n * faces; i++) host[i] = (float)k;
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(host, n * sizeof(float), n, n);
        p.dstArray = a, p.extent = make_cudaExtent(n, n, faces), p.kind = cudaMemcpyHostToDevice;
        OK(cudaMemcpy3D(&p));
        free(host);
    }
    return m;
}
static void slopes(bool layered)
{
    enum { N = 64, LEVELS = 7 };
    cudaMipmappedArray_t m = numbered(N, LEVELS, layered);
    cudaResourceDesc from = {};
    from.resType = cudaResourceTypeMipmappedArray, from.res.mipmap.mipmap = m;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1, how.mipmapFilterMode = cudaFilterModeLinear, how.maxMipmapLevelClamp = LEVELS;
    cudaTextureObject_t t = 0;
    float *to, got = -1;
    OK(cudaCreateTextureObject(&t, &from, &how, nullptr));
    OK(cudaMalloc(&to, sizeof *to));
    for (int k = 0; k < slants; k++) {
        Way w = direction(k % 6, 0.9 * odd(), 0.9 * odd());
        float far = 0.5f + fabsf(odd()), d[2][3];
        w.x *= far, w.y *= far, w.z *= far, w.layer = k & 1;
        double longest = 0, h = 1e-4;
        Place p = meets(w.x, w.y, w.z);
        for (auto &one : d) {
            for (float &c : one) c = 0.3f * odd() * far;
            Place q = meets(w.x + h * one[0], w.y + h * one[1], w.z + h * one[2]);     // how far it goes, measured
            Place o = meets(w.x - h * one[0], w.y - h * one[1], w.z - h * one[2]);
            longest = fmax(longest, hypot((q.s - o.s) / (2 * h), (q.t - o.t) / (2 * h)) / 2 * N);
        }
        expect("the same face", p.face == k % 6);
        slope<<<1, 1>>>(t, layered, w, make_float4(d[0][0], d[0][1], d[0][2], 0), make_float4(d[1][0], d[1][1], d[1][2], 0), to);
        OK(cudaMemcpy(&got, to, sizeof got, cudaMemcpyDeviceToHost));
        double want = fmin(fmax(log2(longest), 0), LEVELS - 1);
        if (fabs(got - want) > 1.0 / 256) near(layered ? "a level of cubes" : "a level", k, got, want);
    }
    cudaDestroyTextureObject(t), cudaFree(to);
    OK(cudaFreeMipmappedArray(m));
}

// The same flag by the driver API: what is fetched at an edge is between both faces.
static void driver()
{
    CUDA_ARRAY3D_DESCRIPTOR d = { 1, 1, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP };
    CUarray a;
    expect("the driver's", cuArray3DCreate(&a, &d) == CUDA_SUCCESS);
    float host[6] = { 1, 2, 3, 4, 5, 6 }, got[THREADS];
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = host, c.srcPitch = 4, c.srcHeight = 1;
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = a, c.WidthInBytes = 4, c.Height = 1, c.Depth = 6;
    expect("its faces", cuMemcpy3D(&c) == CUDA_SUCCESS);
    CUDA_RESOURCE_DESC from;
    CUDA_TEXTURE_DESC how;
    CUtexObject t = 0;
    memset(&from, 0, sizeof from), memset(&how, 0, sizeof how);
    from.res.array.hArray = a;
    how.flags = CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SEAMLESS_CUBEMAP, how.filterMode = CU_TR_FILTER_MODE_LINEAR;
    expect("its object", cuTexObjectCreate(&t, &from, &how, nullptr) == CUDA_SUCCESS);
    static Way w[THREADS];
    w[0] = { 1, 0, 0, 0 }, w[1] = { 1, 0.999999f, 0, 0 }, w[2] = { 1, 0.999999f, 0.999999f, 0 }, w[3] = { 0, -1, -1, 0 };
    run(t, false, w, got);
    const double want[] = { 1, (1 + 3) / 2.0, (1 + 3 + 5) / 3.0, (4 + 6) / 2.0 };
    for (int k = 0; k < 4; k++) near("one texel a face", k, got[k], want[k]);
    cuTexObjectDestroy(t), cuArrayDestroy(a);
}

int main(int argc, char **)
{
    srand(5);
    for (float &t : texels) t = (float)(rand() % 1000) / 8;
    if (argc > 1) threads = 256, slants = 12;
    else for (int n : { 1, 2, 4, 5 }) seamless(n, false);
    seamless(3, true);
    slopes(false), slopes(true);
    driver();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
