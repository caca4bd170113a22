// A program of CUDA 13 by its symbols: asks for cudaGetDeviceProperties of that version, whose struct differs from that of
// version 12, and for a call that is missing.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

extern "C" cudaError_t properties(void *p, int device) __asm__("cudaGetDeviceProperties");
extern "C" cudaError_t missing() __asm__("cudaArrayGetPlane");

__global__ void one(int *p) { *p = 1; }

int main()
{
    union { char bytes[2048]; int word[512]; } p = {};
    int *d = nullptr, got = 0;
    bool ok = properties(&p, 0) == cudaSuccess && missing() == cudaErrorNotSupported;
    missing();
    cudaGetLastError();
    ok = ok && p.word[77] == 32 && p.word[80] == 1024 && p.word[89] == 0 && p.word[90] == 7;  // warpSize, threads, constants, major
    cudaMalloc(&d, 4);
    one<<<1, 1>>>(d);
    ok = ok && cudaMemcpy(&got, d, 4, cudaMemcpyDefault) == cudaSuccess && got == 1;
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
