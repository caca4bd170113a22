// Copies that need not wait, barriers in memory, one lane of many, hints for caches: what PTX has from sm_80 and
// sm_90 on.  SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;
static void check(const char *what, bool ok)
{
    if (!ok) failures++, printf("FAIL %s\n", what);
}
static __device__ uint32_t at(const void *p) { return (uint32_t)(uint64_t)__cvta_generic_to_shared(p); }

// Each thread copies 16 bytes, some of them; the rest of its part is zero.
__global__ void copies(const unsigned char *from, unsigned char *to, const unsigned *left, unsigned n)
{
    __shared__ __attribute__((aligned(16))) unsigned char s[5][64][16];
    unsigned t = threadIdx.x;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 16; i++) s[k][t][i] = 0xee;
    uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(policy));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(at(s[0][t])), "l"(from + 16 * t) : "memory");
    asm volatile("cp.async.ca.shared::cta.global.L2::128B [%0+4], [%1+8], 8;" :: "r"(at(s[1][t]) + 4), "l"(from + 16 * t - 8) : "memory");
    asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3;"
                 :: "r"(at(s[2][t])), "l"(left[t] ? from + 16 * t : nullptr), "r"(left[t]), "l"(policy) : "memory");
    asm volatile("{.reg .pred p; setp.ge.u32 p, %2, %3; cp.async.ca.shared.global [%0], [%1], 4, p;}"
                 :: "r"(at(s[3][t])), "l"(from + 16 * t), "r"(t), "r"(n) : "memory");
    asm volatile("{.reg .pred p; setp.lt.u32 p, %2, %3; @p cp.async.ca.shared.global [%0], [%1], 4;}"
                 :: "r"(at(s[4][t])), "l"(from + 16 * t), "r"(t), "r"(n) : "memory");
    asm volatile("cp.async.commit_group; cp.async.wait_group 1;" ::: "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 16; i++) to[(k * 64 + t) * 16 + i] = s[k][63 - t][i];
}
static void test_copies()
{
    static unsigned char from[1024], to[5120], *df, *dt;
    static unsigned left[64], *dl;
    for (int i = 0; i < 1024; i++) from[i] = (unsigned char)(i * 7 + 1);
    for (int t = 0; t < 64; t++) left[t] = t % 18 > 16 ? 0 : t % 18;
    cudaMalloc(&df, 1024), cudaMalloc(&dt, 5120), cudaMalloc(&dl, 256);
    cudaMemcpy(df, from, 1024, cudaMemcpyHostToDevice), cudaMemcpy(dl, left, 256, cudaMemcpyHostToDevice);
    copies<<<1, 64>>>(df, dt, dl, 40);
    check("copies run", cudaMemcpy(to, dt, 5120, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int t = 0; t < 64; t++)
        for (int i = 0; i < 16; i++) {
            unsigned char x[5], f = from[16 * t + i];
            for (int k = 0; k < 5; k++) x[k] = to[(k * 64 + 63 - t) * 16 + i];
            check("16 bytes", x[0] == f);
            check("8 bytes", x[1] == (i < 8 ? 0xee : from[16 * t + i - 8]));
            check("some bytes", x[2] == (i < (int)left[t] ? f : 0));
            check("an ignored source", x[3] == (i >= 4 ? 0xee : t >= 40 ? 0 : f));
            check("a guard", x[4] == (i >= 4 || t >= 40 ? 0xee : f));
        }
}

// Four warps; the last one consumes what the others make, phase by phase.
__global__ void phases(int *out, int rounds)
{
    __shared__ uint64_t full, empty, drop;
    __shared__ int value[96];
    unsigned t = threadIdx.x, p = 0;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 96;" :: "r"(at(&full)) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(&empty)), "r"(32) : "memory");
        asm volatile("mbarrier.init.b64 [%0], 128;" :: "l"(&drop) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++, p ^= 1) {
        if (t < 96) {
            value[t] = r * 1000 + (int)t;
            asm volatile("{.reg .b64 s; mbarrier.arrive.release.cta.shared::cta.b64 s, [%0];}" :: "r"(at(&full)) : "memory");
            asm volatile("{.reg .pred q;\nwait: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 q, [%0], %1;\n@!q bra wait;}"
                         :: "r"(at(&empty)), "r"(p) : "memory");
        } else {
            asm volatile("{.reg .pred q;\nwait: mbarrier.test_wait.parity.shared.b64 q, [%0], %1;\n@!q bra wait;}"
                         :: "r"(at(&full)), "r"(p) : "memory");
            int sum = 0;
            for (int k = 0; k < 96; k++) sum += value[k];
            out[r * 32 + t - 96] = sum;
            asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(at(&empty)) : "memory");
        }
    }
    // Half of the threads leave the barrier for good; the next phase is the others' alone.
    uint64_t state;
    unsigned pending, done;
    if (t & 1) asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(&drop)) : "memory");
    else asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(&drop) : "memory");
    asm volatile("{.reg .pred q;\nwait: mbarrier.test_wait.shared.b64 q, [%0], %1;\n@!q bra wait;}" :: "r"(at(&drop)), "l"(state) : "memory");
    __syncthreads();
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(drop));
    asm volatile("{.reg .pred q; mbarrier.test_wait.parity.shared.b64 q, [%1], 0; selp.u32 %0, 1, 0, q;}" : "=r"(done) : "r"(at(&drop)) : "memory");
    if (t == 0) out[rounds * 32] = (int)pending;
    if (t == 0) out[rounds * 32 + 1] = (int)done;
}
static void test_phases()
{
    enum { ROUNDS = 3 };
    static int out[ROUNDS * 32 + 2], *dev;
    cudaMalloc(&dev, sizeof out);
    phases<<<1, 128>>>(dev, ROUNDS);
    check("phases run", cudaMemcpy(out, dev, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int r = 0; r < ROUNDS; r++)
        for (int l = 0; l < 32; l++) check("a phase", out[r * 32 + l] == r * 96000 + 95 * 48);
    check("64 are left", out[ROUNDS * 32] == 64);
    check("the phase before has ended", out[ROUNDS * 32 + 1] == 1);
}

__global__ void hints(uint32_t *out, const uint32_t *in)
{
    uint32_t leader, is = 0, v, w, old;
    uint64_t policy = 0;
    unsigned t = threadIdx.x, mask = t < 8 ? 0xff : 0xffffff00;
    asm volatile("griddepcontrol.wait; griddepcontrol.launch_dependents; setmaxnreg.inc.sync.aligned.u32 232;");
    if (t < 8) asm volatile("{.reg .pred p; elect.sync %0|p, 0xff; selp.u32 %1, 1, 0, p;}" : "=r"(leader), "=r"(is));
    else asm volatile("{.reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p;}" : "=r"(leader), "=r"(is) : "r"(mask));
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.L2::256B.b32 %0, [%1], %2;" : "=r"(v) : "l"(in + t), "l"(policy));
    asm volatile("ld.global.L1::evict_last.L2::128B.b32 %0, [%1];" : "=r"(w) : "l"(in + t));
    asm volatile("st.global.L2::cache_hint.v2.b32 [%0], {%1, %2}, %3;" :: "l"(out + 4 * t), "r"(leader), "r"(is), "l"(policy) : "memory");
    asm volatile("st.global.b32 [%0], %1;" :: "l"(out + 4 * t + 2), "r"(v + w) : "memory");
    asm volatile("atom.global.add.L2::cache_hint.u32 %0, [%1], %2, %3;" : "=r"(old) : "l"(out + 128), "r"(t), "l"(policy) : "memory");
    asm volatile("red.global.add.L2::cache_hint.u32 [%0], 1, %1;" :: "l"(out + 129), "l"(policy) : "memory");
    asm volatile("applypriority.global.L2::evict_normal [%0], 128; prefetch.global.L2::evict_last [%0];" :: "l"(in));
    out[4 * t + 3] = old;
}
static void test_hints()
{
    static uint32_t out[130], in[32], *d, *di;
    for (int i = 0; i < 32; i++) in[i] = 100u + (uint32_t)i;
    cudaMalloc(&d, sizeof out), cudaMalloc(&di, sizeof in);
    cudaMemset(d, 0, sizeof out), cudaMemcpy(di, in, sizeof in, cudaMemcpyHostToDevice);
    hints<<<1, 32>>>(d, di);
    check("hints run", cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (uint32_t t = 0; t < 32; t++) {
        check("the leader", out[4 * t] == (t < 8 ? 0u : 8u));
        check("is one", out[4 * t + 1] == (t == 0 || t == 8));
        check("loads", out[4 * t + 2] == 2 * in[t]);
    }
    check("atomics", out[128] == 31 * 16 && out[129] == 32);
}

// What cooperative groups of CUDA's own read: a word for the grid's barrier, memory for tiles of several warps.
__global__ void places(uint32_t *out)
{
    uint32_t lo, hi, s;
    asm volatile("mov.u32 %0, %%envreg2; mov.u32 %1, %%envreg1;" : "=r"(lo), "=r"(hi));
    asm volatile("{.reg .u32 start; .reg .u64 wide; mov.u32 start, %%reserved_smem_offset_1; cvt.u64.u32 wide, start; cvt.u32.u64 %0, wide;}" : "=r"(s));
    extern __shared__ uint32_t own[];
    own[threadIdx.x] = 7;
    uint32_t *grid = (uint32_t *)((uint64_t)hi << 32 | lo) + 1;
    asm volatile("st.shared.u32 [%0], %1;" :: "r"(s + 284), "r"(5) : "memory");
    __syncthreads();
    atomicAdd(grid, 1u);
    while (*(volatile uint32_t *)grid < gridDim.x * blockDim.x) {}
    uint32_t reserved;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(reserved) : "r"(s + 284) : "memory");
    out[blockIdx.x * blockDim.x + threadIdx.x] = own[threadIdx.x] * 10 + reserved;
}
static void test_places()
{
    static uint32_t out[256], *d;
    void *args[] = { &d };
    cudaMalloc(&d, sizeof out);
    check("a cooperative launch", cudaLaunchCooperativeKernel((void *)places, dim3(4), dim3(64), args, 256, 0) == cudaSuccess);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    for (uint32_t v : out) check("places", v == 75);
    check("too many blocks", cudaLaunchCooperativeKernel((void *)places, dim3(65), dim3(64), args, 256, 0) == cudaErrorCooperativeLaunchTooLarge);
}

// The machine that the code is for, and the one that the device shows.
__global__ void code_for(int *out)
{
#ifdef __CUDA_ARCH__
    *out = __CUDA_ARCH__;
#endif
}
static void test_arch()
{
    cudaDeviceProp p;
    int major, minor, arch, *d;
    cudaGetDeviceProperties(&p, 0);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    cudaMalloc(&d, 4);
    code_for<<<1, 1>>>(d);
    cudaMemcpy(&arch, d, 4, cudaMemcpyDeviceToHost);
    check("properties and attributes", p.major == major && p.minor == minor);
    printf("compute capability %d.%d, code for %d\n", major, minor, arch);
}

int main()
{
    test_arch();
    test_copies();
    test_phases();
    test_hints();
    test_places();
    cudaGetLastError();
    check("at the end", cudaDeviceSynchronize() == cudaSuccess);
    puts(failures ? "FAIL" : "PASS");
    return failures > 0;
}
