// Textures and surfaces in one, two and three dimensions, layers and cubes, from arrays, pitched
// and linear memory: nearest and linear, each way out of range, normalized coordinates and values.
// What is fetched is computed on the host, too, by CUDA's definition of a fetch.  Says PASS.  With an
// argument, a part of the ways to fetch.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define OK(call) ok((call), #call)
static bool failed;
static void ok(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) printf("%s: %s\n", what, cudaGetErrorString(e)), exit(1);
}
static void check(const char *what, int k, float got, float want)
{
    if (got == want || std::fabs(got - want) <= 2e-6f * (1 + std::fabs(want))) return;
    if (!failed) printf("%s %d: %.9g, should be %.9g\n", what, k, got, want);
    failed = true;
}

enum { W = 7, H = 5, D = 3, N = 96 };
static float texels[6 * D * H * W];
static float points[N][4];
static int step = 1;

__global__ void fetch(cudaTextureObject_t t, int dims, const float4 *at, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = at[i];
    if (dims == 1) out[i] = tex1D<float>(t, p.x);
    else if (dims == 2) out[i] = tex2D<float>(t, p.x, p.y);
    else if (dims == 3) out[i] = tex3D<float>(t, p.x, p.y, p.z);
    else if (dims == 4) out[i] = tex1DLayered<float>(t, p.x, (int)p.w);
    else if (dims == 5) out[i] = tex2DLayered<float>(t, p.x, p.y, (int)p.w);
    else if (dims == 6) out[i] = texCubemap<float>(t, p.x, p.y, p.z);
    else if (dims == 7) out[i] = texCubemapLayered<float>(t, p.x, p.y, p.z, (int)p.w);
    else out[i] = tex2DLod<float>(t, p.x, p.y, 0);
}

// ---- the same by definition ----

struct Size { int w, h, d; };
static int range(int i, int n, int mode, bool &in)
{
    if (mode == cudaAddressModeBorder && (i < 0 || i >= n)) in = false;
    if (mode == cudaAddressModeWrap) return ((i % n) + n) % n;
    if (mode == cudaAddressModeMirror) {
        i = ((i % (2 * n)) + 2 * n) % (2 * n);
        return i < n ? i : 2 * n - 1 - i;
    }
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}
static float texel(Size s, int dims, int x, int y, int z, int mode, float border)
{
    bool in = true;
    x = range(x, s.w, mode, in);
    y = dims > 1 ? range(y, s.h, mode, in) : 0;
    z = dims > 2 ? range(z, s.d, mode, in) : z;
    return in ? texels[(z * s.h + y) * s.w + x] : border;
}
static float expected(Size s, int dims, const float *c, int layer, const cudaTextureDesc &how)
{
    int size[3] = { s.w, s.h, s.d }, i[3] = { 0, 0, layer };
    double a[3] = { 0, 0, 0 }, sum = 0;
    for (int k = 0; k < dims; k++) {
        float x = c[k], whole = floorf(x);
        if (how.normalizedCoords) {
            if (how.addressMode[0] == cudaAddressModeWrap) x -= whole;
            if (how.addressMode[0] == cudaAddressModeMirror)
                x = (int)whole & 1 ? 1 - (x - whole) : x - whole;
            x *= size[k];
        }
        if (how.filterMode == cudaFilterModePoint) i[k] = (int)floorf(x);
        else {
            int fixed = (int)rintf((x - 0.5f) * 256);
            i[k] = fixed >> 8, a[k] = (fixed & 255) / 256.0;
        }
    }
    for (int k = 0; k < 1 << dims; k++) {
        double w = 1;
        for (int d = 0; d < dims; d++) w *= k >> d & 1 ? a[d] : 1 - a[d];
        if (w)
            sum += w * texel(s, dims, i[0] + (k & 1), i[1] + (k >> 1 & 1), i[2] + (k >> 2),
                             how.addressMode[0], how.borderColor[0]);
    }
    return (float)sum;
}

static cudaArray_t array(cudaExtent e, unsigned flags)
{
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    OK(cudaMalloc3DArray(&a, &desc, e, flags));
    cudaMemcpy3DParms p = {};
    size_t h = e.height ? e.height : 1, d = e.depth ? e.depth : 1;
    p.srcPtr = make_cudaPitchedPtr(texels, e.width * sizeof(float), e.width, h);
    p.dstArray = a;
    p.extent = make_cudaExtent(e.width, h, d);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    return a;
}

static void run(const char *what, cudaResourceDesc from, int kind, int dims, Size s, bool layered)
{
    float *out, got[N];
    float4 *at;
    OK(cudaMalloc(&out, sizeof got));
    OK(cudaMalloc(&at, sizeof points));
    OK(cudaMemcpy(at, points, sizeof points, cudaMemcpyHostToDevice));
    for (int mode = step > 1 ? dims : 0; mode < 16; mode += step) {
        cudaTextureDesc how = {};
        how.normalizedCoords = mode >> 3;
        how.filterMode = (cudaTextureFilterMode)(mode >> 2 & 1);
        for (int k = 0; k < 3; k++) how.addressMode[k] = (cudaTextureAddressMode)(mode & 3);
        how.borderColor[0] = -2.5f;
        if (!how.normalizedCoords && (mode & 3) != cudaAddressModeClamp &&
            (mode & 3) != cudaAddressModeBorder)
            continue;
        cudaTextureObject_t t;
        OK(cudaCreateTextureObject(&t, &from, &how, nullptr));
        fetch<<<N / 32, 32>>>(t, kind, at, out);
        OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        for (int k = 0; k < N; k++) {
            unsigned layer = layered ? (int)points[k][3] : 0;     // without a sign: layers.txt
            if (layer >= (unsigned)s.d) layer = s.d - 1;
            check(what, 100 * mode + k, got[k], expected(s, dims, points[k], layer, how));
        }
        OK(cudaDestroyTextureObject(t));
    }
    OK(cudaFree(out));
    OK(cudaFree(at));
}

static cudaResourceDesc resource(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

// ---- cubes: each face is the table of CUDA's guide ----

__global__ void faces(cudaTextureObject_t t, float *out)
{
    const float far = 1, near = 0.4f;
    int i = threadIdx.x;                 // two of them for each face
    float a = i & 1 ? near : -near, b = 0.2f;
    float x = i / 2 == 0 ? far : i / 2 == 1 ? -far : a,
          y = i / 2 == 2 ? far : i / 2 == 3 ? -far : i / 2 < 2 ? a : b,
          z = i / 2 == 4 ? far : i / 2 == 5 ? -far : b;
    out[i] = texCubemap<float>(t, x, y, z);
}
static void cube()
{
    enum { E = 4 };
    cudaResourceDesc r = resource(array(make_cudaExtent(E, E, 6), cudaArrayCubemap));
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    for (int k = 0; k < 3; k++) how.addressMode[k] = cudaAddressModeClamp;
    cudaTextureObject_t t;
    float *out, got[12];
    OK(cudaCreateTextureObject(&t, &r, &how, nullptr));
    OK(cudaMalloc(&out, sizeof got));
    faces<<<1, 12>>>(t, out);
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 12; i++) {
        float a = i & 1 ? 0.4f : -0.4f, b = 0.2f, s, u;
        switch (i / 2) {
        case 0: s = -b, u = -a; break;
        case 1: s = b, u = -a; break;
        case 2: s = a, u = b; break;
        case 3: s = a, u = -b; break;
        case 4: s = a, u = -b; break;
        default: s = -a, u = -b; break;
        }
        int x = (int)floorf((s + 1) / 2 * E), y = (int)floorf((u + 1) / 2 * E);
        check("cube", i, got[i], texels[(i / 2 * E + y) * E + x]);
    }
}

// ---- elements of other types; what a query says; four texels at once ----

__global__ void elements(cudaTextureObject_t bytes, cudaTextureObject_t raw,
                         cudaTextureObject_t words, float *out)
{
    float4 f = tex2D<float4>(bytes, 1.5f, 0.5f);
    uchar4 u = tex2D<uchar4>(raw, 1.5f, 0.5f);
    short2 s;
    tex1Dfetch(&s, words, 3);
    float4 g = tex2Dgather<float4>(bytes, 1.0f, 1.0f, 1);
    out[0] = f.x, out[1] = f.y, out[2] = f.z, out[3] = f.w;
    out[4] = u.x, out[5] = u.w, out[6] = s.x, out[7] = s.y;
    out[8] = tex1Dfetch<short2>(words, 8).x;
    out[9] = g.x, out[10] = g.y, out[11] = g.z, out[12] = g.w;
    unsigned w, h;
    asm("txq.width.b32 %0, [%1];" : "=r"(w) : "l"(raw));
    asm("txq.height.b32 %0, [%1];" : "=r"(h) : "l"(raw));
    out[13] = w, out[14] = h;
}
static void types()
{
    unsigned char b[2][3][4];
    short w[8][2];
    for (int k = 0; k < 24; k++) (&b[0][0][0])[k] = (unsigned char)(k * 37 + 5);
    for (int k = 0; k < 16; k++) (&w[0][0])[k] = (short)(k * 4001 - 30000);
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
    cudaArray_t a;
    void *linear;
    OK(cudaMallocArray(&a, &desc, 3, 2));
    OK(cudaMemcpy2DToArray(a, 0, 0, b, 12, 12, 2, cudaMemcpyHostToDevice));
    OK(cudaMalloc(&linear, sizeof w));
    OK(cudaMemcpy(linear, w, sizeof w, cudaMemcpyHostToDevice));
    cudaTextureDesc how = {}, fraction = {};
    fraction.readMode = cudaReadModeNormalizedFloat;
    for (int k = 0; k < 3; k++) how.addressMode[k] = fraction.addressMode[k] = cudaAddressModeClamp;
    cudaResourceDesc r = resource(a), l = {};
    l.resType = cudaResourceTypeLinear;
    l.res.linear.devPtr = linear, l.res.linear.sizeInBytes = sizeof w;
    l.res.linear.desc = cudaCreateChannelDesc<short2>();
    cudaTextureObject_t t[3];
    OK(cudaCreateTextureObject(&t[0], &r, &fraction, nullptr));
    OK(cudaCreateTextureObject(&t[1], &r, &how, nullptr));
    OK(cudaCreateTextureObject(&t[2], &l, &how, nullptr));
    float *out, got[15];
    OK(cudaMalloc(&out, sizeof got));
    elements<<<1, 1>>>(t[0], t[1], t[2], out);
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    const unsigned char *p = b[0][1];
    float want[15] = { p[0] / 255.f, p[1] / 255.f, p[2] / 255.f, p[3] / 255.f, (float)p[0],
                       (float)p[3], (float)w[3][0], (float)w[3][1], 0, b[1][0][1] / 255.f,
                       b[1][1][1] / 255.f, b[0][1][1] / 255.f, b[0][0][1] / 255.f, 3, 2 };
    for (int k = 0; k < 15; k++) check("elements", k, got[k], want[k]);
    fraction.filterMode = how.filterMode = cudaFilterModeLinear;
    if (cudaCreateTextureObject(&t[0], &r, &how, nullptr) != cudaErrorInvalidFilterSetting)
        check("filter of integers", 0, 0, 1);
    cudaGetLastError();
}

// ---- surfaces ----

__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int n)
{
    int x = threadIdx.x, y = threadIdx.y;
    float2 v;
    surf2Dread(&v, from, x * (int)sizeof v, y);
    surf2Dwrite(make_float2(v.y, v.x), to, (n - 1 - x) * (int)sizeof v, y);
    unsigned char none = surf2Dread<unsigned char>(from, -1, y, cudaBoundaryModeZero);
    float edge = surf2Dread<float>(from, n * 8, n + 5, cudaBoundaryModeClamp);
    if (none || edge != surf2Dread<float>(from, n * 8 - 4, n - 1))
        surf2Dwrite(make_float2(-1, -1), to, 0, 0);
    surf2Dwrite(make_float2(9, 9), to, n * 8, 0, cudaBoundaryModeZero);
}
static void surfaces()
{
    enum { E = 6 };
    float2 in[E][E], got[E][E];
    for (int k = 0; k < E * E; k++) (&in[0][0])[k] = make_float2((float)k, 100.0f + k);
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float2>();
    cudaArray_t a, b;
    cudaSurfaceObject_t s[2];
    OK(cudaMallocArray(&a, &desc, E, E, cudaArraySurfaceLoadStore));
    OK(cudaMallocArray(&b, &desc, E, E, cudaArraySurfaceLoadStore));
    OK(cudaMemcpyToArray(a, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    cudaResourceDesc ra = resource(a), rb = resource(b);
    OK(cudaCreateSurfaceObject(&s[0], &ra));
    OK(cudaCreateSurfaceObject(&s[1], &rb));
    turn<<<1, dim3(E, E)>>>(s[0], s[1], E);
    OK(cudaMemcpy2DFromArray(got, sizeof got[0], b, 0, 0, sizeof got[0], E,
                             cudaMemcpyDeviceToHost));
    for (int y = 0; y < E; y++)
        for (int x = 0; x < E; x++) {
            check("surface x", y * E + x, got[y][x].x, in[y][E - 1 - x].y);
            check("surface y", y * E + x, got[y][x].y, in[y][E - 1 - x].x);
        }
}

int main(int argc, char **)
{
    srand(3);
    step = argc > 1 ? 5 : 1;
    for (float &t : texels) t = (float)(rand() % 1000) / 8;
    for (auto &p : points)
        for (float &c : p) c = (float)(rand() % 4000) / 256 - 4;
    for (int k = 0; k < N; k += 3)
        for (float &c : points[k]) c *= 0.15f;
    cudaResourceDesc r = resource(array(make_cudaExtent(W, 0, 0), 0));
    run("1D", r, 1, 1, { W, 1, 1 }, false);
    r = resource(array(make_cudaExtent(W, H, 0), 0));
    run("2D", r, 2, 2, { W, H, 1 }, false);
    run("2D level", r, 8, 2, { W, H, 1 }, false);
    run("3D", resource(array(make_cudaExtent(W, H, D), 0)), 3, 3, { W, H, D }, false);
    run("1D layered", resource(array(make_cudaExtent(W, 0, D), cudaArrayLayered)),
        4, 1, { W, 1, D }, true);
    run("2D layered", resource(array(make_cudaExtent(W, H, D), cudaArrayLayered)),
        5, 2, { W, H, D }, true);
    void *p;
    size_t pitch;
    OK(cudaMallocPitch(&p, &pitch, W * sizeof(float), H));
    OK(cudaMemcpy2D(p, pitch, texels, W * sizeof(float), W * sizeof(float), H,
                    cudaMemcpyHostToDevice));
    r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = p, r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = W, r.res.pitch2D.height = H, r.res.pitch2D.pitchInBytes = pitch;
    run("pitched", r, 2, 2, { W, H, 1 }, false);
    cube();
    types();
    surfaces();
    puts(failed ? "FAIL" : "PASS");
    return failed;
}
