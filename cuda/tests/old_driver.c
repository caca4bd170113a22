/* A program that knows libcuda.so.1 by the names of other versions of CUDA, from 4 to 13.  Says
 * PASS.
 * SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long address;
typedef void *handle;
struct kernel_node { handle fn; unsigned grid[3], block[3], shared; void **params, **extra; };

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

static void graphs(handle module, handle kernel)
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
    F(cuMemAlloc_v2, address *, size_t);
    F(cuMemcpyHtoD_v2, address, const void *, size_t);
    F(cuMemcpyHtoDAsync_v2, address, const void *, size_t, handle);
    F(cuMemcpyDtoH_v2, void *, address, size_t);
    F(cuMemFree_v2, address);
    F(cuModuleGetGlobal_v2, address *, size_t *, handle, const char *);
    handle s = NULL, g = NULL, x = NULL, node[2], wrong, e = NULL;
    address a = 0, b = 0;
    float ms = -1;
    int f[4] = { 1, 2, 3, 4 }, status = 9;
    unsigned long long id = 0;
    OK(cuMemAlloc_v2(&a, sizeof f));
    OK(cuMemAlloc_v2(&b, sizeof f));
    OK(cuStreamCreate(&s, 0));
    OK(cuMemcpyHtoDAsync_v2(a, f, sizeof f, s));
    OK(cuStreamBeginCapture(s));
    OK(cuMemcpyHtoDAsync_v2(b, f, sizeof f, s));
    OK(cuStreamGetCaptureInfo(s, &status, &id));
    expect("it is recorded", status == 1);
    OK(cuStreamEndCapture(s, &g));
    address at = a, place = 0;
    size_t bytes = 0;
    int ten = 10;
    OK(cuModuleGetGlobal_v2(&place, &bytes, module, "bias"));
    expect("a variable", bytes == sizeof ten);
    OK(cuMemcpyHtoD_v2(place, &ten, sizeof ten));
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
    OK(cuMemcpyDtoH_v2(copied, b, sizeof copied));
    expect("the copy that was recorded", !memcmp(copied, f, sizeof f));
    OK(cuMemcpyDtoH_v2(f, a, sizeof f));
    expect("two launches", f[1] == (2 * 2 + 10) * 2 + 10);
    OK(cuEventCreate(&e, 0));
    OK(cuEventRecord(e, s));
    OK(cuEventElapsedTime_v2(&ms, e, e));
    OK(cuEventDestroy(e));
    OK(cuStreamDestroy(s));
    OK(cuMemFree_v2(a));
    OK(cuMemFree_v2(b));
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
    graphs(module, kernel), by_version(), missing();
    OK(cuCtxDestroy(c));
}

int main(int argc, char **argv)
{
    if (argc < 3 || !(lib = dlopen(argv[1], RTLD_NOW))) return 2;
    run(argv[2]);
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
