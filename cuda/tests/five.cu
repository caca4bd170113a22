// A program of five launches, which checks itself: streams, events, constant, managed and pinned memory, templates,
// dynamic shared memory, a lambda, a device function by pointer, warp intrinsics, atomics.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

#define CHECK(call) \
    do { \
        cudaError_t e = (call); \
        if (e != cudaSuccess) { \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e)); \
            exit(1); \
        } \
    } while (0)

enum { N = 200, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK, BINS = 8 };
__constant__ float coefficient[3];
__device__ unsigned histogram[BINS];
__managed__ int answers;

// 1: a polynomial, with coefficients in constant memory.
template <class T> __global__ void polynomial(T *y, const T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (coefficient[2] * x[i] + coefficient[1]) * x[i] + coefficient[0];
}

// 2: sums of blocks, through shared memory whose size the launch gives.
template <class T> __global__ void sums(T *sum, const T *x, int n)
{
    extern __shared__ unsigned char memory[];
    T *part = (T *)memory;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : T();
    for (unsigned half = blockDim.x / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sum[blockIdx.x] = part[0];
}

// 3: how long each start walks, divergent, into a histogram; managed memory counts those who took long.
__device__ int steps(unsigned v)
{
    int n = 0;
    for (; v != 1; n++) v = v & 1 ? 3 * v + 1 : v / 2;
    return n;
}
typedef int (*walk)(unsigned);
__device__ walk chosen = steps;
__global__ void walks(int *length, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = chosen((unsigned)i + 1);
    length[i] = s;
    atomicAdd(&histogram[s % BINS], 1u);
    if (s > 100) atomicAdd(&answers, 1);
}

// 4: what a functor says, for any functor.
template <class F> __global__ void apply(int *out, int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = f(i);
}
struct Scaled { int by; __host__ __device__ int operator()(int i) const { return i * by - 7; } };

// 5: sums of warps, by tiles.
__global__ void tiles(int *out, const int *in, int n)
{
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = cg::reduce(tile, i < n ? in[i] : 0, cg::plus<int>());
    if (tile.thread_rank() == 0) out[i / 32] = v;
}

static int wrong;
template <class A, class B> static void same(const char *what, int i, A got, B want)
{
    if (got == (A)want) return;
    if (!wrong++) printf("%s[%d]: %g, should be %g\n", what, i, (double)got, (double)want);
}

int main()
{
    std::vector<float> x(N), y(N);
    for (int i = 0; i < N; i++) x[i] = (float)(i % 13) - 6;
    const float c[3] = { 2.0f, -3.0f, 0.5f };
    cudaStream_t stream[2];
    cudaEvent_t begin, end;
    float *dx, *dy, *sum;
    int *length, *scaled, *warps, *managed;
    for (int k = 0; k < 2; k++) CHECK(cudaStreamCreate(&stream[k]));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaMalloc(&dx, N * sizeof *dx));
    CHECK(cudaMalloc(&dy, N * sizeof *dy));
    CHECK(cudaMallocHost(&sum, BLOCKS * sizeof *sum));
    CHECK(cudaMalloc(&length, N * sizeof *length));
    CHECK(cudaMalloc(&scaled, N * sizeof *scaled));
    CHECK(cudaMallocManaged(&managed, N * sizeof *managed));
    CHECK(cudaMallocManaged(&warps, BLOCKS * BLOCK / 32 * sizeof *warps));
    for (int i = 0; i < N; i++) managed[i] = i * i % 31;
    answers = 1000;

    CHECK(cudaEventRecord(begin, stream[0]));
    CHECK(cudaMemcpyToSymbol(coefficient, c, sizeof c));
    CHECK(cudaMemcpyAsync(dx, x.data(), N * sizeof *dx, cudaMemcpyHostToDevice, stream[0]));
    polynomial<<<BLOCKS, BLOCK, 0, stream[0]>>>(dy, dx, N);
    CHECK(cudaGetLastError());
    sums<float><<<BLOCKS, BLOCK, BLOCK * sizeof(float), stream[0]>>>(sum, dy, N);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end, stream[0]));
    CHECK(cudaStreamWaitEvent(stream[1], end, 0));
    walks<<<BLOCKS, BLOCK, 0, stream[1]>>>(length, N);
    apply<<<2, BLOCK, 0, stream[1]>>>(scaled, N, Scaled{ 5 });
    tiles<<<BLOCKS, BLOCK>>>(warps, managed, N);
    CHECK(cudaDeviceSynchronize());

    std::vector<int> got(N);
    CHECK(cudaMemcpy(y.data(), dy, N * sizeof *dy, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) same("polynomial", i, y[i], (c[2] * x[i] + c[1]) * x[i] + c[0]);
    for (int b = 0; b < BLOCKS; b++) {
        float s = 0;                                     // the values are halves: every order gives the same
        for (int i = b * BLOCK; i < N && i < (b + 1) * BLOCK; i++) s += y[i];
        same("sum", b, sum[b], s);
    }
    unsigned bins[BINS], want[BINS] = {};
    int longer = 1000;
    CHECK(cudaMemcpy(got.data(), length, N * sizeof *length, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(bins, histogram, sizeof bins));
    for (int i = 0; i < N; i++) {
        int n = 0;
        for (unsigned v = (unsigned)i + 1; v != 1; n++) v = v & 1 ? 3 * v + 1 : v / 2;
        same("steps", i, got[i], n);
        want[n % BINS]++;
        longer += n > 100;
    }
    for (int b = 0; b < BINS; b++) same("histogram", b, bins[b], want[b]);
    same("answers", 0, answers, longer);
    CHECK(cudaMemcpy(got.data(), scaled, N * sizeof *scaled, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) same("scaled", i, got[i], i * 5 - 7);
    for (int w = 0; w < BLOCKS * BLOCK / 32; w++) {
        int s = 0;
        for (int i = 32 * w; i < N && i < 32 * w + 32; i++) s += i * i % 31;
        same("warp", w, warps[w], s);
    }
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    if (ms < 0) wrong++;
    CHECK(cudaFree(dx));
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(sum));
    for (int k = 0; k < 2; k++) CHECK(cudaStreamDestroy(stream[k]));
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
