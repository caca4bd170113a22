// Memory that graphs allocate and free: by nodes, by recorded streams; freed by the program, or at the next launch.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s: %s\n", what, cudaGetErrorName(cudaPeekAtLastError()));
}
__global__ void put(int *p, int v) { *p = v; }
__global__ void add(int *to, const int *from) { *to += *from; }
static uint64_t count(cudaGraphMemAttributeType attr)
{
    uint64_t v = ~0ull;
    cudaDeviceGetGraphMemAttribute(0, attr, &v);
    return v;
}
static int value(const int *dev)
{
    int v = -1;
    cudaMemcpy(&v, dev, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}
template <class... A> static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t *after, void *fn, A... a)
{
    void *args[] = { &a... };
    cudaKernelNodeParams p = { fn, dim3(1), dim3(1), 0, args, nullptr };
    cudaGraphNode_t n;
    expect("a kernel", cudaGraphAddKernelNode(&n, g, after, 1, &p) == cudaSuccess);
    return n;
}
static cudaMemAllocNodeParams bytes(size_t n)
{
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned, p.poolProps.location.type = cudaMemLocationTypeDevice, p.bytesize = n;
    return p;
}
static void nodes(int *d)
{
    cudaGraph_t g;
    cudaGraphExec_t run;
    cudaGraphNode_t alloc, free, k, one;
    cudaMemAllocNodeParams p = bytes(400), got, none = bytes(0);
    cudaGraphNodeType type;
    void *where;
    cudaGraphCreate(&g, 0);
    expect("an allocation", cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &p) == cudaSuccess && p.dptr);
    expect("its type", cudaGraphNodeGetType(alloc, &type) == cudaSuccess && type == cudaGraphNodeTypeMemAlloc);
    expect("what it is", cudaGraphMemAllocNodeGetParams(alloc, &got) == cudaSuccess && got.dptr == p.dptr && got.bytesize == 400);
    expect("nothing", cudaGraphAddMemAllocNode(&one, g, nullptr, 0, &none) == cudaErrorInvalidValue);
    k = kernel(g, &alloc, (void *)put, (int *)p.dptr, 7);
    k = kernel(g, &k, (void *)add, d, (const int *)p.dptr);
    expect("its end", cudaGraphAddMemFreeNode(&free, g, &k, 1, p.dptr) == cudaSuccess);
    expect("whose", cudaGraphMemFreeNodeGetParams(free, &where) == cudaSuccess && where == p.dptr);
    expect("of no graph's memory", cudaGraphAddMemFreeNode(&one, g, nullptr, 0, d) == cudaErrorInvalidValue);
    expect("an instance", cudaGraphInstantiate(&run, g, 0) == cudaSuccess && cudaGraphDestroy(g) == cudaSuccess);
    cudaMemset(d, 0, 4);
    expect("two launches", cudaGraphLaunch(run, 0) == cudaSuccess && cudaGraphLaunch(run, 0) == cudaSuccess && value(d) == 14);
    expect("it is free", count(cudaGraphMemAttrUsedMemCurrent) == 0 && count(cudaGraphMemAttrUsedMemHigh) == 400);
    expect("and kept", count(cudaGraphMemAttrReservedMemCurrent) == 400);
    expect("twice", cudaFree(p.dptr) == cudaErrorInvalidValue);
    cudaGraphExecDestroy(run);
    expect("until the instance goes", count(cudaGraphMemAttrReservedMemCurrent) == 0);
    cudaGetLastError();
}
// What it allocates stays: the program frees it, or the next launch.
static void left(int *d)
{
    cudaGraph_t g;
    cudaGraphExec_t run, again;
    cudaStream_t s;
    int *p = nullptr;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    expect("recorded memory", cudaMallocAsync(&p, 4, s) == cudaSuccess && p);
    put<<<1, 1, 0, s>>>(p, 5);
    expect("memory of no graph", cudaFreeAsync(d, s) == cudaErrorInvalidValue);
    cudaStreamEndCapture(s, &g), cudaGetLastError();
    cudaGraphInstantiate(&run, g, 0), cudaGraphInstantiate(&again, g, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    expect("a launch", cudaGraphLaunch(run, s) == cudaSuccess && value(p) == 5);
    expect("it is there already", cudaGraphLaunch(run, s) == cudaErrorInvalidValue);
    expect("the program frees it", cudaFreeAsync(p, s) == cudaSuccess && cudaGraphLaunch(run, s) == cudaSuccess);
    put<<<1, 1, 0, s>>>(p, 6);
    expect("or the next launch", cudaGraphLaunch(again, s) == cudaSuccess && value(p) == 5 && cudaGraphLaunch(again, s) == cudaSuccess);
    cudaGraphExecDestroy(run), cudaGraphExecDestroy(again), cudaGraphDestroy(g);
    put<<<1, 1, 0, s>>>(p, 8);
    expect("it outlives its graphs", value(p) == 8 && cudaFree(p) == cudaSuccess && cudaFree(p) == cudaErrorInvalidValue);
    // Another recording frees what it allocates.
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&p, 64, s);
    put<<<1, 1, 0, s>>>(p, 9), add<<<1, 1, 0, s>>>(d, p);
    expect("a recorded end", cudaFreeAsync(p, s) == cudaSuccess);
    cudaStreamEndCapture(s, &g), cudaGraphInstantiate(&run, g, 0), cudaMemset(d, 0, 4);
    for (int k = 0; k < 3; k++) cudaGraphLaunch(run, s);
    expect("three times", value(d) == 27);
    cudaGraphExecDestroy(run), cudaGraphDestroy(g), cudaStreamDestroy(s), cudaGetLastError();
}
int main()
{
    int *d;
    size_t before, now, all;
    cudaMalloc(&d, 64), cudaMemGetInfo(&before, &all);
    nodes(d), left(d);
    cudaMemGetInfo(&now, &all);
    expect("what they had is free again", now == before);
    puts(failures ? "FAIL" : "PASS");
    // Where the device is reset while a graph has memory.
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaMemAllocNodeParams p = bytes(100);
    cudaGraphCreate(&g, 0), cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &p);
    cudaDeviceReset(), cudaGraphDestroy(g);
    return failures != 0;
}
