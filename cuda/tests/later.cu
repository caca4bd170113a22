// Headers of later CUDA: cuda/atomic, cuda/barrier, cuda/pipeline and the calls below them, DPX, cuda_fp8.h.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/atomic>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

static int failures;
static void check(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s\n", what);
}
template <class T, class... A> static void run(T *out, size_t n, void (*k)(T *, A...), unsigned blocks, unsigned threads, A... a)
{
    T *dev;
    cudaMalloc(&dev, n * sizeof(T)), cudaMemset(dev, 0, n * sizeof(T));
    k<<<blocks, threads>>>(dev, a...);
    check("it runs", cudaMemcpy(out, dev, n * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaFree(dev);
}

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> total;
__device__ cuda::std::atomic<unsigned char> bytes[4];
__device__ cuda::atomic<double> most;
__global__ void atomics(long long *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    total.fetch_add(t, cuda::std::memory_order_relaxed);
    bytes[t & 3] += 1;
    most.fetch_max((double)(t * 37 % 101), cuda::memory_order_relaxed);
    cuda::atomic_ref<long long, cuda::thread_scope_device> r(out[3]);
    r.fetch_min(-(long long)t * 1000000007ll);
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    if (threadIdx.x == 0) flag.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 40) flag.store(7, cuda::memory_order_release), flag.notify_all();
    flag.wait(0, cuda::memory_order_acquire);
    int seen = 6;
    bool swapped = flag.compare_exchange_strong(seen, 9);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    if (!swapped && seen == 7) atomicAdd((unsigned long long *)&out[4], 1ull);
    cg::this_grid().sync();
    if (t == 0) out[0] = total, out[1] = bytes[0] + bytes[1] * 1000ll + bytes[3] * 1000000ll, out[2] = (long long)most.load();
}

// Each thread waits for all others by a barrier, without and with what lies between.
__global__ void barriers(int *out, const int *in)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[96];
    auto block = cg::this_thread_block();
    unsigned t = threadIdx.x;
    if (t == 0) init(&bar, 96);
    block.sync();
    for (int r = 0; r < 3; r++) {
        cuda::memcpy_async(block, s, in + 96 * r, cuda::aligned_size_t<16>(sizeof s), bar);
        auto token = bar.arrive();
        bar.wait(std::move(token));
        out[96 * r + t] = s[95 - t];
        bar.arrive_and_wait();
    }
    if (t & 1) return bar.arrive_and_drop();
    bar.arrive_and_wait();
    bar.arrive_and_wait();
    out[288 + t] = 1;
}

__global__ void pipelines(int *out, const int *in, int how)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int s[2][64];
    auto block = cg::this_thread_block();
    unsigned t = threadIdx.x;
    enum { ROUNDS = 5 };
    if (how == 0) {
        auto p = cuda::make_pipeline(block, &state);
        for (int r = 0, next = 0; r < ROUNDS; r++) {
            for (; next < ROUNDS && next < r + 2; next++) {
                p.producer_acquire();
                cuda::memcpy_async(block, s[next & 1], in + 64 * next, sizeof s[0], p);
                p.producer_commit();
            }
            p.consumer_wait();
            out[64 * r + t] = s[r & 1][63 - t];
            p.consumer_release();
        }
    } else {                                     // two warps make what a third one takes
        auto p = how == 1 ? cuda::make_pipeline(block, &state, (size_t)64)
            : cuda::make_pipeline(block, &state, t < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
        for (int r = 0; r < ROUNDS; r++)
            if (t < 64) {
                p.producer_acquire();
                s[r & 1][t] = in[64 * r + t];
                p.producer_commit();
            } else {
                p.consumer_wait();
                for (int k = 0; k < 2; k++) out[64 * r + 2 * (t - 64) + k] = s[r & 1][63 - (2 * (t - 64) + k)];
                p.consumer_release();
            }
        p.quit();
    }
}

// Calls; an arrival by a copy that the barrier counts, and one that it does not.
__global__ void primitives(int *out, const int *in)
{
    __shared__ __align__(16) int s[256];
    __shared__ __mbarrier_t bar[2];
    unsigned t = threadIdx.x;
    if (t == 0) __mbarrier_init(&bar[0], 64), __mbarrier_init(&bar[1], 64);
    __syncthreads();
    __pipeline_memcpy_async(s + 4 * t, in + 4 * t, 16, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __pipeline_arrive_on(&bar[0]);
    __mbarrier_token_t token = __mbarrier_arrive(&bar[0]);
    while (!__mbarrier_test_wait(&bar[0], token)) {}
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"((unsigned)__cvta_generic_to_shared(&bar[1])) : "memory");
    while (!__mbarrier_test_wait_parity(&bar[1], false)) {}
    for (int k = 0; k < 4; k++) out[4 * t + k] = s[4 * (63 - t) + k];
}

__host__ __device__ static unsigned dpx(unsigned a, unsigned b, unsigned c, int what)
{
    bool p, q;
    unsigned r;
    switch (what) {
    case 0: return (unsigned)__vimax3_s32((int)a, (int)b, (int)c);
    case 1: return __vimin3_u32(a, b, c);
    case 2: return __vimax3_s16x2(a, b, c);
    case 3: return __vimin3_u16x2(a, b, c);
    case 4: return (unsigned)__viaddmax_s32((int)a, (int)b, (int)c);
    case 5: return __viaddmin_u32(a, b, c);
    case 6: return __viaddmax_s16x2_relu(a, b, c);
    case 7: return __viaddmin_u16x2(a, b, c);
    case 8: return (unsigned)__vimax_s32_relu((int)a, (int)b);
    case 9: return (unsigned)__vibmin_s32((int)a, (int)b, &p) + p;
    case 10: return r = __vibmax_s16x2(a, b, &p, &q), r ^ (p * 2u + q);
    default: return __viaddmin_s16x2(a, b, c);
    }
}
__global__ void all_dpx(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = i * 2654435761u, b = a * a + 12345u, c = b * 40503u ^ a;
    out[i] = dpx(a, b, c, (int)(i % 12));
}

// Every number of eight bits there and back, and numbers between two.
__host__ __device__ static unsigned fp8(unsigned i, int what)
{
    float f = (float)__nv_fp8_e4m3(0.0f);
    if (what == 0) {
        __nv_fp8_e4m3 v;
        v.__x = (unsigned char)i;
        return __nv_fp8_e4m3((float)v).__x | (unsigned)__half_raw((__half)v).x << 8;
    }
    if (what == 1) {
        __nv_fp8_e5m2 v;
        v.__x = (unsigned char)i;
        return __nv_fp8_e5m2((float)v).__x | (unsigned)__half_raw((__half)v).x << 8;
    }
    f += (float)((int)i - 128) * 4.125f;
    return __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E4M3) | (unsigned)__nv_fp8x2_e5m2(float2{f * 300, f / 70000}).__x << 8;
}
__global__ void all_fp8(unsigned *out, int what) { out[threadIdx.x] = fp8(threadIdx.x, what); }

int main()
{
    static int in[320], got[512], *dev;
    long long a[5];
    cudaMalloc(&dev, sizeof in);
    for (int i = 0; i < 320; i++) in[i] = i * i + 5;
    cudaMemcpy(dev, in, sizeof in, cudaMemcpyHostToDevice);
    run(a, 5, atomics, 2, 96);
    check("a sum", a[0] == 191 * 96), check("bytes", a[1] == 48048048), check("a maximum", a[2] == 100);
    check("a minimum", a[3] == -191 * 1000000007ll), check("a flag", a[4] == 192);
    run(got, 384, barriers, 1, 96, (const int *)dev);
    for (int i = 0; i < 288; i++) check("a barrier", got[i] == in[i / 96 * 96 + 95 - i % 96]);
    for (int t = 0; t < 96; t += 2) check("those that stay", got[288 + t] == 1);
    for (int how = 0; how < 3; how++) {
        run(got, 320, pipelines, 1, how ? 96 : 64, (const int *)dev, how);
        for (int i = 0; i < 320; i++) check("a pipeline", got[i] == in[i / 64 * 64 + 63 - i % 64]);
    }
    run(got, 256, primitives, 1, 64, (const int *)dev);
    for (int i = 0; i < 256; i++) check("calls", got[i] == (i % 4 == 3 ? 0 : in[4 * (63 - i / 4) + i % 4]));
    static unsigned u[480];
    run(u, 480, all_dpx, 5, 96);
    for (unsigned i = 0; i < 480; i++) {
        unsigned x = i * 2654435761u, y = x * x + 12345u, z = y * 40503u ^ x;
        check("DPX", u[i] == dpx(x, y, z, (int)(i % 12)));
    }
    check("DPX, by hand", __viaddmax_s16x2_relu(0x7fff0001, 0x0001fffe, 0xfff0fff0) == 0 && __vimin3_s16x2(0x00018000, 0xffff7fff, 5) == 0xffff8000
          && __viaddmax_s32(0x7fffffff, 1, -5) == -5 && __vimax3_u16x2(0xffff0001, 0x00010002, 3) == 0xffff0003);
    for (int what = 0; what < 3; what++) {
        run(u, 256, all_fp8, 1, 256, what);
        for (unsigned i = 0; i < 256; i++) {
            check("fp8", u[i] == fp8(i, what));
            bool nan = what == 0 ? (i & 0x7f) == 0x7f : (i & 0x7f) > 0x7c, inf = what == 1 && (i & 0x7f) == 0x7c;
            if (what < 2) check("fp8 there and back", (u[i] & 0xff) == (nan ? 0x7f : inf ? i - 1 : i));
        }
    }
    check("fp8, by hand", __nv_fp8_e4m3(1.0f).__x == 0x38 && __nv_fp8_e4m3(1e9f).__x == 0x7e && __nv_fp8_e5m2(-1.25).__x == 0xbd
          && __nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2) == 0x7c && (float)__nv_fp8_e4m3(0.002f) == 0.001953125f);
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
