// What public programs needed and did not get, a case each.  SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_occupancy.h>
#include <cuda_runtime.h>
#if !defined __HOST_DEFINES_H__ || !defined __DRIVER_TYPES_H__
#error thrust undefines __host__ where these names of CUDA's headers are not there
#endif

static int bad;
static void expect(const char *what, bool ok)
{
    if (!ok) printf("wrong: %s\n", what), bad = 1;
}

// The last thread fetches work for all: each thread reads what it wrote, not what lay there before the barrier.
__global__ void fetches(int *head, int *out, int n)
{
    __shared__ int item;
    if (threadIdx.x == 63) item = atomicAdd(head, 1);
    __syncthreads();
    while (item < n) {
        atomicAdd(&out[item], 1);
        __syncthreads();
        if (threadIdx.x == 63) item = atomicAdd(head, 1);
        __syncthreads();
    }
}

static void order()
{
    enum { N = 10 };
    int *head, out[N];
    cudaMalloc(&head, (N + 1) * sizeof *head);
    cudaMemset(head, 0, (N + 1) * sizeof *head);
    fetches<<<2, 64>>>(head, head + 1, N);
    expect("a launch of fetches", cudaMemcpy(out, head + 1, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int k = 0; k < N; k++) expect("each item is done by a block of 64 threads", out[k] == 64);
    cudaFree(head);
}

// The float side of names that mathematics has for float and double.
__global__ void overloads(float *p, int *q)
{
    float x = p[0];
    p[1] = fma(x, x, 1.0f), p[2] = log2(x), p[3] = exp2(x), p[4] = round(x), p[5] = trunc(x), p[6] = fmax(x, 9.0f);
    p[7] = copysign(x, -1.0f), p[8] = scalbn(x, 3), p[9] = hypot(x, x), p[10] = rint(x), p[11] = std::cbrt(x * x * x);
    q[0] = (int)lround(x), q[1] = ilogb(x), q[2] = (int)llrint(x);
    static_assert(sizeof log2(x) == 4 && sizeof fma(x, x, x) == 4 && sizeof hypot(x, x) == 4, "of float, not double");
}

// min and max of mixed signs, on both sides.
__host__ __device__ bool lesser(int a, unsigned b)
{
    return min(a, b) == 7u && max(b, a) == 4294967295u && min(-1L, 5ul) == 5 && max(1ll, 5ull) == 5 && min(2, 3) == 2;
}
__global__ void lesser_there(const __grid_constant__ int a, int *ok) { *ok = lesser(a, 7); }

static void mixed()
{
    int *p, ok = 0;
    cudaMalloc(&p, sizeof *p);
    lesser_there<<<min(1u, 2), 1>>>(-1, p);
    expect("a launch of lesser_there", cudaMemcpy(&ok, p, sizeof ok, cudaMemcpyDeviceToHost) == cudaSuccess);
    expect("min and max of mixed signs", ok && lesser(-1, 7));
    __nv_bfloat162_raw raw = __nv_bfloat162(__float2bfloat16(1.0f), __float2bfloat16(-2.0f));
    expect("a pair as its bits", raw.x == 0x3f80 && raw.y == 0xc000 && __nv_bfloat162(raw).y == __float2bfloat16(-2.0f));
    cudaFree(p);
}

static void mathematics()
{
    float x = 2.5f, *p, got[12];
    int *q, whole[3];
    const float want[] = { x, fmaf(x, x, 1), log2f(x), exp2f(x), 3, 2, 9, -x, 20, hypotf(x, x), 2, x };
    cudaMalloc(&p, sizeof got), cudaMalloc(&q, sizeof whole);
    cudaMemcpy(p, &x, sizeof x, cudaMemcpyHostToDevice);
    overloads<<<1, 1>>>(p, q);
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    expect("a launch of overloads", cudaMemcpy(whole, q, sizeof whole, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int k = 0; k < 12; k++) expect("mathematics of float", fabsf(got[k] - want[k]) <= 2e-6f * fabsf(want[k]));
    expect("whole numbers of float", whole[0] == 3 && whole[1] == 1 && whole[2] == 2);
    cudaFree(p), cudaFree(q);
}

// Lanes that hold the same pointer, as a sum by one of them for all needs it.
__global__ void together(int *sum, unsigned *all, int kinds)
{
    int *p = sum + threadIdx.x % kinds, same;
    unsigned lanes = __match_any_sync(~0u, (unsigned long long)p);
    if ((int)threadIdx.x == __ffs((int)lanes) - 1) *p += __popc(lanes);
    all[threadIdx.x] = __match_all_sync(~0u, kinds == 1 ? 7ull << 40 : (unsigned long long)p, &same) ^ (unsigned)same;
}

static void matches()
{
    int *sum, got[3];
    unsigned *all, lanes[32];
    cudaMalloc(&sum, sizeof got), cudaMalloc(&all, sizeof lanes), cudaMemset(sum, 0, sizeof got);
    together<<<1, 32>>>(sum, all, 3);
    cudaMemcpy(lanes, all, sizeof lanes, cudaMemcpyDeviceToHost);
    expect("a launch of together", cudaMemcpy(got, sum, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
    expect("lanes by pointers", got[0] == 11 && got[1] == 11 && got[2] == 10 && lanes[5] == 0);
    together<<<1, 32>>>(sum, all, 1);
    cudaMemcpy(lanes, all, sizeof lanes, cudaMemcpyDeviceToHost);
    expect("all lanes alike", lanes[5] == ~1u);
    cudaFree(sum), cudaFree(all);
}

// What code says of textures, without making one of nothing, and of launches from kernels.
template <class T> __device__ T fetched(cudaTextureObject_t t, int i) { return tex1Dfetch<T>(t, i); }
static void described()
{
    cudaResourceDesc r = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t = 0;
    r.resType = cudaResourceTypeLinear, r.res.linear.desc = cudaCreateChannelDesc<ushort2>(), how.readMode = cudaReadModeElementType;
    const cudaChannelFormatDesc &d = r.res.linear.desc;
    expect("a description", d.x == 16 && d.y == 16 && !d.z && !d.w && d.f == cudaChannelFormatKindUnsigned);
    expect("no texture of no memory", cudaCreateTextureObject(&t, &r, &how, nullptr) == cudaErrorInvalidValue);
    expect("names of errors", !strcmp(cudaGetErrorName(cudaErrorTextureNotBound), "cudaErrorTextureNotBound"));
    cudaGetLastError();
}

// Groups move what is no number: a sum and a maximum at once.
struct Both { double sum; float most; char tag; };
struct Join
{
    __device__ Both operator()(Both a, Both b) const { return { a.sum + b.sum, fmaxf(a.most, b.most), 'j' }; }
};
__global__ void reduced(Both *out)
{
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    Both mine = { (double)threadIdx.x, 40.0f - (float)threadIdx.x, 'a' };
    Both all = cooperative_groups::reduce(tile, mine, Join());
    Both last = cooperative_groups::coalesced_threads().shfl(mine, 31);
    short third = tile.shfl((short)-(int)threadIdx.x, 3);
    if (threadIdx.x == 5) out[0] = all, out[1] = last, out[2].sum = third;
}
static void groups()
{
    Both *p, got[3];
    cudaMalloc(&p, sizeof got);
    reduced<<<1, 32>>>(p);
    expect("a launch of reduced", cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
    expect("a structure reduced", got[0].sum == 496 && got[0].most == 40 && got[0].tag == 'j');
    expect("a structure shuffled", got[1].sum == 31 && got[1].most == 9 && got[1].tag == 'a' && got[2].sum == -3);
    cudaFree(p);
}

// The architecture that a kernel's code is for, by which CUB chooses its sizes on the host as __CUDA_ARCH__ does in kernels.
__global__ void architecture(int *p)
{
#ifdef __CUDA_ARCH__
    *p = __CUDA_ARCH__;
#endif
}
static void versions()
{
    int *p, arch = 0;
    cudaFuncAttributes a;
    cudaMalloc(&p, sizeof *p);
    architecture<<<1, 1>>>(p);
    cudaMemcpy(&arch, p, sizeof arch, cudaMemcpyDeviceToHost);
    expect("one architecture", cudaFuncGetAttributes(&a, architecture) == cudaSuccess && a.ptxVersion * 10 == arch);
    cudaFree(p);
}

// Graphs: recorded from two streams, and put together by hand; each launch does all of it again.
__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
static void count(void *n) { ++*(int *)n; }

static void graphs()
{
    enum { N = 32, BYTES = N * sizeof(int) };
    int *p, from[N], to[N] = {}, called = 0, one = 1;
    cudaStream_t a, b;
    cudaEvent_t forked, joined;
    cudaGraph_t g;
    cudaGraphExec_t run;
    size_t nodes = 0;
    for (int i = 0; i < N; i++) from[i] = i;
    cudaMalloc(&p, BYTES), cudaStreamCreate(&a), cudaStreamCreate(&b), cudaEventCreate(&forked), cudaEventCreate(&joined);
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(p, from, BYTES, cudaMemcpyHostToDevice, a);
    cudaEventRecord(forked, a), cudaStreamWaitEvent(b, forked, 0);
    add<<<1, N, 0, b>>>(p, 100);
    cudaEventRecord(joined, b), cudaStreamWaitEvent(a, joined, 0);
    add<<<1, N, 0, a>>>(p, one);
    one = 1000;                                          // too late: parameters are those of the recorded launch
    cudaMemcpyAsync(to, p, BYTES, cudaMemcpyDeviceToHost, a);
    cudaLaunchHostFunc(a, count, &called);
    expect("a recorded graph", cudaStreamEndCapture(a, &g) == cudaSuccess && !called && to[3] == 0);
    expect("its nodes", cudaGraphGetNodes(g, nullptr, &nodes) == cudaSuccess && nodes == 5);
    expect("its instance", cudaGraphInstantiate(&run, g, nullptr, nullptr, 0) == cudaSuccess);
    cudaGraphDestroy(g);                                 // the instance has its own
    for (int k = 1; k <= 2; k++) {
        from[3] = 10 * k;
        expect("a launch of a graph", cudaGraphLaunch(run, a) == cudaSuccess && cudaStreamSynchronize(a) == cudaSuccess);
        expect("what it leaves", to[3] == 10 * k + 101 && to[31] == 132 && called == k);
    }
    cudaGraphExecDestroy(run);

    cudaGraphNode_t fill, kernel, host;
    int *where = p, seven = 7;
    void *args[] = { &where, &seven };
    cudaMemsetParams zeros = { p, 0, 0, 4, N, 1 };
    cudaKernelNodeParams launch = { (void *)add, dim3(1), dim3(N), 0, args, nullptr };
    cudaHostNodeParams call = { count, &called };
    cudaGraphCreate(&g, 0);
    cudaGraphAddMemsetNode(&fill, g, nullptr, 0, &zeros);
    cudaGraphAddKernelNode(&kernel, g, &fill, 1, &launch);
    cudaGraphAddHostNode(&host, g, &kernel, 1, &call);
    expect("a node that is not there", cudaGraphAddEmptyNode(&host, g, (cudaGraphNode_t *)&a, 1) == cudaErrorInvalidValue);
    expect("an instance", cudaGraphInstantiate(&run, g, 0) == cudaSuccess && cudaGraphLaunch(run, 0) == cudaSuccess);
    cudaMemcpy(to, p, BYTES, cudaMemcpyDeviceToHost);
    expect("what it leaves", to[0] == 7 && to[31] == 7 && called == 3);

    // The instance does something else; then what the graph does, which was changed; then what another graph does.
    cudaGraphNodeType type;
    expect("a node's type", cudaGraphNodeGetType(kernel, &type) == cudaSuccess && type == cudaGraphNodeTypeKernel);
    const int sums[] = { 20, 30, 30 };
    cudaGraph_t h;
    cudaGraphNode_t wrong;
    cudaGraphExecUpdateResult result;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(p, 0, BYTES, a);
    add<<<1, N, 0, a>>>(p, 30);
    cudaLaunchHostFunc(a, count, &called);
    cudaStreamEndCapture(a, &h);
    for (int k = 0; k < 3; k++) {
        seven = sums[k];
        if (k == 0) expect("other parameters", cudaGraphExecKernelNodeSetParams(run, kernel, &launch) == cudaSuccess);
        if (k == 1) cudaGraphKernelNodeSetParams(kernel, &launch);
        if (k) expect("an update", cudaGraphExecUpdate(run, k == 1 ? g : h, &wrong, &result) == cudaSuccess && !result);
        cudaGraphUpload(run, a), cudaGraphLaunch(run, a);
        cudaMemcpy(to, p, BYTES, cudaMemcpyDeviceToHost);
        expect("what a changed graph leaves", to[31] == sums[k] && called == 4 + k);
    }
    cudaGraphDestroy(h), cudaGraphCreate(&h, 0);
    expect("an update from a graph of another form",
           cudaGraphExecUpdate(run, h, &wrong, &result) == cudaErrorGraphExecUpdateFailure && result);
    expect("parameters of a node of another kind", cudaGraphExecKernelNodeSetParams(run, fill, &launch) == cudaErrorInvalidValue);
    cudaGraphDestroy(h), cudaGetLastError();
    cudaGraphExecDestroy(run), cudaGraphDestroy(g), cudaFree(p);
    cudaGetLastError();
}

// Graphs used wrongly, and then well again.
extern "C" __global__ void v() {}             // by its name alone, which in C++ is short for void
static void called_back(cudaStream_t, cudaError_t, void *n) { count(n); }

static void graphs_refused()
{
    int *p, to[8], called = 0;
    cudaStream_t a, b;
    cudaGraph_t g = nullptr, empty = nullptr;
    cudaGraphExec_t run = nullptr;
    cudaGraphNode_t node;
    cudaMalloc(&p, sizeof to), cudaStreamCreate(&a), cudaStreamCreate(&b);

    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    expect("no callback is recorded", cudaStreamAddCallback(a, called_back, &called, 0) == cudaErrorStreamCaptureUnsupported);
    expect("no callback is called", !called);
    cudaStreamDestroy(a);
    expect("its stream destroyed, recording is over", cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal) == cudaSuccess);
    cudaStreamEndCapture(b, &empty);
    expect("an empty graph", cudaGraphInstantiate(&run, empty, 0) == cudaSuccess && cudaGraphLaunch(run, b) == cudaSuccess);
    cudaGraphExecDestroy(run), cudaGraphDestroy(empty);

    cudaKernelNodeParams bare = { (void *)v, dim3(1), dim3(1), 0, nullptr, nullptr }, lacks = bare, unknown = bare;
    cudaMemsetParams halves = { p, 0, 0x0505, 2, 4, 1 }, thirds = { p, 0, 0, 3, 1, 1 }, mixed = { p, 0, 0x0506, 2, 4, 1 };
    lacks.func = (void *)add, unknown.func = (void *)count;
    cudaGraphCreate(&g, 0);
    expect("a kernel without parameters", cudaGraphAddKernelNode(&node, g, nullptr, 0, &bare) == cudaSuccess);
    expect("one that lacks them", cudaGraphAddKernelNode(&node, g, nullptr, 0, &lacks) == cudaErrorInvalidValue);
    expect("no kernel", cudaGraphAddKernelNode(&node, g, nullptr, 0, &unknown) == cudaErrorInvalidDeviceFunction);
    expect("no fill", cudaGraphAddMemsetNode(&node, g, nullptr, 0, nullptr) == cudaErrorInvalidValue);
    expect("a fill of thirds", cudaGraphAddMemsetNode(&node, g, nullptr, 0, &thirds) == cudaErrorInvalidValue);
    expect("a fill of bytes that differ", cudaGraphAddMemsetNode(&node, g, nullptr, 0, &mixed) == cudaSuccess);
    expect("a fill of halves", cudaGraphAddMemsetNode(&node, g, nullptr, 0, &halves) == cudaSuccess);
    expect("its launch", cudaGraphInstantiate(&run, g, 0) == cudaSuccess && cudaGraphLaunch(run, b) == cudaSuccess);
    cudaMemcpy(to, p, sizeof to, cudaMemcpyDeviceToHost);
    expect("what it leaves", to[0] == 0x05050505 && to[1] == 0x05050505);
    cudaGraphExecDestroy(run), cudaGraphDestroy(g);

    cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal);
    cudaDeviceReset();
    expect("the device reset, recording is over", cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal) == cudaSuccess);
    cudaStreamEndCapture(b, &g), cudaGraphDestroy(g), cudaStreamDestroy(b);
    cudaGetLastError();
}

// A constant of a class that is no integer, as gcc takes it.
struct Limits { static const float least = -2.0f; };

// Halves: in all roundings, saturated, without order; and one that is alone in its buffer.
__global__ void halves(float *out, __half *sum, double *none)
{
    atomicAdd(sum, __float2half(1.5f));
    if (threadIdx.x) return;
    const float v = 1.0f + 1.0f / 4096;
    const __half none_at_all = __ushort_as_half(0x7fff), big = __float2half(60000.0f), one = __float2half(1.0f);
    const __half2 two = __halves2half2(one, big);
    out[0] = __float2half_rd(v), out[1] = __float2half_ru(v), out[2] = __float2half_rz(-v), out[3] = __float2half_rz(1e6f);
    out[4] = __hadd_sat(one, one), out[5] = __hltu(none_at_all, one), out[6] = __hbeq2(two, two), out[7] = __hisinf(__hneg(big + big));
    out[8] = __hisnan(__hmax_nan(none_at_all, one)), out[9] = __half2int_ru(__float2half(1.5f)), out[10] = __half2ll_rn(big);
    out[11] = __high2float(-two), out[12] = __hfma_relu(one, -one, -one), out[13] = hexp10(one), out[14] = h2rcp(two).x;
    out[15] = __low2float(__hcmadd(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4), __floats2half2_rn(9, 9)));
    out[16] = nanf("") == nanf("") ? 0 : Limits::least;
    *none = nan("");
}
static void halves()
{
    const float want[] = { 1.0f, 1.0f + 1.0f / 1024, -1.0f, 65504.0f, 1, 1, 1, -1, 1, 2, 60000.0f - 60000 % 32, -60000, 0, 10, 1, 4, -2 };
    enum { N = sizeof want / sizeof *want };
    float *out, got[N];
    double *none, not_a_number;
    __half *sum, total;
    cudaMalloc(&out, sizeof got);
    cudaMalloc(&none, sizeof *none);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    halves<<<1, 4>>>(out, sum, none);
    expect("a launch of halves", cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    cudaMemcpy(&not_a_number, none, sizeof not_a_number, cudaMemcpyDeviceToHost);
    for (int k = 0; k < N; k++)
        if (got[k] != want[k]) printf("wrong: half %d: %g, not %g\n", k, got[k], want[k]), bad = 1;
    expect("a half alone in its buffer", (float)total == 6.0f && not_a_number != not_a_number);
    cudaFree(out), cudaFree(none), cudaFree(sum);
}

// The address of a constant, which a function takes among others, and a constant that holds one.
__constant__ float table[4] = { 1, 2, 3, 4 };
__constant__ int other[2] = { 10, 20 };
__constant__ const float *held = table;
__device__ __noinline__ float sums(const float *p)
{
    return p[0] + p[1] + p[2] + p[3];
}
__global__ void constants(float *out, const float *global)
{
    out[threadIdx.x] = sums(threadIdx.x & 1 ? table : global) + other[threadIdx.x & 1] + held[2];
}
static void constants()
{
    const float host[4] = { 100, 6, 7, 8 };
    float *out, got[4];
    cudaMalloc(&out, 2 * sizeof host);
    cudaMemcpy(out + 4, host, sizeof host, cudaMemcpyHostToDevice);
    constants<<<1, 4>>>(out, out + 4);
    expect("a launch of constants", cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
    expect("generic addresses of constants", got[0] == 121 + 10 + 3 && got[1] == 10 + 20 + 3);
    cudaMemcpyToSymbol(table, host, sizeof host);
    constants<<<1, 4>>>(out, out + 4);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    expect("generic addresses of constants that were copied", got[0] == 121 + 10 + 7 && got[1] == 121 + 20 + 7);
    cudaFree(out);
}

// Launches with attributes; what would let two grids overlap has nothing to do.
__global__ void dependent(int *p, short n)
{
    cudaGridDependencySynchronize();
    atomicAdd(p, n);
    cudaTriggerProgrammaticLaunchCompletion();
}
static void attributes()
{
    int *p, sum = 0;
    cudaLaunchAttribute a[1] = {};
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3(2), c.blockDim = dim3(32), c.attrs = a, c.numAttrs = 1;
    cudaMalloc(&p, sizeof *p), cudaMemset(p, 0, sizeof *p);
    a[0].id = cudaLaunchAttributeProgrammaticStreamSerialization, a[0].val.programmaticStreamSerializationAllowed = 1;
    expect("a launch with an attribute", cudaLaunchKernelEx(&c, dependent, p, 3) == cudaSuccess);
    cudaMemcpy(&sum, p, sizeof sum, cudaMemcpyDeviceToHost);
    expect("what it leaves", sum == 64 * 3);
    a[0].id = cudaLaunchAttributeCooperative, a[0].val.cooperative = 1, c.gridDim = dim3(100000);
    expect("a cooperative launch that is too large", cudaLaunchKernelEx(&c, dependent, p, 3) == cudaErrorCooperativeLaunchTooLarge);
    cudaGetLastError(), cudaFree(p);
}

static void priorities()
{
    cudaDeviceProp p;
    int least = 1, greatest = 1, is = 1;
    cudaStream_t s;
    cudaGetDeviceProperties(&p, 0);
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    expect("streams have priorities", p.streamPrioritiesSupported && least == 0 && greatest < least);
    cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest);
    cudaStreamGetPriority(s, &is);
    expect("a stream's priority", is == greatest);
    cudaStreamDestroy(s);
}

int main()
{
    halves();
    priorities();
    constants();
    attributes();
    order();
    mathematics();
    matches();
    mixed();
    described();
    versions();
    groups();
    graphs();
    graphs_refused();
    printf(bad ? "FAIL\n" : "PASS\n");
    return bad;
}
