/* A program that knows libcuda.so.1 by the names of other versions of CUDA: those without a
 * version, whose addresses and sizes have 32 bits, and those of CUDA 13.  Says PASS.
 * SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef unsigned address;
typedef void *handle;
struct copy2 {
    unsigned sx, sy; int stype; const void *shost; address sdevice; handle sarray; unsigned spitch;
    unsigned dx, dy; int dtype; void *dhost; address ddevice; handle darray; unsigned dpitch;
    unsigned width, height;
};
struct copy3 {
    unsigned sx, sy, sz, slod; int stype; const void *shost; address sdevice; handle sarray;
        void *r0; unsigned spitch, sheight;
    unsigned dx, dy, dz, dlod; int dtype; void *dhost; address ddevice; handle darray; void *r1;
        unsigned dpitch, dheight;
    unsigned width, height, depth;
};
struct plane { unsigned width, height; int format; unsigned channels; };
struct kernel_node { handle fn; unsigned grid[3], block[3], shared; void **params, **extra; };
enum { HOST = 1, DEVICE = 2, ARRAY = 3, FLOAT = 32, N = 64 };

static handle lib;
static int failures;
static void expect(const char *what, int ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s\n", what);
}
static void *named(const char *name)
{
    void *f = dlsym(lib, name);
    if (!f) printf("FAIL no %s\n", name), failures++;
    return f;
}
#define F(name, ...) int (*name)(__VA_ARGS__) = named(#name); if (!name) return
#define OK(call) expect(#call, (call) == 0)

static void memory(handle module, handle kernel)
{
    F(cuMemAlloc, address *, unsigned);
    F(cuMemFree, address);
    F(cuMemAllocPitch, address *, unsigned *, unsigned, unsigned, unsigned);
    F(cuMemGetInfo, unsigned *, unsigned *);
    F(cuDeviceTotalMem, unsigned *, int);
    F(cuMemGetAddressRange, address *, unsigned *, address);
    F(cuMemAllocHost, void **, unsigned);
    F(cuMemFreeHost, void *);
    F(cuMemcpyHtoD, address, const void *, unsigned);
    F(cuMemcpyDtoH, void *, address, unsigned);
    F(cuMemcpyDtoD, address, address, unsigned);
    F(cuMemsetD32, address, unsigned, unsigned);
    F(cuMemsetD2D8, address, unsigned, unsigned char, unsigned, unsigned);
    F(cuModuleGetGlobal, address *, unsigned *, handle, const char *);
    F(cuLaunchKernel, handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
        unsigned, handle, void **, void **);
    int in[N], out[N];
    for (int k = 0; k < N; k++) in[k] = 3 * k, out[k] = 0;
    struct { address p; unsigned guard; } a = { 0, 0xabcd1234 }, b = { 0, 0xabcd1234 };
    unsigned bytes = 0, total = 0, pitch = 0, left = 0, *host = NULL;
    OK(cuMemAlloc(&a.p, sizeof in));
    OK(cuMemAlloc(&b.p, sizeof in));
    expect("32 bits are written, no more", a.guard == 0xabcd1234 && b.guard == 0xabcd1234 &&
        a.p && b.p && a.p != b.p);
    OK(cuMemcpyHtoD(a.p, in, sizeof in));
    OK(cuMemcpyDtoD(b.p, a.p, sizeof in));
    OK(cuMemcpyDtoH(out, b.p, sizeof out));
    expect("there and back", !memcmp(in, out, sizeof in));
    OK(cuMemsetD32(b.p, 7, N / 2));
    OK(cuMemcpyDtoH(out, b.p, sizeof out));
    expect("a fill", out[0] == 7 && out[N / 2 - 1] == 7 && out[N / 2] == in[N / 2]);
    OK(cuMemGetAddressRange(&a.p, &bytes, a.p + 20));
    expect("a range", bytes == sizeof in && a.guard == 0xabcd1234);
    OK(cuMemGetInfo(&left, &total));
    expect("memory", left && total >= left);
    OK(cuDeviceTotalMem(&total, 0));
    OK(cuMemAllocHost((void **)&host, 64));
    host[15] = 1;
    OK(cuMemFreeHost(host));
    address wide = 0;
    OK(cuMemAllocPitch(&wide, &pitch, 10, 4, 4));
    OK(cuMemsetD2D8(wide, pitch, 5, 10, 4));
    OK(cuMemcpyDtoH(out, wide + 3 * pitch, 10));
    expect("rows", pitch >= 10 && ((unsigned char *)out)[9] == 5);
    unsigned guard[2] = { 0, 99 };
    address place = 0;
    OK(cuModuleGetGlobal(&place, &guard[0], module, "bias"));
    expect("a variable", guard[0] == 4 && guard[1] == 99);
    int ten = 10, f[4] = { 1, 2, 3, 4 };
    OK(cuMemcpyHtoD(place, &ten, 4));
    OK(cuMemcpyHtoD(a.p, f, sizeof f));
    unsigned long long at = a.p;
    short by = 2;
    int n = 4;
    void *args[] = { &at, &by, &n };
    OK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(f, a.p, sizeof f));
    expect("a launch", f[3] == 2 * 4 + 10);
    OK(cuMemFree(a.p));
    OK(cuMemFree(b.p));
    OK(cuMemFree(wide));
    expect("it is gone", cuMemFree(b.p) != 0);
}

static void arrays(void)
{
    F(cuArrayCreate, handle *, const struct plane *);
    F(cuArrayGetDescriptor, struct plane *, handle);
    F(cuArrayDestroy, handle);
    F(cuMemcpy2D, const struct copy2 *);
    F(cuMemcpy3D, const struct copy3 *);
    F(cuMemcpyAtoH, void *, handle, unsigned, unsigned);
    struct plane d = { 8, 4, FLOAT, 1 }, same = { 0, 0, 0, 0 };
    float in[32], out[32] = { 0 };
    handle a = NULL;
    for (int k = 0; k < 32; k++) in[k] = (float)k;
    OK(cuArrayCreate(&a, &d));
    OK(cuArrayGetDescriptor(&same, a));
    expect("what it is", !memcmp(&same, &d, sizeof d));
    struct copy2 c = { .stype = HOST, .shost = in, .spitch = 32, .dtype = ARRAY, .darray = a,
        .width = 32, .height = 4 };
    OK(cuMemcpy2D(&c));
    OK(cuMemcpyAtoH(out, a, 0, sizeof out));
    expect("rows of an array", !memcmp(in, out, sizeof in));
    struct copy3 b = { .sx = 4, .sy = 1, .stype = ARRAY, .sarray = a, .dtype = HOST, .dhost = out,
        .dpitch = 8, .dheight = 2,
                       .width = 8, .height = 2, .depth = 1 };
    OK(cuMemcpy3D(&b));
    expect("a box of an array", out[0] == 9 && out[3] == 18);
    OK(cuArrayDestroy(a));
}

static void graphs(handle kernel)
{
    F(cuStreamCreate, handle *, unsigned);
    F(cuStreamDestroy, handle);
    F(cuEventCreate, handle *, unsigned);
    F(cuEventRecord, handle, handle);
    F(cuEventElapsedTime_v2, float *, handle, handle);
    F(cuEventDestroy, handle);
    F(cuStreamBeginCapture, handle);
    F(cuStreamEndCapture, handle, handle *);
    F(cuStreamGetCaptureInfo, handle, int *, unsigned long long *);
    F(cuGraphAddKernelNode, handle *, handle, const handle *, size_t, const struct kernel_node *);
    F(cuGraphKernelNodeGetParams, handle, struct kernel_node *);
    F(cuGraphInstantiate, handle *, handle, handle *, char *, size_t);
    F(cuGraphLaunch, handle, handle);
    F(cuGraphGetEdges_v2, handle, handle *, handle *, void *, size_t *);
    F(cuMemAlloc, address *, unsigned);
    F(cuMemcpyHtoDAsync, address, const void *, unsigned, handle);
    F(cuMemcpyDtoH, void *, address, unsigned);
    F(cuMemFree, address);
    handle s = NULL, g = NULL, x = NULL, node[2], wrong, e = NULL;
    address a = 0, b = 0;
    float ms = -1;
    int f[4] = { 1, 2, 3, 4 }, status = 9;
    unsigned long long id = 0;
    OK(cuMemAlloc(&a, sizeof f));
    OK(cuMemAlloc(&b, sizeof f));
    OK(cuStreamCreate(&s, 0));
    OK(cuMemcpyHtoDAsync(a, f, sizeof f, s));
    OK(cuStreamBeginCapture(s));
    OK(cuMemcpyHtoDAsync(b, f, sizeof f, s));
    OK(cuStreamGetCaptureInfo(s, &status, &id));
    expect("it is recorded", status == 1);
    OK(cuStreamEndCapture(s, &g));
    unsigned long long at = a;
    short by = 2;
    int n = 4, copied[4] = { 0 };
    void *args[] = { &at, &by, &n };
    struct kernel_node k = { kernel, { 1, 1, 1 }, { 32, 1, 1 }, 0, args, NULL };
    struct { struct kernel_node k; unsigned long long guard; } back = { .guard = 77 };
    OK(cuGraphAddKernelNode(&node[0], g, NULL, 0, &k));
    OK(cuGraphAddKernelNode(&node[1], g, node, 1, &k));
    OK(cuGraphKernelNodeGetParams(node[1], &back.k));
    expect("what it does", back.k.block[0] == 32 && back.guard == 77);
    size_t edges = 5;
    handle from[5], to[5];
    unsigned char data[5][8];
    OK(cuGraphGetEdges_v2(g, from, to, data, &edges));
    expect("an edge", edges == 1 && from[0] == node[0] && to[0] == node[1]);
    OK(cuGraphInstantiate(&x, g, &wrong, NULL, 0));
    OK(cuGraphLaunch(x, s));
    OK(cuMemcpyDtoH(copied, b, sizeof copied));
    expect("the copy that was recorded", !memcmp(copied, f, sizeof f));
    OK(cuMemcpyDtoH(f, a, sizeof f));
    expect("two launches", f[1] == (2 * 2 + 10) * 2 + 10);
    OK(cuEventCreate(&e, 0));
    OK(cuEventRecord(e, s));
    OK(cuEventElapsedTime_v2(&ms, e, e));
    OK(cuEventDestroy(e));
    OK(cuStreamDestroy(s));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
}

/* Each version asks by one name for what it knows by that name. */
static void by_version(void)
{
    F(cuGetProcAddress, const char *, void **, int, unsigned long long);
    static const struct { const char *name; int version; const char *is; } all[] = {
        { "cuMemAlloc", 12000, "cuMemAlloc_v2" }, { "cuCtxCreate", 12000, "cuCtxCreate_v2" },
            { "cuCtxCreate", 13000, "cuCtxCreate_v4" },
        { "cuGraphGetEdges", 12000, "cuGraphGetEdges" }, { "cuGraphGetEdges", 13000,
            "cuGraphGetEdges_v2" },
        { "cuMemcpyBatchAsync", 12080, "cuMemcpyBatchAsync" }, { "cuMemcpyBatchAsync", 13000,
            "cuMemcpyBatchAsync_v2" },
        { "cuStreamGetCaptureInfo", 12000, "cuStreamGetCaptureInfo_v2" },
            { "cuStreamGetCaptureInfo", 13000, "cuStreamGetCaptureInfo_v3" },
        { "cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags" }, { "cuTexRefSetAddress2D",
            12000, "cuTexRefSetAddress2D_v3" } };
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
        void *f = NULL;
        OK(cuGetProcAddress(all[k].name, &f, all[k].version, 0));
        expect(all[k].is, f == named(all[k].is));
    }
}

/* Names that must be there for a loader, and are named when they are called. */
static void missing(void)
{
    F(cuGraphicsMapResources, unsigned, handle *, handle);
    F(cuIpcGetMemHandle, void *, address);
    expect("no graphics", cuGraphicsMapResources(0, NULL, NULL) == 801);
    expect("no other process", cuIpcGetMemHandle(NULL, 0) == 801);
}

static void run(const char *ptx)
{
    F(cuInit, unsigned);
    F(cuCtxCreate, handle *, unsigned, int);
    F(cuCtxPopCurrent, handle *);
    F(cuCtxPushCurrent, handle);
    F(cuCtxDestroy, handle);
    F(cuModuleLoad, handle *, const char *);
    F(cuModuleGetFunction, handle *, handle, const char *);
    handle c = NULL, module = NULL, kernel = NULL;
    OK(cuInit(0));
    OK(cuCtxCreate(&c, 0, 0));
    OK(cuCtxPopCurrent(&c));
    OK(cuCtxPushCurrent(c));
    OK(cuModuleLoad(&module, ptx));
    OK(cuModuleGetFunction(&kernel, module, "scale"));
    memory(module, kernel), arrays(), graphs(kernel), by_version(), missing();
    OK(cuCtxDestroy(c));
}

int main(int argc, char **argv)
{
    if (argc < 3 || !(lib = dlopen(argv[1], RTLD_NOW))) return 2;
    run(argv[2]);
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
