// Graphs by the driver API: put together, recorded, asked, changed, updated; the kernels come from a file of PTX.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <cuda.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s\n", what);
}
#define OK(call) expect(#call, (call) == CUDA_SUCCESS)
#define BAD(call) expect(#call, (call) == CUDA_ERROR_INVALID_VALUE)
enum { N = 32 };
static CUfunction scale;
static CUdeviceptr p;
static int back[N], n = N;
static short by = 3;
static void *args[] = { &p, &by, &n };
static CUDA_KERNEL_NODE_PARAMS launch()
{
    CUDA_KERNEL_NODE_PARAMS k = { scale, 1, 1, 1, N, 1, 1, 0, args };
    return k;
}
static bool all(int from, int want)
{
    for (int k = from; k < N; k++)
        if (back[k] != want) return false;
    return true;
}
static void host_fn(void *to) { ++*(int *)to; }

static void nodes()
{
    static int calls;
    CUgraph g, clone, found;
    CUgraphExec run;
    CUgraphNode fill, kernel, out, call, same, list[8], ends[8];
    CUgraphNodeType type;
    size_t count = 8;
    CUDA_MEMSET_NODE_PARAMS set = { p, 0, 7, 4, N, 1 }, set_now;
    CUDA_KERNEL_NODE_PARAMS k = launch(), now;
    CUDA_HOST_NODE_PARAMS host = { host_fn, &calls };
    CUDA_MEMCPY3D box = { 0 }, box_now;
    box.srcMemoryType = CU_MEMORYTYPE_DEVICE, box.srcDevice = p;
    box.dstMemoryType = CU_MEMORYTYPE_HOST, box.dstHost = back;
    box.WidthInBytes = sizeof back, box.Height = box.Depth = 1;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddKernelNode(&kernel, g, nullptr, 0, &k));
    OK(cuGraphAddMemsetNode(&fill, g, nullptr, 0, &set, nullptr));
    OK(cuGraphAddDependencies(g, &fill, &kernel, 1));           // the later one first
    OK(cuGraphAddMemcpyNode(&out, g, &kernel, 1, &box, nullptr));
    OK(cuGraphAddHostNode(&call, g, &out, 1, &host));
    OK(cuGraphInstantiate(&run, g, 0));
    OK(cuGraphLaunch(run, 0));
    expect("7 * 3 + 5", all(0, 26) && calls == 1);
    OK(cuGraphGetEdges(g, list, ends, &count));
    expect("edges", count == 3 && list[0] == fill && ends[0] == kernel && ends[2] == call);
    OK(cuGraphGetRootNodes(g, list, &(count = 8)));
    expect("a root", count == 1 && list[0] == fill);
    OK(cuGraphNodeGetType(out, &type));
    expect("a copy", type == CU_GRAPH_NODE_TYPE_MEMCPY);
    OK(cuGraphKernelNodeGetParams(kernel, &now));
    expect("its kernel", now.func == scale && now.blockDimX == N && *(short *)now.kernelParams[1] == 3);
    OK(cuGraphMemsetNodeGetParams(fill, &set_now));
    expect("its fill", set_now.dst == p && set_now.value == 7 && set_now.width == N);
    OK(cuGraphMemcpyNodeGetParams(out, &box_now));
    expect("its copy", box_now.WidthInBytes == sizeof back && box_now.srcDevice == p && (void *)box_now.dstDevice == back);
    // Parameters of an instance; packed ones; and a part of the bytes.
    struct { CUdeviceptr p; short by; int n; } whole = { p, -1, N };
    size_t bytes = sizeof whole;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &whole, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END };
    k.kernelParams = nullptr, k.extra = extra;
    OK(cuGraphExecKernelNodeSetParams(run, kernel, &k));
    set.value = 2;
    OK(cuGraphExecMemsetNodeSetParams(run, fill, &set, nullptr));
    box.dstXInBytes = 4 * 4, box.WidthInBytes = sizeof back - 4 * 4;
    OK(cuGraphExecMemcpyNodeSetParams(run, out, &box, nullptr));
    memset(back, 0, sizeof back);
    OK(cuGraphLaunch(run, 0));
    expect("-2 + 5 from the fifth word on", all(4, 3) && !back[3]);
    bytes = 4096;
    BAD(cuGraphExecKernelNodeSetParams(run, kernel, &k));
    CUgraphExecUpdateResultInfo info;
    OK(cuGraphClone(&clone, g));
    OK(cuGraphNodeFindInClone(&same, kernel, clone));
    OK(cuGraphExecUpdate(run, clone, &info));
    OK(cuGraphLaunch(run, 0));
    expect("as at first", all(0, 26) && info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(cuGraphDestroyNode(same));
    expect("another form", cuGraphExecUpdate(run, clone, &info) != CUDA_SUCCESS && info.result != CU_GRAPH_EXEC_UPDATE_SUCCESS);
    unsigned on;
    OK(cuGraphNodeSetEnabled(run, kernel, 0));
    OK(cuGraphNodeGetEnabled(run, kernel, &on));
    OK(cuGraphLaunch(run, 0));
    expect("off", !on && all(0, 7));
    BAD(cuGraphAddKernelNode(&same, g, nullptr, 0, nullptr));
    BAD(cuGraphAddMemsetNode(&same, g, nullptr, 0, nullptr, nullptr));
    BAD(cuGraphAddMemcpyNode(&same, g, nullptr, 0, nullptr, nullptr));
    BAD(cuGraphAddHostNode(&same, g, nullptr, 0, nullptr));
    BAD(cuGraphAddChildGraphNode(&same, g, nullptr, 0, g));
    OK(cuGraphAddChildGraphNode(&same, g, nullptr, 0, clone));
    OK(cuGraphChildGraphNodeGetGraph(same, &found));
    expect("a child", found && found != clone);
    OK(cuGraphExecDestroy(run));
    OK(cuGraphDestroy(clone));
    OK(cuGraphDestroy(g));
}
// One structure of all kinds: memory of the graph's own, filled, a choice by a value, copied.
static void any()
{
    CUgraph g, body;
    CUgraphExec run;
    CUgraphNode node, last;
    CUgraphConditionalHandle yes;
    CUgraphNodeParams a, f, c, k, out, gone;
    memset(&a, 0, sizeof a), f = c = k = out = gone = a;
    OK(cuGraphCreate(&g, 0));
    a.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, a.alloc.bytesize = N * 4;
    a.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, a.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuGraphAddNode(&last, g, nullptr, 0, &a));
    f.type = CU_GRAPH_NODE_TYPE_MEMSET, f.memset.dst = a.alloc.dptr, f.memset.value = 1, f.memset.elementSize = 4;
    f.memset.width = N, f.memset.height = 1;
    OK(cuGraphAddNode(&node, g, &last, 1, &f));
    OK(cuGraphConditionalHandleCreate(&yes, g, nullptr, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    c.type = CU_GRAPH_NODE_TYPE_CONDITIONAL, c.conditional.handle = yes, c.conditional.size = 1;
    OK(cuGraphAddNode(&last, g, &node, 1, &c));
    body = c.conditional.phGraph_out[0];
    void *own[] = { &a.alloc.dptr, &by, &n };
    k.type = CU_GRAPH_NODE_TYPE_KERNEL, k.kernel = launch(), k.kernel.kernelParams = own;
    OK(cuGraphAddNode(&node, body, nullptr, 0, &k));
    out.type = CU_GRAPH_NODE_TYPE_MEMCPY;
    out.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE, out.memcpy.copyParams.srcDevice = a.alloc.dptr;
    out.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_HOST, out.memcpy.copyParams.dstHost = back;
    out.memcpy.copyParams.WidthInBytes = sizeof back, out.memcpy.copyParams.Height = out.memcpy.copyParams.Depth = 1;
    OK(cuGraphAddNode(&node, g, &last, 1, &out));
    gone.type = CU_GRAPH_NODE_TYPE_MEM_FREE, gone.free.dptr = a.alloc.dptr;
    OK(cuGraphAddNode(&last, g, &node, 1, &gone));
    CUDA_GRAPH_INSTANTIATE_PARAMS how = { 0 };
    OK(cuGraphInstantiateWithParams(&run, g, &how));
    OK(cuGraphLaunch(run, 0));
    expect("1 * 3 + 5", all(0, 8) && how.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS);
    out.memcpy.copyParams.Height = 0, out.memcpy.copyParams.srcMemoryType = (CUmemorytype)9;
    BAD(cuGraphExecNodeSetParams(run, node, &out));
    OK(cuGraphExecDestroy(run));
    OK(cuGraphDestroy(g));
}
static void recorded()
{
    CUstream s;
    CUgraph g;
    CUgraphExec run;
    CUstreamCaptureStatus status;
    CUgraphNode list[8];
    size_t count = 8;
    static int from[N];
    for (int k = 0; k < N; k++) from[k] = 10;
    OK(cuStreamCreate(&s, 0));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemcpyHtoDAsync(p, from, sizeof from, s));
    OK(cuLaunchKernel(scale, 1, 1, 1, N, 1, 1, 0, s, args, nullptr));
    OK(cuMemsetD16Async(p, 0x1234, 4, s));
    OK(cuMemcpyDtoHAsync(back, p, sizeof back, s));
    OK(cuStreamIsCapturing(s, &status));
    expect("recording", status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    memset(back, 0, sizeof back);
    OK(cuStreamEndCapture(s, &g));
    OK(cuGraphGetNodes(g, list, &count));
    expect("nothing was done, and four nodes", count == 4 && all(0, 0));
    OK(cuGraphInstantiate(&run, g, 0));
    OK(cuGraphLaunch(run, s));
    OK(cuStreamSynchronize(s));
    expect("10 * 3 + 5", all(2, 35) && back[0] == 0x12341234 && back[1] == 0x12341234);
    OK(cuGraphExecDestroy(run));
    OK(cuGraphDestroy(g));
    OK(cuStreamDestroy(s));
}
int main(int argc, char **argv)
{
    CUcontext context;
    CUmodule module;
    if (argc < 2) return 2;
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuModuleLoad(&module, argv[1]));
    OK(cuModuleGetFunction(&scale, module, "scale"));
    OK(cuMemAlloc(&p, sizeof back));
    nodes(), any(), recorded();
    OK(cuMemFree(p));
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
