// A goto past a __syncthreads that no lane takes, in a branch that divides the lanes: they meet at the barrier, in stack
// mode too.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#define N 64

__global__ void sum(int *out, const int *in)
{
    __shared__ int s[N];
    int t = threadIdx.x, v = in[t], other = -1;
    if (v & 1) {
        s[t] = v * 3;
        if (v > 1000) goto after;
        s[t] += 5;
    } else {
        s[t] = v;
    }
    __syncthreads();
    other = s[t ^ 1];
after:
    out[t] = s[t] + other;
}

int main()
{
    int in[N], out[N], *din, *dout;
    for (int t = 0; t < N; t++) in[t] = t * 7 % 31;
    cudaMalloc(&din, sizeof in), cudaMalloc(&dout, sizeof out);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    sum<<<1, N>>>(dout, din);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) return printf("FAIL: %s\n", cudaGetErrorString(e)), 1;
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
#define MINE(t) (in[t] & 1 ? in[t] * 3 + 5 : in[t])
    for (int t = 0; t < N; t++)
        if (out[t] != MINE(t) + MINE(t ^ 1))
            return printf("FAIL: out[%d] is %d, right is %d\n", t, out[t], MINE(t) + MINE(t ^ 1)), 1;
    printf("PASS\n");
    return 0;
}
