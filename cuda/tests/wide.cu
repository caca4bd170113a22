// Integers of 128 bits: arithmetic, quotients, shifts and conversions are the host's.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 u128;
typedef __int128 s128;
enum { N = 128, OPS = 20 };

static uint32_t seed = 3;
static uint64_t rnd()
{
    uint64_t v = 0;
    for (int i = 0; i < 4; i++) seed = seed * 1664525u + 1013904223u, v = v << 16 | seed >> 16;
    return v;
}

__host__ __device__ void operations(u128 a, u128 b, int n, double f, u128 *out)
{
    u128 d = b | 1;
    *out++ = a + b, *out++ = a - b, *out++ = a * b, *out++ = a / d, *out++ = a % d;
    *out++ = (u128)((s128)a / (s128)d), *out++ = (u128)((s128)a % (s128)d);
    *out++ = a / 10, *out++ = (u128)((s128)a % 1000000007);
    *out++ = a << n, *out++ = a >> n, *out++ = (u128)((s128)a >> n);
    *out++ = a < b ? a : b, *out++ = (s128)a < (s128)b ? a : b;
    *out++ = (u128)((s128)(int64_t)b * (int64_t)(uint64_t)a);
    *out++ = (u128)f, *out++ = (u128)(s128)-f;
    double wide[3] = { (double)a, (double)(s128)a, (float)a };
    memcpy(out, wide, 24);
}

__global__ void kernel(const u128 *a, const double *f, u128 *out)
{
    int i = threadIdx.x;
    for (int k = 0; k < OPS; k++) out[i * OPS + k] = 0;
    operations(a[2 * i], a[2 * i + 1], i, f[i], out + i * OPS);
}

int main()
{
    static u128 a[2 * N], out[N * OPS], want[N * OPS];
    static double f[N];
    for (int i = 0; i < 2 * N; i++) {
        a[i] = ((u128)rnd() << 64 | rnd()) >> rnd() % 128;
        if (i % 5 == 0) a[i] = -a[i];
    }
    for (int i = 0; i < N; i++) f[i] = (double)(a[2 * i] >> 2);
    u128 *da, *dout;
    double *df;
    cudaMalloc(&da, sizeof a), cudaMalloc(&df, sizeof f), cudaMalloc(&dout, sizeof out);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice);
    kernel<<<1, N>>>(da, df, dout);
    if (cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost)) return printf("FAIL\n"), 1;
    for (int i = 0; i < N; i++) operations(a[2 * i], a[2 * i + 1], i, f[i], want + i * OPS);
    for (int i = 0; i < N * OPS; i++)
        if (out[i] != want[i])
            return printf("FAIL operation %d of pair %d\n", i % OPS, i / OPS), 1;
    printf("PASS\n");
    return 0;
}
