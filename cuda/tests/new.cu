// new and delete in device code, which need no header: of objects, arrays, aligned types, by virtual destructors, of a
// class of its own, in place; with -DWITH_NEW after <new>, with -DOWN by the program's own operators.  With an argument, by
// a part of a warp.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#ifdef WITH_NEW
#include <new>
#endif
#ifdef OWN
__device__ int calls;
__device__ void *operator new(size_t n)
{
    calls++;
    return malloc(n);
}
__device__ void operator delete(void *p) noexcept
{
    calls++;
    free(p);
}
#endif
struct base {
    __device__ virtual int f() { return 1; }
    __device__ virtual ~base() {}
};
struct derived : base {
    int x;
    __device__ derived(int v) : x(v) {}
    __device__ int f() override { return x; }
    __device__ ~derived() { x = 0; }
};
struct alignas(128) wide {
    char c;
    __device__ wide() : c(7) {}
};
struct node {
    node *next;
    int v;
};
struct own {
    int x;
    static __device__ void *operator new(size_t n) { return malloc(n + 100); }
    static __device__ void operator delete(void *p) { free(p); }
};
template <class T> struct list {
    T *head = nullptr;
    __device__ void push(int v) { head = new T{ head, v }; }
    __device__ ~list()
    {
        while (head) {
            T *n = head->next;
            delete head;
            head = n;
        }
    }
};
__global__ void make(int *out)
{
    int t = threadIdx.x, s = 0;
    base *b = new derived(t);
    s += b->f();
    delete b;
    wide *w = new wide;
    s += (size_t)w % 128 + w->c;
    delete w;
    wide *ws = new wide[t + 1];
    s += (size_t)ws % 128 + ws[t].c;
    delete[] ws;
    list<node> l;
    for (int k = 0; k < t; k++) l.push(k);
    for (node *n = l.head; n; n = n->next) s += n->v;
    own *o = new own;
    o->x = 3;
    s += o->x;
    delete o;
    __shared__ char room[32 * sizeof(derived)];
    derived *p = new (room + t * sizeof(derived)) derived(5);
    s += ((base *)p)->f();
    p->~derived();
    double *d = new double(2.5);
    s += (int)(*d * 2);
    delete d;
    int **m = new int *[3];
    for (int k = 0; k < 3; k++) m[k] = new int[2]{ k, k };
    s += m[2][1];
    for (int k = 0; k < 3; k++) delete[] m[k];
    delete[] m;
#ifdef WITH_NEW
    int *q = new (std::nothrow_t{}) int(4);
    s += *q - 4;
    delete q;
    wide *v = new (std::nothrow_t{}) wide[2];
    s += (size_t)v % 128;
    delete[] v;
#endif
    void *r = ::operator new(10);
    ::operator delete(r);
    out[t] = s - (t + 7 + 7 + t * (t - 1) / 2 + 3 + 5 + 5 + 2);
#ifdef OWN
    if (!calls) out[t] = 1;
#endif
}
int main(int argc, char **)
{
    const int threads = argc > 1 ? 8 : 32;
    int out[32], *d, bad = 0;
    cudaMalloc(&d, sizeof out);
    make<<<1, threads>>>(d);
    cudaError_t e = cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    if (e) return printf("FAIL %s\n", cudaGetErrorString(e)), 1;
    for (int t = 0; t < threads; t++)
        if (out[t]) bad++, printf("%d: %d\n", t, out[t]);
    puts(bad ? "FAIL" : "PASS");
}
