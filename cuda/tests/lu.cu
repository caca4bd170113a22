// Many small systems of equations by cuBLAS: triangles, right sides of both kinds, inverses, and a
// matrix that has none. SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

enum { COUNT = 3 };
static int wrong;
static void expect(const char *what, int n, bool ok)
{
    if (!ok) printf("FAIL %s, n = %d\n", what, n), wrong++;
}
// Managed memory: host and device read the same arrays.
template <class T> struct system_of {
    int n, ld;
    T *a[COUNT], *lu[COUNT], *b[COUNT], *x[COUNT];
    T **to_lu, **to_b, **to_x;
    int *pivots, *info;
};
template <class T> static T *take(size_t n)
{
    T *p = nullptr;
    cudaMallocManaged(&p, n * sizeof(T));
    return p;
}
/* From -1 to 1, at random: rows of a pattern would depend on each other. */
static double value(int k)
{
    unsigned x = ((unsigned)k + 1) * 2654435761u;
    x = (x ^ x >> 15) * 2246822519u;
    return (x ^ x >> 13) / 2147483648.0 - 1;
}

template <class T> static cublasStatus_t getrf(cublasHandle_t h, system_of<T> &s, int *pivots)
{
    if constexpr (sizeof(T) == 4)
        return cublasSgetrfBatched(h, s.n, s.to_lu, s.ld, pivots, s.info, COUNT);
    else return cublasDgetrfBatched(h, s.n, s.to_lu, s.ld, pivots, s.info, COUNT);
}
template <class T>
static cublasStatus_t getrs(cublasHandle_t h, system_of<T> &s, cublasOperation_t op, int *info)
{
    if constexpr (sizeof(T) == 4)
        return cublasSgetrsBatched(h, op, s.n, 2, (const T *const *)s.to_lu, s.ld, s.pivots, s.to_b,
                                   s.ld, info, COUNT);
    else
        return cublasDgetrsBatched(h, op, s.n, 2, (const T *const *)s.to_lu, s.ld, s.pivots, s.to_b,
                                   s.ld, info, COUNT);
}
template <class T> static cublasStatus_t getri(cublasHandle_t h, system_of<T> &s)
{
    if constexpr (sizeof(T) == 4)
        return cublasSgetriBatched(h, s.n, (const T *const *)s.to_lu, s.ld, s.pivots, s.to_x, s.ld,
                                   s.info, COUNT);
    else
        return cublasDgetriBatched(h, s.n, (const T *const *)s.to_lu, s.ld, s.pivots, s.to_x, s.ld,
                                   s.info, COUNT);
}
// The greatest error of A X = B, or of A's transpose.
template <class T>
static double error(const system_of<T> &s, int m, bool transposed, const T *x, int columns,
                    double (*want)(int r, int c))
{
    double worst = 0;
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < s.n; r++) {
            double sum = -want(r, c);
            for (int k = 0; k < s.n; k++)
                sum += (double)s.a[m][transposed ? r * s.ld + k : k * s.ld + r] * x[c * s.ld + k];
            worst = std::fmax(worst, std::fabs(sum));
        }
    return worst;
}
static double side(int r, int c) { return value(r * 31 + c * 17 + 5); }
static double unit(int r, int c) { return r == c; }

template <class T> static void solve(cublasHandle_t h, int n)
{
    const double bound = sizeof(T) == 4 ? 2e-3 : 1e-11;
    system_of<T> s = {n, n + 3};
    s.to_lu = take<T *>(COUNT), s.to_b = take<T *>(COUNT), s.to_x = take<T *>(COUNT);
    s.pivots = take<int>(COUNT * n), s.info = take<int>(COUNT);
    for (int m = 0; m < COUNT; m++) {
        s.a[m] = take<T>(n * s.ld), s.to_lu[m] = s.lu[m] = take<T>(n * s.ld);
        s.to_b[m] = s.b[m] = take<T>(2 * s.ld), s.to_x[m] = s.x[m] = take<T>(n * s.ld);
        for (int k = 0; k < n * s.ld; k++)
            s.a[m][k] = s.lu[m][k] = (T)value(k + m * 10007);
        s.a[m][0] = s.lu[m][0] = 0; // rows have to change places
    }
    expect("getrf", n,
           getrf(h, s, s.pivots) == CUBLAS_STATUS_SUCCESS &&
               cudaDeviceSynchronize() == cudaSuccess);
    for (int m = 0; m < COUNT; m++) {
        bool small = n == 1 || s.pivots[m * n] > 1;
        for (int c = 0; c < n; c++)
            for (int r = c + 1; r < n; r++)
                small = small && std::fabs(s.lu[m][c * s.ld + r]) <= 1;
        expect("the lower triangle", n, small && (n == 1 || s.info[m] == 0));
    }
    if (n == 1) return expect("a matrix of nothing", n, s.info[0] == 1 && s.info[2] == 1);
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        int info = 7;
        for (int m = 0; m < COUNT; m++)
            for (int c = 0; c < 2; c++)
                for (int r = 0; r < n; r++)
                    s.b[m][c * s.ld + r] = (T)side(r, c);
        expect("getrs", n,
               getrs(h, s, op, &info) == CUBLAS_STATUS_SUCCESS && !info &&
                   !cudaDeviceSynchronize());
        for (int m = 0; m < COUNT; m++)
            expect(op ? "A' x = b" : "A x = b", n,
                   error(s, m, op == CUBLAS_OP_T, s.b[m], 2, side) < bound);
    }
    expect("getri", n,
           getri(h, s) == CUBLAS_STATUS_SUCCESS && !cudaDeviceSynchronize() && !s.info[1]);
    for (int m = 0; m < COUNT; m++)
        expect("A X = 1", n, error(s, m, false, s.x[m], n, unit) < bound);
    // Without changes of rows, the first element is divided by.
    for (int m = 0; m < COUNT; m++)
        for (int k = 0; k < n * s.ld; k++)
            s.lu[m][k] = s.a[m][k];
    expect("no pivots", n,
           getrf(h, s, (int *)nullptr) == CUBLAS_STATUS_SUCCESS && !cudaDeviceSynchronize());
    expect("which is none", n, s.info[0] == 1);
}

int main()
{
    cublasHandle_t h;
    expect("cublasCreate", 0, cublasCreate(&h) == CUBLAS_STATUS_SUCCESS);
    for (int n : { 1, 2, 9, 40 })
        solve<float>(h, n), solve<double>(h, n);
    int info = 0;
    expect("a right side that is too short", 4,
           cublasSgetrsBatched(h, CUBLAS_OP_N, 4, 1, nullptr, 4, nullptr, nullptr, 3, &info, 1) ==
                   CUBLAS_STATUS_INVALID_VALUE &&
               info == -8);
    cublasDestroy(h);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
