// libcufft.so: cuFFT, whose kernels run as a program's own do.  SPDX-License-Identifier: Apache-2.0
//
// A transform takes its input, whatever its layout, into a packed array of complex numbers, transforms that along one
// dimension after the other, and writes what the caller wants of it.  Along a dimension of n it makes a pass for each prime
// factor of n (Stockham's order, which needs no permutation), by roots of unity that the host has computed in double.
#include <cmath>
#include <cstdio>
#include <new>
#include <vector>
#include <cuda_runtime.h>
#include <cufftXt.h>

enum kind { COMPLEX, REAL, HALF };      // HALF: the last dimension up to n / 2, the rest is its mirror
// Dimensions from the slowest; where the element of a batch lies.
struct layout {
    int embed[3];
    long long stride, distance;
    kind is;
};
struct plan {
    int n[3], batch;
    cufftType type;
    bool made, advanced[2];
    layout side[2];                     // in, out
    void *roots[3], *work[2];
    std::vector<int> factors[3];
    cudaStream_t stream;
};
struct sizes { int n[3]; };
template <class R> struct pair { R x, y; };

static __device__ long long place(const layout &l, long long b, int x, int y, int z)
{
    return b * l.distance + (((long long)x * l.embed[1] + y) * l.embed[2] + z) * l.stride;
}

template <class R> __global__ void cufft_take(unsigned count, sizes s, layout l, const R *in, pair<R> *out)
{
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    int z = id % s.n[2], y = id / s.n[2] % s.n[1], x = id / s.n[2] / s.n[1] % s.n[0];
    const unsigned b = id / s.n[2] / s.n[1] / s.n[0];
    if (l.is == REAL) {
        out[id] = { in[place(l, b, x, y, z)], 0 };
        return;
    }
    const bool mirrored = l.is == HALF && z > s.n[2] / 2;
    if (mirrored) x = x ? s.n[0] - x : 0, y = y ? s.n[1] - y : 0, z = s.n[2] - z;
    pair<R> v = ((const pair<R> *)in)[place(l, b, x, y, z)];
    if (mirrored) v.y = -v.y;
    out[id] = v;
}

template <class R> __global__ void cufft_give(unsigned count, sizes s, layout l, const pair<R> *in, R *out)
{
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    const int z = id % s.n[2], y = id / s.n[2] % s.n[1], x = id / s.n[2] / s.n[1] % s.n[0];
    const long long to = place(l, id / s.n[2] / s.n[1] / s.n[0], x, y, z);
    if (l.is == REAL) out[to] = in[id].x;
    else if (l.is == COMPLEX || z <= s.n[2] / 2) ((pair<R> *)out)[to] = in[id];
}

// One pass along a dimension of n, whose elements are `inner' apart: of sub-transforms of `length', a factor r is done, `done'
// (n / length) of them lie side by side.  A thread has one number.
template <class R>
__global__ void cufft_pass(unsigned count, int n, unsigned inner, int r, int length, int done, const pair<R> *roots, R sign,
                           const pair<R> *in, pair<R> *out)
{
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    const unsigned at = id / inner % n, base = id - at * inner;
    const int q = at % done, k = at / done % r, p = at / done / r, m = length / r, apart = n / r;
    pair<R> sum = { 0, 0 };
    for (int j = 0, t = 0; j < r; j++) {
        const pair<R> v = in[base + (unsigned)(q + done * (p + j * m)) * inner], w = roots[t * apart];
        const R i = sign * w.y;
        sum.x += v.x * w.x - v.y * i;
        sum.y += v.x * i + v.y * w.x;
        t += k;
        if (t >= r) t -= r;
    }
    const pair<R> w = roots[p * k * done];
    const R i = sign * w.y;
    out[id] = { sum.x * w.x - sum.y * i, sum.x * i + sum.y * w.x };
}

static std::vector<plan *> plans;
static plan *find(cufftHandle h) { return h > 0 && (size_t)h <= plans.size() ? plans[h - 1] : nullptr; }
static bool is_double(cufftType t) { return t == CUFFT_D2Z || t == CUFFT_Z2D || t == CUFFT_Z2Z; }
static size_t elements(const plan *p) { return (size_t)p->n[0] * p->n[1] * p->n[2] * p->batch; }
static size_t work_size(const plan *p) { return 2 * elements(p) * (is_double(p->type) ? 16 : 8); }

template <class R> static bool upload(void **to, int n)
{
    std::vector<pair<R>> w(n);
    for (int k = 0; k < n; k++) {
        const double angle = -2 * M_PI * k / n;
        w[k] = { (R)std::cos(angle), (R)std::sin(angle) };
    }
    return cudaMalloc(to, n * sizeof w[0]) == cudaSuccess &&
           cudaMemcpy(*to, w.data(), n * sizeof w[0], cudaMemcpyHostToDevice) == cudaSuccess;
}

static cufftResult make(plan *p, int rank, const int *n, const int *inembed, int istride, int idist, const int *onembed,
                        int ostride, int odist, cufftType type, int batch, size_t *work)
{
    if (!p || p->made) return CUFFT_INVALID_PLAN;
    if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_VALUE;
    const bool real_in = type == CUFFT_R2C || type == CUFFT_D2Z, real_out = type == CUFFT_C2R || type == CUFFT_Z2D;
    if (!real_in && !real_out && type != CUFFT_C2C && type != CUFFT_Z2Z) return CUFFT_INVALID_TYPE;
    p->type = type, p->batch = batch;
    double all = batch;
    for (int k = 0; k < 3; k++) {
        p->n[k] = k < 3 - rank ? 1 : n[k - (3 - rank)];
        if (p->n[k] < 1) return CUFFT_INVALID_SIZE;
        all *= p->n[k];
    }
    if (all > 0x7fffffff) return CUFFT_INVALID_SIZE;
    for (int side = 0; side < 2; side++) {
        layout &l = p->side[side];
        const int *embed = side ? onembed : inembed;
        l.is = (side ? real_out : real_in) ? REAL : real_in || real_out ? HALF : COMPLEX;
        p->advanced[side] = embed;
        for (int k = 0; k < 3; k++) l.embed[k] = embed && k >= 3 - rank ? embed[k - (3 - rank)] : p->n[k];
        if (!embed && l.is == HALF) l.embed[2] = p->n[2] / 2 + 1;
        l.stride = embed ? side ? ostride : istride : 1;
        l.distance = embed ? side ? odist : idist : (long long)l.embed[0] * l.embed[1] * l.embed[2];
    }
    for (int k = 0; k < 3; k++) {
        int rest = p->n[k];
        for (int f = 2; rest > 1; f = f * f > rest ? rest : f + 1)
            for (; rest % f == 0; rest /= f) p->factors[k].push_back(f);
        if (!(is_double(type) ? upload<double>(&p->roots[k], p->n[k]) : upload<float>(&p->roots[k], p->n[k])))
            return CUFFT_ALLOC_FAILED;
    }
    for (int k = 0; k < 2; k++)
        if (cudaMalloc(&p->work[k], work_size(p) / 2) != cudaSuccess) return CUFFT_ALLOC_FAILED;
    p->made = true;
    if (work) *work = work_size(p);
    return CUFFT_SUCCESS;
}

template <class R> static cufftResult run(cufftHandle h, cufftType type, void *in, void *out, int direction)
{
    plan *p = find(h);
    if (!p || !p->made) return CUFFT_INVALID_PLAN;
    if (p->type != type) return CUFFT_INVALID_TYPE;
    if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)) return CUFFT_INVALID_VALUE;
    layout side[2] = { p->side[0], p->side[1] };
    for (int k = 0; k < 2; k++)         // in place, rows of real numbers have room for the complex ones
        if (in == out && side[k].is == REAL && !p->advanced[k]) {
            side[k].embed[2] = 2 * (p->n[2] / 2 + 1);
            side[k].distance = (long long)side[k].embed[0] * side[k].embed[1] * side[k].embed[2];
        }
    const unsigned count = (unsigned)elements(p), threads = count < 256 ? count : 256, blocks = (count + threads - 1) / threads;
    const sizes s = { { p->n[0], p->n[1], p->n[2] } };
    pair<R> *now = (pair<R> *)p->work[0], *next = (pair<R> *)p->work[1];
    cufft_take<R><<<blocks, threads, 0, p->stream>>>(count, s, side[0], (const R *)in, now);
    unsigned inner = 1;
    for (int k = 2; k >= 0; k--) {
        int length = p->n[k], done = 1;
        for (int f : p->factors[k]) {
            cufft_pass<R><<<blocks, threads, 0, p->stream>>>(count, p->n[k], inner, f, length, done, (const pair<R> *)p->roots[k],
                                                            direction == CUFFT_FORWARD ? 1 : -1, now, next);
            pair<R> *other = now;
            now = next, next = other;
            length /= f, done *= f;
        }
        inner *= (unsigned)p->n[k];
    }
    cufft_give<R><<<blocks, threads, 0, p->stream>>>(count, s, side[1], now, (R *)out);
    return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

#pragma GCC visibility push(default)
extern "C" {
cufftResult cufftCreate(cufftHandle *h)
{
    plan *p = new (std::nothrow) plan();
    if (!p) return CUFFT_ALLOC_FAILED;
    plans.push_back(p);
    *h = (cufftHandle)plans.size();
    return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle h)
{
    plan *p = find(h);
    if (!p) return CUFFT_INVALID_PLAN;
    for (void *roots : p->roots) cudaFree(roots);
    for (void *work : p->work) cudaFree(work);
    delete p;
    plans[h - 1] = nullptr;
    return CUFFT_SUCCESS;
}
cufftResult cufftMakePlanMany(cufftHandle h, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                              int odist, cufftType type, int batch, size_t *work)
{
    return make(find(h), rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, work);
}
// Sizes are checked once more by make; here, that ints hold them.
cufftResult cufftMakePlanMany64(cufftHandle h, int rank, long long *n, long long *inembed, long long istride, long long idist,
                                long long *onembed, long long ostride, long long odist, cufftType type, long long batch, size_t *work)
{
    if (rank < 1 || rank > 3 || !n) return CUFFT_INVALID_VALUE;
    bool small = true;
    const auto fits = [&](long long v) { return small &= v == (int)v, (int)v; };
    int size[3], in[3] = {}, out[3] = {};
    for (int k = 0; k < rank; k++) {
        size[k] = fits(n[k]);
        if (inembed) in[k] = fits(inembed[k]);
        if (onembed) out[k] = fits(onembed[k]);
    }
    const int is = fits(istride), id = fits(idist), os = fits(ostride), od = fits(odist), count = fits(batch);
    if (!small) return CUFFT_INVALID_SIZE;
    return make(find(h), rank, size, inembed ? in : nullptr, is, id, onembed ? out : nullptr, os, od, type, count, work);
}
cufftResult cufftXtMakePlanMany(cufftHandle h, int rank, long long *n, long long *inembed, long long istride, long long idist,
                                cudaDataType in, long long *onembed, long long ostride, long long odist, cudaDataType out,
                                long long batch, size_t *work, cudaDataType execution)
{
    static const struct { cudaDataType in, out, execution; cufftType type; } known[] = {
        { CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C }, { CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C },
        { CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R }, { CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z },
        { CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z }, { CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D },
    };
    for (const auto &k : known)
        if (k.in == in && k.out == out && k.execution == execution)
            return cufftMakePlanMany64(h, rank, n, inembed, istride, idist, onembed, ostride, odist, k.type, batch, work);
    return CUFFT_NOT_SUPPORTED;         // halves
}
// Callbacks are functions of the program, which our kernels would have to be linked with.
static cufftResult no_callbacks(const char *call)
{
    static bool said;
    if (!said) fprintf(stderr, "heddle: %s: callbacks of cuFFT are not supported\n", call);
    said = true;
    return CUFFT_NOT_SUPPORTED;
}
cufftResult cufftXtSetCallback(cufftHandle, void **, cufftXtCallbackType, void **) { return no_callbacks(__func__); }
cufftResult cufftXtClearCallback(cufftHandle, cufftXtCallbackType) { return no_callbacks(__func__); }
cufftResult cufftXtSetCallbackSharedSize(cufftHandle, cufftXtCallbackType, size_t) { return no_callbacks(__func__); }
cufftResult cufftMakePlan1d(cufftHandle h, int n, cufftType type, int batch, size_t *work)
{
    return make(find(h), 1, &n, nullptr, 1, 0, nullptr, 1, 0, type, batch, work);
}
cufftResult cufftMakePlan2d(cufftHandle h, int n0, int n1, cufftType type, size_t *work)
{
    const int n[] = { n0, n1 };
    return make(find(h), 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftMakePlan3d(cufftHandle h, int n0, int n1, int n2, cufftType type, size_t *work)
{
    const int n[] = { n0, n1, n2 };
    return make(find(h), 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftPlanMany(cufftHandle *h, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                          int odist, cufftType type, int batch)
{
    cufftResult e = cufftCreate(h);
    return e ? e : cufftMakePlanMany(*h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
}
cufftResult cufftPlan1d(cufftHandle *h, int n, cufftType type, int batch)
{
    cufftResult e = cufftCreate(h);
    return e ? e : cufftMakePlan1d(*h, n, type, batch, nullptr);
}
cufftResult cufftPlan2d(cufftHandle *h, int n0, int n1, cufftType type)
{
    cufftResult e = cufftCreate(h);
    return e ? e : cufftMakePlan2d(*h, n0, n1, type, nullptr);
}
cufftResult cufftPlan3d(cufftHandle *h, int n0, int n1, int n2, cufftType type)
{
    cufftResult e = cufftCreate(h);
    return e ? e : cufftMakePlan3d(*h, n0, n1, n2, type, nullptr);
}
cufftResult cufftGetSize(cufftHandle h, size_t *work)
{
    plan *p = find(h);
    return p && p->made ? (*work = work_size(p), CUFFT_SUCCESS) : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetStream(cufftHandle h, cudaStream_t stream)
{
    plan *p = find(h);
    return p ? (p->stream = stream, CUFFT_SUCCESS) : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetAutoAllocation(cufftHandle h, int) { return find(h) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
cufftResult cufftSetWorkArea(cufftHandle h, void *) { return find(h) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
cufftResult cufftGetVersion(int *version) { return *version = CUFFT_VERSION, CUFFT_SUCCESS; }
cufftResult cufftExecC2C(cufftHandle h, cufftComplex *in, cufftComplex *out, int direction)
{
    return run<float>(h, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle h, cufftReal *in, cufftComplex *out)
{
    return run<float>(h, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle h, cufftComplex *in, cufftReal *out)
{
    return run<float>(h, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction)
{
    return run<double>(h, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return run<double>(h, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return run<double>(h, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
// Real numbers have a direction of their own.
cufftResult cufftXtExec(cufftHandle h, void *in, void *out, int direction)
{
    const plan *p = find(h);
    if (!p || !p->made) return CUFFT_INVALID_PLAN;
    if (p->type == CUFFT_R2C || p->type == CUFFT_D2Z) direction = CUFFT_FORWARD;
    if (p->type == CUFFT_C2R || p->type == CUFFT_Z2D) direction = CUFFT_INVERSE;
    return is_double(p->type) ? run<double>(h, p->type, in, out, direction) : run<float>(h, p->type, in, out, direction);
}
}
