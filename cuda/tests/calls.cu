// Code that a program loads itself, kernels and calls by name, and what is asked of memory.  SPDX-License-Identifier: Apache-2.0
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
#define OK(call) expect(#call, (call) == cudaSuccess)
#define BAD(call) expect(#call, (call) == cudaErrorInvalidValue)
__global__ void add(int *p, short by, int n)
{
    if (threadIdx.x < n) p[threadIdx.x] += by;
}

static void loaded(const char *path)
{
    cudaLibrary_t lib;
    cudaKernel_t k, none;
    void *bias;
    size_t bytes;
    unsigned n = 0;
    int *p, back[4], ten = 10, count = 4;
    short by = 3;
    OK(cudaMalloc(&p, sizeof back));
    OK(cudaMemset(p, 0, sizeof back));
    OK(cudaLibraryLoadFromFile(&lib, path, nullptr, nullptr, 0, nullptr, nullptr, 0));
    OK(cudaLibraryGetKernel(&k, lib, "scale"));
    expect("no such kernel", cudaLibraryGetKernel(&none, lib, "nothing") != cudaSuccess);
    OK(cudaLibraryGetGlobal(&bias, &bytes, lib, "bias"));
    OK(cudaMemcpy(bias, &ten, sizeof ten, cudaMemcpyHostToDevice));
    void *args[] = { &p, &by, &count };
    OK(cudaLaunchKernel((const void *)k, dim3(1), dim3(4), args, 0, 0));
    OK(cudaLaunchKernel((const void *)k, dim3(1), dim3(4), args, 0, 0));
    OK(cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost));
    expect("0 * 3 + 10, * 3 + 10", bytes == 4 && back[3] == 40);
    OK(cudaLibraryGetKernelCount(&n, lib));
    cudaKernel_t all[4] = { 0 };
    OK(cudaLibraryEnumerateKernels(all, 4, lib));
    const char *name[2] = { "", "" };
    expect("two kernels", n == 2 && all[0] && all[1] && !all[2]);
    OK(cudaFuncGetName(&name[0], (const void *)all[0]));
    OK(cudaFuncGetName(&name[1], (const void *)all[1]));
    expect("scale is one", !strcmp(name[0], "scale") != !strcmp(name[1], "scale"));
    OK(cudaLibraryUnload(lib));
    OK(cudaFree(p));
}
static void by_name()
{
    cudaFunction_t f;
    cudaKernel_t k;
    const char *name = "";
    size_t offset, bytes;
    int *p, back[4];
    short by = 7;
    int count = 4;
    OK(cudaMalloc(&p, sizeof back));
    OK(cudaGetFuncBySymbol(&f, (const void *)add));
    OK(cudaGetKernel(&k, add));
    OK(cudaFuncGetName(&name, add));
    expect("its name in PTX", !strcmp(name, "_Z3addPisi"));
    OK(cudaFuncGetParamInfo((const void *)add, 1, &offset, &bytes));
    expect("the second parameter", offset == 8 && bytes == 2);
    OK(cudaFuncGetParamInfo((const void *)add, 2, &offset, &bytes));
    expect("the third", offset == 12 && bytes == 4);
    BAD(cudaFuncGetParamInfo((const void *)add, 3, &offset, &bytes));
    // The driver's calls, as programs find them that are not linked with it.
    typedef CUresult launch_fn(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
    typedef CUresult fill_fn(CUdeviceptr, unsigned, size_t);
    launch_fn *launch;
    fill_fn *fill;
    void *none = &name;
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 13000
    OK(cudaGetDriverEntryPointByVersion("cuLaunchKernel", (void **)&launch, 12000, cudaEnableDefault, &result));
    OK(cudaGetDriverEntryPointByVersion("cuMemsetD32", (void **)&fill, 12000, cudaEnableDefault));
#else
    OK(cudaGetDriverEntryPoint("cuLaunchKernel", (void **)&launch, cudaEnableDefault, &result));
    OK(cudaGetDriverEntryPoint("cuMemsetD32", (void **)&fill, cudaEnableDefault));
#endif
    expect("found", result == cudaDriverEntryPointSuccess && launch && fill);
    OK(cudaGetDriverEntryPointByVersion("cuNothing", &none, 12000, cudaEnableDefault, &result));
    expect("not found", result == cudaDriverEntryPointSymbolNotFound && !none);
    void *args[] = { &p, &by, &count };
    expect("a fill", fill((CUdeviceptr)p, 30, 4) == CUDA_SUCCESS);
    expect("a launch", launch((CUfunction)f, 1, 1, 1, 32, 1, 1, 0, nullptr, args, nullptr) == CUDA_SUCCESS);
    OK(cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost));
    expect("30 + 7", back[0] == 37 && back[3] == 37);
    OK(cudaFree(p));
}
static int range(cudaMemRangeAttribute what, const void *p)
{
    int v = 99;
    OK(cudaMemRangeGetAttribute(&v, sizeof v, what, p, 4));
    return v;
}
static void memory()
{
    char *m, *d, back[24], from[24];
    int v;
    for (int k = 0; k < 24; k++) from[k] = (char)(k + 1);
    OK(cudaMallocManaged(&m, 100));
    OK(cudaMalloc(&d, 24));
    expect("nothing is advised", range(cudaMemRangeAttributePreferredLocation, m) == cudaInvalidDeviceId &&
           !range(cudaMemRangeAttributeReadMostly, m) && range(cudaMemRangeAttributeLastPrefetchLocation, m) == cudaInvalidDeviceId);
#if CUDART_VERSION >= 13000
    cudaMemLocation host = { cudaMemLocationTypeHost, 0 }, device = { cudaMemLocationTypeDevice, 0 };
    OK(cudaMemAdvise(m, 100, cudaMemAdviseSetPreferredLocation, host));
    OK(cudaMemAdvise(m, 100, cudaMemAdviseSetReadMostly, device));
    OK(cudaMemPrefetchAsync(m, 100, device, 0, 0));
#else
    OK(cudaMemAdvise(m, 100, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    OK(cudaMemAdvise(m, 100, cudaMemAdviseSetReadMostly, 0));
    OK(cudaMemPrefetchAsync(m, 100, 0, 0));
#endif
    expect("advice", range(cudaMemRangeAttributePreferredLocation, m) == cudaCpuDeviceId &&
           range(cudaMemRangeAttributeReadMostly, m + 50) == 1 && range(cudaMemRangeAttributeLastPrefetchLocation, m) == 0);
    BAD(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeReadMostly, d, 4));
    // Three copies by one call; a box between devices that are one.
    void *dst[] = { d, d + 10, m }, *src[] = { from, from + 2, from + 4 };
    size_t sizes[] = { 10, 5, 3 }, first = 0;
    cudaMemcpyAttributes how = { cudaMemcpySrcAccessOrderStream };
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
#if CUDART_VERSION >= 13000
    OK(cudaMemcpyBatchAsync((const void **)dst, (const void **)src, sizes, 3, &how, &first, 1, s));
#else
    size_t failed = 7;
    OK(cudaMemcpyBatchAsync(dst, src, sizes, 3, &how, &first, 1, &failed, s));
#endif
    OK(cudaMemcpy(back, d, 24, cudaMemcpyDefault));
    expect("three copies", back[9] == 10 && back[10] == 3 && back[14] == 7 && m[2] == 7);
    cudaMemcpy3DPeerParms box = { 0 };
    box.srcPtr = make_cudaPitchedPtr(d, 4, 4, 2), box.dstPtr = make_cudaPitchedPtr(d + 16, 2, 2, 2);
    box.extent = make_cudaExtent(2, 2, 1);
    OK(cudaMemcpy3DPeer(&box));
    OK(cudaMemcpy(back, d, 24, cudaMemcpyDefault));
    expect("a box", back[16] == 1 && back[17] == 2 && back[18] == 5 && back[19] == 6);
    size_t shared = 0;
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, add, 2, 64));
    int blocks = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, shared));
    expect("as much as lets two in", shared && blocks >= 2);
    OK(cudaInitDevice(0, 0, 0));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(m));
    OK(cudaFree(d));
}
int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    by_name(), loaded(argv[1]), memory();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
