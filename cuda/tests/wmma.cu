// Products of matrices as CUDA's mma.h has them.  SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <mma.h>
#include <stdio.h>
using namespace nvcuda;

// d = a * b + 1, whole matrices of M by N by K, b by rows.
template <class A, class S, class D, class Layout, int M, int N, int K> __global__ void product(const S *a, const S *b, D *d)
{
    wmma::fragment<wmma::matrix_a, M, N, K, A, Layout> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, A, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, D> fd;
    wmma::fill_fragment(fd, D(0));
    wmma::load_matrix_sync(fa, a, __is_same(Layout, wmma::row_major) ? K : M);
    wmma::load_matrix_sync(fb, b, N);
    wmma::mma_sync(fd, fa, fb, fd);
    for (int i = 0; i < (int)fd.num_elements; i++) fd.x[i] = fd.x[i] + D(1);
    wmma::store_matrix_sync(d, fd, N, wmma::mem_row_major);
}

static int failures;
template <class A, class S, class D, class Layout, int M, int N, int K> void test(const char *name)
{
    S *a, *b;
    D *d;
    bool row = __is_same(Layout, wmma::row_major);
    cudaMallocManaged(&a, M * K * sizeof *a), cudaMallocManaged(&b, N * K * sizeof *b), cudaMallocManaged(&d, M * N * sizeof *d);
    for (int i = 0; i < M * K; i++) a[i] = S(float(i % 7));
    for (int i = 0; i < N * K; i++) b[i] = S(float(i % 5 + i % 3));
    product<A, S, D, Layout, M, N, K><<<1, 32>>>(a, b, d);
    int wrong = cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 1;
            for (int k = 0; k < K; k++) s += float(a[row ? i * K + k : k * M + i]) * float(b[k * N + j]);
            wrong += float(d[i * N + j]) != s;
        }
    if (wrong) failures++, printf("FAIL %s: %d\n", name, wrong);
}

int main()
{
    typedef wmma::row_major row;
    typedef wmma::col_major col;
    test<__half, __half, float, row, 16, 16, 16>("half");
    test<__half, __half, __half, col, 32, 8, 16>("half to half");
    test<__half, __half, float, row, 8, 32, 16>("half, 8 rows");
    test<__nv_bfloat16, __nv_bfloat16, float, col, 16, 16, 16>("bf16");
    test<__nv_bfloat16, __nv_bfloat16, float, row, 32, 8, 16>("bf16, 32 rows");
    test<wmma::precision::tf32, float, float, row, 16, 16, 8>("tf32");
    test<signed char, signed char, int, col, 16, 16, 16>("s8");
    test<unsigned char, unsigned char, int, row, 8, 32, 16>("u8");
    test<double, double, double, col, 8, 8, 4>("f64");
    puts(failures ? "FAIL" : "PASS");
    return failures > 0;
}
