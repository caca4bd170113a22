// Abstract classes in kernels: their tables name a function that there is not.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <new>

struct Shape {
    __device__ Shape() { seen = 0; }
    __device__ virtual ~Shape() {}
    __device__ virtual int area() const = 0;
    __device__ virtual void twice() = delete;
    int seen;
};
struct Square : Shape {
    int a;
    __device__ Square(int n) : a(n) {}
    __device__ int area() const override { return a * a; }
    __device__ void twice() override = delete;
};
struct Bar : Shape {
    int a, b;
    __device__ Bar(int n, int m) : a(n), b(m) {}
    __device__ int area() const override { return a * b; }
    __device__ void twice() override = delete;
};
__global__ void make(Shape **s)
{
    int t = threadIdx.x;
    s[t] = t % 3 ? (Shape *)new Bar(t, 2) : new Square(t);
}
__global__ void measure(Shape **s, int *out) { out[threadIdx.x] = s[threadIdx.x]->area(); }
__global__ void drop(Shape **s) { delete s[threadIdx.x]; }
int main()
{
    Shape **s;
    int *out, wrong = 0;
    cudaMalloc(&s, 64 * sizeof *s), cudaMallocManaged(&out, 64 * sizeof *out);
    make<<<1, 64>>>(s), measure<<<1, 64>>>(s, out), drop<<<1, 64>>>(s);
    if (cudaDeviceSynchronize() != cudaSuccess) wrong = 1;
    for (int t = 0; t < 64; t++) wrong += out[t] != (t % 3 ? 2 * t : t * t);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
