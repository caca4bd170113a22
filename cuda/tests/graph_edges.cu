// Graphs that are asked and changed: edges, order, parameters, nodes that are off, events, what they keep, and everything that is
// recorded from streams.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s: %s\n", what, cudaGetErrorName(cudaPeekAtLastError()));
    cudaGetLastError();
}
#if CUDART_VERSION >= 13000
#define EDGES nullptr,
#else
#define EDGES                              // nothing is said of them
#endif
#define OK(call) expect(#call, (call) == cudaSuccess)
#define BAD(call) expect(#call, (call) == cudaErrorInvalidValue)
__device__ int variable[4];
__constant__ int constant[4];
__managed__ int managed[4];
__global__ void add(int *p, int n) { *p += n; }
__global__ void times(int *p, int n) { *p *= n; }
__global__ void gather(int *p) { p[0] = variable[1] + 10 * constant[1] + 100 * managed[1]; }

static int *d, back[64];
static int value(int k = 0)
{
    cudaMemcpy(back, d, sizeof back, cudaMemcpyDefault);
    return back[k];
}
static cudaGraphNode_t kernel(cudaGraph_t g, void (*fn)(int *, int), int n, cudaGraphNode_t after = nullptr)
{
    void *args[] = { &d, &n };
    cudaKernelNodeParams p = { (void *)fn, dim3(1), dim3(1), 0, args, nullptr };
    cudaGraphNode_t node = nullptr;
    OK(cudaGraphAddKernelNode(&node, g, &after, after ? 1 : 0, &p));
    return node;
}
static int launch(cudaGraphExec_t run, int from)
{
    cudaMemcpy(d, &from, sizeof from, cudaMemcpyDefault);
    OK(cudaGraphLaunch(run, 0));
    return value();
}
static int launch(cudaGraph_t g, int from)
{
    cudaGraphExec_t run;
    OK(cudaGraphInstantiate(&run, g, 0));
    int v = launch(run, from);
    OK(cudaGraphExecDestroy(run));
    return v;
}

static void edges()
{
    cudaGraph_t g;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t a = kernel(g, times, 3), b = kernel(g, add, 5), c = kernel(g, times, 2, a), all[4], ends[4];
    size_t n = 0;
    OK(cudaGraphGetRootNodes(g, nullptr, &n));
    expect("two roots", n == 2);
    n = 3;
    OK(cudaGraphGetRootNodes(g, all, &n));
    expect("these", n == 2 && all[0] == a && all[1] == b && !all[2]);
    expect("in the order in which they came", launch(g, 1) == (1 * 3 + 5) * 2);
    OK(cudaGraphAddDependencies(g, &b, &a, EDGES 1));         // b was added after a
    expect("the later one first", launch(g, 1) == (1 + 5) * 3 * 2);
    BAD(cudaGraphAddDependencies(g, &b, &a, EDGES 1));        // it is there
    n = 4;
    OK(cudaGraphGetEdges(g, all, ends, EDGES &n));
    expect("both edges", n == 2 && all[0] == b && ends[0] == a && all[1] == a && ends[1] == c);
    n = 1;
    cudaGraphEdgeData data[4];
    memset(data, 1, sizeof data);
    OK(cudaGraphGetEdges(g, all, ends, data, &n));
    expect("as many as there is room for", n == 1 && !data[0].from_port && !data[0].type && data[1].type == 1);
    n = 4;
    OK(cudaGraphNodeGetDependencies(a, all, EDGES &n));
    expect("before a", n == 1 && all[0] == b && !all[1]);
    n = 4;
    OK(cudaGraphNodeGetDependentNodes(a, all, EDGES &n));
    expect("after a", n == 1 && all[0] == c);
    OK(cudaGraphAddDependencies(g, &c, &b, EDGES 1));
    cudaGraphExec_t run;
    BAD(cudaGraphInstantiate(&run, g, 0));              // a, c and b wait for each other
    OK(cudaGraphRemoveDependencies(g, &c, &b, EDGES 1));
    BAD(cudaGraphRemoveDependencies(g, &c, &b, EDGES 1));
    OK(cudaGraphRemoveDependencies(g, &b, &a, EDGES 1));
    expect("as at first", launch(g, 1) == 16);
    OK(cudaGraphDestroyNode(a));
    n = 4;
    OK(cudaGraphGetRootNodes(g, all, &n));
    expect("both are roots", n == 2 && all[0] == b && all[1] == c && launch(g, 1) == 12);
    OK(cudaGraphDestroyNode(c));
    kernel(g, add, 1);
    expect("one more after the last", launch(g, 1) == 7);
    cudaGraphDestroy(g);
}
static void parameters()
{
    cudaGraph_t g, copy;
    cudaGraphExec_t run;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t k = kernel(g, add, 5), fill, in, out;
    cudaMemsetParams set = { d + 1, 0, 7, 4, 3, 1 }, got;
    cudaKernelNodeParams p;
    OK(cudaGraphAddMemsetNode(&fill, g, &k, 1, &set));
    OK(cudaGraphAddMemcpyNode1D(&out, g, &fill, 1, back, d, 16, cudaMemcpyDeviceToHost));
    OK(cudaGraphInstantiate(&run, g, 0));
    OK(cudaGraphKernelNodeGetParams(k, &p));
    expect("what it launches", p.func == (void *)add && p.blockDim.x == 1 && *(int **)p.kernelParams[0] == d &&
           *(int *)p.kernelParams[1] == 5);
    *(int *)p.kernelParams[1] = 6;
    OK(cudaGraphKernelNodeSetParams(k, &p));            // from the node's own memory
    expect("the graph's alone", launch(g, 1) == 7 && launch(run, 1) == 6);
    p.func = (void *)times;
    OK(cudaGraphExecKernelNodeSetParams(run, k, &p));
    expect("the instance's alone", launch(g, 2) == 8 && launch(run, 2) == 12);
    OK(cudaGraphMemsetNodeGetParams(fill, &got));
    expect("a fill", got.dst == d + 1 && got.value == 7 && got.width == 3 && value(3) == 7);
    got.value = 0x01020304;
    OK(cudaGraphExecMemsetNodeSetParams(run, fill, &got));
    expect("another", launch(run, 0) == 0 && back[1] == 0x01020304 && back[3] == 0x01020304);
    OK(cudaGraphMemsetNodeSetParams(fill, &got));
    BAD(cudaGraphMemsetNodeSetParams(k, &got));         // it is a kernel
    BAD(cudaGraphExecKernelNodeSetParams(run, out, &p));
    cudaMemcpy3DParms box;
    OK(cudaGraphMemcpyNodeGetParams(out, &box));
    expect("a copy", box.dstPtr.ptr == back && box.srcPtr.ptr == d && box.extent.width == 16 && box.kind == cudaMemcpyDeviceToHost);
    box.dstPtr.ptr = back + 32, box.extent.width = 8;
    OK(cudaGraphMemcpyNodeSetParams(out, &box));
    memset(back, 0, sizeof back);
    OK(cudaGraphExecUpdate(run, g, nullptr));           // a copy of bytes becomes one of a box
    cudaMemset(d, 0, 4), OK(cudaGraphLaunch(run, 0));
    expect("copied elsewhere", back[32] == 6 && back[33] == 0x01020304 && !back[34] && !back[0]);
    unsigned on = 2;
    OK(cudaGraphNodeGetEnabled(run, k, &on));
    expect("it is on", on == 1);
    OK(cudaGraphNodeSetEnabled(run, k, 0));
    expect("off", launch(run, 9) == 9);
    OK(cudaGraphNodeSetEnabled(run, k, 1));
    expect("and on", launch(run, 9) == 15);
    // One structure of all kinds.
    cudaGraphNodeParams any = { cudaGraphNodeTypeKernel };
    int five = 50;
    void *args[] = { &d, &five };
    any.kernel.func = (void *)add, any.kernel.gridDim = any.kernel.blockDim = dim3(1), any.kernel.kernelParams = args;
    OK(cudaGraphExecNodeSetParams(run, k, &any));
    expect("any node of an instance", launch(run, 9) == 59);
    OK(cudaGraphNodeSetParams(k, &any));
    expect("any node", launch(g, 10) == 60);
    BAD(cudaGraphNodeSetParams(fill, &any));
    // Another form is refused, and says where it differs.
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphClone(&copy, g));
    OK(cudaGraphNodeFindInClone(&in, out, copy));
    OK(cudaGraphExecUpdate(run, copy, &info));
    cudaGraphNode_t first;
    OK(cudaGraphNodeFindInClone(&first, k, copy));
    OK(cudaGraphAddDependencies(copy, &first, &in, EDGES 1));
    expect("one more edge", cudaGraphExecUpdate(run, copy, &info) == cudaErrorGraphExecUpdateFailure &&
           info.result == cudaGraphExecUpdateErrorTopologyChanged && info.errorNode == in);
    cudaLaunchAttributeValue v = { { 0 } }, w;
    v.priority = -3;
    OK(cudaGraphKernelNodeSetAttribute(k, cudaLaunchAttributePriority, &v));
#if CUDART_VERSION >= 13000
    OK(cudaGraphKernelNodeCopyAttributes(first, k));
#else
    OK(cudaGraphKernelNodeCopyAttributes(k, first));
#endif
    OK(cudaGraphKernelNodeGetAttribute(first, cudaLaunchAttributePriority, &w));
    expect("an attribute", w.priority == -3);
    BAD(cudaGraphKernelNodeGetAttribute(fill, cudaLaunchAttributePriority, &w));
    cudaGraphInstantiateParams how = { cudaGraphInstantiateFlagUseNodePriority };
    cudaGraphExec_t other;
    unsigned long long flags = 0;
    OK(cudaGraphInstantiateWithParams(&other, g, &how));
    OK(cudaGraphExecGetFlags(other, &flags));
    expect("its flags", flags == cudaGraphInstantiateFlagUseNodePriority && how.result_out == cudaGraphInstantiateSuccess);
    cudaGraphExecDestroy(other), cudaGraphExecDestroy(run), cudaGraphDestroy(g), cudaGraphDestroy(copy);
}
static void host_fn(void *p) { ++*(int *)p; }
static void others()
{
    static int calls[2], gone, from[4] = { 0, 3, 0, 0 };
    cudaGraph_t g, inner;
    cudaGraphExec_t run;
    cudaEvent_t a, b, e;
    float ms = -1;
    cudaEventCreate(&a), cudaEventCreate(&b);
    cudaGraphCreate(&g, 0), cudaGraphCreate(&inner, 0);
    cudaGraphNode_t n[8];
    cudaHostNodeParams call = { host_fn, &calls[0] }, got;
    OK(cudaGraphAddEventRecordNode(&n[0], g, nullptr, 0, a));
    OK(cudaGraphAddHostNode(&n[1], g, n, 1, &call));
    OK(cudaGraphAddEventRecordNode(&n[2], g, n + 1, 1, a));
    OK(cudaGraphAddEventWaitNode(&n[3], g, n + 2, 1, a));
    kernel(inner, add, 2);
    OK(cudaGraphAddChildGraphNode(&n[4], g, n + 3, 1, inner));
    OK(cudaGraphEventRecordNodeGetEvent(n[2], &e));
    expect("its event", e == a);
    BAD(cudaGraphEventWaitNodeGetEvent(n[2], &e));
    OK(cudaGraphEventRecordNodeSetEvent(n[2], b));
    OK(cudaGraphInstantiate(&run, g, 0));
    OK(cudaGraphLaunch(run, 0));
    OK(cudaEventElapsedTime(&ms, a, b));
    expect("the time between two nodes", ms >= 0 && calls[0] == 1);
    OK(cudaGraphHostNodeGetParams(n[1], &got));
    expect("whom it calls", got.fn == host_fn && got.userData == &calls[0]);
    got.userData = &calls[1];
    OK(cudaGraphExecHostNodeSetParams(run, n[1], &got));
    OK(cudaGraphExecEventRecordNodeSetEvent(run, n[2], a));
    OK(cudaGraphExecEventWaitNodeSetEvent(run, n[3], b));
    kernel(inner, times, 10);
    BAD(cudaGraphExecChildGraphNodeSetParams(run, n[1], inner));
    OK(cudaGraphExecChildGraphNodeSetParams(run, n[4], inner));
    expect("another child", launch(run, 1) == 30 && calls[0] == 1 && calls[1] == 1);
    cudaGraphExecDestroy(run), cudaGraphDestroy(inner);
    OK(cudaGraphDebugDotPrint(g, getenv("DOT"), cudaGraphDebugDotFlagsVerbose));
    // What the graph keeps goes with the last of them.
    cudaUserObject_t u;
    OK(cudaUserObjectCreate(&u, &gone, host_fn, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(g, u, 1, cudaGraphUserObjectMove));
    OK(cudaGraphInstantiate(&run, g, 0));
    cudaGraphDestroy(g);
    expect("the instance has it", !gone);
    cudaGraphExecDestroy(run);
    expect("it has gone", gone == 1);
    cudaGraphCreate(&g, 0);
    OK(cudaUserObjectCreate(&u, &gone, host_fn, 2, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(g, u));
    OK(cudaUserObjectRelease(u, 2));
    expect("the graph has it", gone == 1);
    OK(cudaGraphReleaseUserObject(g, u));
    expect("nobody has", gone == 2);
    // Variables.
    OK(cudaGraphAddMemcpyNodeToSymbol(&n[0], g, nullptr, 0, variable, from, 16, 0, cudaMemcpyHostToDevice));
    OK(cudaGraphAddMemcpyNodeToSymbol(&n[1], g, n, 1, constant, from + 1, 4, 4, cudaMemcpyHostToDevice));
    OK(cudaGraphAddMemcpyNodeToSymbol(&n[2], g, n, 1, managed, from + 1, 4, 4, cudaMemcpyHostToDevice));
    void *args[] = { &d };
    cudaKernelNodeParams p = { (void *)gather, dim3(1), dim3(1), 0, args, nullptr };
    OK(cudaGraphAddKernelNode(&n[3], g, n + 1, 2, &p));
    OK(cudaGraphAddMemcpyNodeFromSymbol(&n[4], g, n + 3, 1, back + 8, variable, 8, 0, cudaMemcpyDeviceToHost));
    BAD(cudaGraphAddMemcpyNodeFromSymbol(&n[5], g, n + 3, 1, back, variable, 16, 4, cudaMemcpyDeviceToHost));
    OK(cudaGraphInstantiate(&run, g, 0));
    expect("variables", launch(run, 0) == 333);
    static int two[4] = { 0, 2, 0, 0 };
    OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(run, n[0], variable, two, 16, 0, cudaMemcpyHostToDevice));
    OK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(run, n[4], back + 40, variable, 8, 0, cudaMemcpyDeviceToHost));
    cudaGraphLaunch(run, 0);
    int seen = back[41];
    expect("another value", value() == 332 && seen == 2);
    cudaGraphExecDestroy(run), cudaGraphDestroy(g), cudaEventDestroy(a), cudaEventDestroy(b);
}
static void recorded()
{
    cudaGraph_t g, found;
    cudaGraphExec_t run;
    cudaStream_t s, t;
    cudaEvent_t fork, join, outer;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *after;
    size_t n;
    static int in[32], rows[6] = { 1, 2, 3, 4, 5, 6 };
    for (int k = 0; k < 32; k++) in[k] = k;
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaMallocArray(&a, &desc, 3, 2);
    cudaStreamCreate(&s), cudaStreamCreate(&t);
    cudaEventCreate(&fork), cudaEventCreate(&join), cudaEventCreate(&outer);
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    expect("the mode before", mode == cudaStreamCaptureModeGlobal);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemcpyAsync(d, in, 64, cudaMemcpyHostToDevice, s));
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    add<<<1, 1, 0, s>>>(d, 5);
    add<<<1, 1, 0, t>>>(d + 1, 7);
    OK(cudaEventRecord(join, t));
    OK(cudaStreamWaitEvent(s, join, 0));
    OK(cudaStreamGetCaptureInfo(s, &status, nullptr, &found, &after, EDGES &n));
    expect("both branches come before what follows", n == 2);
    OK(cudaMemset2DAsync(d + 2, 8, 1, 4, 3, s));
    OK(cudaMemset3DAsync(make_cudaPitchedPtr(d + 8, 8, 8, 2), 2, make_cudaExtent(4, 2, 2), s));
    OK(cudaMemcpyToSymbolAsync(variable, in, 16, 0, cudaMemcpyHostToDevice, s));
    OK(cudaMemcpyFromSymbolAsync(back + 60, variable, 16, 0, cudaMemcpyDeviceToHost, s));
    OK(cudaMemcpy2DToArrayAsync(a, 0, 0, rows, 12, 12, 2, cudaMemcpyHostToDevice, s));
    OK(cudaMemcpy2DFromArrayAsync(back + 50, 8, a, 4, 0, 8, 2, cudaMemcpyDeviceToHost, s));
    OK(cudaEventRecordWithFlags(outer, s, cudaEventRecordExternal));
    OK(cudaStreamWaitEvent(s, outer, cudaEventWaitExternal));
    OK(cudaStreamEndCapture(s, &g));
    expect("the event is not the graph's", cudaEventQuery(outer) == cudaSuccess);
    n = 0;
    OK(cudaGraphGetNodes(g, nullptr, &n));
    expect("12 nodes", n == 12);
    OK(cudaGraphGetEdges(g, nullptr, nullptr, EDGES &n));
    expect("a fork and a join", n == 12);
    OK(cudaGraphInstantiate(&run, g, 0));
    memset(back, 0, sizeof back);
    OK(cudaGraphLaunch(run, s));
    expect("variables, recorded", back[60] == 0 && back[63] == 3);
    expect("arrays, recorded", back[50] == 2 && back[51] == 3 && back[52] == 5 && back[53] == 6);
    value();
    static const int want[16] = { 5, 8, 0x01010101, 3, 0x01010101, 5, 0x01010101, 7,
                                  0x02020202, 9, 0x02020202, 11, 0x02020202, 13, 0x02020202, 15 };
    expect("words", !memcmp(back, want, sizeof want));
    unsigned long long x, y;
    int device = 7;
    OK(cudaStreamGetId(s, &x)), OK(cudaStreamGetId(t, &y)), OK(cudaStreamGetDevice(s, &device));
    expect("which stream", x != y && x > 2 && device == 0);
    cudaGraphExecDestroy(run), cudaGraphDestroy(g), cudaStreamDestroy(s), cudaStreamDestroy(t), cudaFreeArray(a);
}
// What another stream was given belongs to the graph only if the first one waits for it.
enum ending { IDLE, JOINED, UNJOINED, FORGOTTEN };
static cudaError_t ends(enum ending how, cudaGraph_t *g)
{
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
    cudaStreamCreate(&s), cudaStreamCreate(&t), cudaEventCreate(&fork), cudaEventCreate(&join);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, s>>>(d, 1);
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    if (how != IDLE) add<<<1, 1, 0, t>>>(d + 1, 1);
    OK(cudaEventRecord(join, t));
    if (how == JOINED) OK(cudaStreamWaitEvent(s, join, 0));
#if CUDART_VERSION < 13000
    if (how == FORGOTTEN) OK(cudaStreamUpdateCaptureDependencies(t, nullptr, 0, cudaStreamSetCaptureDependencies));
#else
    if (how == FORGOTTEN)
        OK(cudaStreamUpdateCaptureDependencies(t, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
#endif
    *g = (cudaGraph_t)&s;
    const cudaError_t e = cudaStreamEndCapture(s, g);
    cudaGetLastError();
    OK(cudaStreamIsCapturing(s, &status));
    expect("nothing is recorded any more", status == cudaStreamCaptureStatusNone);
    cudaEventDestroy(fork), cudaEventDestroy(join), cudaStreamDestroy(s), cudaStreamDestroy(t);
    return e;
}
static void joins()
{
    cudaGraph_t g;
    const cudaError_t unjoined = ends(UNJOINED, &g);
    expect("a stream that nothing waits for", unjoined == cudaErrorStreamCaptureUnjoined && !g);
    for (enum ending how : { IDLE, JOINED, FORGOTTEN }) {
        size_t n = 0;
        OK(ends(how, &g));
        OK(cudaGraphGetNodes(g, nullptr, &n));
        expect("its nodes", n == (how == IDLE ? 1 : 2));
        cudaGraphDestroy(g);
    }
}
int main()
{
    cudaMalloc(&d, sizeof back), cudaMemset(d, 0, sizeof back);
    edges(), parameters(), others(), recorded(), joins();
    cudaFree(d);
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
