/* What a judged program has in common: a kernel (and a host function) for each row of
 * functions.tsv, which generate.pl writes, and this around them.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   PROGRAM OUT         the results of all its rows: for each row and side, CASES times its words */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include "arguments.h"
enum { ARGUMENTS = 4, RESULTS = 4 };
/* Of case i, argument k stands in two words, argument k of all cases together. */
#define BOTH static __host__ __device__ __inline__
template <class T> BOTH T get(const word *a, int i, int k)
{
    T v;
    memcpy(&v, a + (k * CASES + i) * 4, sizeof v);
    return v;
}
/* Result words start..., a word for every eight bytes of v. */
template <class T> BOTH void put(word *r, int i, int k, const T &v)
{
    word w[(sizeof v + 7) / 8] = {};
    memcpy(w, &v, sizeof v);
    for (unsigned n = 0; n < sizeof w / sizeof *w; n++) r[(k + n) * CASES + i] = w[n];
}
template <class T> BOTH T of_type();            /* in decltype alone */
/* After the results: whether the type of the call is that of the row. */
template <class WANT, class IS> BOTH void same(word *r)
{
    r[RESULTS * CASES] = std::is_same<WANT, IS>::value;
}
/* An element of an argument's type: kind and number. */
template <class T> struct made_of { static constexpr kind of = INT32; static constexpr int n = 0; };
#define MADE_OF(T, KIND, N) \
    template <> struct made_of<T> { static constexpr kind of = KIND; static constexpr int n = N; };
MADE_OF(bool, BIT, 1) MADE_OF(char, INT8, 1) MADE_OF(signed char, INT8, 1)
MADE_OF(unsigned char, INT8, 1) MADE_OF(short, INT16, 1) MADE_OF(unsigned short, INT16, 1)
MADE_OF(int, INT32, 1) MADE_OF(unsigned, INT32, 1) MADE_OF(long, INT64, 1)
MADE_OF(unsigned long, INT64, 1) MADE_OF(long long, INT64, 1) MADE_OF(unsigned long long, INT64, 1)
MADE_OF(float, F32, 1) MADE_OF(double, F64, 1) MADE_OF(float2, F32, 2) MADE_OF(float4, F32, 4)
MADE_OF(double2, F64, 2) MADE_OF(double4, F64, 4)
MADE_OF(char4, INT8, 4) MADE_OF(uchar4, INT8, 4) MADE_OF(short2, INT16, 2)
MADE_OF(ushort2, INT16, 2) MADE_OF(__half, F16, 1) MADE_OF(__half2, F16, 2)
MADE_OF(__half_raw, F16, 1) MADE_OF(__half2_raw, F16, 2) MADE_OF(__nv_bfloat16, BF16, 1)
MADE_OF(__nv_bfloat162, BF16, 2) MADE_OF(__nv_bfloat16_raw, BF16, 1)
MADE_OF(__nv_bfloat162_raw, BF16, 2) MADE_OF(__nv_saturation_t, BIT, 1)
MADE_OF(__nv_fp8_interpretation_t, BIT, 1) MADE_OF(__nv_fp8_e4m3, INT8, 1)
MADE_OF(__nv_fp8_e5m2, INT8, 1) MADE_OF(__nv_fp8x2_e4m3, INT8, 2) MADE_OF(__nv_fp8x2_e5m2, INT8, 2)
MADE_OF(__nv_fp8x4_e4m3, INT8, 4) MADE_OF(__nv_fp8x4_e5m2, INT8, 4)
template <class T> static void fill(word *a, int n, int k, int other = -1)
{
    static_assert(made_of<T>::n > 0, "an argument's type that the judge does not know");
    const unsigned size = sizeof(T) / made_of<T>::n;
    for (int i = 0; i < CASES; i++)
        for (int e = 0; e < made_of<T>::n; e++) {
            word v = argument_of(other < 0 ? made_of<T>::of : (kind)other, n * made_of<T>::n,
                                 k * made_of<T>::n + e, i);
            memcpy((char *)(a + (k * CASES + i) * 4) + e * size, &v, size);
        }
}
typedef void side(const word *, word *);
struct row {
    const char *name;
    int words;
    void (*fill)(word *);
    side *device, *host, *cc;                /* kernels and a function; NULL: not there */
};
#define CASE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define DEVICE_ROW(K, ...) \
    static __global__ void d##K(const word *a, word *r) { const int i = CASE; __VA_ARGS__ }
#define HOST_ROW(K, ...) \
    static void h##K(const word *a, word *r) { for (int i = 0; i < CASES; i++) { __VA_ARGS__ } }
#define TYPE(...) decltype(__VA_ARGS__)
#ifdef __HEDDLE__
#define HEDDLE_ONLY(F) F
#else
#define HEDDLE_ONLY(F) 0
#endif

static int run(const struct row *rows, int n, const char *path)
{
    static word in[ARGUMENTS * CASES * 4], out[RESULTS * CASES + 1];
    word *din, *dout;
    FILE *f = fopen(path, "wb");
    if (!f) return perror(path), 2;
    cudaMalloc(&din, sizeof in), cudaMalloc(&dout, sizeof out);
    for (const struct row *r = rows; r < rows + n; r++) {
        memset(in, 0, sizeof in);
        r->fill(in);
        cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
        side *const sides[] = { r->device, r->cc, r->host };
        for (int k = 0; k < 3; k++) {
            if (!sides[k]) continue;
            memset(out, 0, sizeof out);
            out[RESULTS * CASES] = 1;
            if (k < 2) {
                cudaMemcpy(dout, out, sizeof out, cudaMemcpyHostToDevice);
                sides[k]<<<CASES / 128, 128>>>(din, dout);
                cudaError_t e = cudaDeviceSynchronize();
                if (e != cudaSuccess || (e = cudaGetLastError()) != cudaSuccess)
                    return fprintf(stderr, "%s: %s\n", r->name, cudaGetErrorString(e)), 1;
                cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
            } else {
                sides[k](in, out);
            }
            fwrite(out, sizeof(word) * CASES, (size_t)r->words, f);
            fwrite(out + RESULTS * CASES, sizeof(word), 1, f);
        }
    }
    return fclose(f) ? (perror(path), 2) : 0;
}
#ifdef PLANTED                /* mistakes that the judge must find: a rounding, lost bits, a type */
#define __fadd_rn __fadd_rz
#define expm1f(x) (expf(x) - 1)
#define rcbrt(x) rcbrt((double)(x))
#endif
