// cuBLAS without handles, as programs of CUDA's first years call it.  SPDX-License-Identifier:
// Apache-2.0
#include "cublas.h"
#include "cuda_runtime.h"
#include <cmath>
#include <cstdio>

static int wrong;
static void expect(const char *what, bool ok)
{
    if (!ok) printf("FAIL %s\n", what), wrong++;
}

template <class T> static T *put(int n, const T *from)
{
    T *p = nullptr;
    expect("cublasAlloc", cublasAlloc(n, sizeof(T), (void **)&p) == CUBLAS_STATUS_SUCCESS);
    expect("cublasSetVector",
           cublasSetVector(n, sizeof(T), from, 1, p, 1) == CUBLAS_STATUS_SUCCESS);
    return p;
}
template <class T> static bool holds(const T *p, const T *want, int n)
{
    T got[16];
    bool ok = n <= 16 && cublasGetVector(n, sizeof(T), p, 1, got, 1) == CUBLAS_STATUS_SUCCESS;
    for (int k = 0; ok && k < n; k++)
        ok = std::fabs(got[k] - want[k]) < 1e-5;
    return ok;
}

int main()
{
    const float a[] = {1, 2, 3, 4, 5, 6}, ones[] = {1, 1, 1, 1}; // 2 rows, 3 columns
    const double l[] = {2, 1, 0, 4}, right[] = {6, 11};          // lower: 2 0, 1 4
    cublasSscal(1, 2, nullptr, 1);
    expect("a call before cublasInit", cublasGetError() == CUBLAS_STATUS_NOT_INITIALIZED);
    expect("an error is said once", cublasGetError() == CUBLAS_STATUS_SUCCESS);
    expect("cublasInit",
           cublasInit() == CUBLAS_STATUS_SUCCESS && cublasInit() == CUBLAS_STATUS_SUCCESS);
    float *x = put(6, a), *y = put(4, ones), *c = put(4, ones);
    double *m = put(4, l), *b = put(2, right);
    expect("sums", cublasSasum(6, x, 1) == 21 && cublasSdot(4, x, 1, y, 1) == 10 &&
                       cublasSnrm2(4, y, 1) == 2);
    expect("places", cublasIsamax(6, x, 1) == 6 && cublasIsamin(6, x, 1) == 1);
    cublasSgemm('N', 't', 2, 2, 3, 1, x, 2, x, 2, 2, c, 2);
    const float product[] = {35 + 2, 44 + 2, 44 + 2, 56 + 2};
    expect("cublasSgemm", holds(c, product, 4));
    cublasSgemv('T', 2, 3, 1, x, 2, y, 1, 0, c, 1);
    const float columns[] = {3, 7, 11, 58};
    expect("cublasSgemv", holds(c, columns, 4));
    cublasSaxpy(3, 2, x, 1, c, 1);
    const float added[] = {5, 11, 17};
    expect("cublasSaxpy", holds(c, added, 3));
    cublasDtrsm('L', 'L', 'N', 'N', 2, 1, 1, m, 2, b, 2);
    const double solved[] = {3, 2};
    expect("cublasDtrsm", holds(b, solved, 2));
    expect("no error", cublasGetError() == CUBLAS_STATUS_SUCCESS);
    cublasSgemm('N', 'x', 2, 2, 3, 1, x, 2, x, 2, 2, c, 2);
    cublasSscal(3, 2, c, 1);
    expect("a letter that is none", cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
    const float scaled[] = {10, 22, 34};
    expect("cublasSscal", holds(c, scaled, 3));
    expect("cublasFree", cublasFree(x) == CUBLAS_STATUS_SUCCESS);
    expect("cublasShutdown", cublasShutdown() == CUBLAS_STATUS_SUCCESS &&
                                 cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
