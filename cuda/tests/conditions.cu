// Graphs whose nodes run by values that kernels set: if, else, while, switch; nodes of every kind by one call; streams recorded
// into a graph that is there.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s: %s\n", what, cudaGetErrorName(cudaPeekAtLastError()));
}
__global__ void count(cudaGraphConditionalHandle more, int *left, int *done)
{
    if (threadIdx.x == 0) {
        *done += 1;
        *left -= 1;
        cudaGraphSetConditional(more, *left > 0);
    }
}
__global__ void choose(cudaGraphConditionalHandle h, int *p) { cudaGraphSetConditional(h, *p); }
__global__ void add(int *p, int n) { *p += n; }

static cudaError_t node(cudaGraphNode_t *to, cudaGraph_t g, cudaGraphNode_t *after, cudaGraphNodeParams *p)
{
#if CUDART_VERSION >= 13000
    return cudaGraphAddNode(to, g, after, nullptr, after ? 1 : 0, p);
#else
    return cudaGraphAddNode(to, g, after, after ? 1 : 0, p);
#endif
}
template <class... A> static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t *after, void *fn, A... a)
{
    void *args[] = { &a... };
    cudaGraphNodeParams p = { cudaGraphNodeTypeKernel };
    p.kernel.func = fn, p.kernel.gridDim = dim3(1), p.kernel.blockDim = dim3(1), p.kernel.kernelParams = args;
    cudaGraphNode_t n;
    expect("a kernel", node(&n, g, after, &p) == cudaSuccess);
    return n;
}
static cudaGraphNode_t conditional(cudaGraph_t g, cudaGraphNode_t *after, cudaGraphConditionalHandle h,
                                   cudaGraphConditionalNodeType type, unsigned n, cudaGraph_t *bodies)
{
    cudaGraphNodeParams p = { cudaGraphNodeTypeConditional };
    p.conditional.handle = h, p.conditional.type = type, p.conditional.size = n;
    cudaGraphNode_t out;
    cudaGraphNodeType is;
    expect("a conditional node", node(&out, g, after, &p) == cudaSuccess);
    for (unsigned k = 0; k < n; k++) bodies[k] = p.conditional.phGraph_out[k];
    expect("its type", cudaGraphNodeGetType(out, &is) == cudaSuccess && is == cudaGraphNodeTypeConditional);
    return out;
}
static int value(const int *dev)
{
    int v = -1;
    cudaMemcpy(&v, dev, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}
static void set(int *dev, int v) { cudaMemcpy(dev, &v, sizeof v, cudaMemcpyHostToDevice); }

static void loops(int *d)
{
    int *left = d, *done = d + 1, *after = d + 2;
    cudaGraph_t g, body, inner;
    cudaGraphExec_t run;
    cudaGraphConditionalHandle more, again;
    cudaGraphCreate(&g, 0);
    expect("a handle", cudaGraphConditionalHandleCreate(&more, g, 1, cudaGraphCondAssignDefault) == cudaSuccess);
    cudaGraphNode_t loop = conditional(g, nullptr, more, cudaGraphCondTypeWhile, 1, &body);
    kernel(body, nullptr, (void *)count, more, left, done);
    // A condition inside the loop: that of its own graph, which a kernel sets each time around.
    expect("a handle of a body", cudaGraphConditionalHandleCreate(&again, body, 0, 0) == cudaSuccess);
    cudaGraphNode_t set_it = kernel(body, nullptr, (void *)choose, again, left);
    conditional(body, &set_it, again, cudaGraphCondTypeIf, 1, &inner);
    kernel(inner, nullptr, (void *)add, after, 100);
    kernel(g, &loop, (void *)add, after, 1);
    expect("an instance", cudaGraphInstantiate(&run, g, 0) == cudaSuccess);
    expect("the graph goes", cudaGraphDestroy(g) == cudaSuccess);
    for (int k = 1; k <= 2; k++) {
        set(left, 5), set(done, 0), set(after, 0);
        expect("a launch", cudaGraphLaunch(run, 0) == cudaSuccess);
        expect("five times around", value(left) == 0 && value(done) == 5);
        expect("four of them with more to do, and the end once", value(after) == 401);
    }
    expect("the instance goes", cudaGraphExecDestroy(run) == cudaSuccess);
}
static void choices(int *d)
{
    cudaGraph_t g, two[2], five[5];
    cudaGraphExec_t run;
    cudaGraphConditionalHandle h, which;
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandleCreate(&h, g), cudaGraphConditionalHandleCreate(&which, g);
    cudaGraphNode_t a = kernel(g, nullptr, (void *)choose, h, d), b = kernel(g, &a, (void *)choose, which, d + 1);
    cudaGraphNode_t c = conditional(g, &b, h, cudaGraphCondTypeIf, 2, two);
    conditional(g, &c, which, cudaGraphCondTypeSwitch, 5, five);
    kernel(two[0], nullptr, (void *)add, d + 2, 1), kernel(two[1], nullptr, (void *)add, d + 2, 2);
    for (int k = 0; k < 5; k++) kernel(five[k], nullptr, (void *)add, d + 3, k + 1);
    cudaGraphInstantiate(&run, g, 0);
    static const int want[7][4] = { { 1, 0, 1, 1 }, { 0, 1, 2, 2 }, { 7, 2, 1, 3 }, { 0, 3, 2, 4 }, { 1, 4, 1, 5 }, { 1, 5, 1, 0 },
                                    { 0, -1, 2, 0 } };
    for (const int *w : want) {
        set(d, w[0]), set(d + 1, w[1]), set(d + 2, 0), set(d + 3, 0);
        expect("a choice", cudaGraphLaunch(run, 0) == cudaSuccess && value(d + 2) == w[2] && value(d + 3) == w[3]);
    }
    cudaGraphNodeParams p = { cudaGraphNodeTypeConditional };
    cudaGraphNode_t n;
    p.conditional.handle = h, p.conditional.type = cudaGraphCondTypeWhile, p.conditional.size = 2;
    expect("two bodies of a loop", node(&n, g, nullptr, &p) == cudaErrorInvalidValue);
    p.conditional.handle = h + 1, p.conditional.size = 1;
    expect("no handle", node(&n, g, nullptr, &p) == cudaErrorInvalidValue);
    cudaGraphExecDestroy(run), cudaGraphDestroy(g), cudaGetLastError();
}
static void seven(void *p) { *(int *)p += 7; }
static void kinds(int *d)
{
    static short rows[2][6], back[2][6];
    static int calls;
    cudaGraph_t g, inner;
    cudaGraphExec_t run;
    cudaGraphNode_t a, b, c, e, f;
    cudaGraphCreate(&g, 0), cudaGraphCreate(&inner, 0);
    kernel(inner, nullptr, (void *)add, d, 3);
    cudaGraphNodeParams fill = { cudaGraphNodeTypeMemset }, copy = { cudaGraphNodeTypeMemcpy }, host = { cudaGraphNodeTypeHost },
                        child = { cudaGraphNodeTypeGraph }, none = { cudaGraphNodeTypeEmpty };
    fill.memset.dst = d, fill.memset.pitch = 12, fill.memset.value = 0x1234, fill.memset.elementSize = 2;
    fill.memset.width = 4, fill.memset.height = 2;
    copy.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(d, 12, 12, 2);
    copy.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(back, 12, 12, 2);
    copy.memcpy.copyParams.extent = make_cudaExtent(12, 2, 1);
    copy.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
    host.host.fn = seven, host.host.userData = &calls;
    child.graph.graph = inner;
    expect("a fill", node(&a, g, nullptr, &fill) == cudaSuccess);
    expect("a child", node(&b, g, &a, &child) == cudaSuccess);
    expect("nothing", node(&c, g, &b, &none) == cudaSuccess);
    expect("a copy", node(&e, g, &c, &copy) == cudaSuccess);
    expect("a call", node(&f, g, &e, &host) == cudaSuccess);
    child.graph.graph = g;
    expect("a graph in itself", node(&f, g, nullptr, &child) == cudaErrorInvalidValue);
    cudaMemset(d, 0, 24), cudaGraphInstantiate(&run, g, 0);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 4; x++) rows[y][x] = 0x1234;
    rows[0][0] += 3;
    expect("their launch", cudaGraphLaunch(run, 0) == cudaSuccess && calls == 7);
    for (int k = 0; k < 12; k++) expect("rows of halves", back[k / 6][k % 6] == rows[k / 6][k % 6]);
    cudaGraphExecDestroy(run), cudaGraphDestroy(g), cudaGraphDestroy(inner), cudaGetLastError();
}
static void recorded(int *d)
{
    cudaGraph_t g, found, body, made;
    cudaGraphExec_t run;
    cudaStream_t s;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *after;
    size_t n;
    cudaGraphConditionalHandle more;
    cudaStreamCreate(&s);
    expect("no recording", cudaStreamGetCaptureInfo(s, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, 1, 0, s>>>(d, 2);
#if CUDART_VERSION >= 13000
    expect("what is recorded", cudaStreamGetCaptureInfo(s, &status, nullptr, &found, &after, nullptr, &n) == cudaSuccess);
#else
    expect("what is recorded", cudaStreamGetCaptureInfo(s, &status, nullptr, &found, &after, &n) == cudaSuccess);
#endif
    expect("it stays while it is recorded", cudaGraphDestroy(found) == cudaErrorInvalidValue);
    expect("its last node", status == cudaStreamCaptureStatusActive && n == 1);
    cudaGraphConditionalHandleCreate(&more, found, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t last = *after, loop = conditional(found, &last, more, cudaGraphCondTypeWhile, 1, &body);
#if CUDART_VERSION >= 13000
    expect("after the loop", cudaStreamUpdateCaptureDependencies(s, &loop, nullptr, 1, cudaStreamSetCaptureDependencies) == cudaSuccess);
#else
    expect("after the loop", cudaStreamUpdateCaptureDependencies(s, &loop, 1, cudaStreamSetCaptureDependencies) == cudaSuccess);
#endif
    add<<<1, 1, 0, s>>>(d + 1, 10);
    expect("the graph", cudaStreamEndCapture(s, &g) == cudaSuccess && g == found);
    expect("into a body", cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal) == cudaSuccess);
    count<<<1, 1, 0, s>>>(more, d, d + 1);
    expect("which is that", cudaStreamEndCapture(s, &made) == cudaSuccess && made == body);
    expect("again", cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal) == cudaSuccess);
    expect("by name no longer", cudaStreamEndCapture(s, nullptr) == cudaSuccess);
    expect("its instance", cudaGraphInstantiate(&run, g, 0) == cudaSuccess);
    set(d, 1), set(d + 1, 0);
    expect("three times around", cudaGraphLaunch(run, s) == cudaSuccess && value(d) == 0 && value(d + 1) == 13);
    cudaGraphExecDestroy(run), cudaGraphDestroy(g), cudaStreamDestroy(s);
}
/* An instance that is given another graph's parameters has its value, too, when that graph is gone. */
static void updated(int *d)
{
    cudaGraph_t g[2], body;
    cudaGraphExec_t run;
    cudaGraphExecUpdateResultInfo info;
    cudaGraphConditionalHandle h;
    for (int k = 0; k < 2; k++) {
        cudaGraphCreate(&g[k], 0);
        cudaGraphConditionalHandleCreate(&h, g[k], k, cudaGraphCondAssignDefault);
        conditional(g[k], nullptr, h, cudaGraphCondTypeIf, 1, &body);
        kernel(body, nullptr, (void *)add, d, 5);
    }
    cudaGraphInstantiate(&run, g[0], 0);
    expect("an update", cudaGraphExecUpdate(run, g[1], &info) == cudaSuccess);
    cudaGraphDestroy(g[0]), cudaGraphDestroy(g[1]);
    set(d, 1);
    expect("by its value", cudaGraphLaunch(run, 0) == cudaSuccess && value(d) == 6);
    cudaGraphExecDestroy(run);
}
int main()
{
    int *d, driver = 0;
    size_t before, now, all;
    expect("a driver that has them all", cudaDriverGetVersion(&driver) == cudaSuccess && driver >= 12080);
    cudaMalloc(&d, 64), cudaMemGetInfo(&before, &all);
    loops(d), choices(d), kinds(d), recorded(d), updated(d);
    cudaMemGetInfo(&now, &all);
    expect("what they had is free again", now == before);
    cudaFree(d);
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
