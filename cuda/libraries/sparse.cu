// libcusparse.so: cuSPARSE's generic calls for f32 and f64, whose kernels run as a program's own do.
// SPDX-License-Identifier: Apache-2.0
//
// CSR and CSC are one thing, compressed along their rows or their columns; COO has two indices an entry.  Where threads have
// rows of the result, each sums its row in order; else entries are added to it one by one.  Dense matrices and vectors are
// read by two strides, so a transposed one is its strides exchanged, and a vector is a matrix of one column.
#include <cuda_runtime.h>
#include <cusparse.h>
#include <new>

struct cusparseContext { cudaStream_t stream; cusparsePointerMode_t pointers; };
struct cusparseMatDescr { cusparseMatrixType_t type; cusparseIndexBase_t base; cusparseFillMode_t fill; cusparseDiagType_t diag; };
struct cusparseSpSVDescr { int unused; };

// Numbers of rows, columns or entries, from 0 on, whatever they are from in memory.
struct indices {
    void *p;
    bool wide;
    int base;
    __device__ long long operator[](long long k) const { return (wide ? ((long long *)p)[k] : ((int *)p)[k]) - base; }
    __device__ void set(long long k, long long v) const
    {
        if (wide) ((long long *)p)[k] = v + base;
        else ((int *)p)[k] = (int)v + base;
    }
};
struct cusparseSpVecDescr { int64_t size, nnz; indices at; void *values; cudaDataType of; };
struct cusparseDnVecDescr { int64_t size; void *values; cudaDataType of; };
// major: offsets where it is compressed, else of each entry its row.
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, cols, nnz;
    indices major, minor;
    void *values;
    cudaDataType of;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
};
struct cusparseDnMatDescr { int64_t rows, cols, ld; void *values; cudaDataType of; cusparseOrder_t order; };

template <class T> struct scalar {
    T value;
    const T *at;
    __device__ T get() const { return at ? *at : value; }
};
template <class T> struct dense {
    T *p;
    long long row, column;
    __device__ T &operator()(long long i, long long j) const { return p[i * row + j * column]; }
};
template <class T> struct sparse {
    long long n;                    // rows, or columns, that it is compressed along; or entries
    bool compressed, transposed;    // transposed: what is compressed are columns
    indices major, minor;
    const T *values;
};

template <class F> __global__ void cusparse_each(long long n, F f)
{
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) f(i);
}
// f(i) for i from 0 to n - 1, by as many threads, or by one.
template <class F> static cusparseStatus_t each(cusparseHandle_t h, long long n, F f)
{
    const long long blocks = (n + 127) / 128;
    if (n > 0) cusparse_each<<<(unsigned)(blocks < 4096 ? blocks : 4096), 128, 0, h->stream>>>(n, f);
    return cudaPeekAtLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

template <class T> struct scales {
    dense<T> c;
    long long m;
    scalar<T> beta;
    __device__ void operator()(long long k) const
    {
        T &to = c(k % m, k / m);
        const T by = beta.get();
        to = by == 0 ? 0 : by * to;     // what lies there may be no number
    }
};
template <class T> struct rows_of {
    sparse<T> a;
    dense<T> b, c;
    scalar<T> alpha, beta;
    __device__ void operator()(long long k) const
    {
        const long long i = k % a.n, j = k / a.n;
        T sum = 0;
        for (long long e = a.major[i]; e < a.major[i + 1]; e++) sum += a.values[e] * b(a.minor[e], j);
        T &to = c(i, j);
        const T old = beta.get(), v = alpha.get() * sum;
        to = old == 0 ? v : v + old * to;
    }
};
template <class T> struct entries_of {
    sparse<T> a;
    dense<T> b, c;
    scalar<T> alpha;
    __device__ void add(long long i, long long l, long long e, long long j) const
    {
        atomicAdd(&c(a.transposed ? l : i, j), alpha.get() * a.values[e] * b(a.transposed ? i : l, j));
    }
    __device__ void operator()(long long k) const
    {
        const long long i = k % a.n, j = k / a.n;
        if (!a.compressed) add(a.major[i], a.minor[i], i, j);
        else
            for (long long e = a.major[i]; e < a.major[i + 1]; e++) add(i, a.minor[e], e, j);
    }
};
// c = alpha a b + beta c, c of m rows and n columns.
template <class T>
static cusparseStatus_t multiply(cusparseHandle_t h, sparse<T> a, dense<T> b, dense<T> c, long long m, long long n, scalar<T> alpha,
                                 scalar<T> beta)
{
    if (a.compressed && !a.transposed) return each(h, a.n * n, rows_of<T>{ a, b, c, alpha, beta });
    cusparseStatus_t e = each(h, m * n, scales<T>{ c, m, beta });
    return e ? e : each(h, a.n * n, entries_of<T>{ a, b, c, alpha });
}

template <class T> struct axpbys {
    indices at;
    const T *x;
    T *y;
    scalar<T> alpha;
    __device__ void operator()(long long k) const { y[at[k]] += alpha.get() * x[k]; }
};
template <class T> struct gathers {
    indices at;
    T *x, *y;
    bool back;
    __device__ void operator()(long long k) const
    {
        if (back) y[at[k]] = x[k];
        else x[k] = y[at[k]];
    }
};
template <class T> struct rotations {
    indices at;
    T *x, *y;
    scalar<T> c, s;
    __device__ void operator()(long long k) const
    {
        const T u = x[k], v = y[at[k]];
        x[k] = c.get() * u + s.get() * v;
        y[at[k]] = c.get() * v - s.get() * u;
    }
};
template <class T> struct dots {
    indices at;
    const T *x, *y;
    T *result;
    long long nnz;
    __device__ void operator()(long long) const
    {
        T sum = 0;
        for (long long k = 0; k < nnz; k++) sum += x[k] * y[at[k]];
        *result = sum;
    }
};
template <class T> struct fills {
    sparse<T> a;
    dense<T> b;
    __device__ void put(long long i, long long l, long long e) const { b(a.transposed ? l : i, a.transposed ? i : l) = a.values[e]; }
    __device__ void operator()(long long i) const
    {
        if (!a.compressed) put(a.major[i], a.minor[i], i);
        else
            for (long long e = a.major[i]; e < a.major[i + 1]; e++) put(i, a.minor[e], e);
    }
};
// What is not 0 of row (or column) i: how many, into offsets; or the entries.
template <class T> struct packs {
    dense<T> b;
    long long width;
    indices major, minor;
    T *values;
    bool count, compressed;
    __device__ void operator()(long long i) const
    {
        long long n = count || !compressed ? 0 : major[i];
        if (!count && !compressed)
            for (long long before = 0; before < i; before++)
                for (long long j = 0; j < width; j++) n += b(before, j) != 0;
        for (long long j = 0; j < width; j++)
            if (b(i, j) != 0) {
                if (!count) minor.set(n, j), values[n] = b(i, j);
                if (!count && !compressed) major.set(n, i);
                n++;
            }
        if (count) major.set(i + 1, n);
    }
};
// Offsets of counts; *total: what they come to.
struct sums {
    indices major;
    long long n;
    __device__ void operator()(long long) const
    {
        major.set(0, 0);
        for (long long i = 0; i < n; i++) major.set(i + 1, major[i] + major[i + 1]);
    }
};
template <class T> struct counts {
    dense<T> b;
    long long m, n;
    long long *total;
    __device__ void operator()(long long k) const
    {
        if (b(k % m, k / m) != 0) atomicAdd((unsigned long long *)total, 1ull);
    }
};
// One thread, row after row: a y = alpha x, of the triangle alone.
template <class T> struct solves {
    sparse<T> a;
    const T *x;
    T *y;
    scalar<T> alpha;
    bool upper, unit;
    __device__ void operator()(long long) const
    {
        for (long long k = 0; k < a.n; k++) y[k] = alpha.get() * x[k];
        for (long long k = 0; k < a.n; k++) {
            const long long i = upper != a.transposed ? a.n - 1 - k : k;
            T by = 1;
            for (long long e = a.major[i]; e < a.major[i + 1]; e++) {
                const long long j = a.minor[e];
                if (j == i && !unit) by = a.values[e];
                if (!a.transposed && (upper ? j > i : j < i)) y[i] -= a.values[e] * y[j];
            }
            y[i] /= by;
            for (long long e = a.major[i]; a.transposed && e < a.major[i + 1]; e++) {
                const long long j = a.minor[e];
                if (upper ? j > i : j < i) y[j] -= a.values[e] * y[i];
            }
        }
    }
};
struct offsets_of_rows {
    const int *rows;
    int *offsets, nnz, base;
    __device__ void operator()(long long i) const
    {
        int n = 0;                  // rows are sorted: how many are before row i
        for (int low = 0, high = nnz; low < high;) {
            const int mid = (low + high) / 2;
            if (rows[mid] - base < i) low = mid + 1;
            else high = mid;
            n = low;
        }
        offsets[i] = n + base;
    }
};
struct rows_of_offsets {
    const int *offsets;
    int *rows, base;
    __device__ void operator()(long long i) const
    {
        for (int e = offsets[i] - base; e < offsets[i + 1] - base; e++) rows[e] = (int)i + base;
    }
};

// ---- what the host says ----

template <class T> static scalar<T> number(cusparseHandle_t h, const void *p)
{
    if (h->pointers == CUSPARSE_POINTER_MODE_DEVICE) return { 0, (const T *)p };
    return { *(const T *)p, nullptr };
}
template <class T> static sparse<T> operand(cusparseConstSpMatDescr_t a, bool transposed)
{
    const bool compressed = a->format != CUSPARSE_FORMAT_COO, columns = a->format == CUSPARSE_FORMAT_CSC;
    return { !compressed ? a->nnz : columns ? a->cols : a->rows, compressed, columns != transposed, a->major, a->minor,
             (const T *)a->values };
}
template <class T> static dense<T> operand(cusparseConstDnMatDescr_t b, bool transposed = false)
{
    const bool by_rows = (b->order == CUSPARSE_ORDER_ROW) != transposed;
    return { (T *)b->values, by_rows ? b->ld : 1, by_rows ? 1 : b->ld };
}
template <class T> static dense<T> operand(cusparseConstDnVecDescr_t v) { return { (T *)v->values, 1, 0 }; }
static bool is_transposed(cusparseOperation_t op) { return op != CUSPARSE_OPERATION_NON_TRANSPOSE; }
// f32 and f64 are there; all of a call's numbers have one type.
#define BY_TYPE(of, others, CALL) \
    do { \
        if (!h) return CUSPARSE_STATUS_NOT_INITIALIZED; \
        if ((of) != (others)) return CUSPARSE_STATUS_NOT_SUPPORTED; \
        if ((of) == CUDA_R_32F) { typedef float T; CALL; } \
        if ((of) == CUDA_R_64F) { typedef double T; CALL; } \
        return CUSPARSE_STATUS_NOT_SUPPORTED; \
    } while (0)

template <class D, class V> static cusparseStatus_t make(D **to, const V &v)
{
    *to = new (std::nothrow) D(v);
    return *to ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
template <class D> static cusparseStatus_t unmake(const D *d) { return delete d, CUSPARSE_STATUS_SUCCESS; }
static cusparseStatus_t make_matrix(cusparseSpMatDescr_t *a, cusparseFormat_t format, int64_t rows, int64_t cols, int64_t nnz,
                                    void *major, void *minor, void *values, cusparseIndexType_t major_type,
                                    cusparseIndexType_t type, cusparseIndexBase_t base, cudaDataType of)
{
    if (rows < 0 || cols < 0 || nnz < 0) return CUSPARSE_STATUS_INVALID_VALUE;
    if (type == CUSPARSE_INDEX_16U || major_type == CUSPARSE_INDEX_16U) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return make(a, cusparseSpMatDescr{ format, rows, cols, nnz, { major, major_type == CUSPARSE_INDEX_64I, base },
                                       { minor, type == CUSPARSE_INDEX_64I, base }, values, of });
}
static cusparseStatus_t no_buffer(size_t *bytes) { return *bytes = 4, CUSPARSE_STATUS_SUCCESS; }
#define OF(x, what) ((x) ? ((what), CUSPARSE_STATUS_SUCCESS) : CUSPARSE_STATUS_NOT_INITIALIZED)

static const char *const names[] = {
    "CUSPARSE_STATUS_SUCCESS", "CUSPARSE_STATUS_NOT_INITIALIZED", "CUSPARSE_STATUS_ALLOC_FAILED", "CUSPARSE_STATUS_INVALID_VALUE",
    "CUSPARSE_STATUS_ARCH_MISMATCH", "CUSPARSE_STATUS_MAPPING_ERROR", "CUSPARSE_STATUS_EXECUTION_FAILED",
    "CUSPARSE_STATUS_INTERNAL_ERROR", "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "CUSPARSE_STATUS_ZERO_PIVOT",
    "CUSPARSE_STATUS_NOT_SUPPORTED", "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"
};

typedef cusparseStatus_t S;
typedef cusparseHandle_t H;
typedef cusparseOperation_t O;
typedef cusparseConstSpMatDescr_t A;
typedef cusparseConstDnVecDescr_t X;
typedef cusparseDnVecDescr_t Y;
typedef cusparseConstDnMatDescr_t B;
typedef cusparseDnMatDescr_t C;
#pragma GCC visibility push(default)
extern "C" {
S cusparseCreate(H *h) { return make(h, cusparseContext()); }
S cusparseDestroy(H h) { return unmake(h); }
S cusparseGetVersion(H, int *version) { return *version = CUSPARSE_VERSION, CUSPARSE_STATUS_SUCCESS; }
S cusparseSetStream(H h, cudaStream_t s) { return OF(h, h->stream = s); }
S cusparseGetStream(H h, cudaStream_t *s) { return OF(h, *s = h->stream); }
S cusparseSetPointerMode(H h, cusparsePointerMode_t m) { return OF(h, h->pointers = m); }
S cusparseGetPointerMode(H h, cusparsePointerMode_t *m) { return OF(h, *m = h->pointers); }
const char *cusparseGetErrorName(S e) { return (unsigned)e < sizeof names / sizeof *names ? names[e] : "unrecognized"; }
const char *cusparseGetErrorString(S e) { return cusparseGetErrorName(e); }

S cusparseCreateMatDescr(cusparseMatDescr_t *d) { return make(d, cusparseMatDescr()); }
S cusparseDestroyMatDescr(cusparseMatDescr_t d) { return unmake(d); }
S cusparseSetMatType(cusparseMatDescr_t d, cusparseMatrixType_t v) { return OF(d, d->type = v); }
S cusparseSetMatIndexBase(cusparseMatDescr_t d, cusparseIndexBase_t v) { return OF(d, d->base = v); }
S cusparseSetMatFillMode(cusparseMatDescr_t d, cusparseFillMode_t v) { return OF(d, d->fill = v); }
S cusparseSetMatDiagType(cusparseMatDescr_t d, cusparseDiagType_t v) { return OF(d, d->diag = v); }
S cusparseXcoo2csr(H h, const int *rows, int nnz, int m, int *offsets, cusparseIndexBase_t base)
{
    return h ? each(h, m + 1, offsets_of_rows{ rows, offsets, nnz, base }) : CUSPARSE_STATUS_NOT_INITIALIZED;
}
S cusparseXcsr2coo(H h, const int *offsets, int, int m, int *rows, cusparseIndexBase_t base)
{
    return h ? each(h, m, rows_of_offsets{ offsets, rows, base }) : CUSPARSE_STATUS_NOT_INITIALIZED;
}

S cusparseCreateSpVec(cusparseSpVecDescr_t *v, int64_t size, int64_t nnz, void *at, void *values, cusparseIndexType_t type,
                      cusparseIndexBase_t base, cudaDataType of)
{
    if (type == CUSPARSE_INDEX_16U) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return make(v, cusparseSpVecDescr{ size, nnz, { at, type == CUSPARSE_INDEX_64I, base }, values, of });
}
S cusparseDestroySpVec(cusparseConstSpVecDescr_t v) { return unmake(v); }
S cusparseCreateDnVec(Y *v, int64_t size, void *values, cudaDataType of) { return make(v, cusparseDnVecDescr{ size, values, of }); }
S cusparseDestroyDnVec(X v) { return unmake(v); }
S cusparseDnVecGetValues(Y v, void **values) { return OF(v, *values = v->values); }
S cusparseDnVecSetValues(Y v, void *values) { return OF(v, v->values = values); }
S cusparseCreateCsr(cusparseSpMatDescr_t *a, int64_t m, int64_t n, int64_t nnz, void *offsets, void *at, void *values,
                    cusparseIndexType_t offset_type, cusparseIndexType_t type, cusparseIndexBase_t base, cudaDataType of)
{
    return make_matrix(a, CUSPARSE_FORMAT_CSR, m, n, nnz, offsets, at, values, offset_type, type, base, of);
}
S cusparseCreateCsc(cusparseSpMatDescr_t *a, int64_t m, int64_t n, int64_t nnz, void *offsets, void *at, void *values,
                    cusparseIndexType_t offset_type, cusparseIndexType_t type, cusparseIndexBase_t base, cudaDataType of)
{
    return make_matrix(a, CUSPARSE_FORMAT_CSC, m, n, nnz, offsets, at, values, offset_type, type, base, of);
}
S cusparseCreateCoo(cusparseSpMatDescr_t *a, int64_t m, int64_t n, int64_t nnz, void *row, void *col, void *values,
                    cusparseIndexType_t type, cusparseIndexBase_t base, cudaDataType of)
{
    return make_matrix(a, CUSPARSE_FORMAT_COO, m, n, nnz, row, col, values, type, type, base, of);
}
S cusparseDestroySpMat(A a) { return unmake(a); }
S cusparseCsrSetPointers(cusparseSpMatDescr_t a, void *major, void *minor, void *values)
{
    return OF(a, (a->major.p = major, a->minor.p = minor, a->values = values));
}
S cusparseCscSetPointers(cusparseSpMatDescr_t a, void *major, void *minor, void *values)
{
    return cusparseCsrSetPointers(a, major, minor, values);
}
S cusparseCooSetPointers(cusparseSpMatDescr_t a, void *row, void *col, void *values)
{
    return cusparseCsrSetPointers(a, row, col, values);
}
S cusparseSpMatGetSize(A a, int64_t *m, int64_t *n, int64_t *nnz) { return OF(a, (*m = a->rows, *n = a->cols, *nnz = a->nnz)); }
S cusparseSpMatSetValues(cusparseSpMatDescr_t a, void *values) { return OF(a, a->values = values); }
S cusparseSpMatSetAttribute(cusparseSpMatDescr_t a, cusparseSpMatAttribute_t which, const void *value, size_t)
{
    if (which == CUSPARSE_SPMAT_FILL_MODE) return OF(a, a->fill = *(const cusparseFillMode_t *)value);
    return OF(a, a->diag = *(const cusparseDiagType_t *)value);
}
S cusparseCreateDnMat(C *b, int64_t m, int64_t n, int64_t ld, void *values, cudaDataType of, cusparseOrder_t order)
{
    if (ld < (order == CUSPARSE_ORDER_ROW ? n : m)) return CUSPARSE_STATUS_INVALID_VALUE;
    return make(b, cusparseDnMatDescr{ m, n, ld, values, of, order });
}
S cusparseDestroyDnMat(B b) { return unmake(b); }
S cusparseDnMatSetValues(C b, void *values) { return OF(b, b->values = values); }

S cusparseAxpby(H h, const void *alpha, cusparseConstSpVecDescr_t x, const void *beta, Y y)
{
    BY_TYPE(x->of, y->of, {
        S e = each(h, y->size, scales<T>{ operand<T>((X)y), y->size, number<T>(h, beta) });
        return e ? e : each(h, x->nnz, axpbys<T>{ x->at, (T *)x->values, (T *)y->values, number<T>(h, alpha) });
    });
}
S cusparseGather(H h, X y, cusparseSpVecDescr_t x)
{
    BY_TYPE(x->of, y->of, return each(h, x->nnz, gathers<T>{ x->at, (T *)x->values, (T *)y->values, false }));
}
S cusparseScatter(H h, cusparseConstSpVecDescr_t x, Y y)
{
    BY_TYPE(x->of, y->of, return each(h, x->nnz, gathers<T>{ x->at, (T *)x->values, (T *)y->values, true }));
}
S cusparseRot(H h, const void *c, const void *s, cusparseSpVecDescr_t x, Y y)
{
    BY_TYPE(x->of, y->of, return each(h, x->nnz, rotations<T>{ x->at, (T *)x->values, (T *)y->values, number<T>(h, c),
                                                               number<T>(h, s) }));
}
S cusparseSpVV_bufferSize(H, O, cusparseConstSpVecDescr_t, X, const void *, cudaDataType, size_t *n) { return no_buffer(n); }
S cusparseSpVV(H h, O, cusparseConstSpVecDescr_t x, X y, void *result, cudaDataType compute, void *)
{
    if (x->of != compute) return CUSPARSE_STATUS_NOT_SUPPORTED;
    BY_TYPE(x->of, y->of, {
        const bool host = h->pointers == CUSPARSE_POINTER_MODE_HOST;
        T *at = (T *)result;
        if (host && cudaMalloc((void **)&at, sizeof(T))) return CUSPARSE_STATUS_ALLOC_FAILED;
        S e = each(h, 1, dots<T>{ x->at, (T *)x->values, (T *)y->values, at, x->nnz });
        if (host && cudaMemcpy(result, at, sizeof(T), cudaMemcpyDeviceToHost)) e = CUSPARSE_STATUS_EXECUTION_FAILED;
        if (host) cudaFree(at);
        return e;
    });
}
S cusparseSpMV_bufferSize(H, O, const void *, A, X, const void *, Y, cudaDataType, cusparseSpMVAlg_t, size_t *n)
{
    return no_buffer(n);
}
S cusparseSpMV_preprocess(H h, O, const void *, A, X, const void *, Y, cudaDataType, cusparseSpMVAlg_t, void *) { return OF(h, 0); }
S cusparseSpMV(H h, O op, const void *alpha, A a, X x, const void *beta, Y y, cudaDataType compute, cusparseSpMVAlg_t, void *)
{
    const bool t = is_transposed(op);
    if (a->of != compute || a->of != x->of) return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (x->size != (t ? a->rows : a->cols) || y->size != (t ? a->cols : a->rows)) return CUSPARSE_STATUS_INVALID_VALUE;
    BY_TYPE(a->of, y->of, return multiply(h, operand<T>(a, t), operand<T>(x), operand<T>((X)y), y->size, 1, number<T>(h, alpha),
                                          number<T>(h, beta)));
}
S cusparseSpMM_bufferSize(H, O, O, const void *, A, B, const void *, C, cudaDataType, cusparseSpMMAlg_t, size_t *n)
{
    return no_buffer(n);
}
S cusparseSpMM_preprocess(H h, O, O, const void *, A, B, const void *, C, cudaDataType, cusparseSpMMAlg_t, void *)
{
    return OF(h, 0);
}
S cusparseSpMM(H h, O op, O op_b, const void *alpha, A a, B b, const void *beta, C c, cudaDataType compute, cusparseSpMMAlg_t, void *)
{
    const bool t = is_transposed(op), tb = is_transposed(op_b);
    if (a->of != compute || a->of != b->of) return CUSPARSE_STATUS_NOT_SUPPORTED;
    if ((tb ? b->cols : b->rows) != (t ? a->rows : a->cols) || c->rows != (t ? a->cols : a->rows) ||
        c->cols != (tb ? b->rows : b->cols))
        return CUSPARSE_STATUS_INVALID_VALUE;
    BY_TYPE(a->of, c->of, return multiply(h, operand<T>(a, t), operand<T>(b, tb), operand<T>((B)c), c->rows, c->cols,
                                          number<T>(h, alpha), number<T>(h, beta)));
}
S cusparseSparseToDense_bufferSize(H, A, C, cusparseSparseToDenseAlg_t, size_t *n) { return no_buffer(n); }
S cusparseSparseToDense(H h, A a, C b, cusparseSparseToDenseAlg_t, void *)
{
    BY_TYPE(a->of, b->of, {
        S e = each(h, b->rows * b->cols, scales<T>{ operand<T>((B)b), b->rows, { 0, nullptr } });
        const sparse<T> from = operand<T>(a, false);
        return e ? e : each(h, from.n, fills<T>{ from, operand<T>((B)b) });
    });
}
S cusparseDenseToSparse_bufferSize(H, B, cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t, size_t *n) { return no_buffer(n); }
// Counts what is not 0; of what is compressed, the offsets.
S cusparseDenseToSparse_analysis(H h, B b, cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t, void *)
{
    BY_TYPE(a->of, b->of, {
        const bool columns = a->format == CUSPARSE_FORMAT_CSC;
        const long long n = columns ? b->cols : b->rows;
        const dense<T> from = operand<T>(b, columns);
        long long *total;
        if (cudaMalloc((void **)&total, sizeof *total)) return CUSPARSE_STATUS_ALLOC_FAILED;
        cudaMemset(total, 0, sizeof *total);
        S e = each(h, b->rows * b->cols, counts<T>{ operand<T>(b), b->rows, b->cols, total });
        if (!e && a->format != CUSPARSE_FORMAT_COO)
            e = each(h, n, packs<T>{ from, b->rows + b->cols - n, a->major, a->minor, nullptr, true, true });
        if (!e && a->format != CUSPARSE_FORMAT_COO) e = each(h, 1, sums{ a->major, n });
        if (cudaMemcpy(&a->nnz, total, sizeof *total, cudaMemcpyDeviceToHost)) e = CUSPARSE_STATUS_EXECUTION_FAILED;
        cudaFree(total);
        return e;
    });
}
S cusparseDenseToSparse_convert(H h, B b, cusparseSpMatDescr_t a, cusparseDenseToSparseAlg_t, void *)
{
    BY_TYPE(a->of, b->of, {
        const bool columns = a->format == CUSPARSE_FORMAT_CSC;
        const long long n = columns ? b->cols : b->rows;
        return each(h, n, packs<T>{ operand<T>(b, columns), b->rows + b->cols - n, a->major, a->minor, (T *)a->values, false,
                                    a->format != CUSPARSE_FORMAT_COO });
    });
}
S cusparseSpSV_createDescr(cusparseSpSVDescr_t *d) { return make(d, cusparseSpSVDescr()); }
S cusparseSpSV_destroyDescr(cusparseSpSVDescr_t d) { return unmake(d); }
S cusparseSpSV_bufferSize(H, O, const void *, A, X, Y, cudaDataType, cusparseSpSVAlg_t, cusparseSpSVDescr_t, size_t *n)
{
    return no_buffer(n);
}
S cusparseSpSV_analysis(H h, O, const void *, A, X, Y, cudaDataType, cusparseSpSVAlg_t, cusparseSpSVDescr_t, void *)
{
    return OF(h, 0);
}
S cusparseSpSV_solve(H h, O op, const void *alpha, A a, X x, Y y, cudaDataType compute, cusparseSpSVAlg_t, cusparseSpSVDescr_t)
{
    if (a->format == CUSPARSE_FORMAT_COO || a->of != compute || a->of != x->of) return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (a->rows != a->cols || x->size != a->rows || y->size != a->rows) return CUSPARSE_STATUS_INVALID_VALUE;
    const bool upper = (a->fill == CUSPARSE_FILL_MODE_UPPER) != (a->format == CUSPARSE_FORMAT_CSC);
    BY_TYPE(a->of, y->of, return each(h, 1, solves<T>{ operand<T>(a, is_transposed(op)), (T *)x->values, (T *)y->values,
                                                       number<T>(h, alpha), upper, a->diag == CUSPARSE_DIAG_TYPE_UNIT }));
}
}
