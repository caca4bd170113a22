// What the device has room for, as properties and attributes say it, and launches at these limits
// and one past them. SPDX-License-Identifier: Apache-2.0 use: room WARPS SHARED_BYTES REGISTERS (of
// the core; registers that a thread can use)
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *a)
{
    extern __shared__ int s[];
    s[threadIdx.x] = (int)threadIdx.x;
    a[threadIdx.x] = s[threadIdx.x] + 1;
}

static int wrong;
static void equal(const char *what, long long is, long long should)
{
    if (is != should) printf("FAIL %s: %lld, not %lld\n", what, is, should), wrong++;
}
static int attribute(cudaDeviceAttr a)
{
    int v = -1;
    return cudaDeviceGetAttribute(&v, a, 0) == cudaSuccess ? v : -1;
}
static cudaError_t launch(int threads, int shared, int *a)
{
    fill<<<1, threads, shared>>>(a);
    const cudaError_t e = cudaDeviceSynchronize(), last = cudaGetLastError();
    return e != cudaSuccess ? e : last;
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    const int warps = atoi(argv[1]), shared = atoi(argv[2]), registers = atoi(argv[3]) * warps * 32;
    const int threads = warps * 32, plain = shared < 49152 ? shared : 49152,
              z = threads < 64 ? threads : 64;
    cudaDeviceProp p;
    equal("cudaGetDeviceProperties", cudaGetDeviceProperties(&p, 0), cudaSuccess);
    equal("maxThreadsPerBlock", p.maxThreadsPerBlock, threads);
    equal("maxThreadsDim[0]", p.maxThreadsDim[0], threads);
    equal("maxThreadsDim[2]", p.maxThreadsDim[2], z);
    equal("maxThreadsPerMultiProcessor", p.maxThreadsPerMultiProcessor, threads);
    equal("maxBlocksPerMultiProcessor", p.maxBlocksPerMultiProcessor, warps);
    equal("sharedMemPerBlock", (long long)p.sharedMemPerBlock, plain);
    equal("sharedMemPerBlockOptin", (long long)p.sharedMemPerBlockOptin, shared);
    equal("sharedMemPerMultiprocessor", (long long)p.sharedMemPerMultiprocessor, shared);
    equal("regsPerMultiprocessor", p.regsPerMultiprocessor, registers);
    equal("MaxThreadsPerBlock", attribute(cudaDevAttrMaxThreadsPerBlock), threads);
    equal("MaxBlockDimZ", attribute(cudaDevAttrMaxBlockDimZ), z);
    equal("MaxSharedMemoryPerBlock", attribute(cudaDevAttrMaxSharedMemoryPerBlock), plain);
    equal("MaxSharedMemoryPerBlockOptin", attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
          shared);
    equal("MaxRegistersPerBlock", attribute(cudaDevAttrMaxRegistersPerBlock), registers);
    equal("MaxThreadsPerMultiProcessor", attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
          threads);

    int *a, last = 0;
    cudaFuncAttributes f;
    equal("cudaMalloc", cudaMalloc(&a, 8192), cudaSuccess);
    equal("cudaFuncGetAttributes", cudaFuncGetAttributes(&f, fill), cudaSuccess);
    equal("of a function: maxThreadsPerBlock", f.maxThreadsPerBlock, threads);
    equal("of a function: maxDynamicSharedSizeBytes", f.maxDynamicSharedSizeBytes, plain);
    equal("as many threads as there can be", launch(threads, threads * 4, a), cudaSuccess);
    cudaMemcpy(&last, a + threads - 1, sizeof last, cudaMemcpyDeviceToHost);
    equal("the last of them", last, threads);
    equal("one more", launch(threads + 1, 4096, a), cudaErrorInvalidConfiguration);
    equal("too much shared memory", launch(32, plain + 4, a), cudaErrorInvalidValue);
    equal("a wish for too much",
          cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, shared + 4),
          cudaErrorInvalidValue);
    cudaGetLastError();
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
