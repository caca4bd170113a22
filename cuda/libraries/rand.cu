// libcurand.so: cuRAND's host side, whose kernels run as a program's own do.  SPDX-License-Identifier: Apache-2.0
//
// Element i of all that a generator gives comes from counter i of Philox4x32-10, so it does not matter how many are asked for
// at a time.
#include <new>
#include <curand.h>
#include <cuda_runtime.h>

struct curandGenerator_st {
    unsigned long long seed, at;    // of the next element
    cudaStream_t stream;
    bool host;                      // numbers go to the host's memory
};

struct words { unsigned w[4]; };

static __host__ __device__ words philox(unsigned long long seed, unsigned long long n)
{
    words x = { { (unsigned)n, (unsigned)(n >> 32), 0, 0 } };
    unsigned key0 = (unsigned)seed, key1 = (unsigned)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        const unsigned long long a = 0xd2511f53ull * x.w[0], b = 0xcd9e8d57ull * x.w[2];
        x = { { (unsigned)(b >> 32) ^ x.w[1] ^ key0, (unsigned)b, (unsigned)(a >> 32) ^ x.w[3] ^ key1, (unsigned)a } };
        key0 += 0x9e3779b9u, key1 += 0xbb67ae85u;
    }
    return x;
}

// (0, 1], as cuRAND has it.
static __host__ __device__ float uniform(unsigned x) { return x * 2.3283064e-10f + 1.16415322e-10f; }
static __host__ __device__ double uniform2(unsigned high, unsigned low)
{
    return (double)(((unsigned long long)high << 32 | low) >> 11) * 1.1102230246251565e-16 + 5.551115123125783e-17;
}

struct bits { typedef unsigned T; __host__ __device__ T operator()(words x) const { return x.w[0]; } };
struct long_bits {
    typedef unsigned long long T;
    __host__ __device__ T operator()(words x) const { return (T)x.w[1] << 32 | x.w[0]; }
};
struct uniform_f { typedef float T; __host__ __device__ T operator()(words x) const { return uniform(x.w[0]); } };
struct uniform_d { typedef double T; __host__ __device__ T operator()(words x) const { return uniform2(x.w[0], x.w[1]); } };
struct normal_f {
    typedef float T;
    T mean, deviation;
    bool log;
    __host__ __device__ T operator()(words x) const
    {
        T v = mean + deviation * (sqrtf(-2 * logf(uniform(x.w[0]))) * sinf(6.2831853f * uniform(x.w[1])));
        return log ? expf(v) : v;
    }
};
struct normal_d {
    typedef double T;
    T mean, deviation;
    bool log;
    __host__ __device__ T operator()(words x) const
    {
        T v = mean + deviation * (sqrt(-2 * ::log(uniform2(x.w[0], x.w[1]))) * sin(6.283185307179586 * uniform2(x.w[2], x.w[3])));
        return log ? exp(v) : v;
    }
};

template <class F> __global__ void curand_fill(typename F::T *out, size_t n, unsigned long long seed, unsigned long long at, F f)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) out[i] = f(philox(seed, at + i));
}

template <class F> static curandStatus_t fill(curandGenerator_t g, typename F::T *out, size_t n, F f)
{
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    const unsigned long long at = g->at;
    g->at += n;
    if (!n) return CURAND_STATUS_SUCCESS;
    if (g->host) {
        for (size_t i = 0; i < n; i++) out[i] = f(philox(g->seed, at + i));
        return CURAND_STATUS_SUCCESS;
    }
    const size_t blocks = (n + 255) / 256;
    curand_fill<<<(unsigned)(blocks < 1024 ? blocks : 1024), 256, 0, g->stream>>>(out, n, g->seed, at, f);
    return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

static curandStatus_t create(curandGenerator_t *g, curandRngType_t type, bool host)
{
    if (type < CURAND_RNG_PSEUDO_DEFAULT || type >= CURAND_RNG_QUASI_DEFAULT) return CURAND_STATUS_TYPE_ERROR;
    *g = new (std::nothrow) curandGenerator_st();
    if (!*g) return CURAND_STATUS_ALLOCATION_FAILED;
    (*g)->host = host;
    return CURAND_STATUS_SUCCESS;
}

// Normal distributions come in pairs: cuRAND refuses an odd number of them.
template <class F> static curandStatus_t fill_pairs(curandGenerator_t g, typename F::T *out, size_t n, F f)
{
    return g && n % 2 ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : fill(g, out, n, f);
}

#define OF(g, what) ((g) ? ((what), CURAND_STATUS_SUCCESS) : CURAND_STATUS_NOT_INITIALIZED)
#pragma GCC visibility push(default)
extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t type) { return create(g, type, false); }
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t type) { return create(g, type, true); }
curandStatus_t curandDestroyGenerator(curandGenerator_t g) { return OF(g, delete g); }
curandStatus_t curandGetVersion(int *version) { return *version = CURAND_VERSION, CURAND_STATUS_SUCCESS; }
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) { return OF(g, g->stream = stream); }
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    return OF(g, (g->seed = seed, g->at = 0));
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) { return OF(g, g->at = offset); }
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t) { return OF(g, 0); }
curandStatus_t curandGenerateSeeds(curandGenerator_t g) { return OF(g, 0); }
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n) { return fill(g, out, n, bits()); }
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *out, size_t n)
{
    return fill(g, out, n, long_bits());
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n) { return fill(g, out, n, uniform_f()); }
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n) { return fill(g, out, n, uniform_d()); }
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean, float deviation)
{
    return fill_pairs(g, out, n, normal_f{ mean, deviation, false });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double deviation)
{
    return fill_pairs(g, out, n, normal_d{ mean, deviation, false });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean, float deviation)
{
    return fill_pairs(g, out, n, normal_f{ mean, deviation, true });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double deviation)
{
    return fill_pairs(g, out, n, normal_d{ mean, deviation, true });
}
}
