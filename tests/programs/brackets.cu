// Launches as old formatters write them, which nvcc accepts: in a source, in what it includes, over
// two lines; beside an operator and shifts that look alike.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
template <class T> struct Pair { T a; };
template <class T> int operator<< (Pair<T> p, T by) { return p.a * 10 + by; }
__global__ void set(int *p, int v) { p[threadIdx.x] = v; }
template <int K> __global__ void add(int *p) { p[threadIdx.x] += K; }
#include "brackets.h"
int main()
{
    int *p, h[8], wrong = 0, one = 1;
    std::vector<std::vector<int> > nested(1);
    cudaMalloc(&p, sizeof h);
    set << < 1, (8 >> one) > 1 ? 8 : 4 >> > (p, 2);        // "<< <" in a comment
    set<< <dim3(1), 4, 0, 0>> >(p, 5);
    add<3> <<  <1,
        0'10>>  >(p);
    from_header(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) wrong += h[i] != (i < 4 ? 5 : 2) + 3 + 100;
    wrong += sizeof R"(" k<< <1>> >(x))" != 16 || R"(" k<< <1>> >(x))"[3] != '<';
    wrong += operator<< <int>(Pair<int>{ 4 }, 2) != 42 || nested.size() != 1;
    printf("%s %" PRIu64"%s\n", "<< <1>> >(x)", (uint64_t)wrong, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
