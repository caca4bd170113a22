// Launches many kernels, each with memory, streams, events, textures and graphs of its own, which it gives back: what is
// resident must not grow with their number.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e = call; if (e != cudaSuccess) { \
    printf("FAIL %s: %s\n", #call, cudaGetErrorString(e)); exit(1); } } while (0)
enum { N = 512 };

__device__ int total;
__global__ void add(const int *in, int *out, cudaTextureObject_t t, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *own = (int *)malloc(64);
    own[3] = in[i] + k;
    out[i] = own[3] + (int)tex1Dfetch<float>(t, i % 32);
    free(own);
    atomicAdd(&total, 1);
    if (i == 0 && k % 64 == 0)
        printf("launch %d\n", k);
}

static void round_of(int k)
{
    int *in, *out, *pinned, *managed, size = N + 64 * (k % 5);
    cudaStream_t s;
    cudaEvent_t before, after;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaTextureObject_t t;
    float *line, values[32];
    for (int i = 0; i < 32; i++)
        values[i] = (float)i;
    CHECK(cudaMalloc(&in, size * sizeof *in));
    CHECK(cudaMalloc(&out, size * sizeof *out));
    CHECK(cudaMalloc(&line, sizeof values));
    CHECK(cudaMemcpy(line, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK(cudaMallocHost(&pinned, size * sizeof *pinned));
    CHECK(cudaMallocManaged(&managed, size * sizeof *managed));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = line;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = sizeof values;
    cudaTextureDesc how = {};
    CHECK(cudaCreateTextureObject(&t, &resource, &how, NULL));
    for (int i = 0; i < size; i++)
        pinned[i] = managed[i] = i;
    CHECK(cudaEventRecord(before, s));
    CHECK(cudaMemcpyAsync(in, pinned, size * sizeof *in, cudaMemcpyHostToDevice, s));
    add<<<N / 128, 128, 0, s>>>(in, out, t, k);
    CHECK(cudaEventRecord(after, s));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<N / 128, 128, 0, s>>>(managed, out, t, k + 1);
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(pinned, out, N * sizeof *out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        if (pinned[i] != i + k + 1 + i % 32) {
            printf("FAIL launch %d, element %d: %d\n", k, i, pinned[i]);
            exit(1);
        }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaEventDestroy(before));
    CHECK(cudaEventDestroy(after));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(line));
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1, all;
    for (int k = 0; k < rounds; k++)
        round_of(k);
    CHECK(cudaMemcpyFromSymbol(&all, total, sizeof all));
    printf("%s: %d rounds\n", all == rounds * 2 * N ? "PASS" : "FAIL", rounds);
    return all != rounds * 2 * N;
}
