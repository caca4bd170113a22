// Products and quotients of complex numbers in kernels, of C's type, std::complex and cuda::std::complex: no function of
// a library is missing, and the values are those of long double, without overflow on the way.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuda/std/complex>

enum { CASES = 6, WAYS = 3 };
template <class T> struct values { T in[CASES][4], out[WAYS][CASES][4]; };

template <class C, class T> __device__ void put(T *out, const C &product, const C &quotient)
{
    out[0] = product.real(), out[1] = product.imag(), out[2] = quotient.real(), out[3] = quotient.imag();
}
template <class T> __global__ void compute(values<T> *v)
{
    const int t = threadIdx.x;
    const T *in = v->in[t];
    auto a = __builtin_complex(in[0], in[1]), b = __builtin_complex(in[2], in[3]), p = a * b, q = a / b;
    T *out = v->out[0][t];
    out[0] = __real__ p, out[1] = __imag__ p, out[2] = __real__ q, out[3] = __imag__ q;
    const std::complex<T> c(in[0], in[1]), d(in[2], in[3]);
    put(v->out[1][t], c * d, c / d);
    const cuda::std::complex<T> e(in[0], in[1]), f(in[2], in[3]);
    put(v->out[2][t], e * f, e / f);
}

static int failed;
template <class T> static void check(const char *type, const T big)
{
    static values<T> h = { { { 1, 2, 3, 4 }, { -5, T(0.5), T(0.25), -7 }, { 0, 1, 0, 1 }, { 3, 0, 0, -2 }, { 1, 1, big, big },
                             { big, -big, big, big } } };
    values<T> *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    compute<<<1, CASES>>>(d);
    if (cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost)) failed++, printf("FAIL: %s: no launch\n", type);
    for (int way = 0; way < WAYS; way++)
        for (int k = 0; k < CASES; k++) {
            const long double a = h.in[k][0], b = h.in[k][1], c = h.in[k][2], e = h.in[k][3], n = c * c + e * e;
            const long double want[4] = { a * c - b * e, a * e + b * c, (a * c + b * e) / n, (b * c - a * e) / n };
            for (int i = k == CASES - 1 ? 2 : 0; i < 4; i++) {          /* the last product is too large */
                const long double bound = (fabsl(want[i & 2]) + fabsl(want[i | 1])) * (sizeof(T) == 4 ? 1e-6L : 1e-15L);
                if (fabsl(h.out[way][k][i] - want[i]) <= bound) continue;
                failed++;
                printf("FAIL: %s, way %d, case %d, value %d: %.17g, right is %.17Lg\n", type, way, k, i,
                       (double)h.out[way][k][i], want[i]);
            }
        }
}

int main()
{
    check<float>("float", 1e30f);
    check<double>("double", 1e300);
    if (failed) return 1;
    printf("PASS\n");
    return 0;
}
