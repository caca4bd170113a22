// Shuffles and votes without a mask, as before CUDA 9: among the lanes that are here.  A part of a warp scans; the others wait
// at the block's barrier, or have left.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scans(const int *from, int *sums, unsigned *votes)
{
    __shared__ int last[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, v = from[t];
    for (int by = 1; by < 32; by *= 2) {
        int n = __shfl_up(v, by);
        if (lane >= by) v += n;
    }
    if (lane == 31) last[warp] = v;
    __syncthreads();
    if (t < 8) {                         // eight lanes, which the other 24 do not join
        int sum = last[t];
        for (int by = 1; by < 8; by *= 2) {
            int n = __shfl_up(sum, by, 8);
            if (t >= by) sum += n;
        }
        last[t] = sum;
    }
    __syncthreads();
    sums[t] = v + (warp ? last[warp - 1] : 0);
    if (lane % 4 == 3) return;           // they are asked no more
    unsigned third = __ballot(lane % 3 == 0);
    int all = __all(lane % 4 != 3), any = __any(lane == 31);
    float half = __shfl_xor(lane * 0.5f, 1), far = __shfl(lane * 0.5f, 2);
    double down = __shfl_down((double)lane, 4);
    if (lane % 4 < 2) votes[t] = third + all + 2 * any + (half == (lane ^ 1) * 0.5f && far == 1 && down == (lane < 28 ? lane + 4 : lane) ? 0 : 64);
}

int main()
{
    enum { N = 256 };
    int from[N], sums[N], *d, *e, want = 0;
    unsigned votes[N], *v;
    bool ok = true;
    for (int k = 0; k < N; k++) from[k] = k * k % 11;
    cudaMalloc(&d, sizeof from), cudaMalloc(&e, sizeof sums), cudaMalloc(&v, sizeof votes);
    cudaMemset(v, 0, sizeof votes);
    cudaMemcpy(d, from, sizeof from, cudaMemcpyHostToDevice);
    scans<<<1, N>>>(d, e, v);
    ok = cudaMemcpy(sums, e, sizeof sums, cudaMemcpyDeviceToHost) == cudaSuccess;
    cudaMemcpy(votes, v, sizeof votes, cudaMemcpyDeviceToHost);
    unsigned third = 0;
    for (int l = 0; l < 32; l++) third |= l % 3 == 0 && l % 4 != 3 ? 1u << l : 0;
    for (int k = 0; k < N; k++) ok = ok && sums[k] == (want += from[k]) && votes[k] == (k % 4 < 2 ? third + 1 : 0);
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
