// alignas behind words of a declaration, of types, typedefs, packs, template arguments and expressions, and twice.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
struct item {
    double a;
    char b;
};
typedef float4 quad;
using also = item;
namespace deep
{
template <class T, int N> struct box {
    alignas(N) T v;
};
} // namespace deep
enum { SIXTEEN = 16 };
constexpr int pick(int a) { return a > 4 ? 32 : 8; }
static __device__ alignas(quad) char global_room[40];
__constant__ alignas(item) char constant_room[24] = { 1 };
extern __shared__ alignas(16) unsigned char dynamic_room[];
template <class T> __device__ unsigned in(unsigned &sum)
{
    __shared__ char before;
    __shared__ alignas(T) char room[2 * sizeof(T)];
    __shared__ alignas(alignof(T) > 4 ? 64 : 4) alignas(T) char more[3];
    __shared__ static alignas(typename deep::box<T, 32>) char boxed[7];
    volatile __shared__ alignas(sizeof(T)) char sized[8];
    before = 1;
    room[1] = 2;
    more[2] = 3;
    boxed[3] = 4;
    sized[1] = 5;
    sum += before + room[1] + more[2] + boxed[3] + sized[1];
    return (unsigned)((size_t)room % alignof(T) + (size_t)more % (alignof(T) > 4 ? 64 : 4) + (size_t)boxed % 32 +
                      (size_t)sized % sizeof(T));
}
template <class... T> __device__ unsigned packs()
{
    __shared__ char before;
    __shared__ alignas(T...) char room[5];
    before = 1, room[0] = before;
    return (unsigned)((size_t)room % 16);
}
struct alignas(32) whole {
    int v;
};
__global__ void place(unsigned *out)
{
    __shared__ char before;
    __shared__ alignas(also) char a[4];
    __shared__ /* alignas */ alignas(struct item) char b[4];
    __shared__ alignas(unsigned long long) char c[4];
    __shared__ alignas(pick(5)) char d[4];
    __shared__ alignas(SIXTEEN) char e[4];
    __shared__ alignas(decltype(float4())) char f[4];
    __shared__ alignas(whole) char g[4];
    alignas(quad) char local[20];
    before = 1, a[0] = b[1] = d[1] = e[1] = f[1] = g[1] = local[1] = global_room[0] = before;
    unsigned sum = 0, bad = in<double>(sum) + in<float>(sum) + packs<float, float4, char>();
    bad += (size_t)a % 8 + (size_t)b % 8 + (size_t)c % 8 + (size_t)d % 32 + (size_t)e % 16 + (size_t)f % 16 +
           (size_t)g % 32;
    bad += (size_t)local % 16 + (size_t)global_room % 16 + (size_t)constant_room % 8 + (size_t)dynamic_room % 16;
    out[0] = bad;
    out[1] = sum + a[0] + b[1] + d[1] + e[1] + f[1] + g[1] + local[1] + global_room[0];
}
int main()
{
    unsigned *d, out[2];
    cudaMalloc(&d, sizeof out);
    place<<<1, 1, 64>>>(d);
    if (cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost)) return printf("FAIL: launch\n"), 1;
    if (out[0] != 0 || out[1] != 38) return printf("FAIL: %u %u, right is 0 38\n", out[0], out[1]), 1;
    printf("PASS\n");
}
