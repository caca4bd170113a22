// A program that does one thing wrong, named by its argument, and prints what CUDA's run time answers, twice.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

struct Vector { int n; };
__global__ void fill(float *to, int n, Vector v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = v.n;                              // the line that faults
}
__global__ void spin(volatile int *p)
{
    while (*p == 0) p[1] = 1;
}

__global__ void half(int *p)
{
    if (threadIdx.x & 1) __syncthreads();                // not all threads come,
    __syncwarp();                                        // and those that do not wait for them
    p[threadIdx.x] = 1;
}

__global__ void inside(int *p, int off)                  // past the block's own memory, or the thread's
{
    __shared__ int s[32];
    extern __shared__ int more[];
    int *at = off & 1 ? more : s;
    s[threadIdx.x] = more[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *p = off & 2 ? at[off] : s[threadIdx.x + off];
}

struct Many { int *at[40]; };
__global__ void touch(Many m, int first, int off)
{
    if (threadIdx.x >= first) m.at[threadIdx.x][off] += threadIdx.x;
}
/* Forty buffers, in each of which one thread writes. */
static int many(int first, int off)
{
    Many m;
    int v, wrong = 0;
    for (int k = 0; k < 40; k++) cudaMalloc(&m.at[k], 20), cudaMemset(m.at[k], 0, 20);
    cudaFree(m.at[20]);
    cudaMalloc(&m.at[20], 5000);
    touch<<<1, 40>>>(m, first, off);
    for (int k = 0; k < 40; k++) wrong += cudaMemcpy(&v, m.at[k], 4, cudaMemcpyDeviceToHost) || v != k;
    if (!wrong) puts("PASS");
    return wrong;
}

texture<float, 1> loose;
__global__ void fetches(float *p) { *p = tex1Dfetch(loose, 0); }
__global__ void object(float *p, cudaTextureObject_t t) { *p = tex1Dfetch<float>(t, 0); }

extern "C" cudaError_t missing() __asm__("cudaArrayGetPlane");
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    float *a = nullptr, host[64];
    cudaError_t e = cudaSuccess;
    cudaMalloc(&a, 100 * sizeof *a);
    if (!strcmp(what, "after")) fill<<<4, 32>>>(a, 120, Vector{ 1 });
    else if (!strcmp(what, "many")) return many(0, 0) != 0;
    else if (!strcmp(what, "between")) many(39, -300);
    else if (!strcmp(what, "null")) fill<<<1, 32>>>(nullptr, 1, Vector{ 1 });
    else if (!strcmp(what, "host")) fill<<<1, 32>>>(host, 1, Vector{ 1 });
    else if (!strcmp(what, "texture")) fetches<<<1, 1>>>(a);
    else if (!strcmp(what, "object")) object<<<1, 1>>>(a, 0);
    else if (!strcmp(what, "threads")) fill<<<1, 2000>>>(a, 1, Vector{ 1 });
    else if (!strcmp(what, "grid")) fill<<<dim3(1, 70000), 32>>>(a, 1, Vector{ 1 });
    else if (!strcmp(what, "shared")) fill<<<1, 32, 100000>>>(a, 1, Vector{ 1 });
    else if (!strcmp(what, "inside")) inside<<<1, 32, 128>>>((int *)a, 64);
    else if (!strcmp(what, "generic")) inside<<<1, 32, 128>>>((int *)a, 66);
    else if (!strcmp(what, "copy")) e = cudaMemcpy(host, a, 101 * sizeof *a, cudaMemcpyDeviceToHost);
    else if (!strcmp(what, "direction")) e = cudaMemcpy(host, a, 4, cudaMemcpyHostToDevice);
    else if (!strcmp(what, "free")) e = cudaFree(host);
    else if (!strcmp(what, "twice")) cudaFree(a), e = cudaFree(a);
    else if (!strcmp(what, "device")) e = cudaSetDevice(1);
    else if (!strcmp(what, "memory")) e = cudaMalloc(&a, (size_t)1 << 40);
    else if (!strcmp(what, "pinned")) {                  // 6 GiB of host memory are no matter
        char *large, *larger;
        e = cudaMallocHost(&large, (size_t)3 << 30);
        if (e == cudaSuccess) e = cudaMallocHost(&larger, (size_t)3 << 30);
        if (e == cudaSuccess) larger[(size_t)1 << 31] = 7, e = cudaMemcpy(a, larger + ((size_t)1 << 31), 4, cudaMemcpyHostToDevice);
        if (e == cudaSuccess) e = cudaFreeHost(larger);
        if (e == cudaSuccess) e = cudaFreeHost(large);
    } else if (!strcmp(what, "array")) {
        missing();
        e = missing();
    } else if (!strcmp(what, "capture")) {               // a stream that is recorded cannot be waited for
        cudaStream_t s;
        cudaGraph_t g;
        cudaStreamCreate(&s);
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        cudaStreamSynchronize(s);
        e = cudaGetLastError();
        if (cudaStreamEndCapture(nullptr, &g) != cudaErrorStreamCaptureUnmatched || cudaStreamEndCapture(s, &g)) return 3;
        cudaGetLastError();
    } else if (!strcmp(what, "spin")) {
        cudaMemset(a, 0, 8);
        spin<<<1, 1>>>((int *)a);
    } else if (!strcmp(what, "deadlock"))
        half<<<1, 64>>>((int *)a);
    else
        return 2;
    if (e == cudaSuccess) e = cudaPeekAtLastError();
    printf("%s, then %s\n", cudaGetErrorName(e), cudaGetErrorName((cudaGetLastError(), cudaDeviceSynchronize())));
    return e != cudaSuccess;
}
