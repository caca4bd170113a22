// Lanes and blocks that wait for what others store, in loops of every shape that have no store in them: by each load
// that sees it, to a guarded exit, in a callee, in an inner loop.  From sm_70 on a lane that can run gets its turn.  Loads
// and stores with hints stay where they are.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

// Rounds that store, through a pointer of which the compiler knows that it is another.
#define STORES(LOAD) \
    int n = 0; \
    while (LOAD(flag) == 0) out[2] = ++n; \
    out[0] = LOAD(flag);
// Rounds that are counted, at most 2^24 of them.
#define COUNTS(LOAD) \
    int n = 0; \
    for (; n < 1 << 24 && LOAD(flag) == 0; n++) { } \
    out[2] = n; \
    out[0] = LOAD(flag);
#define GIVE \
    for (int k = 0; k < 50; k++) __nanosleep(100); \
    out[1] = 7; \
    __threadfence(); \
    atomicExch(flag, 5);
#define BLOCKS(NAME, WAIT) \
    __global__ void NAME##_blocks(int *__restrict__ flag, int *__restrict__ out) \
    { \
        if (blockIdx.x == 0) { WAIT } \
        else { GIVE } \
    }
#define LANES(NAME, WAIT) \
    __global__ void NAME##_lanes(int *__restrict__ flag, int *__restrict__ out) \
    { \
        if (threadIdx.x == 5) { WAIT } \
        else { GIVE } \
    }
BLOCKS(cv_stores, STORES(__ldcv))
BLOCKS(cv_counts, COUNTS(__ldcv))
BLOCKS(cg_stores, STORES(__ldcg))
BLOCKS(cg_counts, COUNTS(__ldcg))
LANES(cv_stores, STORES(__ldcv))
LANES(cg_stores, STORES(__ldcg))

// ---- lane 5, the smaller side, waits first; the others give ----
#define SHAPE(NAME, WAIT) \
    __global__ void NAME(int *flag, int *out) \
    { \
        if (threadIdx.x == 5) { out[0] = 5; WAIT; } \
        else *(volatile int *)flag = 1, out[1] = 7; \
    }
__device__ __forceinline__ void exit_if(int v)
{
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p exit; }" ::"r"(v) : "memory");
}
#define LOAD(OP) \
    ({ int v; asm volatile(OP " %0, [%1];" : "=r"(v) : "l"(flag) : "memory"); v; })
SHAPE(guarded_exit, for (;;) exit_if(*(volatile int *)flag))
SHAPE(exit_of_inner, for (;;) for (int k = 0; k < 3; k++) exit_if(*(volatile int *)flag))
SHAPE(exit_below, for (int k = 0;; k++) if (LOAD("ld.global.cg.s32")) exit_if(k >= 0))
SHAPE(exit_of_atomic, for (;;) exit_if(atomicAdd(flag, 0)))
SHAPE(relaxed, while (!LOAD("ld.relaxed.gpu.s32")))
SHAPE(acquire, do { } while (LOAD("ld.acquire.gpu.s32") == 0))
SHAPE(uncached, while (!LOAD("ld.global.cv.s32")))
SHAPE(plain, while (!LOAD("ld.global.s32")))
SHAPE(voted, while (!__any_sync(1u << 5, LOAD("ld.volatile.global.s32"))))
SHAPE(timed, for (long long t = clock64();;) if (clock64() - t > 0 && LOAD("ld.global.cg.s32")) break)
SHAPE(naps, while (!LOAD("ld.global.cg.s32")) __nanosleep(20))
SHAPE(ring, for (unsigned k = 0;; k++) if (__ldcg(flag + (k & 1)) == 1) break)
SHAPE(through_memory, int a[2]; for (int k = 0;; k ^= 1) { ((volatile int *)a)[k] = __ldcg(flag); if (((volatile int *)a)[k]) break; })
SHAPE(address_again, asm volatile("{ .reg .pred p; .reg .b64 a; .reg .b32 v;\n"
    "AGAIN: add.s64 a, %0, 16; ld.global.s32 v, [a+-16]; setp.eq.s32 p, v, 0; @p bra AGAIN; }" ::"l"(flag) : "memory"))
SHAPE(address_once, asm volatile("{ .reg .pred p; .reg .b64 a, at; .reg .b32 v; mov.b64 at, 4;\n"
    "AGAIN: add.s64 a, %0, at; mov.b64 at, 0; ld.global.s32 v, [a]; setp.eq.s32 p, v, 0; @p bra AGAIN; }"
    ::"l"(flag) : "memory"))
SHAPE(two_entries, asm volatile("{ .reg .pred p, q; .reg .b32 v;\n"
    "setp.lt.s32 q, %1, 0; @q bra SECOND;\n"
    "FIRST: ld.volatile.global.s32 v, [%0]; setp.ne.s32 p, v, 0; @p bra DONE;\n"
    "SECOND: ld.volatile.global.s32 v, [%0]; setp.ne.s32 p, v, 0; @!p bra FIRST;\n"
    "DONE: }" ::"l"(flag), "r"(out[0]) : "memory"))
__device__ __noinline__ void leave(int *flag) { exit_if(*(volatile int *)flag); }
SHAPE(callee_exits, for (;;) leave(flag))
__device__ __noinline__ int asks(int *flag, int deep)
{
    if (*(volatile int *)flag) return deep;
    return asks(flag, deep + 1) ^ 1;
}
SHAPE(recursion, out[2] = asks(flag, 0))
__global__ void shared_memory(int *, int *out)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 5) {
        out[0] = 5;
        while (!flag) { }
    } else flag = 1, out[1] = 7;
}

static int failed;
static void check(const char *name, void (*kernel)(int *, int *), int blocks, int threads)
{
    int *flag, *out, got[2] = { 0 };
    cudaMalloc(&flag, 8), cudaMalloc(&out, 12);
    cudaMemset(flag, 0, 8), cudaMemset(out, 0, 12);
    kernel<<<blocks, threads>>>(flag, out);
    cudaError_t e = cudaDeviceSynchronize();
    if (e == cudaSuccess) cudaMemcpy(got, out, 8, cudaMemcpyDeviceToHost);
    if (e == cudaSuccess && got[0] == 5 && got[1] == 7) return;
    failed++;
    if (e) printf("FAIL: %s: %s\n", name, cudaGetErrorString(e)), cudaDeviceReset();
    else printf("FAIL: %s: %d %d, right is 5 7\n", name, got[0], got[1]);
}

int main()
{
    check("__ldcv, stores, between blocks", cv_stores_blocks, 2, 1);
    check("__ldcv, stores, between lanes", cv_stores_lanes, 1, 32);
    check("__ldcv, counts, between blocks", cv_counts_blocks, 2, 1);
    check("__ldcg, stores, between blocks", cg_stores_blocks, 2, 1);
    check("__ldcg, stores, between lanes", cg_stores_lanes, 1, 32);
    check("__ldcg, counts, between blocks", cg_counts_blocks, 2, 1);
#define TRY(NAME) check(#NAME, NAME, 1, 32)
    TRY(guarded_exit), TRY(exit_of_inner), TRY(exit_below), TRY(exit_of_atomic), TRY(relaxed), TRY(acquire);
    TRY(uncached), TRY(plain), TRY(voted), TRY(timed), TRY(naps), TRY(ring), TRY(through_memory);
    TRY(address_again), TRY(address_once), TRY(two_entries), TRY(callee_exits), TRY(recursion), TRY(shared_memory);
    if (failed) return printf("%d of 25 waits fail\n", failed), 1;
    printf("PASS\n");
    return 0;
}
