// cuBLAS and cuRAND, as programs call them, against loops of the host.  SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>

static int bad;
static void expect(const char *what, bool ok)
{
    if (!ok) printf("wrong: %s\n", what), bad = 1;
}
#define OK(call) expect(#call, (call) == CUBLAS_STATUS_SUCCESS)

// Small integers: every sum is exact, in whatever order.
template <class T> struct vec {
    std::vector<T> h;
    T *d;
    vec(size_t n, int seed) : h(n)
    {
        for (size_t i = 0; i < n; i++) h[i] = (T)(float)((int)((i * 7 + seed * 5 + i * i % 11) % 9) - 4);
        cudaMalloc(&d, n * sizeof(T));
        cudaMemcpy(d, h.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~vec() { cudaFree(d); }
    std::vector<T> now() const
    {
        std::vector<T> v(h.size());
        cudaMemcpy(v.data(), d, v.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }
};
template <class T> static double at(const std::vector<T> &a, bool turned, int ld, int i, int j)
{
    return (double)(float)(turned ? a[j + i * ld] : a[i + j * ld]);
}

template <class T> static void product(const char *what, const vec<T> &a, bool ta, int lda, const vec<T> &b, bool tb, int ldb,
                                       const vec<T> &c, int ldc, int m, int n, int k, double alpha, double beta)
{
    const std::vector<T> got = c.now();
    bool ok = true;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < ldc; i++) {
            double want = (double)(float)c.h[i + j * ldc];
            if (i < m) {
                want *= beta;
                for (int l = 0; l < k; l++) want += alpha * at(a.h, ta, lda, i, l) * at(b.h, tb, ldb, l, j);
            }
            ok = ok && (double)(float)got[i + j * ldc] == want;
        }
    expect(what, ok);
}

static void products(cublasHandle_t h)
{
    enum { M = 70, N = 35, K = 9, LD = 77 };
    const float alpha = 2, beta = -1, none = 0;
    for (int k = 0; k < 4; k++) {
        vec<float> a(LD * LD, 1), b(LD * LD, 2), c(LD * N, 3);
        OK(cublasSgemm(h, k & 1 ? CUBLAS_OP_T : CUBLAS_OP_N, k & 2 ? CUBLAS_OP_T : CUBLAS_OP_N, M, N, K, &alpha, a.d, LD, b.d,
                       LD, &beta, c.d, LD));
        product("cublasSgemm", a, k & 1, LD, b, k & 2, LD, c, LD, M, N, K, alpha, beta);
    }
    {
        const double one = 1, two = 2;
        vec<double> a(LD * K, 1), b(K * N, 2), c(M * N, 3);
        OK(cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one, a.d, LD, b.d, K, &two, c.d, M));
        product("cublasDgemm", a, false, LD, b, false, K, c, M, M, N, K, one, two);
        const __half half_one = __float2half(1), half_none = __float2half(0);
        vec<__half> p(M * K, 1), q(K * N, 2), r(M * N, 3), s(M * N, 3);
        OK(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &half_one, p.d, M, q.d, K, &half_none, r.d, M));
        product("cublasHgemm", p, false, M, q, false, K, r, M, M, N, K, 1, 0);
        OK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, p.d, CUDA_R_16F, M, q.d, CUDA_R_16F, K, &none, s.d,
                        CUDA_R_16F, M, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
        product("cublasGemmEx", p, false, M, q, false, K, s, M, M, N, K, 2, 0);
    }
    // A batch by strides and one by addresses, the second with its numbers on the device; the first matrix holds no numbers.
    enum { B = 3, S = 8 };
    vec<float> a(S * S * B, 1), b(S * S * B, 2), c(S * S * B, 3), d(S * S * B, 3);
    std::vector<float> nans(S * S * B, NAN);
    cudaMemcpy(c.d, nans.data(), nans.size() * 4, cudaMemcpyHostToDevice);
    OK(cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, S, S, S, &alpha, a.d, S, S * S, b.d, S, S * S, &none, c.d, S,
                                 S * S, B));
    float *list[3 * B], **lists, numbers[2] = { 2, 0 }, *there;
    for (int k = 0; k < B; k++)
        list[k] = a.d + k * S * S, list[B + k] = b.d + k * S * S, list[2 * B + k] = d.d + k * S * S;
    cudaMalloc(&lists, sizeof list);
    cudaMemcpy(lists, list, sizeof list, cudaMemcpyHostToDevice);
    cudaMalloc(&there, sizeof numbers);
    cudaMemcpy(there, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, S, S, S, there, lists, S, lists + B, S, there + 1, lists + 2 * B, S, B));
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    const std::vector<float> got = c.now();
    expect("two kinds of batches", got == d.now());
    for (int k = 0; k < B; k++) {
        double want = 0;
        for (int l = 0; l < S; l++) want += 2.0 * a.h[k * S * S + l * S + 1] * b.h[k * S * S + 2 * S + l];
        expect("an element of a batch", got[k * S * S + 2 * S + 1] == want);
    }
    cudaFree(lists), cudaFree(there);
    expect("a leading dimension that is too small",
           cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, S, S, S, &alpha, a.d, S - 1, b.d, S, &none, c.d, S) == CUBLAS_STATUS_INVALID_VALUE);
    expect("a name", !strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE"));
}

// A product with what is done to it, in two batches; what lies in C is added from there.
static void fused()
{
    enum { M = 12, N = 5, K = 7, B = 2 };
    cublasLtHandle_t h;
    cublasLtMatmulDesc_t d;
    cublasLtMatrixLayout_t la, lb, lc;
    cublasLtMatmulPreference_t p;
    cublasLtMatmulHeuristicResult_t way;
    cublasOperation_t turned = CUBLAS_OP_T;
    cublasLtEpilogue_t then = CUBLASLT_EPILOGUE_RELU_BIAS, other = CUBLASLT_EPILOGUE_DGELU;
    int found = 0, count = B;
    const float alpha = 2, beta = -1;
    vec<float> a(K * M * B, 1), b(K * N * B, 2), c(M * N * B, 3), to(M * N * B, 4), bias(M, 5);
    OK(cublasLtCreate(&h));
    OK(cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof turned));
    OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &then, sizeof then));
    OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.d, sizeof bias.d));
    OK(cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, K, M, K));
    OK(cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, K, N, K));
    OK(cublasLtMatrixLayoutCreate(&lc, CUDA_R_32F, M, N, M));
    cublasLtMatrixLayout_t all[] = { la, lb, lc };
    const int64_t strides[] = { K * M, K * N, M * N };
    for (int k = 0; k < 3; k++) {
        OK(cublasLtMatrixLayoutSetAttribute(all[k], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
        OK(cublasLtMatrixLayoutSetAttribute(all[k], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &strides[k], sizeof strides[k]));
    }
    OK(cublasLtMatmulPreferenceCreate(&p));
    OK(cublasLtMatmulAlgoGetHeuristic(h, d, la, lb, lc, lc, p, 1, &way, &found));
    OK(cublasLtMatmul(h, d, &alpha, a.d, la, b.d, lb, &beta, c.d, lc, to.d, lc, &way.algo, nullptr, 0, 0));
    const std::vector<float> got = to.now();
    bool ok = found == 1;
    for (int k = 0; k < M * N * B; k++) {
        const int batch = k / (M * N), j = k / M % N, i = k % M;
        double want = bias.h[i] - c.h[k];
        for (int l = 0; l < K; l++) want += 2.0 * a.h[batch * K * M + i * K + l] * b.h[batch * K * N + j * K + l];
        ok = ok && got[k] == (want > 0 ? want : 0);
    }
    expect("cublasLtMatmul", ok);
    OK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &other, sizeof other));
    expect("an epilogue that is not there", cublasLtMatmul(h, d, &alpha, a.d, la, b.d, lb, &beta, c.d, lc, to.d, lc, &way.algo,
                                                           nullptr, 0, 0) == CUBLAS_STATUS_NOT_SUPPORTED);
    for (auto l : all) OK(cublasLtMatrixLayoutDestroy(l));
    OK(cublasLtMatmulPreferenceDestroy(p)), OK(cublasLtMatmulDescDestroy(d)), OK(cublasLtDestroy(h));
}

static void vectors(cublasHandle_t h)
{
    enum { N = 1000 };
    vec<float> x(2 * N, 1), y(N, 2);
    const float alpha = 3;
    float dot, norm, sum;
    int largest, least;
    double want = 0, squares = 0, all = 0;
    for (int i = 0; i < N; i++)
        want += x.h[2 * i] * y.h[N - 1 - i], squares += y.h[i] * y.h[i], all += std::fabs(y.h[i]);
    OK(cublasSdot(h, N, x.d, 2, y.d, -1, &dot));
    OK(cublasSnrm2(h, N, y.d, 1, &norm));
    OK(cublasSasum(h, N, y.d, 1, &sum));
    expect("cublasSdot, cublasSnrm2, cublasSasum", dot == want && norm == (float)std::sqrt(squares) && sum == all);
    OK(cublasIsamax(h, N, y.d, 1, &largest));
    OK(cublasIsamin(h, N, y.d, 1, &least));
    int first = 0, low = 0;
    for (int i = 0; i < N; i++) {
        if (std::fabs(y.h[i]) > std::fabs(y.h[first])) first = i;
        if (std::fabs(y.h[i]) < std::fabs(y.h[low])) low = i;
    }
    expect("cublasIsamax, cublasIsamin", largest == first + 1 && least == low + 1);
    OK(cublasSaxpy(h, N, &alpha, x.d, 2, y.d, 1));
    OK(cublasSscal(h, N, &alpha, y.d, 1));
    OK(cublasSswap(h, N, x.d, 2, y.d, 1));
    const std::vector<float> u = x.now(), v = y.now();
    bool ok = true;
    for (int i = 0; i < N; i++) ok = ok && u[2 * i] == 3 * (y.h[i] + 3 * x.h[2 * i]) && v[i] == x.h[2 * i] && u[2 * i + 1] == x.h[2 * i + 1];
    expect("cublasSaxpy, cublasSscal, cublasSswap", ok);
    float some[4] = {}, back[2] = {};
    OK(cublasSetVector(2, 4, x.h.data(), 2, y.d, 3));
    OK(cublasGetVector(2, 4, y.d, 3, back, 1));
    expect("cublasSetVector", back[0] == x.h[0] && back[1] == x.h[2]);
    OK(cublasSetMatrix(2, 2, 4, x.h.data(), 5, y.d, 2));
    OK(cublasGetMatrix(2, 2, 4, y.d, 2, some, 2));
    expect("cublasSetMatrix", some[1] == x.h[1] && some[2] == x.h[5] && some[3] == x.h[6]);
}

// The type is a parameter; alpha and what halves are computed in has another.
template <class T, class A> static void named_type(cublasHandle_t h, cudaDataType is, cudaDataType by)
{
    enum { N = 100 };
    vec<T> x(2 * N, 1), y(N, 2), r(1, 3);
    const A alpha = 3;
    double want = 0, squares = 0;
    for (int i = 0; i < N; i++) want += (double)(float)x.h[2 * i] * (double)(float)y.h[N - 1 - i], squares += (double)(float)y.h[i] * (double)(float)y.h[i];
    T dot, norm;
    OK(cublasDotEx(h, N, x.d, is, 2, y.d, is, -1, &dot, is, by));
    OK(cublasNrm2Ex(h, N, y.d, is, 1, &norm, is, by));
    expect("cublasDotEx", (float)dot == (float)(T)(float)want);
    expect("cublasNrm2Ex", std::fabs((double)(float)norm - std::sqrt(squares)) <= 4e-3 * std::sqrt(squares));
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasDotcEx(h, N, x.d, is, 2, y.d, is, -1, r.d, is, by));
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    expect("cublasDotcEx", (float)r.now()[0] == (float)dot);
    OK(cublasAxpyEx(h, N, &alpha, by, x.d, is, 2, y.d, is, 1, by));
    OK(cublasScalEx(h, N, &alpha, by, y.d, is, 1, by));
    const std::vector<T> v = y.now();
    bool ok = true;
    for (int i = 0; i < N; i++) ok = ok && (float)v[i] == 3 * ((float)y.h[i] + 3 * (float)x.h[2 * i]);
    expect("cublasAxpyEx, cublasScalEx", ok);
    expect("two types", cublasDotEx(h, N, x.d, is, 2, y.d, CUDA_R_8I, 1, &dot, is, by) == CUBLAS_STATUS_NOT_SUPPORTED);
}

static void matrices(cublasHandle_t h)
{
    enum { M = 40, N = 33 };
    const double alpha = 2, beta = 3;
    vec<double> a(M * N, 1), x(M, 2), y(M, 3), b(M * N, 4), c(M * N, 5);
    for (int turned = 0; turned < 2; turned++) {
        const std::vector<double> old = y.now();
        OK(cublasDgemv(h, turned ? CUBLAS_OP_T : CUBLAS_OP_N, M, N, &alpha, a.d, M, x.d, 1, &beta, y.d, 1));
        const std::vector<double> got = y.now();
        bool ok = true;
        for (int i = 0; i < (turned ? N : M); i++) {
            double want = beta * old[i];
            for (int l = 0; l < (turned ? M : N); l++) want += alpha * at(a.h, turned, M, i, l) * x.h[l];
            ok = ok && got[i] == want;
        }
        expect("cublasDgemv", ok);
    }
    OK(cublasDgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, N, M, &alpha, a.d, M, &beta, b.d, N, c.d, N));
    std::vector<double> got = c.now();
    expect("cublasDgeam", got[3 + 2 * N] == 2 * a.h[2 + 3 * M] + 3 * b.h[3 + 2 * N]);
    OK(cublasDdgmm(h, CUBLAS_SIDE_RIGHT, M, N, a.d, M, x.d, 1, c.d, M));
    got = c.now();
    expect("cublasDdgmm", got[5 + 7 * M] == a.h[5 + 7 * M] * x.h[7]);
    OK(cublasDger(h, M, N, &alpha, x.d, 1, y.d, 1, c.d, M));
    const std::vector<double> ys = y.now();
    expect("cublasDger", c.now()[5 + 7 * M] == got[5 + 7 * M] + 2 * x.h[5] * ys[7]);

    // A triangle times what was found is what was asked for; its diagonal is 1, so that nothing is rounded away.
    enum { T = 7 };
    for (int k = 0; k < 8; k++) {
        const bool right = k & 1, upper = k & 2, turned = k & 4;
        vec<double> t(T * T, 1), r(T * T, 2);
        OK(cublasDtrsm(h, right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT, upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER,
                       turned ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_DIAG_UNIT, T, T, &alpha, t.d, T, r.d, T));
        const std::vector<double> found = r.now();
        bool ok = true;
        for (int i = 0; i < T; i++)
            for (int j = 0; j < T; j++) {
                double sum = 0;
                for (int l = 0; l < T; l++) {
                    const int p = right ? l : i, q = right ? j : l;
                    const bool in = upper != turned ? p < q : p > q;
                    const double e = p == q ? 1 : in ? at(t.h, turned, T, p, q) : 0;
                    sum += right ? found[i + l * T] * e : e * found[l + j * T];
                }
                ok = ok && sum == 2 * r.h[i + j * T];
            }
        expect("cublasDtrsm", ok);
    }
    vec<double> s(N * N, 6);
    OK(cublasDsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, N, M, &alpha, a.d, M, &beta, s.d, N));
    double want = 3 * s.h[4 + 2 * N];
    for (int l = 0; l < M; l++) want += 2 * a.h[l + 4 * M] * a.h[l + 2 * M];
    got = s.now();
    expect("cublasDsyrk", got[4 + 2 * N] == want && got[2 + 4 * N] == s.h[2 + 4 * N]);
}

static void numbers()
{
    enum { N = 4000 };
    curandGenerator_t g;
    vec<float> a(N, 1), b(N, 1);
    vec<double> d(N, 1);
    expect("curandCreateGenerator", curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
    curandSetPseudoRandomGeneratorSeed(g, 1234ull);
    expect("curandGenerateUniform", curandGenerateUniform(g, a.d, N) == CURAND_STATUS_SUCCESS);
    curandSetPseudoRandomGeneratorSeed(g, 1234ull);
    curandGenerateUniform(g, b.d, 1001);
    curandGenerateUniform(g, b.d + 1001, N - 1001);
    const std::vector<float> u = a.now();
    expect("a seed gives the same numbers, however many at a time", u == b.now());
    double mean = 0, variance = 0;
    bool in = true;
    for (float x : u) mean += x / N, in = in && x > 0 && x <= 1;
    expect("numbers in (0, 1]", in && std::fabs(mean - 0.5) < 0.02);
    curandGenerateNormalDouble(g, d.d, N, 5, 2);
    mean = 0;
    for (double x : d.now()) mean += x / N, variance += (x - 5) * (x - 5) / N;
    expect("a normal distribution", std::fabs(mean - 5) < 0.1 && std::fabs(variance - 4) < 0.3);
    expect("an odd number of a normal distribution",
           curandGenerateNormal(g, a.d, N - 1, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE &&
               curandGenerateLogNormalDouble(g, d.d, 1, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    expect("no generator", curandGenerateUniform(nullptr, a.d, N) == CURAND_STATUS_NOT_INITIALIZED);
    curandDestroyGenerator(g);
    std::vector<float> host(N);
    curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10);
    curandSetPseudoRandomGeneratorSeed(g, 1234ull);
    curandGenerateUniform(g, host.data(), N);
    expect("the host generates the same", host == u);
    curandDestroyGenerator(g);
    curandRngType_t sobol = CURAND_RNG_QUASI_SOBOL32;
    expect("what is not there", curandCreateGenerator(&g, sobol) == CURAND_STATUS_TYPE_ERROR);
}

int main()
{
    nvtxRangePushA("all");
    nvtxNameCudaStreamA(0, "none");
    cublasHandle_t h;
    OK(cublasCreate(&h));
    products(h);
    fused();
    vectors(h);
    named_type<__half, float>(h, CUDA_R_16F, CUDA_R_32F), named_type<__nv_bfloat16, float>(h, CUDA_R_16BF, CUDA_R_32F);
    named_type<float, float>(h, CUDA_R_32F, CUDA_R_32F), named_type<double, double>(h, CUDA_R_64F, CUDA_R_64F);
    matrices(h);
    OK(cublasDestroy(h));
    numbers();
    nvtxRangePop();
    expect("no error is left", cudaDeviceSynchronize() == cudaSuccess);
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad;
}
