// A program that launches one kernel as its argument says: failed launches, each with or without a link into the page.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

struct Scale { short by; char more[9]; };
struct Holds { int n; int *to; };
__device__ int table[4] = { 1, 2, 3, 4 };
__device__ int *place = table + 1;
__constant__ int base[3] = { 5, 6, 7 };

// Each lane leaves the loop at another time; what it does is in data, steps and scale.
__global__ void walk(const float *data, int *out, int n, double less, Scale s)
{
    int at = threadIdx.x, own[8];
    for (int k = 0; k < 8; k++) own[k] = table[k & 3] + base[k % 3] + *place;
    int k = 0;
    for (unsigned x = at + 1; x != 1; k++, x = x & 1 ? 3 * x + 1 : x / 2) own[(k + n) & 7] += (int)data[at] + s.more[8];
    out[at < n ? at : 1 << 20] = own[at & 7] + s.by + (int)less;
}
__global__ void half(int *p)
{
    if (threadIdx.x & 1) __syncthreads();
    __syncwarp();
    p[threadIdx.x] = 1;
}
__global__ void two(int *a, int *b) { a[threadIdx.x] = b[1 << 20]; }
__global__ void held(Holds h) { h.to[1 << 20] = h.n; }
__global__ void chain(int **p) { p[0][1 << 20] = 1; }
__global__ void add(int *p) { table[0] = 7; }

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    float data[40], *d;
    int *out, *large, **p;
    for (int k = 0; k < 40; k++) data[k] = k * 1.25f;
    cudaMalloc(&d, sizeof data), cudaMalloc(&out, 160), cudaMalloc(&large, 1 << 20), cudaMalloc(&p, 16);
    cudaMemcpy(d, data, sizeof data, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 160), cudaMemset(large, 0, 1 << 20);
    Scale s = { -3, { 0, 1, 2, 3, 4, 5, 6, 7, 8 } };
    if (!strcmp(what, "equal")) walk<<<1, 40>>>(d, out, 40, -0.5, s);
    else if (!strcmp(what, "fault")) walk<<<1, 40>>>(d, out, 39, -0.5, s);
    else if (!strcmp(what, "deadlock")) half<<<1, 64>>>(large);
    else if (!strcmp(what, "large")) two<<<1, 32>>>(large, out);
    else if (!strcmp(what, "stuck")) half<<<1, 64>>>(out);
    else if (!strcmp(what, "inside")) two<<<1, 8>>>(out + 1, (int *)d);
    else if (!strcmp(what, "same")) two<<<1, 32>>>(out, out);
    else if (!strcmp(what, "held")) held<<<1, 1>>>(Holds{ 1, out });
    else if (!strcmp(what, "chain")) cudaMemcpy(p, &out, sizeof out, cudaMemcpyHostToDevice), chain<<<1, 1>>>(p);
    else if (!strcmp(what, "changed")) add<<<1, 1>>>(out), walk<<<1, 40>>>(d, out, 39, -0.5, s);
    else if (!strcmp(what, "constant")) cudaMemcpyToSymbol(base, data, 4), walk<<<1, 40>>>(d, out, 39, -0.5, s);
    else return 2;
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return cudaGetLastError() != cudaSuccess;
}
