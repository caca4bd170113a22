// libcublas.so: cuBLAS for real numbers, whose kernels run as a program's own do.  SPDX-License-Identifier: Apache-2.0
//
// Matrices lie by columns.  A transposed one is the same memory with its two strides exchanged, so kernels know strides
// alone.  Sums are rounded in the type that is asked for, in an order of their own, as those of a GPU are.
#include <cstring>
#include <new>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasMath_t math;
    double *result;                 // on the device: a number that the host is waiting for
};

// alpha or beta: a number of the host, or where one lies on the device.
template <class T> struct scalar {
    T value;
    const T *at;
    __device__ T get() const { return at ? *at : value; }
};
// One of many matrices: a stride apart, or each by its address.
template <class T> struct batch {
    T *first;
    long long stride;
    T *const *each;
    __device__ T *get(int k) const { return each ? each[k] : first + k * stride; }
};
struct strides { long long row, column; };

template <class T> static __device__ T number(T x) { return x; }
static __device__ float number(__half x) { return __half2float(x); }
static __device__ float number(__nv_bfloat16 x) { return __bfloat162float(x); }
static __device__ int number(signed char x) { return x; }
template <class T> static __device__ void store(T *to, T x) { *to = x; }
static __device__ void store(__half *to, float x) { *to = __float2half(x); }
static __device__ void store(__nv_bfloat16 *to, float x) { *to = __float2bfloat16(x); }

enum { ROWS = 2, COLUMNS = 8, TILE_M = 32 * ROWS, TILE_N = 4 * COLUMNS };
enum part { ALL, LOWER, UPPER };

// A thread has two rows of eight columns: an operand that was loaded goes into several products.  Threads past an edge load
// what the edge has, and store nothing.
template <class A, class B, class C, class T, class S>
__global__ void cublas_gemm(int m, int n, int k, scalar<S> alpha, batch<const A> as, strides sa, batch<const B> bs, strides sb,
                            scalar<S> beta, batch<C> cs, long long ldc, part which)
{
    const int i0 = blockIdx.x * TILE_M + threadIdx.x, j0 = blockIdx.y * TILE_N + threadIdx.y * COLUMNS;
    const A *a[ROWS];
    const B *b[COLUMNS];
    T sum[ROWS][COLUMNS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) a[r] = as.get(blockIdx.z) + min(i0 + 32 * r, m - 1) * sa.row;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        b[c] = bs.get(blockIdx.z) + min(j0 + c, n - 1) * sb.column;
#pragma unroll
        for (int r = 0; r < ROWS; r++) sum[r][c] = 0;
    }
    for (int l = 0; l < k; l++) {
        T x[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) x[r] = (T)number(*a[r]), a[r] += sa.column;
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            const T y = (T)number(*b[c]);
            b[c] += sb.row;
#pragma unroll
            for (int r = 0; r < ROWS; r++) sum[r][c] += x[r] * y;
        }
    }
    const T by = (T)number(alpha.get()), old = (T)number(beta.get());
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int i = i0 + 32 * r, j = j0 + c;
            if (i >= m || j >= n || (which == LOWER && i < j) || (which == UPPER && i > j)) continue;
            C *to = cs.get(blockIdx.z) + j * ldc + i;
            T v = by * sum[r][c];
            if (old != 0) v += old * (T)number(*to);    // what lies there may be no number
            store(to, v);
        }
}

template <class T, class F> __global__ void cublas_each(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}
template <class T> struct axpy {
    scalar<T> alpha;
    const T *x;
    long long incx;
    T *y;
    long long incy;
    __device__ void operator()(int i) const { y[i * incy] += alpha.get() * x[i * incx]; }
};
template <class T> struct scal {
    scalar<T> alpha;
    T *x;
    long long incx;
    __device__ void operator()(int i) const { x[i * incx] *= alpha.get(); }
};
template <class T> struct copies {
    const T *x;
    long long incx;
    T *y;
    long long incy;
    __device__ void operator()(int i) const { y[i * incy] = x[i * incx]; }
};
template <class T> struct swaps {
    T *x;
    long long incx;
    T *y;
    long long incy;
    __device__ void operator()(int i) const
    {
        const T u = x[i * incx];
        x[i * incx] = y[i * incy], y[i * incy] = u;
    }
};
template <class T> struct rotates {
    scalar<T> c, s;
    T *x;
    long long incx;
    T *y;
    long long incy;
    __device__ void operator()(int i) const
    {
        const T u = x[i * incx], v = y[i * incy];
        x[i * incx] = c.get() * u + s.get() * v;
        y[i * incy] = c.get() * v - s.get() * u;
    }
};
template <class T> struct gemv {
    int k;
    scalar<T> alpha;
    const T *a;
    strides s;
    const T *x;
    long long incx;
    scalar<T> beta;
    T *y;
    long long incy;
    __device__ void operator()(int i) const
    {
        const T *row = a + i * s.row, *with = x;
        T sum = 0;
        for (int l = 0; l < k; l++, row += s.column, with += incx) sum += *row * *with;
        sum *= alpha.get();
        const T old = beta.get();
        y[i * incy] = old != 0 ? sum + old * y[i * incy] : sum;
    }
};

template <class T, class F> __global__ void cublas_each2(int m, int n, F f)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = blockIdx.y * blockDim.y + threadIdx.y; i < m && j < n; j += gridDim.y * blockDim.y) f(i, j);
}
template <class T> struct ger {
    scalar<T> alpha;
    const T *x;
    long long incx;
    const T *y;
    long long incy;
    T *a;
    long long lda;
    __device__ void operator()(int i, int j) const { a[j * lda + i] += alpha.get() * x[i * incx] * y[j * incy]; }
};
template <class T> struct geam {
    scalar<T> alpha;
    const T *a;
    strides sa;
    scalar<T> beta;
    const T *b;
    strides sb;
    T *c;
    long long ldc;
    __device__ void operator()(int i, int j) const
    {
        const T p = alpha.get(), q = beta.get();
        T v = 0;
        if (p != 0) v = p * a[i * sa.row + j * sa.column];
        if (q != 0) v += q * b[i * sb.row + j * sb.column];
        c[j * ldc + i] = v;
    }
};
template <class T> struct dgmm {
    bool left;
    const T *a;
    long long lda;
    const T *x;
    long long incx;
    T *c;
    long long ldc;
    __device__ void operator()(int i, int j) const { c[j * ldc + i] = a[j * lda + i] * x[(left ? i : j) * incx]; }
};

// Sums by one block; the squares of floats in double, so that they do not overflow.
enum { THREADS = 256 };
template <class T> struct dot {
    typedef T sum;
    __device__ static T value(T x, T y) { return x * y; }
    __device__ static T finish(T s) { return s; }
};
template <class T> struct asum {
    typedef T sum;
    __device__ static T value(T x, T) { return x < 0 ? -x : x; }
    __device__ static T finish(T s) { return s; }
};
template <class T> struct nrm2 {
    typedef double sum;
    __device__ static double value(T x, T) { return (double)x * x; }
    __device__ static T finish(double s) { return (T)sqrt(s); }
};
template <class T, class F> __global__ void cublas_sum(int n, const T *x, long long incx, const T *y, long long incy, T *to)
{
    __shared__ typename F::sum part[THREADS];
    typename F::sum s = 0;
    for (int i = threadIdx.x; i < n; i += THREADS) s += F::value(x[i * incx], y ? y[i * incy] : 0);
    part[threadIdx.x] = s;
    __syncthreads();
    for (int half = THREADS / 2; half; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (!threadIdx.x) *to = F::finish(part[0]);
}
// The first of the largest, or of the smallest, counted from 1.
template <class T, bool LARGEST> __global__ void cublas_find(int n, const T *x, long long incx, int *to)
{
    __shared__ T best[THREADS];
    __shared__ int at[THREADS];
    T b = 0;
    int p = -1;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        const T v = x[i * incx] < 0 ? -x[i * incx] : x[i * incx];
        if (p < 0 || (LARGEST ? v > b : v < b)) b = v, p = i;
    }
    best[threadIdx.x] = b, at[threadIdx.x] = p;
    __syncthreads();
    for (int half = THREADS / 2; half; half /= 2) {
        if (threadIdx.x < half) {
            const int other = threadIdx.x + half;
            const T v = best[other];
            const bool better = LARGEST ? v > best[threadIdx.x] : v < best[threadIdx.x];
            if (at[other] >= 0 && (at[threadIdx.x] < 0 || better || (v == best[threadIdx.x] && at[other] < at[threadIdx.x])))
                best[threadIdx.x] = v, at[threadIdx.x] = at[other];
        }
        __syncthreads();
    }
    if (!threadIdx.x) *to = at[0] + 1;
}

// A triangle times x is alpha times what x was: a block for each right side.
template <class T>
__global__ void cublas_solve(int n, bool lower, bool unit, const T *a, strides s, scalar<T> alpha, T *b, long long side,
                             long long step)
{
    T *x = b + blockIdx.x * side;
    const T by = alpha.get();
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i * step] *= by;
    for (int done = 0; done < n; done++) {
        const int i = lower ? done : n - 1 - done;
        __syncthreads();
        if (!threadIdx.x && !unit) x[i * step] /= a[i * (s.row + s.column)];
        __syncthreads();
        const T v = x[i * step];
        for (int r = threadIdx.x; r < n - 1 - done; r += blockDim.x) {
            const int k = lower ? i + 1 + r : i - 1 - r;
            x[k * step] -= a[k * s.row + i * s.column] * v;
        }
    }
}

template <class T> static scalar<T> take(cublasHandle_t h, const T *p)
{
    scalar<T> s = {};
    h->pointers == CUBLAS_POINTER_MODE_DEVICE ? (void)(s.at = p) : (void)(s.value = *p);
    return s;
}
static bool is_op(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_CONJG; }
static bool turned(cublasOperation_t op) { return op == CUBLAS_OP_T || op == CUBLAS_OP_C; }
static strides lies(cublasOperation_t op, int ld)
{
    return turned(op) ? strides{ ld, 1 } : strides{ 1, ld };
}
static int at_least(int rows) { return rows > 1 ? rows : 1; }
// The first element of a vector that is passed through backwards lies at its end.
template <class T> static T *begin(T *x, int n, int inc) { return inc < 0 ? x - (long long)(n - 1) * inc : x; }
static cublasStatus_t launched(void)
{
    return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
#define CHECK(h, what) \
    do { \
        if (!(h)) return CUBLAS_STATUS_NOT_INITIALIZED; \
        if (!(what)) return CUBLAS_STATUS_INVALID_VALUE; \
    } while (0)

template <class T, class F> static cublasStatus_t each(cublasHandle_t h, int n, F f)
{
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    const int blocks = n / THREADS + (n % THREADS != 0);
    cublas_each<T><<<blocks < 1024 ? blocks : 1024, THREADS, 0, h->stream>>>(n, f);
    return launched();
}
template <class T, class F> static cublasStatus_t each2(cublasHandle_t h, int m, int n, F f)
{
    if (!m || !n) return CUBLAS_STATUS_SUCCESS;
    cublas_each2<T><<<dim3((m + 31) / 32, n < 8 * 1024 ? (n + 7) / 8 : 1024), dim3(32, 8), 0, h->stream>>>(m, n, f);
    return launched();
}

// Where a kernel puts its result, and how the host gets it.
template <class R> static R *result_of(cublasHandle_t h, R *result)
{
    return h->pointers == CUBLAS_POINTER_MODE_DEVICE ? result : (R *)h->result;
}
template <class R> static cublasStatus_t fetch(cublasHandle_t h, R *result)
{
    if (launched() != CUBLAS_STATUS_SUCCESS) return CUBLAS_STATUS_EXECUTION_FAILED;
    if (h->pointers == CUBLAS_POINTER_MODE_DEVICE) return CUBLAS_STATUS_SUCCESS;
    return cudaMemcpy(result, h->result, sizeof *result, cudaMemcpyDeviceToHost) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                                                : CUBLAS_STATUS_EXECUTION_FAILED;
}
template <class T, class F>
static cublasStatus_t sum(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)
{
    CHECK(h, result);
    cublas_sum<T, F><<<1, THREADS, 0, h->stream>>>(n, x, incx, y, incy, result_of(h, result));
    return fetch(h, result);
}
template <class T, bool LARGEST> static cublasStatus_t find(cublasHandle_t h, int n, const T *x, int incx, int *result)
{
    CHECK(h, result);
    cublas_find<T, LARGEST><<<1, THREADS, 0, h->stream>>>(incx > 0 ? n : 0, x, incx, result_of(h, result));
    return fetch(h, result);
}

template <class A, class B, class C, class T, class S>
static cublasStatus_t multiply(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                               const S *alpha, batch<const A> a, int lda, batch<const B> b, int ldb, const S *beta, batch<C> c,
                               int ldc, int count, part which = ALL)
{
    CHECK(h, m >= 0 && n >= 0 && k >= 0 && count >= 0 && is_op(opa) && is_op(opb) && alpha && beta);
    CHECK(h, lda >= at_least(turned(opa) ? k : m) && ldb >= at_least(turned(opb) ? n : k) && ldc >= at_least(m));
    if (!m || !n || !count) return CUBLAS_STATUS_SUCCESS;
    const dim3 grid((m + TILE_M - 1) / TILE_M, (n + TILE_N - 1) / TILE_N, count);
    cublas_gemm<A, B, C, T, S><<<grid, dim3(32, 4), 0, h->stream>>>(m, n, k, take(h, alpha), a, lies(opa, lda), b,
                                                                   lies(opb, ldb), take(h, beta), c, ldc, which);
    return launched();
}
template <class T> static batch<T> one(T *p, long long stride = 0) { return batch<T>{ p, stride, nullptr }; }
template <class T> static batch<T> many(T *const *p) { return batch<T>{ nullptr, 0, p }; }

template <class T>
static cublasStatus_t solve(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diag, int n,
                            scalar<T> alpha, const T *a, int lda, T *b, int sides, long long side, long long step)
{
    CHECK(h, n >= 0 && sides >= 0 && lda >= at_least(n) && is_op(op));
    if (!n || !sides) return CUBLAS_STATUS_SUCCESS;
    const bool lower = (fill == CUBLAS_FILL_MODE_LOWER) != turned(op);
    cublas_solve<T><<<sides, n < THREADS ? n : THREADS, 0, h->stream>>>(n, lower, diag == CUBLAS_DIAG_UNIT, a, lies(op, lda),
                                                                       alpha, b, side, step);
    return launched();
}

// By the types of the operands, which the caller names by numbers.
struct any {
    cublasHandle_t h;
    cublasOperation_t opa, opb;
    int m, n, k;
    const void *alpha, *a, *b, *beta;
    void *c;
    int lda, ldb, ldc, count;
    long long sa, sb, sc;
    template <class AB, class C, class T, class S> cublasStatus_t run() const
    {
        return multiply<AB, AB, C, T, S>(h, opa, opb, m, n, k, (const S *)alpha, one((const AB *)a, sa), lda,
                                         one((const AB *)b, sb), ldb, (const S *)beta, one((C *)c, sc), ldc, count);
    }
};
static cublasStatus_t by_types(const any &g, cudaDataType ta, cudaDataType tb, cudaDataType tc, cublasComputeType_t compute)
{
    const bool half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    const bool whole = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    const bool twice = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    if (ta != tb) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (half) return ta == CUDA_R_16F && tc == CUDA_R_16F ? g.run<__half, __half, float, __half>() : CUBLAS_STATUS_NOT_SUPPORTED;
    if (whole) return ta == CUDA_R_8I && tc == CUDA_R_32I ? g.run<signed char, int, int, int>() : CUBLAS_STATUS_NOT_SUPPORTED;
    if (twice) return ta == CUDA_R_64F && tc == CUDA_R_64F ? g.run<double, double, double, double>() : CUBLAS_STATUS_NOT_SUPPORTED;
    if (ta == CUDA_R_32F && tc == CUDA_R_32F) return g.run<float, float, float, float>();
    if (ta == CUDA_R_16F && tc == CUDA_R_16F) return g.run<__half, __half, float, float>();
    if (ta == CUDA_R_16F && tc == CUDA_R_32F) return g.run<__half, float, float, float>();
    if (ta == CUDA_R_16BF && tc == CUDA_R_16BF) return g.run<__nv_bfloat16, __nv_bfloat16, float, float>();
    if (ta == CUDA_R_16BF && tc == CUDA_R_32F) return g.run<__nv_bfloat16, float, float, float>();
    if (ta == CUDA_R_8I && tc == CUDA_R_32F) return g.run<signed char, float, float, float>();
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

static const struct { cublasStatus_t status; const char *name, *text; } statuses[] = {
    { CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success" },
    { CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized" },
    { CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed" },
    { CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed to the function" },
    { CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks a feature" },
    { CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed" },
    { CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU" },
    { CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed" },
    { CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality is not supported" },
    { CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the license is not there" },
};
static cublasStatus_t copied(cudaError_t e)
{
    return e == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
static cublasStatus_t copy2(void *to, long long to_pitch, const void *from, long long from_pitch, size_t width, int height,
                            cudaMemcpyKind kind, cudaStream_t stream)
{
    if (!width || !height) return CUBLAS_STATUS_SUCCESS;
    if (to_pitch <= 0 || from_pitch <= 0 || height < 0) return CUBLAS_STATUS_INVALID_VALUE;
    return copied(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream));
}

// cuBLASLt: a product, and what is done to its result.
struct cublasLtMatmulDescOpaque {
    cublasComputeType_t compute;
    cublasOperation_t opa, opb;
    cublasPointerMode_t pointers;
    cublasLtEpilogue_t epilogue;
    const void *bias;
};
struct cublasLtMatrixLayoutOpaque {
    cudaDataType type;
    cublasLtOrder_t order;
    uint64_t rows, columns;
    int64_t ld;
    int32_t count;
    int64_t stride;
};
struct cublasLtMatmulPreferenceOpaque { uint64_t work; };

enum { RELU = 2, BIAS = 4, GELU = 32 };
template <class T> struct epilogue {
    int what;
    const T *bias;
    T *to;
    long long ld, stride;
    int columns;
    __device__ void operator()(int i, int j) const
    {
        T *at = to + j / columns * stride + j % columns * ld + i;
        float v = (float)number(*at);
        if (what & BIAS) v += (float)number(bias[i]);
        if (what & RELU) v = v > 0 ? v : 0;
        if (what & GELU) v = 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
        store(at, v);
    }
};
template <class T> static cublasStatus_t finish(cublasHandle_t h, int what, const void *bias, void *to, const cublasLtMatrixLayoutOpaque &l)
{
    return each2<T>(h, (int)l.rows, (int)l.columns * l.count,
                    epilogue<T>{ what, (const T *)bias, (T *)to, l.ld, l.stride, (int)l.columns });
}
static size_t size_of(cudaDataType t)
{
    return t == CUDA_R_64F ? 8 : t == CUDA_R_32F || t == CUDA_R_32I ? 4 : t == CUDA_R_8I ? 1 : 2;
}
// A field of ours takes a value of the size that it has.
#define TAKE(field) \
    do { \
        if (bytes != sizeof(field)) return CUBLAS_STATUS_INVALID_VALUE; \
        memcpy(&(field), value, bytes); \
        return CUBLAS_STATUS_SUCCESS; \
    } while (0)

#pragma GCC visibility push(default)
extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t *h)
{
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    *h = new (std::nothrow) cublasContext();
    if (*h && cudaMalloc((void **)&(*h)->result, sizeof *(*h)->result) == cudaSuccess) return CUBLAS_STATUS_SUCCESS;
    delete *h;
    *h = nullptr;
    return CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasDestroy(cublasHandle_t h)
{
    CHECK(h, true);
    cudaFree(h->result);
    delete h;
    return CUBLAS_STATUS_SUCCESS;
}
#define SET(name, T, what) \
    cublasStatus_t name(cublasHandle_t h, T v) { CHECK(h, true); what; return CUBLAS_STATUS_SUCCESS; }
SET(cublasGetVersion, int *, *v = CUBLAS_VERSION)
SET(cublasSetStream, cudaStream_t, h->stream = v)
SET(cublasGetStream, cudaStream_t *, *v = h->stream)
SET(cublasSetPointerMode, cublasPointerMode_t, h->pointers = v)
SET(cublasGetPointerMode, cublasPointerMode_t *, *v = h->pointers)
SET(cublasSetMathMode, cublasMath_t, h->math = v)
SET(cublasGetMathMode, cublasMath_t *, *v = h->math)
SET(cublasSetAtomicsMode, cublasAtomicsMode_t, (void)v)
cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *, size_t)
{
    CHECK(h, true);
    return CUBLAS_STATUS_SUCCESS;
}
const char *cublasGetStatusName(cublasStatus_t status)
{
    for (const auto &s : statuses)
        if (s.status == status) return s.name;
    return "CUBLAS_STATUS_UNKNOWN";
}
const char *cublasGetStatusString(cublasStatus_t status)
{
    for (const auto &s : statuses)
        if (s.status == status) return s.text;
    return "unknown status";
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t stream)
{
    return copy2(y, (long long)incy * size, x, (long long)incx * size, size, n, cudaMemcpyHostToDevice, stream);
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y, int incy, cudaStream_t stream)
{
    return copy2(y, (long long)incy * size, x, (long long)incx * size, size, n, cudaMemcpyDeviceToHost, stream);
}
cublasStatus_t cublasSetMatrixAsync(int m, int n, int size, const void *a, int lda, void *b, int ldb, cudaStream_t stream)
{
    return copy2(b, (long long)ldb * size, a, (long long)lda * size, (size_t)m * size, n, cudaMemcpyHostToDevice, stream);
}
cublasStatus_t cublasGetMatrixAsync(int m, int n, int size, const void *a, int lda, void *b, int ldb, cudaStream_t stream)
{
    return copy2(b, (long long)ldb * size, a, (long long)lda * size, (size_t)m * size, n, cudaMemcpyDeviceToHost, stream);
}
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx, void *y, int incy)
{
    return cublasSetVectorAsync(n, size, x, incx, y, incy, 0);
}
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx, void *y, int incy)
{
    return cublasGetVectorAsync(n, size, x, incx, y, incy, 0);
}
cublasStatus_t cublasSetMatrix(int m, int n, int size, const void *a, int lda, void *b, int ldb)
{
    return cublasSetMatrixAsync(m, n, size, a, lda, b, ldb, 0);
}
cublasStatus_t cublasGetMatrix(int m, int n, int size, const void *a, int lda, void *b, int ldb)
{
    return cublasGetMatrixAsync(m, n, size, a, lda, b, ldb, 0);
}

#define ROUTINES(S, s, T) \
    cublasStatus_t cublas##S##axpy_v2(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy) \
    { \
        CHECK(h, alpha); \
        return each<T>(h, n, axpy<T>{ take(h, alpha), begin(x, n, incx), incx, begin(y, n, incy), incy }); \
    } \
    cublasStatus_t cublas##S##scal_v2(cublasHandle_t h, int n, const T *alpha, T *x, int incx) \
    { \
        CHECK(h, alpha); \
        return each<T>(h, incx > 0 ? n : 0, scal<T>{ take(h, alpha), x, incx }); \
    } \
    cublasStatus_t cublas##S##copy_v2(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) \
    { \
        CHECK(h, true); \
        return each<T>(h, n, copies<T>{ begin(x, n, incx), incx, begin(y, n, incy), incy }); \
    } \
    cublasStatus_t cublas##S##swap_v2(cublasHandle_t h, int n, T *x, int incx, T *y, int incy) \
    { \
        CHECK(h, true); \
        return each<T>(h, n, swaps<T>{ begin(x, n, incx), incx, begin(y, n, incy), incy }); \
    } \
    cublasStatus_t cublas##S##rot_v2(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *c, const T *s) \
    { \
        CHECK(h, c && s); \
        return each<T>(h, n, rotates<T>{ take(h, c), take(h, s), begin(x, n, incx), incx, begin(y, n, incy), incy }); \
    } \
    cublasStatus_t cublas##S##dot_v2(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result) \
    { \
        return sum<T, dot<T>>(h, n, begin(x, n, incx), incx, begin(y, n, incy), incy, result); \
    } \
    cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t h, int n, const T *x, int incx, T *result) \
    { \
        return sum<T, nrm2<T>>(h, incx > 0 ? n : 0, x, incx, nullptr, 0, result); \
    } \
    cublasStatus_t cublas##S##asum_v2(cublasHandle_t h, int n, const T *x, int incx, T *result) \
    { \
        return sum<T, asum<T>>(h, incx > 0 ? n : 0, x, incx, nullptr, 0, result); \
    } \
    cublasStatus_t cublasI##s##amax_v2(cublasHandle_t h, int n, const T *x, int incx, int *result) \
    { \
        return find<T, true>(h, n, x, incx, result); \
    } \
    cublasStatus_t cublasI##s##amin_v2(cublasHandle_t h, int n, const T *x, int incx, int *result) \
    { \
        return find<T, false>(h, n, x, incx, result); \
    } \
    cublasStatus_t cublas##S##gemv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a, int lda, \
                                      const T *x, int incx, const T *beta, T *y, int incy) \
    { \
        CHECK(h, m >= 0 && n >= 0 && is_op(op) && lda >= at_least(m) && incx && incy && alpha && beta); \
        const int rows = turned(op) ? n : m, k = turned(op) ? m : n; \
        return each<T>(h, m && n ? rows : 0, gemv<T>{ k, take(h, alpha), a, lies(op, lda), begin(x, k, incx), incx, \
                                                      take(h, beta), begin(y, rows, incy), incy }); \
    } \
    cublasStatus_t cublas##S##ger_v2(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, \
                                     T *a, int lda) \
    { \
        CHECK(h, m >= 0 && n >= 0 && lda >= at_least(m) && incx && incy && alpha); \
        return each2<T>(h, m, n, ger<T>{ take(h, alpha), begin(x, m, incx), incx, begin(y, n, incy), incy, a, lda }); \
    } \
    cublasStatus_t cublas##S##trsv_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diag, int n, \
                                      const T *a, int lda, T *x, int incx) \
    { \
        return solve<T>(h, fill, op, diag, n, scalar<T>{ 1, nullptr }, a, lda, begin(x, n, incx), 1, 0, incx); \
    } \
    cublasStatus_t cublas##S##gemm_v2(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, \
                                      const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc) \
    { \
        return multiply<T, T, T, T, T>(h, opa, opb, m, n, k, alpha, one(a), lda, one(b), ldb, beta, one(c), ldc, 1); \
    } \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, \
                                          const T *alpha, const T *const *a, int lda, const T *const *b, int ldb, \
                                          const T *beta, T *const *c, int ldc, int count) \
    { \
        return multiply<T, T, T, T, T>(h, opa, opb, m, n, k, alpha, many(a), lda, many(b), ldb, beta, many(c), ldc, count); \
    } \
    cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, \
                                                 int k, const T *alpha, const T *a, int lda, long long sa, const T *b, int ldb, \
                                                 long long sb, const T *beta, T *c, int ldc, long long sc, int count) \
    { \
        return multiply<T, T, T, T, T>(h, opa, opb, m, n, k, alpha, one(a, sa), lda, one(b, sb), ldb, beta, one(c, sc), ldc, \
                                       count); \
    } \
    cublasStatus_t cublas##S##syrk_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k, const T *alpha, \
                                      const T *a, int lda, const T *beta, T *c, int ldc) \
    { \
        return multiply<T, T, T, T, T>(h, op, turned(op) ? CUBLAS_OP_N : CUBLAS_OP_T, n, n, k, alpha, one(a), lda, one(a), lda, \
                                       beta, one(c), ldc, 1, fill == CUBLAS_FILL_MODE_LOWER ? LOWER : UPPER); \
    } \
    cublasStatus_t cublas##S##trsm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, \
                                      cublasDiagType_t diag, int m, int n, const T *alpha, const T *a, int lda, T *b, int ldb) \
    { \
        CHECK(h, m >= 0 && n >= 0 && alpha && ldb >= at_least(m)); \
        if (side == CUBLAS_SIDE_LEFT) return solve<T>(h, fill, op, diag, m, take(h, alpha), a, lda, b, n, ldb, 1); \
        return solve<T>(h, fill, turned(op) ? CUBLAS_OP_N : CUBLAS_OP_T, diag, n, take(h, alpha), a, lda, b, m, 1, ldb); \
    } \
    cublasStatus_t cublas##S##geam(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, const T *alpha, \
                                   const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc) \
    { \
        CHECK(h, m >= 0 && n >= 0 && is_op(opa) && is_op(opb) && ldc >= at_least(m) && alpha && beta); \
        return each2<T>(h, m, n, geam<T>{ take(h, alpha), a, lies(opa, lda), take(h, beta), b, lies(opb, ldb), c, ldc }); \
    } \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *a, int lda, const T *x, \
                                   int incx, T *c, int ldc) \
    { \
        CHECK(h, m >= 0 && n >= 0 && lda >= at_least(m) && ldc >= at_least(m)); \
        const bool left = side == CUBLAS_SIDE_LEFT; \
        return each2<T>(h, m, n, dgmm<T>{ left, a, lda, begin(x, left ? m : n, incx), incx, c, ldc }); \
    }
ROUTINES(S, s, float)
ROUTINES(D, d, double)

cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           const __half *alpha, const __half *a, int lda, const __half *b, int ldb, const __half *beta,
                           __half *c, int ldc)
{
    return any{ h, opa, opb, m, n, k, alpha, a, b, beta, c, lda, ldb, ldc, 1, 0, 0, 0 }.run<__half, __half, float, __half>();
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda, long long sa, const __half *b, int ldb,
                                         long long sb, const __half *beta, __half *c, int ldc, long long sc, int count)
{
    return any{ h, opa, opb, m, n, k, alpha, a, b, beta, c, lda, ldb, ldc, count, sa, sb, sc }
        .run<__half, __half, float, __half>();
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType ta, int lda, long long sa,
                                          const void *b, cudaDataType tb, int ldb, long long sb, const void *beta, void *c,
                                          cudaDataType tc, int ldc, long long sc, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t)
{
    return by_types(any{ h, opa, opb, m, n, k, alpha, a, b, beta, c, lda, ldb, ldc, count, sa, sb, sc }, ta, tb, tc, compute);
}
cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                            const void *alpha, const void *a, cudaDataType ta, int lda, const void *b, cudaDataType tb, int ldb,
                            const void *beta, void *c, cudaDataType tc, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t)
{
    return by_types(any{ h, opa, opb, m, n, k, alpha, a, b, beta, c, lda, ldb, ldc, 1, 0, 0, 0 }, ta, tb, tc, compute);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                             const float *alpha, const void *a, cudaDataType ta, int lda, const void *b, cudaDataType tb,
                             int ldb, const float *beta, void *c, cudaDataType tc, int ldc)
{
    return cublasGemmEx(h, opa, opb, m, n, k, alpha, a, ta, lda, b, tb, ldb, beta, c, tc, ldc, CUBLAS_COMPUTE_32F,
                        CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *h) { return cublasCreate((cublasHandle_t *)h); }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t h) { return cublasDestroy((cublasHandle_t)h); }
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d, cublasComputeType_t compute, cudaDataType)
{
    *d = new (std::nothrow) cublasLtMatmulDescOpaque();
    if (!*d) return CUBLAS_STATUS_ALLOC_FAILED;
    (*d)->compute = compute, (*d)->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) { return delete d, CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t bytes)
{
    CHECK(d, value);
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA: TAKE(d->opa);
    case CUBLASLT_MATMUL_DESC_TRANSB: TAKE(d->opb);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: TAKE(d->pointers);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: TAKE(d->epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: TAKE(d->bias);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return CUBLAS_STATUS_SUCCESS;
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *l, cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld)
{
    *l = new (std::nothrow) cublasLtMatrixLayoutOpaque{ type, CUBLASLT_ORDER_COL, rows, columns, ld, 1, 0 };
    return *l ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) { return delete l, CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *value, size_t bytes)
{
    CHECK(l, value);
    switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: TAKE(l->type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER: TAKE(l->order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS: TAKE(l->rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS: TAKE(l->columns);
    case CUBLASLT_MATRIX_LAYOUT_LD: TAKE(l->ld);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: TAKE(l->count);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: TAKE(l->stride);
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p)
{
    *p = new (std::nothrow) cublasLtMatmulPreferenceOpaque();
    return *p ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { return delete p, CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p, cublasLtMatmulPreferenceAttributes_t,
                                                    const void *value, size_t)
{
    CHECK(p, value);
    return CUBLAS_STATUS_SUCCESS;
}
// There is one way.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t, int most, cublasLtMatmulHeuristicResult_t *results,
                                              int *found)
{
    CHECK(h, d && most > 0 && results && found);
    *found = 1;
    results[0] = cublasLtMatmulHeuristicResult_t();
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t lt, cublasLtMatmulDesc_t d, const void *alpha, const void *a,
                              cublasLtMatrixLayout_t la, const void *b, cublasLtMatrixLayout_t lb, const void *beta, const void *c,
                              cublasLtMatrixLayout_t lc, void *to, cublasLtMatrixLayout_t lto, const cublasLtMatmulAlgo_t *, void *,
                              size_t, cudaStream_t stream)
{
    CHECK(lt, d && alpha && a && la && b && lb && beta && lc && to && lto);
    const int what = d->epilogue & ~CUBLASLT_EPILOGUE_DEFAULT;
    const bool by_rows = la->order || lb->order || lc->order || lto->order;
    if (by_rows || (what & ~(RELU | BIAS | GELU))) return CUBLAS_STATUS_NOT_SUPPORTED;
    CHECK(lt, !(what & BIAS) || d->bias);
    cublasContext h = *(cublasHandle_t)lt;
    h.stream = stream, h.pointers = d->pointers;
    const size_t element = size_of(lto->type);
    for (int k = 0; c && c != to && k < lto->count; k++)
        if (cublasStatus_t e = copied(cudaMemcpy2DAsync((char *)to + k * lto->stride * element, lto->ld * element,
                                                        (const char *)c + k * lc->stride * element, lc->ld * element,
                                                        lto->rows * element, lto->columns, cudaMemcpyDeviceToDevice, stream)))
            return e;
    const cublasStatus_t e = cublasGemmStridedBatchedEx(
        &h, d->opa, d->opb, (int)lto->rows, (int)lto->columns, (int)(turned(d->opa) ? la->rows : la->columns), alpha, a, la->type,
        (int)la->ld, la->stride, b, lb->type, (int)lb->ld, lb->stride, beta, to, lto->type, (int)lto->ld, lto->stride, lto->count,
        d->compute, CUBLAS_GEMM_DEFAULT);
    if (e || !what) return e;
    return lto->type == CUDA_R_32F    ? finish<float>(&h, what, d->bias, to, *lto)
           : lto->type == CUDA_R_16F  ? finish<__half>(&h, what, d->bias, to, *lto)
           : lto->type == CUDA_R_16BF ? finish<__nv_bfloat16>(&h, what, d->bias, to, *lto)
                                      : CUBLAS_STATUS_NOT_SUPPORTED;
}
}
