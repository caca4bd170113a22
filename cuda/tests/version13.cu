// A program of CUDA 13 by its symbols: asks for cudaGetDeviceProperties of that version, whose struct differs from that of
// version 12, for copies by one call that do not say which of them failed, and for a call that is missing.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

extern "C" cudaError_t properties(void *p, int device) __asm__("cudaGetDeviceProperties");
extern "C" cudaError_t missing() __asm__("cudaArrayGetPlane");
extern "C" cudaError_t boxes(size_t n, cudaMemcpy3DBatchOp *ops, unsigned long long flags, cudaStream_t s)
    __asm__("cudaMemcpy3DBatchAsync_ptsz");
extern "C" cudaError_t copies(void **dst, void **src, size_t *bytes, size_t n, cudaMemcpyAttributes *attrs, size_t *from,
                              size_t nattrs, cudaStream_t s) __asm__("cudaMemcpyBatchAsync_ptsz");

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
    cudaMemcpy3DBatchOp op = {};
    op.src.type = op.dst.type = cudaMemcpyOperandTypePointer, op.srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    op.src.op.ptr.ptr = d, op.dst.op.ptr.ptr = &got, op.extent = make_cudaExtent(4, 1, 1);
    got = 7;
    ok = ok && boxes(1, &op, 0, cudaStreamPerThread) == cudaSuccess && got == 1;
    void *from = &got, *to = d;
    size_t four = 4, first = 0;
    cudaMemcpyAttributes how = { cudaMemcpySrcAccessOrderAny };
    ok = ok && copies(&to, &from, &four, 1, &how, &first, 1, cudaStreamPerThread) == cudaSuccess;
    from = nullptr;
    ok = ok && copies(&to, &from, &four, 1, &how, &first, 1, cudaStreamPerThread) != cudaSuccess;
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
