// libcusparse.so against loops: CSR, CSC and COO, indices from 0 and 1 of 32 and 64 bits, transposed or not, f32 and f64.
// Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cusparse.h>
#include <vector>

enum { M = 7, N = 5, K = 3 };
static int wrong, compared;
static cusparseHandle_t h;

#define OK(call) \
    do { \
        int e = (int)(call); \
        if (e) printf("%s: error %d\n", #call, e), exit(1); \
    } while (0)

template <class T> struct type_of;
template <> struct type_of<float> { static const cudaDataType it = CUDA_R_32F; };
template <> struct type_of<double> { static const cudaDataType it = CUDA_R_64F; };
template <class T> static T *room(size_t n)
{
    T *p;
    OK(cudaMallocManaged(&p, (n + 1) * sizeof *p));
    for (size_t k = 0; k <= n; k++) p[k] = (T)99;
    return p;
}
static void same(double a, double b, const char *what)
{
    compared++;
    if (!(fabs(a - b) <= 1e-5 * (1 + fabs(b))) && wrong++ < 10) printf("%s: %g, not %g\n", what, a, b);
}

// A sparse matrix of a dense one, by cuSPARSE itself.
template <class T, class I> struct matrix {
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t d;
    I *major, *minor;
    T *values;
    int64_t nnz;
    matrix(T *from, int m, int n, cusparseFormat_t format, cusparseIndexBase_t base)
    {
        const cusparseIndexType_t it = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
        const cudaDataType of = type_of<T>::it;
        size_t bytes;
        OK(cusparseCreateDnMat(&d, m, n, n, from, of, CUSPARSE_ORDER_ROW));
        major = room<I>(m + n + m * n), minor = room<I>(m * n), values = room<T>(m * n);
        if (format == CUSPARSE_FORMAT_CSR) OK(cusparseCreateCsr(&a, m, n, 0, major, minor, values, it, it, base, of));
        if (format == CUSPARSE_FORMAT_CSC) OK(cusparseCreateCsc(&a, m, n, 0, major, minor, values, it, it, base, of));
        if (format == CUSPARSE_FORMAT_COO) OK(cusparseCreateCoo(&a, m, n, 0, major, minor, values, it, base, of));
        OK(cusparseDenseToSparse_bufferSize(h, d, a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
        OK(cusparseDenseToSparse_analysis(h, d, a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
        int64_t mm, nn;
        OK(cusparseSpMatGetSize(a, &mm, &nn, &nnz));
        OK(cusparseDenseToSparse_convert(h, d, a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
        cudaDeviceSynchronize();
    }
    ~matrix()
    {
        OK(cusparseDestroySpMat(a));
        OK(cusparseDestroyDnMat(d));
        cudaFree(major), cudaFree(minor), cudaFree(values);
    }
};

template <class T> static T *numbers(int n, bool holes)
{
    T *p = room<T>(n);
    for (int k = 0; k < n; k++) p[k] = holes && rand() % 5 < 2 ? 0 : (T)(rand() % 19 - 9) / 4;
    return p;
}

template <class T, class I> static void products(cusparseFormat_t format, cusparseIndexBase_t base)
{
    T *from = numbers<T>(M * N, true), *back = room<T>(M * N), alpha = 1.5, beta = -0.5;
    from[0] = 1;
    matrix<T, I> s(from, M, N, format, base);
    const cudaDataType of = type_of<T>::it;
    int64_t count = 0;
    for (int k = 0; k < M * N; k++) count += from[k] != 0;
    same(s.nnz, count, "entries");
    same(s.minor[0], base, "the first index");
    OK(cusparseDnMatSetValues(s.d, back));
    OK(cusparseSparseToDense(h, s.a, s.d, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    cudaDeviceSynchronize();
    for (int k = 0; k < M * N; k++) same(back[k], from[k], "there and back");
    for (int t = 0; t < 2; t++) {
        const int rows = t ? N : M, inner = t ? M : N;
        const cusparseOperation_t op = t ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
        T *x = numbers<T>(inner * K, false), *y = numbers<T>(rows * K, false);
        std::vector<T> old(y, y + rows * K);
        cusparseDnVecDescr_t vx, vy;
        OK(cusparseCreateDnVec(&vx, inner, x, of));
        OK(cusparseCreateDnVec(&vy, rows, y, of));
        OK(cusparseSpMV(h, op, &alpha, s.a, vx, &beta, vy, of, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
        if (cusparseSpMV(h, op, &alpha, s.a, vy, &beta, vx, of, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) !=
            CUSPARSE_STATUS_INVALID_VALUE)
            wrong++, puts("vectors of other sizes are taken");
        cudaDeviceSynchronize();
        auto entry = [&](int i, int l) { return t ? from[l * N + i] : from[i * N + l]; };
        for (int i = 0; i < rows; i++) {
            T sum = 0;
            for (int l = 0; l < inner; l++) sum += entry(i, l) * x[l];
            same(y[i], alpha * sum + beta * old[i], "SpMV");
        }
        for (int how = 0; how < 4; how++) {             // B transposed, C by rows
            const bool tb = how & 1, by_rows = how & 2;
            cusparseDnMatDescr_t b, c;
            T zero = 0;
            y[0] = NAN;                                 // times 0 is not read
            if (tb) OK(cusparseCreateDnMat(&b, K, inner, K, x, of, CUSPARSE_ORDER_COL));
            else OK(cusparseCreateDnMat(&b, inner, K, inner, x, of, CUSPARSE_ORDER_COL));
            OK(cusparseCreateDnMat(&c, rows, K, by_rows ? K : rows, y, of, by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
            OK(cusparseSpMM(h, op, tb ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, s.a, b, &zero, c,
                            of, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
            cudaDeviceSynchronize();
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < K; j++) {
                    T sum = 0;
                    for (int l = 0; l < inner; l++) sum += entry(i, l) * (tb ? x[l * K + j] : x[j * inner + l]);
                    same(y[by_rows ? i * K + j : j * rows + i], alpha * sum, "SpMM");
                }
            OK(cusparseDestroyDnMat(b));
            OK(cusparseDestroyDnMat(c));
        }
        OK(cusparseDestroyDnVec(vx));
        OK(cusparseDestroyDnVec(vy));
    }
}

template <class T> static void triangles(cusparseFormat_t format)
{
    T *from = numbers<T>(N * N, true), *x = numbers<T>(N, false), *y = room<T>(N), alpha = 2;
    for (int i = 0; i < N; i++) from[i * N + i] = (T)(i + 2);
    matrix<T, int> s(from, N, N, format, CUSPARSE_INDEX_BASE_ZERO);
    const cudaDataType of = type_of<T>::it;
    cusparseDnVecDescr_t vx, vy;
    cusparseSpSVDescr_t d;
    OK(cusparseCreateDnVec(&vx, N, x, of));
    OK(cusparseCreateDnVec(&vy, N, y, of));
    OK(cusparseSpSV_createDescr(&d));
    for (int how = 0; how < 8; how++) {
        const bool upper = how & 1, unit = how & 2, t = how & 4;
        cusparseFillMode_t fill = upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
        cusparseDiagType_t diag = unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
        OK(cusparseSpMatSetAttribute(s.a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
        OK(cusparseSpMatSetAttribute(s.a, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
        OK(cusparseSpSV_solve(h, t ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, s.a, vx, vy, of,
                              CUSPARSE_SPSV_ALG_DEFAULT, d));
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++) {
            T sum = 0;
            for (int j = 0; j < N; j++) {
                const int r = t ? j : i, c = t ? i : j;
                const T v = r == c ? (unit ? 1 : from[r * N + c]) : (upper ? c > r : c < r) ? from[r * N + c] : 0;
                sum += v * y[j];
            }
            same(sum, alpha * x[i], "SpSV");
        }
    }
    OK(cusparseSpSV_destroyDescr(d));
}

template <class T> static void vectors()
{
    const cudaDataType of = type_of<T>::it;
    T *x = numbers<T>(3, false), *y = numbers<T>(M, false), alpha = 2, beta = 3, result = 0, sum = 0, c = 0.5, s = 0.25;
    int *at = room<int>(3);
    at[0] = 2, at[1] = 4, at[2] = 7;                    // from 1 on
    std::vector<T> old(y, y + M), oldx(x, x + 3);
    cusparseSpVecDescr_t vx;
    cusparseDnVecDescr_t vy;
    OK(cusparseCreateSpVec(&vx, M, 3, at, x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, of));
    OK(cusparseCreateDnVec(&vy, M, y, of));
    OK(cusparseSpVV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, vx, vy, &result, of, nullptr));
    for (int k = 0; k < 3; k++) sum += x[k] * y[at[k] - 1];
    same(result, sum, "SpVV");
    OK(cusparseAxpby(h, &alpha, vx, &beta, vy));
    cudaDeviceSynchronize();
    for (int k = 0; k < 3; k++) old[at[k] - 1] += alpha / beta * x[k];
    for (int k = 0; k < M; k++) same(y[k], beta * old[k], "Axpby");
    std::vector<T> dense(y, y + M);
    OK(cusparseRot(h, &c, &s, vx, vy));
    cudaDeviceSynchronize();
    for (int k = 0; k < 3; k++) {
        same(x[k], c * oldx[k] + s * dense[at[k] - 1], "Rot of x");
        same(y[at[k] - 1], c * dense[at[k] - 1] - s * oldx[k], "Rot of y");
    }
    OK(cusparseGather(h, vy, vx));
    cudaDeviceSynchronize();
    for (int k = 0; k < 3; k++) same(x[k], y[at[k] - 1], "Gather"), x[k] = (T)k;
    OK(cusparseScatter(h, vx, vy));
    cudaDeviceSynchronize();
    for (int k = 0; k < 3; k++) same(y[at[k] - 1], k, "Scatter");
}

int main()
{
    OK(cusparseCreate(&h));
    for (cusparseFormat_t format : { CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO }) {
        products<float, int>(format, CUSPARSE_INDEX_BASE_ZERO);
        products<double, int>(format, CUSPARSE_INDEX_BASE_ONE);
        products<float, long long>(format, CUSPARSE_INDEX_BASE_ONE);
    }
    triangles<double>(CUSPARSE_FORMAT_CSR);
    triangles<float>(CUSPARSE_FORMAT_CSC);
    vectors<float>();
    vectors<double>();
    int *rows = room<int>(4), *offsets = room<int>(5), *again = room<int>(4), sorted[] = { 1, 3, 3, 4 }, to[] = { 1, 2, 2, 4, 5, 5 };
    for (int k = 0; k < 4; k++) rows[k] = sorted[k];
    OK(cusparseXcoo2csr(h, rows, 4, 5, offsets, CUSPARSE_INDEX_BASE_ONE));
    OK(cusparseXcsr2coo(h, offsets, 4, 5, again, CUSPARSE_INDEX_BASE_ONE));
    cudaDeviceSynchronize();
    for (int k = 0; k < 6; k++) same(offsets[k], to[k], "offsets of rows");
    for (int k = 0; k < 4; k++) same(again[k], sorted[k], "rows of offsets");
    OK(cusparseDestroy(h));
    printf("%s: %d numbers\n", wrong ? "FAIL" : "PASS", compared);
    return wrong != 0;
}
