// What cuda::atomic fetches: every operation on every size, beside the same on the host; and by how many instructions of
// compare-and-swap (none, where the machine has the operation itself: run.sh counts them).  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <cuda/atomic>

enum { STEPS = 9 };
template <class A, class T> __host__ __device__ void steps(A &a, T *seen, T x, T y)
{
    seen[0] = a.fetch_add(x), seen[1] = a.fetch_sub(y), seen[2] = a.fetch_and(x), seen[3] = a.fetch_or(y);
    seen[4] = a.fetch_xor(x), seen[5] = a.fetch_min(y), seen[6] = a.fetch_max(x), seen[7] = a.exchange(y), seen[8] = a.load();
}
template <class T> __device__ void each(T *at, T *seen, T x, T y)
{
    cuda::atomic_ref<T, cuda::thread_scope_device> a(*at);
    steps(a, seen, x, y);
}
template <class T> __global__ void whole(T *at, T *seen, T x, T y) { each(at, seen, x, y); }
template <class T> __global__ void part(T *at, T *seen, T x, T y) { each(at, seen, x, y); }
template <class T> __global__ void many(T *at) { cuda::atomic_ref<T>(*at).fetch_add((T)threadIdx.x), cuda::atomic_ref<T>(at[1]).fetch_max((T)threadIdx.x); }

static int failed;
template <class T, class K> static void check(const char *what, K kernel, T start, T x, T y)
{
    T *d, got[STEPS], want[STEPS], sum[2] = {};
    cuda::atomic<T> a(start);
    steps(a, want, x, y);
    cudaMalloc(&d, sizeof(T) * (STEPS + 8));
    cudaMemcpy(d, &start, sizeof start, cudaMemcpyHostToDevice);
    kernel<<<1, 1>>>(d, d + 8, x, y);
    cudaMemcpy(got, d + 8, sizeof got, cudaMemcpyDeviceToHost);
    if (memcmp(got, want, sizeof got)) printf("FAIL %s\n", what), failed++;
    cudaMemset(d, 0, 2 * sizeof(T));
    many<<<2, 15>>>(d);
    cudaMemcpy(sum, d, sizeof sum, cudaMemcpyDeviceToHost);
    if (sum[0] != (T)210 || sum[1] != (T)14) printf("FAIL %s, by many\n", what), failed++;
    cudaFree(d);
}
int main()
{
    check<int>("int", whole<int>, -5, 0x7ffffff0, -100);
    check<unsigned>("unsigned", whole<unsigned>, 5, 0xfffffff0, 100);
    check<long long>("long long", whole<long long>, -5, 1ll << 62, -(1ll << 40));
    check<unsigned long long>("unsigned long long", whole<unsigned long long>, 5, ~0ull - 3, 1ull << 33);
    check<long>("long", whole<long>, -5, 77, -3);
    check<short>("short", part<short>, -5, 0x7ff0, -100);
    check<unsigned char>("unsigned char", part<unsigned char>, 200, 100, 3);
    puts(failed ? "FAIL" : "PASS");
    return failed != 0;
}
