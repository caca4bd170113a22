// What units_a.cu and units_b.cu have in common.
// SPDX-License-Identifier: Apache-2.0
template <class T> __device__ __noinline__ T twice(T x) { return x + x; }        // weak in both
struct Shape { __device__ virtual int area(int n) const { return n; } };
extern __device__ int table[8];
extern __device__ int counter;
__device__ int scaled(int x);
__device__ int applied(int (*f)(int), int x);
