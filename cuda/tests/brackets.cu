// What nvcc accepts and clang does not: alignas after __shared__, pragmas out of macros, asm with one %, braces for a
// launch's grid and block, and launches as old formatters write them, in a source, in what it includes, over two
// lines; beside an operator and shifts that look alike.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
template <class T> struct Pair { T a; };
template <class T> int operator<< (Pair<T> p, T by) { return p.a * 10 + by; }
__global__ void set(int *p, int v) { p[threadIdx.x] = v; }
template <int K> __global__ void add(int *p) { p[threadIdx.x] += K; }
#include "brackets.h"
// Pragmas out of macros.
#define UNROLL #pragma unroll
#define TWICE \
    #pragma unroll 2 // not more
#define EACH(I, N) TWICE for (int I = 0; I < N; I++)
__global__ void unrolled(int *sum)
{
    *sum = 0;
    UNROLL
    for (int i = 0; i < 4; i++) *sum += i;
    EACH(i, 4) *sum += i;
}
// Names of PTX in asm, with one % and with two; operands, by number and by name.
__global__ void lanes(int *out)
{
    int x, y;
    asm volatile("{ .reg .u32 %half; // %0 of a comment: no\n\t"
                 "mov.u32 %half, %laneid; add.u32 %0, %half, %1; }" : "=r"(x) : "r"(1));
    asm("mov.u32 %0, %%laneid;" : "=r"(y));
    asm("add.s32 %[to], %[to], 1;" : [to] "+r"(y));
    asm volatile("membar.gl;" ::: "memory");
    out[threadIdx.x] = x == y && x == (int)threadIdx.x + 1;
}
// A variable's place before its alignment; `__shared__ alignas(2)' of a comment stays.
__constant__ alignas(64) unsigned char constants[3] = { 4, 5, 6 };
extern __shared__ /* blocks */
    alignas(256) char dynamic[];
template <int N> __global__ void aligned(int *bad)
{
    __shared__ alignas(N) char odd[1];
    struct alignas(N) Wide { char c; };
    __shared__ Wide wide;
    odd[0] = constants[0], wide.c = dynamic[0] = 1;
    *bad = (size_t)odd % N + (size_t)&wide % N + (size_t)constants % 64 + (size_t)dynamic % 256 + (odd[0] != 4);
}
int main()
{
    int *p, h[8], wrong = 0, one = 1;
    std::vector<std::vector<int> > nested(1);
    cudaMalloc(&p, sizeof h);
    set << < 1, (8 >> one) > 1 ? 8 : 4 >> > (p, 2);        // "<< <" in a comment
    set<< <dim3(1), 4, 0, 0>> >(p, 5);
    add<3> <<  <1,
        0'10>>  >(p);
    from_header(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) wrong += h[i] != (i < 4 ? 5 : 2) + 3 + 100;
    wrong += sizeof R"(" k<< <1>> >(x))" != 16 || R"(" k<< <1>> >(x))"[3] != '<';
    wrong += operator<< <int>(Pair<int>{ 4 }, 2) != 42 || nested.size() != 1;
    aligned<128><<<1, 1, 16>>>(p);
    cudaMemcpy(h, p, sizeof *h, cudaMemcpyDeviceToHost);
    wrong += *h;
    unrolled<<<{ 1, 1 }, /* block */ { 1 }, 0>>>(p);
    cudaMemcpy(h, p, sizeof *h, cudaMemcpyDeviceToHost);
    wrong += *h != 12;
    lanes<<<dim3{ 1 }, { 2, 1, 1 }>>>(p);
    cudaMemcpy(h, p, 2 * sizeof *h, cudaMemcpyDeviceToHost);
    wrong += !h[0] || !h[1];
    printf("%s %" PRIu64"%s\n", "<< <1>> >(x)", (uint64_t)wrong, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
