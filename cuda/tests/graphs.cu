// Graphs: copies of rows and slices, children, clones; and attributes of streams.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s: %s\n", what, cudaGetErrorName(cudaPeekAtLastError()));
}
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

enum { W = 5, H = 3, PITCH = 8 };          // in words
static int host[H][W], back[H][W];
static cudaMemcpy3DParms box(void *to, size_t to_pitch, void *from, size_t from_pitch, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms p = { 0 };
    p.srcPtr = make_cudaPitchedPtr(from, from_pitch, W * 4, H);
    p.dstPtr = make_cudaPitchedPtr(to, to_pitch, W * 4, H);
    p.extent = make_cudaExtent(W * 4, H, 1);
    p.kind = kind;
    return p;
}
static bool rows_are(int factor)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            if (back[y][x] != factor * host[y][x]) return false;
    return true;
}
static void nodes(int *dev)
{
    cudaGraph_t g, inner, clone, found;
    cudaGraphExec_t run;
    cudaGraphNode_t in, child, kernel, out, same;
    cudaGraphNodeType type;
    void *args[] = { &dev };
    cudaKernelNodeParams launch = { (void *)twice, dim3(1), dim3(PITCH * H), 0, args, nullptr };
    cudaMemcpy3DParms to = box(dev, PITCH * 4, host, W * 4, cudaMemcpyHostToDevice);
    cudaMemcpy3DParms from = box(back, W * 4, dev, PITCH * 4, cudaMemcpyDeviceToHost);
    cudaGraphCreate(&inner, 0), cudaGraphCreate(&g, 0);
    cudaGraphAddKernelNode(&kernel, inner, nullptr, 0, &launch);
    expect("a copy of rows", cudaGraphAddMemcpyNode(&in, g, nullptr, 0, &to) == cudaSuccess);
    expect("a child", cudaGraphAddChildGraphNode(&child, g, &in, 1, inner) == cudaSuccess);
    expect("rows back", cudaGraphAddMemcpyNode(&out, g, &child, 1, &from) == cudaSuccess);
    cudaGraphDestroy(inner);                             // the node has its own
    expect("a graph in itself", cudaGraphAddChildGraphNode(&child, g, nullptr, 0, g) == cudaErrorInvalidValue);
    expect("its type", cudaGraphNodeGetType(child, &type) == cudaSuccess && type == cudaGraphNodeTypeGraph);
    expect("a copy's type", cudaGraphNodeGetType(in, &type) == cudaSuccess && type == cudaGraphNodeTypeMemcpy);
    expect("the child's graph", cudaGraphChildGraphNodeGetGraph(child, &found) == cudaSuccess && found);
    expect("a clone", cudaGraphClone(&clone, g) == cudaSuccess);
    expect("a node of it", cudaGraphNodeFindInClone(&same, out, clone) == cudaSuccess && same != out);
    expect("no node of it", cudaGraphNodeFindInClone(&same, kernel, clone) == cudaErrorInvalidValue);
    cudaGraphDestroy(g);
    expect("an instance", cudaGraphInstantiate(&run, clone, nullptr, nullptr, 0) == cudaSuccess);
    expect("a launch", cudaGraphLaunch(run, 0) == cudaSuccess && rows_are(2));
    to.srcPtr.ptr = back;
    cudaGraphNodeFindInClone(&same, in, clone);
    size_t n = 3;
    cudaGraphNode_t all[3];
    cudaGraphGetNodes(clone, all, &n);
    expect("another source", n == 3 && cudaGraphExecMemcpyNodeSetParams(run, all[0], &to) == cudaSuccess);
    expect("a launch of that", cudaGraphLaunch(run, 0) == cudaSuccess && rows_are(4));
    expect("an update", cudaGraphExecUpdate(run, clone, nullptr) == cudaSuccess);
    expect("a launch as before", cudaGraphLaunch(run, 0) == cudaSuccess && rows_are(2));
    expect("a copy of nothing", cudaGraphAddMemcpyNode(&in, clone, nullptr, 0, nullptr) == cudaErrorInvalidValue);
    cudaGraphExecDestroy(run), cudaGraphDestroy(clone), cudaGetLastError();
}
static void recorded(int *dev)
{
    cudaGraph_t g;
    cudaGraphExec_t run;
    cudaStream_t s;
    cudaMemcpy3DParms from = box(back, W * 4, dev, PITCH * 4, cudaMemcpyDeviceToHost);
    cudaStreamCreate(&s), memset(back, 0, sizeof back);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    expect("rows, recorded", cudaMemcpy2DAsync(dev, PITCH * 4, host, W * 4, W * 4, H, cudaMemcpyHostToDevice, s) == cudaSuccess);
    twice<<<1, PITCH * H, 0, s>>>(dev);
    expect("slices, recorded", cudaMemcpy3DAsync(&from, s) == cudaSuccess && !back[1][1]);
    cudaStreamEndCapture(s, &g);
    expect("its instance", cudaGraphInstantiate(&run, g, 0) == cudaSuccess);
    expect("its launch", cudaGraphLaunch(run, s) == cudaSuccess && rows_are(2));
    cudaStreamAttrValue window = { 0 }, got = { 0 };
    window.accessPolicyWindow.base_ptr = dev, window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    expect("a stream's attribute", cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &window) == cudaSuccess &&
           cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &got) == cudaSuccess &&
           got.accessPolicyWindow.base_ptr == dev && got.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
    window.priority = -1;
    int priority;
    expect("its priority", cudaStreamSetAttribute(s, cudaStreamAttributePriority, &window) == cudaSuccess &&
           cudaStreamGetPriority(s, &priority) == cudaSuccess && priority == -1);
    expect("no attribute", cudaStreamSetAttribute(s, (cudaStreamAttrID)99, &window) == cudaErrorInvalidValue);
    cudaGraphExecDestroy(run), cudaGraphDestroy(g), cudaStreamDestroy(s), cudaGetLastError();
}
int main()
{
    int *dev;
    cudaMalloc(&dev, PITCH * H * 4), cudaMemset(dev, 0, PITCH * H * 4);
    for (int k = 0; k < W * H; k++) host[k / W][k % W] = k + 1;
    nodes(dev), recorded(dev);
    cudaFree(dev);
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
