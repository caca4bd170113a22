// An allocation of 5 GiB, of which little is touched: what lies 4 GiB apart must not be the same.
// With `beyond`: an address above all physical ones, which must be a fault and no other address.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

typedef unsigned long long u64;
static const u64 GIB = 1ull << 30, SIZE = 5 * GIB, APART = 4 * GIB;

// Of each 4 GiB one word: 64 threads write their own at both ends.
__global__ void rows(unsigned *p, u64 apart) { p[threadIdx.x] = 1000 + threadIdx.x, p[apart / 4 + threadIdx.x] = 2000 + threadIdx.x; }

// Odd lanes read and write 4 GiB behind even ones; bytes, halves, 64 and 128 bits beside words.
__global__ void mixed(char *p, u64 apart, unsigned *out)
{
    const unsigned t = threadIdx.x;
    char *at = p + (t & 1 ? apart : 0) + 4096 + 16 * t;
    *(uint4 *)at = make_uint4(t, t + 1, t + 2, t + 3);
    __syncthreads();
    at = p + (t & 1 ? 0 : apart) + 4096 + 16 * (t ^ 1);
    const uint2 low = *(uint2 *)at;
    const unsigned short half = *(unsigned short *)(at + 8);
    const unsigned char byte = *(unsigned char *)(at + 12);
    out[t] = low.x + 3 * low.y + 5 * half + 7 * byte;
}

// Counters 4 GiB apart, by generic and by global addresses; words on the way over a boundary of 4 GiB.
__global__ void counters(unsigned *p, u64 apart, u64 *wide, char *over)
{
    atomicAdd(p, 1u);
    atomicAdd(p + apart / 4, threadIdx.x);
    atomicAdd(wide + (threadIdx.x & 1 ? apart / 8 : 0), 1ull << 32);
    atomicCAS(p + 1, 0u, threadIdx.x + 1);
    atomicMax(p + apart / 4 + 1, threadIdx.x);
    ((unsigned *)over)[threadIdx.x] = ~threadIdx.x;
}

// One function for all spaces: shared, local and both ends of the buffer by generic addresses.
__device__ __noinline__ unsigned twice(unsigned *p) { return *p = 2 * *p; }
__global__ void spaces(unsigned *p, u64 apart, unsigned *out)
{
    __shared__ unsigned mine[64];
    unsigned own[2] = { threadIdx.x, threadIdx.x + 1 };
    const unsigned t = threadIdx.x;
    mine[t] = 5 * t;
    p[t] = 7 * t;
    p[apart / 4 + t] = 11 * t;
    unsigned *at = t % 4 == 0 ? &mine[t] : t % 4 == 1 ? &own[t & 1] : t % 4 == 2 ? &p[t] : &p[apart / 4 + t];
    out[t] = twice(at);
}

__global__ void touch(unsigned *p, u64 off, unsigned *out) { *out = p[off / 4]; }

static unsigned wrong;
static void is(const char *what, u64 got, u64 want)
{
    if (got != want && wrong++ < 10) printf("%s: %llu, wants %llu\n", what, got, want);
}

int main(int n, char **v)
{
    char *p, *small;
    unsigned got[64], *out;
    size_t left, all;
    cudaDeviceProp prop;
    cudaMemGetInfo(&left, &all);
    cudaGetDeviceProperties(&prop, 0);
    is("totalGlobalMem", prop.totalGlobalMem, all);
    if (cudaMalloc(&small, 4096) != cudaSuccess || cudaMalloc(&p, SIZE) != cudaSuccess || cudaMalloc(&out, 256) != cudaSuccess) {
        printf("FAIL: no 5 GiB of %zu bytes\n", all);
        return 1;
    }
    if (n > 1 && !strcmp(v[1], "beyond")) {
        touch<<<1, 1>>>((unsigned *)small, 1ull << 40, out);
        printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        return 0;
    }
    if (n > 1 && !strcmp(v[1], "behind")) {
        touch<<<1, 1>>>((unsigned *)p, SIZE, out);
        printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        return 0;
    }
    size_t now;
    cudaMemGetInfo(&now, &all);
    is("memory left", left - now, SIZE + 4096 + 256);
    rows<<<1, 64>>>((unsigned *)p, APART);
    for (int k = 0; k < 2; k++) {
        cudaMemcpy(got, p + (k ? APART : 0), sizeof got, cudaMemcpyDeviceToHost);
        for (unsigned t = 0; t < 64; t++) is("rows", got[t], (k ? 2000 : 1000) + t);
    }
    mixed<<<1, 64>>>(p, APART, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (unsigned t = 0; t < 64; t++) {
        const unsigned w = t ^ 1;                // who wrote where t reads
        is("mixed", got[t], w + 3 * (w + 1) + 5 * (w + 2) + 7 * (w + 3));
    }
    // Copies and fills at the very end.
    char text[64] = "the last bytes of five gibibytes";
    cudaMemset(p + SIZE - 4096, 0x5a, 4096);
    cudaMemcpy(p + SIZE - 64, text, 64, cudaMemcpyHostToDevice);
    cudaMemcpy(p + 100, p + SIZE - 128, 128, cudaMemcpyDeviceToDevice);
    memset(text, 0, 64);
    cudaMemcpy(text, p + 164, 64, cudaMemcpyDeviceToHost);
    is("copies", strcmp(text, "the last bytes of five gibibytes"), 0);
    unsigned char byte;
    cudaMemcpy(&byte, p + 100, 1, cudaMemcpyDeviceToHost);
    is("fill", byte, 0x5a);
    char *mid = p + 65536;
    cudaMemset(mid, 0, 512), cudaMemset(mid + APART, 0, 512);
    char *over = (char *)(((u64)p / APART + 1) * APART) - 128;
    counters<<<1, 64>>>((unsigned *)mid, APART, (u64 *)mid + 8, over);
    for (int k = 0; k < 2; k++) {
        cudaMemcpy(got, mid + (k ? APART : 0), 128, cudaMemcpyDeviceToHost);
        is("counter", got[0], k ? 63 * 32 : 64);
        is("another", got[1], k ? 63 : 1);
        is("wide counter", got[17], 32);
    }
    cudaMemcpy(got, over, sizeof got, cudaMemcpyDeviceToHost);
    for (unsigned t = 0; t < 64; t++) is("over 4 GiB", got[t], (unsigned)~t);
    spaces<<<1, 64>>>((unsigned *)p, APART, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (unsigned t = 0; t < 64; t++) is("spaces", got[t], 2 * (t % 4 == 0 ? 5 * t : t % 4 == 1 ? t + (t & 1) : t % 4 == 2 ? 7 * t : 11 * t));
    // Freed memory is zero when it is given out again.
    cudaFree(p);
    cudaMalloc(&p, SIZE);
    cudaMemcpy(got, p + APART, sizeof got, cudaMemcpyDeviceToHost);
    is("zero again", got[0] | got[5], 0);
    is("all of it", cudaMalloc(&small, all), cudaErrorMemoryAllocation);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
