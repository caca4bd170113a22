// More launches than there is room for, until a count of 32 bits of their bytes would begin again: those that had room are
// made, with their parameters whole, the others are refused.  nvcc: -rdc=true.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
enum { WORDS = 8000, THREADS = 140000 };             // 140,000 times 32,000 bytes: 4.5e9
struct Large { unsigned v[WORDS]; };
__device__ unsigned ran, wrong, refused;
__global__ void child(Large x)
{
    unsigned other = 0;
    for (int k = 0; k < WORDS; k++) other += x.v[k] != x.v[0] + k;
    atomicAdd(&ran, 1), atomicAdd(&wrong, other);
}
__global__ void flood()
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= THREADS) return;
    HeddleChild<decltype(&child), &child> launch = HeddleChild<decltype(&child), &child>::at(1, 1);
    if (!launch.buffer) { atomicAdd(&refused, 1); return; }
    for (int k = 0; k < WORDS; k++) ((unsigned *)launch.buffer)[k] = t + k;
    cudaLaunchDeviceV2(launch.buffer, launch.stream);
}
int main()
{
    unsigned r, w, n;
    flood<<<(THREADS + 127) / 128, 128>>>();
    const cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&r, ran, 4), cudaMemcpyFromSymbol(&w, wrong, 4), cudaMemcpyFromSymbol(&n, refused, 4);
    const bool ok = e == cudaSuccess && r > 100 && !w && r + n == THREADS;
    printf("%s: %s, %u made with %u wrong words, %u refused\n", ok ? "PASS" : "FAIL", cudaGetErrorName(e), r, w, n);
    return !ok;
}
