// Launches from kernels: parameters, order, streams, copies, limits and errors.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>

#ifdef __CUDACC__
#define SEEN 64
#if SEEN > 32
struct Log { int n, seen[SEEN]; };
#else
struct Log { int n, seen[32];
#endif
#endif
struct Pair { char tag; double value; short small[3]; };
static int failed;
static void expect(const char *what, bool ok)
{
    if (!ok) printf("FAIL %s\n", what), failed++;
}

__device__ void note(Log *log, int what) { log->seen[log->n++] = what; }
__global__ void step(Log *log, int what) { note(log, what); }
__global__ void mixed(char a, Pair p, short b, Log *log, double c, bool d)
{
    if (threadIdx.x == 3 && blockIdx.y == 1) note(log, a == 'a' && p.tag == 't' && p.value == 2.5 && p.small[2] == -7 && b == -2 && c == 0.125 && d);
}
namespace apart { template <class T, int N> __global__ void fill(T *p) { p[threadIdx.x] = (T)N; } }
namespace { __global__ void hidden(int *p, int n) { atomicAdd(p, n); } }

// The numbers of a tree's nodes, each noted before its children, a child with all of its own before the next.
__global__ void tree(Log *log, int node)
{
    note(log, node);
    if (node >= 4) return;                       // "tree<<<1, 1>>>(x)" in a text, tree<<<1, 1>>>(log, 0) in a comment
    tree<<<1, 1>>>(log, 2 * node);
    tree<<<1, 1>>>(log, 2 * node + 1);
    if (node == 1) printf("tree<<<%d>>>\n", node);
}

__global__ void forms(Log *log, int *p)
{
    Pair pair = { 't', 2.5, { 1, 2, -7 } };
    mixed<<<dim3(1, 2), 4>>>('a', pair, -2, log, 0.125f, true);
    apart::fill<int, (3 > 2) ? 5 : 6><<<1, 8>>>(p);
    hidden
        <<<2, 3>>>(p, 10);
}

__global__ void ordered(Log *log, int *p)
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    step<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 9);
    step<<<1, 1, 0, s>>>(log, 1);
    cudaMemsetAsync(p, 1, 4 * sizeof *p, s);
    hidden<<<1, 1, 0, s>>>(p, 1);
    cudaMemcpyAsync(p + 4, p, 4 * sizeof *p, cudaMemcpyDeviceToDevice, s);
    hidden<<<1, 1, 0, s>>>(p, 1);
    step<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 2);
    cudaStreamDestroy(s);
    note(log, 0);
}

template <class T> __global__ void deeper(T *depth, int *error)
{
    ++*depth;
    deeper<T><<<1, 1>>>(depth, error);
    *error = cudaGetLastError();
}

__global__ void many(int *p, int *error)
{
    for (int k = 0; k < 6; k++) hidden<<<1, 1>>>(p, 1);
    error[0] = cudaPeekAtLastError();
    error[1] = cudaGetLastError();
    error[2] = cudaGetLastError();
}

__global__ void wrong(int *p, int *error)
{
    hidden<<<1, 1025>>>(p, 1);
    error[0] = cudaGetLastError();
    hidden<<<dim3(1, 0), 1>>>(p, 1);
    error[1] = cudaGetLastError();
    error[2] = cudaGetErrorString(cudaErrorInvalidConfiguration)[0];
}

__global__ void all(int *p) { hidden<<<1, 1>>>(p, threadIdx.x); }

int main()
{
    Log *log, got;
    int *p, *error, v[8], e[3];
    void (*kernel)(Log *, int) = step;           // a launch by the host stays what it is
    cudaMalloc(&log, sizeof *log), cudaMalloc(&p, sizeof v), cudaMalloc(&error, sizeof e);
    auto begin = [&] {
        cudaMemset(log, 0, sizeof *log), cudaMemset(p, 0, sizeof v), cudaMemset(error, 0, sizeof e);
    };
    auto end = [&](const char *what) {
        expect(what, cudaMemcpy(&got, log, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
        cudaMemcpy(v, p, sizeof v, cudaMemcpyDeviceToHost), cudaMemcpy(e, error, sizeof e, cudaMemcpyDeviceToHost);
    };
    begin();
    kernel<<<1, 1>>>(log, 3);
    tree<<<1, 1>>>(log, 1);
    end("a tree");
    const int nodes[] = { 3, 1, 2, 4, 5, 3, 6, 7 };
    expect("the tree's order", got.n == 8 && !memcmp(got.seen, nodes, sizeof nodes));
    begin();
    forms<<<1, 1>>>(log, p);
    end("forms");
    expect("parameters", got.n == 1 && got.seen[0] == 1);
    expect("other kernels", v[0] == 65 && v[1] == 5 && v[7] == 5);
    begin();
    ordered<<<1, 1>>>(log, p);
    end("streams");
    const int order[] = { 0, 1, 2, 9 };
    expect("their order", got.n == 4 && !memcmp(got.seen, order, sizeof order));
    expect("copies between launches", v[0] == 0x01010103 && v[1] == 0x01010101 && v[4] == 0x01010102 && v[7] == 0x01010101);
    begin();
    deeper<int><<<1, 1>>>(p, error);
    end("nesting");
    expect("24 levels", v[0] == 24 && e[0] == cudaErrorLaunchMaxDepthExceeded);
    begin();
    expect("a limit", cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4) == cudaSuccess);
    many<<<1, 1>>>(p, error);
    end("too many");
    expect("four of six", v[0] == 4 && e[0] == cudaErrorLaunchPendingCountExceeded && e[1] == e[0] && e[2] == cudaSuccess);
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048);
    begin();
    wrong<<<1, 1>>>(p, error);
    end("wrong configurations");
    expect("their error", !v[0] && e[0] == cudaErrorInvalidConfiguration && e[1] == cudaErrorInvalidConfiguration && e[2] == 'i');
    begin();
    all<<<1, 64>>>(p);
    end("all lanes");
    expect("the sum of lanes", v[0] == 2016);
    puts(failed ? "FAIL" : "PASS");
    return failed != 0;
}
