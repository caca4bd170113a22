// Names of CUDA's that few programs use: atomics of every scope, the address of a constant, the gamma function in f64
// (how good it is, tests/unit/test_gamma.c says), a place of memory, a timer of its own.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scopes(unsigned *u)
{
    atomicInc_system(u, 4), atomicInc_block(u + 1, 4);
    atomicDec_system(u + 2, 9), atomicDec_block(u + 3, 9);
    atomicAdd_system(u + 4, 2u), atomicCAS_system(u + 5, 0u, 3u);
}

static constexpr int FUNCTIONS = 2;
__global__ void functions(double x, double *r) { r[0] = tgamma(x), r[1] = lgamma(x); }
static bool functions_of(double x)
{
    const double want[FUNCTIONS] = { tgamma(x), lgamma(x) };
    double *d, got[FUNCTIONS];
    bool ok = true;
    cudaMalloc(&d, sizeof got);
    functions<<<1, 1>>>(x, d);
    if (cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost)) return false;
    for (int k = 0; k < FUNCTIONS; k++)
        if (!(std::fabs(got[k] - want[k]) <= 1e-13 * std::fabs(want[k]))) {
            printf("function %d of %g: %.17g, the host's is %.17g\n", k, x, got[k], want[k]);
            ok = false;
        }
    return ok;
}

// What libm has not: as host and device compute it.
__host__ __device__ void special_of(double x, double *r)
{
    r[0] = normcdf(x), r[1] = normcdfinv(x / 40), r[2] = erfinv(x / 40), r[3] = erfcinv(x / 20), r[4] = erfcx(x);
    r[5] = norm3d(x, 2, 3) + rnorm4d(x, 1, 2, 3), r[6] = rhypot(x, 3);
    sincospi(x, &r[7], &r[8]);
}
__global__ void special(double x, double *r) { special_of(x, r); }
static bool special_functions(double x)
{
    double *d, got[9], want[9];
    bool ok = true;
    cudaMalloc(&d, sizeof got);
    special<<<1, 1>>>(x, d);
    if (cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost)) return false;
    special_of(x, want);
    for (int k = 0; k < 9; k++)
        if (!(std::fabs(got[k] - want[k]) <= 1e-12 * (std::fabs(want[k]) + (k > 6))) &&
            !(std::isnan(got[k]) && std::isnan(want[k]))) {
            printf("special %d of %g: %.17g, the host's is %.17g\n", k, x, got[k], want[k]);
            ok = false;
        }
    const float f = (float)x;               // and f32's are f64's, rounded
    return ok && normcdff(f) == normcdf(f) && normcdf(f) == (float)normcdf((double)f) && erfinvf(f / 40) == erfinv(f / 40) &&
           rhypotf(f, 3) == (float)rhypot(f, 3) && fdividef(f, 2) == f / 2;
}

__constant__ int constants[4];
__global__ void sum(int *r) { *r = constants[0] + constants[1] + constants[2] + constants[3]; }
static bool constants_by_address()
{
    int *c, *d, got = 0, twelve = 12;
    cudaMalloc(&d, sizeof *d);
    if (cudaGetSymbolAddress((void **)&c, constants)) return false;
    if (cudaMemcpy(c + 2, &twelve, sizeof twelve, cudaMemcpyHostToDevice)) return false;
    if (cudaMemset(c, 1, sizeof *c)) return false;
    sum<<<1, 1>>>(d);
    if (cudaMemcpy(&got, d, sizeof got, cudaMemcpyDeviceToHost)) return false;
    if (got != 0x0101010d) printf("constants: %x\n", got);
    return got == 0x0101010d;
}

// Arguments that C++ may leave out.
static bool left_out()
{
    cudaEvent_t e;
    cudaGraph_t g;
    cudaGraphExec_t x;
    int *p;
    cudaMemcpy3DParms box = {};
    if (cudaMallocManaged(&p, 64) || cudaStreamAttachMemAsync(0, p) || cudaMemset2DAsync(p, 32, 1, 4, 2)) return false;
    box.srcPtr = make_cudaPitchedPtr(p, 32, 32, 2), box.dstPtr = make_cudaPitchedPtr(p + 2, 32, 32, 2);
    box.extent = make_cudaExtent(4, 2, 1), box.kind = cudaMemcpyDefault;
    if (cudaMemcpy3DAsync(&box) || cudaEventCreate(&e) || cudaEventRecordWithFlags(e) || cudaDeviceSynchronize()) return false;
    if (cudaGraphCreate(&g, 0) || cudaGraphInstantiateWithFlags(&x, g)) return false;
    return p[0] == 0x01010101 && p[8] == p[0] && p[2] == p[0] && p[10] == p[0];
}

// Ours gives way to a program's.
__device__ unsigned long long __globaltimer() { return 77; }
__global__ void time_of(unsigned long long *t) { *t = __globaltimer(); }
static bool places()
{
    unsigned long long *t;
    cudaMemLocation device = { cudaMemLocationTypeDevice, 0 }, host = { cudaMemLocationTypeHost, 0 };
    if (cudaMallocManaged(&t, sizeof *t)) return false;
    if (cudaMemAdvise(t, sizeof *t, cudaMemAdviseSetPreferredLocation, device)) return false;
    if (cudaMemPrefetchAsync(t, sizeof *t, device, 0, 0)) return false;
    time_of<<<1, 1>>>(t);
    if (cudaMemPrefetchAsync(t, sizeof *t, host, 0) || cudaDeviceSynchronize()) return false;
    return *t == 77;
}

int main()
{
    static const unsigned want[6] = { 2, 2, 8, 8, 64, 3 };
    unsigned *d, got[6];
    cudaMalloc(&d, sizeof got);
    cudaMemset(d, 0, sizeof got);
    scopes<<<1, 32>>>(d);                  // 32 mod 5, and -32 mod 10
    if (cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost)) return puts("FAIL"), 1;
    bool ok = functions_of(2.75) & functions_of(11.5) & constants_by_address() & places() & left_out() &
              special_functions(2.75) & special_functions(-1.5) & special_functions(30) & special_functions(39.9);
    for (int k = 0; k < 6; k++)
        if (got[k] != want[k]) printf("%d: %u, should be %u\n", k, got[k], want[k]), ok = false;
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
