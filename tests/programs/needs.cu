// What public programs needed and did not get, a case each.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

static int bad;
static void expect(const char *what, bool ok)
{
    if (!ok) printf("wrong: %s\n", what), bad = 1;
}

// The last thread fetches work for all: each thread reads what it wrote, not what lay there before the barrier.
__global__ void fetches(int *head, int *out, int n)
{
    __shared__ int item;
    if (threadIdx.x == 63) item = atomicAdd(head, 1);
    __syncthreads();
    while (item < n) {
        atomicAdd(&out[item], 1);
        __syncthreads();
        if (threadIdx.x == 63) item = atomicAdd(head, 1);
        __syncthreads();
    }
}

static void order()
{
    enum { N = 10 };
    int *head, out[N];
    cudaMalloc(&head, (N + 1) * sizeof *head);
    cudaMemset(head, 0, (N + 1) * sizeof *head);
    fetches<<<2, 64>>>(head, head + 1, N);
    expect("a launch of fetches", cudaMemcpy(out, head + 1, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int k = 0; k < N; k++) expect("each item is done by a block of 64 threads", out[k] == 64);
    cudaFree(head);
}

int main()
{
    order();
    printf(bad ? "FAIL\n" : "PASS\n");
    return bad;
}
