// Collectives of a warp with one mask at several places, between which a branch divides the lanes: those of all of them
// take part, as PTX says ("until all non-exited threads corresponding to membermask have executed shfl.sync") and as
// an H200 does.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cstdio>
typedef unsigned u32;
#define ALL 0xffffffffu

// A is evaluated by the lanes of the first arm, B by those of the second.
#define KERNEL(NAME, A, B) \
    __global__ void NAME(u32 *out, const u32 *in) \
    { \
        u32 t = threadIdx.x, v = in[t], r; \
        if (in[32 + t]) r = (A) + 1000; \
        else r = (B) + 2000; \
        out[t] = r; \
    }
KERNEL(shfl, __shfl_sync(ALL, v * 3, 30), __shfl_sync(ALL, v, 1))
KERNEL(shfl_xor, __shfl_xor_sync(ALL, v * 3, 1), __shfl_xor_sync(ALL, v, 1))
KERNEL(shfl_up, __shfl_up_sync(ALL, v * 3, 1), __shfl_up_sync(ALL, v, 1))
KERNEL(shfl_down, __shfl_down_sync(ALL, v * 3, 1), __shfl_down_sync(ALL, v, 1))
KERNEL(ballot, __ballot_sync(ALL, v & 4), __ballot_sync(ALL, v & 2))
KERNEL(any_of, __any_sync(ALL, v == 8) != 0, __any_sync(ALL, v == 999) != 0)
KERNEL(all_of, __all_sync(ALL, v != 8) != 0, __all_sync(ALL, v != 999) != 0)
KERNEL(match, __match_any_sync(ALL, v & 6), __match_any_sync(ALL, v & 2))
KERNEL(reduce, __reduce_add_sync(ALL, v * 3), __reduce_add_sync(ALL, v))
__global__ void syncwarp(u32 *out, const u32 *in)
{
    __shared__ u32 s[32];
    u32 t = threadIdx.x, v = in[t], r;
    if (in[32 + t]) s[t] = v * 3, __syncwarp(), r = s[t ^ 1] + 1000;
    else s[t] = v, __syncwarp(), r = s[t ^ 1] + 2000;
    out[t] = r;
}

static u32 in[64], *din, *dout;
static int failed;
// What lane t should have, without the arm's 1000 or 2000.
typedef u32 exact(u32 t);
static u32 mine(u32 t) { return in[32 + t] ? in[t] * 3 : in[t]; }
static u32 of_shfl(u32 t) { return mine(in[32 + t] ? 30 : 1); }
static u32 of_xor(u32 t) { return mine(t ^ 1); }
static u32 of_up(u32 t) { return mine(t ? t - 1 : t); }
static u32 of_down(u32 t) { return mine(t < 31 ? t + 1 : t); }
static u32 of_ballot(u32)
{
    u32 m = 0;
    for (u32 l = 0; l < 32; l++) m |= (u32)((in[l] & (in[32 + l] ? 4 : 2)) != 0) << l;
    return m;
}
static u32 of_any(u32)
{
    u32 yes = 0;
    for (u32 l = 0; l < 32; l++) yes |= in[l] == (in[32 + l] ? 8 : 999);
    return yes;
}
static u32 of_all(u32 t) { return !of_any(t); }
static u32 of_match(u32 t)
{
    u32 m = 0;
    for (u32 l = 0; l < 32; l++)
        m |= (u32)((in[l] & (in[32 + l] ? 6 : 2)) == (in[t] & (in[32 + t] ? 6 : 2))) << l;
    return m;
}
static u32 of_reduce(u32)
{
    u32 sum = 0;
    for (u32 l = 0; l < 32; l++) sum += mine(l);
    return sum;
}

// ---- in functions, cases, loops, nests, tiles, behind early returns ----
namespace cg = cooperative_groups;
__device__ __noinline__ u32 one(u32 v) { return __shfl_xor_sync(ALL, v, 3) + 1; }
__device__ __noinline__ u32 two(u32 v) { return __shfl_xor_sync(ALL, v + 5, 3) + 2; }
typedef u32 (*function)(u32);
__device__ function table[2] = { two, one };
__global__ void functions(u32 *out, const u32 *in)
{
    u32 t = threadIdx.x;
    out[t] = in[32 + t] ? one(t) : two(t);
}
__global__ void pointers(u32 *out, const u32 *in)
{
    u32 t = threadIdx.x;
    out[t] = table[in[32 + t]](t);
}
__global__ void cases(u32 *out, const u32 *in)
{
    u32 t = threadIdx.x, r = 0;
    switch (t & 3) {
    case 0: r = __shfl_xor_sync(ALL, t, 1); break;
    case 1: r = 7 + __shfl_xor_sync(ALL, t * 2, 1); break;
    case 2: r = __shfl_xor_sync(ALL, in[t], 1); break;
    default: r = __shfl_xor_sync(ALL, 5, 1); if (in[t] > 100) r++;
    }
    out[t] = r;
}
__global__ void nests(u32 *out, const u32 *in)
{
    u32 t = threadIdx.x, r;
    if (t & 1) {
        if (in[t] & 8) r = __shfl_sync(ALL, t, 5);
        else r = __shfl_sync(ALL, t * 2, 6);
    } else if (t & 4) r = __shfl_sync(ALL, t * 3, t ^ 1);
    else r = __shfl_sync(ALL, t * 5, 31);
    out[t] = r;
}
__global__ void loops(u32 *out, const u32 *in)
{
    u32 t = threadIdx.x, r = 0;
    if (in[32 + t])
        for (int i = 0; i < 3; i++) r = r * 2 + __shfl_xor_sync(ALL, t + i, 1);
    else {
        r = __shfl_xor_sync(ALL, t, 1);
        r = r * 3 + __shfl_xor_sync(ALL, t * 2, 1);
        r = r * 5 + __shfl_xor_sync(ALL, t * 4, 1);
    }
    out[t] = r;
}
__global__ void tiles(u32 *out, const u32 *in)
{
    u32 t = threadIdx.x, r;
    auto g = cg::tiled_partition<8>(cg::this_thread_block());
    if (in[32 + t]) r = g.shfl_xor(t * 3, 3) + 1000;
    else r = g.shfl_xor(t, 3) + 2000;
    if (t & 2) r += g.ballot(t & 4) << 16;
    else r += g.ballot(t & 8) << 16;
    out[t] = r;
}
__global__ void halves(u32 *out, const u32 *in)
{
    u32 t = threadIdx.x, m = t < 16 ? 0xffff : 0xffff0000, r;
    if (in[32 + t]) r = __reduce_max_sync(m, t);
    else r = __reduce_max_sync(m, 100 * t);
    int all;
    if (t & 4) r += __match_all_sync(m, t & 32, &all);
    else r += __match_all_sync(m, 0, &all);
    out[t] = r + all;
}
__global__ void returns(u32 *out, const u32 *in)
{
    u32 t = threadIdx.x;
    if (t % 3 == 0) {
        out[t] = __shfl_up_sync(ALL, t * 7, 1);
        return;
    }
    if (in[32 + t]) out[t] = __shfl_up_sync(ALL, t * 9, 1);
    else out[t] = __shfl_up_sync(ALL, t * 11, 1);
}
static u32 of_functions(u32 t) { return (in[32 + (t ^ 3)] ? t ^ 3 : (t ^ 3) + 5) + (in[32 + t] ? 1 : 2); }
static u32 of_cases(u32 t)
{
    u32 o = t ^ 1, from[] = { o, o * 2, in[o], 5 };
    return from[o & 3] + ((t & 3) == 1 ? 7 : 0) + ((t & 3) == 3 && in[t] > 100);
}
static u32 of_nests(u32 t)
{
    u32 o = t & 1 ? in[t] & 8 ? 5 : 6 : t & 4 ? t ^ 1 : 31;
    return o & 1 ? in[o] & 8 ? o : o * 2 : o & 4 ? o * 3 : o * 5;
}
static u32 of_loops(u32 t)
{
    u32 r = 0, o = t ^ 1;
    for (u32 i = 0; i < 3; i++) r = r * (in[32 + t] ? 2 : i == 1 ? 3 : 5) + (in[32 + o] ? o + i : o << i);
    return r;
}
static u32 of_tiles(u32 t)
{
    u32 o = t ^ 3, votes = 0;
    for (u32 l = 0; l < 8; l++) votes |= (u32)((l & 2 ? l & 4 : t & 8) != 0) << l;
    return (in[32 + o] ? o * 3 : o) + (in[32 + t] ? 1000 : 2000) + (votes << 16);
}
static u32 of_halves(u32 t)
{
    u32 most = 0, half = t & 16;
    for (u32 l = half; l < half + 16; l++) {
        u32 v = in[32 + l] ? l : 100 * l;
        most = v > most ? v : most;
    }
    return most + (0xffffu << half) + 1;
}
static u32 of_returns(u32 t)
{
    u32 o = t ? t - 1 : 0;
    return o * (o % 3 == 0 ? 7 : in[32 + o] ? 9 : 11);
}

static void check(const char *name, void (*kernel)(u32 *, const u32 *), exact *of, bool arms = true)
{
    u32 out[32] = { 0 };
    cudaMemset(dout, 0, sizeof out);
    kernel<<<1, 32>>>(dout, din);
    cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    for (u32 t = 0; t < 32; t++) {
        u32 want = of(t) + (arms ? in[32 + t] ? 1000 : 2000 : 0);
        if (!e && out[t] == want) continue;
        failed++;
        if (e) printf("FAIL: %s: %s\n", name, cudaGetErrorString(e));
        else printf("FAIL: %s: lane %u has %x, right is %x\n", name, t, out[t], want);
        return;
    }
}

int main()
{
    for (u32 t = 0; t < 32; t++) in[t] = t * 7 + 1, in[32 + t] = (t * 5 >> 2 & 3) == 1;
    cudaMalloc(&din, sizeof in), cudaMalloc(&dout, 128);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    check("shfl", shfl, of_shfl);
    check("shfl_xor", shfl_xor, of_xor);
    check("shfl_up", shfl_up, of_up);
    check("shfl_down", shfl_down, of_down);
    check("ballot", ballot, of_ballot);
    check("any", any_of, of_any);
    check("all", all_of, of_all);
    check("match_any", match, of_match);
    check("reduce_add", reduce, of_reduce);
    check("syncwarp", syncwarp, of_xor);
    check("functions", functions, of_functions, false);
    check("pointers", pointers, of_functions, false);
    check("cases", cases, of_cases, false);
    check("nests", nests, of_nests, false);
    check("loops", loops, of_loops, false);
    check("tiles", tiles, of_tiles, false);
    check("halves", halves, of_halves, false);
    check("returns", returns, of_returns, false);
    if (failed) return printf("%d of 18 collectives are wrong\n", failed), 1;
    printf("PASS\n");
    return 0;
}
