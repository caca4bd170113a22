// cuda::std's arrays, tuples, complex numbers and their like, cuda/functional, and copies by all
// threads of a group.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace cg = cooperative_groups;
enum { N = 16 };

template <class T> __host__ __device__ T sum(cuda::std::span<T> s)
{
    T r = 0;
    for (auto v : s) r += v;
    return r;
}
__host__ __device__ cuda::std::tuple<int, float> both(int k)
{
    return cuda::std::make_tuple(k, k * 0.5f);
}

// What of it host and device compute alike; copied: the n numbers of `in`.
template <class Copied> __host__ __device__ float all_of(int t, const Copied &copied)
{
    static_assert(cuda::std::is_same_v<cuda::std::uint32_t, unsigned>, "32 bits");
    cuda::std::array<float, 4> a = { 1, 2, 3, 4 };
    a[t & 3] += copied[t];
    int i;
    float f;
    cuda::std::tie(i, f) = both(t);
    cuda::std::complex<float> z(1, (float)t);
    z = z * z;
    cuda::std::optional<int> o;
    if (t & 1) o = cuda::std::optional<int>(7);
    auto p = cuda::std::make_pair(1, 2.5f), q = cuda::std::make_pair(t, 0.25f);
    cuda::std::swap(p, q);
    return sum(cuda::std::span<float>(a.data(), 4)) + i + f + z.real() + o.value_or(1) + p.first + p.second +
           cuda::std::plus<>{}(1, 2) + cuda::std::identity{}(t) + cuda::maximum<>{}(t, 4) + (cuda::std::numeric_limits<float>::max() > 1e38f);
}

__global__ void k(const float *in, float *out)
{
    __shared__ float bytes[N], elements[N + 1];
    __shared__ cuda::std::atomic<int> arrived;
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0) arrived = 0;
    elements[N] = -1;
    block.sync();
    cg::memcpy_async(block, bytes, in, cuda::aligned_size_t<4>(sizeof bytes));
    cg::memcpy_async(block, elements, N, in, N + 5); // room for N alone
    cg::wait_prior<1>(block);
    cg::wait(block);
    arrived++;
    block.sync();
    auto add = cuda::proclaim_return_type<float>([] __device__(float x) { return x + 1; });
    out[threadIdx.x] = add(all_of(threadIdx.x, bytes)) + elements[N - 1 - threadIdx.x] + elements[N] + arrived;
}

int main()
{
    float *in, *out;
    int wrong = 0;
    cudaMallocManaged(&in, 2 * N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    for (int i = 0; i < 2 * N; i++) in[i] = (float)i;
    k<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) wrong += out[i] != all_of(i, in) + 1 + in[N - 1 - i] - 1 + N;
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
