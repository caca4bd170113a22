// One lane adds to a counter for all of its warp that are here, and tells them by a shuffle what was there: the others' variable
// is set by nothing before.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

__device__ int place(int *counter)
{
    unsigned here = __activemask();
    int leader = __ffs(here) - 1, change = __popc(here), before, first;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
    unsigned rank = __popc(here & before);
    if (rank == 0) first = atomicAdd(counter, change);
    first = __shfl_sync(here, first, leader);
    return first + rank;
}
__global__ void keep(int *to, int *n, const int *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (from[i] > 0) to[place(n)] = from[i];
}
int main()
{
    enum { N = 256 };
    static int from[N], to[N];
    int *d, *e, *n, kept = 0, want = 0;
    bool seen[N + 1] = {}, ok = true;
    for (int k = 0; k < N; k++) from[k] = k % 3 ? k + 1 : -1, want += k % 3 != 0;
    cudaMalloc(&d, sizeof to), cudaMalloc(&e, sizeof from), cudaMalloc(&n, sizeof *n);
    cudaMemset(n, 0, sizeof *n), cudaMemcpy(e, from, sizeof from, cudaMemcpyHostToDevice);
    keep<<<2, N / 2>>>(d, n, e);
    cudaMemcpy(&kept, n, sizeof kept, cudaMemcpyDeviceToHost), cudaMemcpy(to, d, sizeof to, cudaMemcpyDeviceToHost);
    for (int k = 0; k < kept && k < N; k++) ok &= to[k] > 0 && to[k] <= N && !seen[to[k]], seen[to[k] > 0 && to[k] <= N ? to[k] : 0] = true;
    puts(ok && kept == want ? "PASS" : "FAIL");
    return !ok || kept != want;
}
