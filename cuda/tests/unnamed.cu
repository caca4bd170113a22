// Variables of unnamed namespaces are one for host and device, in managed memory and by symbol, in nested namespaces,
// as arrays of structures, members and variables of templates, and where device code only reads them.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

namespace {
struct state { int a, b; };
template <class T> struct box { T v; };
__managed__ int number = 10;
__managed__ int array[4] = { 1, 2, 3, 4 };
__managed__ state structure;
__managed__ box<double> boxed = { 2.5 };
__constant__ int scale[2] = { 1, 1 };
__device__ int total = 5;
__device__ int fresh;
__device__ state both;
__constant__ state table[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
namespace {
__managed__ state nested[2] = { { 1, 1 }, { 2, 2 } };
__constant__ box<float> factor = { 1 };
namespace inner { __device__ box<int> deep = { 4 }; }
}
template <class T> struct holder { static __device__ T kept; };
template <class T> __device__ T holder<T>::kept = 3;
template <class T> __constant__ T of = T(2);
__device__ int *where;
static __device__ const int fixed[3] = { 7, 8, 9 };
__global__ void first() { nested[1].b += 5, holder<int>::kept += 1, where = &total; }
}
namespace outer { namespace { __managed__ int number = 100; __constant__ int scale[2] = { 50, 50 }; } }
static __managed__ int mine[2] = { 20, 20 };
static __constant__ int offset = 1;

__global__ void work(int *out)
{
    number += 1;
    for (int k = 0; k < 4; k++) array[k] *= 10;
    structure.a += 3, structure.b = 9, boxed.v *= 2, mine[1] += 1, outer::number += outer::scale[1];
    out[0] = scale[1] * 100 + offset, out[1] = total, out[2] = both.b + fresh;
    out[3] = table[2].b * 10 + table[0].a, out[4] = (int)(factor.v * 2 + inner::deep.v + of<float> * 100 + of<int> * 1000);
    out[5] = holder<int>::kept, out[6] = *where, out[7] = fixed[out[0] & 1];
    total = 77;
}

static int bad;
static void is(const char *what, double got, double right)
{
    if (got != right) bad++, printf("FAIL: %s is %g, right is %g\n", what, got, right);
}
#define IS(WHAT, RIGHT) is(#WHAT, WHAT, RIGHT)
#define SAY(CALL) \
    do { \
        cudaError_t e = CALL; \
        if (e) bad++, printf("FAIL: %s: %s\n", #CALL, cudaGetErrorString(e)); \
    } while (0)

int main()
{
    int *d, out[8], two[2] = { 2, 3 }, four = 4, six = 6, k1000 = 1000, back = 0;
    state p = { 8, 9 }, rows[3] = { { 11, 12 }, { 13, 14 }, { 15, 16 } };
    box<float> half = { 0.5f };
    box<int> deep = { 40 };
    float three = 3;
    void *at;
    size_t bytes = 0;
    number = 11, array[3] = 5, structure.a = 1, boxed.v = 4, mine[1] = 21, outer::number = 200, nested[1].b = 30;
    SAY(cudaMalloc(&d, sizeof out));
    SAY(cudaMemcpyToSymbol(scale, two, sizeof two));
    SAY(cudaMemcpyToSymbol(offset, &four, sizeof four));
    SAY(cudaMemcpyToSymbol(total, &six, sizeof six));
    SAY(cudaMemcpyToSymbol(fresh, &k1000, sizeof k1000));
    SAY(cudaMemcpyToSymbol(both, &p, sizeof p));
    SAY(cudaMemcpyToSymbol(table, rows, sizeof rows));
    SAY(cudaMemcpyToSymbol(factor, &half, sizeof half));
    SAY(cudaMemcpyToSymbol(inner::deep, &deep, sizeof deep));
    SAY(cudaMemcpyToSymbol(of<float>, &three, sizeof three));
    SAY(cudaMemcpyToSymbol(holder<int>::kept, &six, sizeof six));
    SAY(cudaMemcpyToSymbol(fixed, &six, sizeof six, 4));
    SAY(cudaGetSymbolAddress(&at, total));
    SAY(cudaGetSymbolSize(&bytes, table));
    first<<<1, 1>>>();
    work<<<1, 1>>>(d);
    SAY(cudaDeviceSynchronize());
    SAY(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyFromSymbol(&back, total, sizeof back));
    IS(number, 12), IS(array[3], 50), IS(structure.a, 4), IS(structure.b, 9), IS(boxed.v, 8), IS(mine[1], 22);
    IS(outer::number, 250), IS(nested[1].b, 35), IS(bytes, sizeof table), IS(back, 77);
    IS(out[0], 304), IS(out[1], 6), IS(out[2], 1009), IS(out[3], 171), IS(out[4], 2341), IS(out[5], 7), IS(out[6], 6);
    puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
