// thrust and CUB, which are not ours: reductions, scans, sorting, of the host's making and in a kernel of our own.
// SPDX-License-Identifier: Apache-2.0
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <cstdio>

__global__ void block_sum(int *p)
{
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ typename Reduce::TempStorage space;
    int sum = Reduce(space).Sum((int)threadIdx.x);
    if (threadIdx.x == 0) *p = sum;
}

int main()
{
    enum { N = 1000 };
    int bad = 0, sum = 0;
    thrust::device_vector<int> v(N), one(1);
    thrust::host_vector<int> h(N);
    thrust::sequence(v.begin(), v.end());
    bad += thrust::reduce(v.begin(), v.end()) != N * (N - 1) / 2;
    for (int i = 0; i < N; i++) h[i] = i * 7919 % N;
    v = h;
    thrust::sort(v.begin(), v.end());
    h = v;
    for (int i = 0; i < N; i++) bad += h[i] != i;
    thrust::inclusive_scan(v.begin(), v.end(), v.begin());
    h = v;
    for (int i = 0; i < N; i++) bad += h[i] != (sum += i);
    block_sum<<<1, 128>>>(thrust::raw_pointer_cast(one.data()));
    bad += one[0] != 128 * 127 / 2;
    puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
