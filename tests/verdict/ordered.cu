// Warps that meet in memory in an order: lockstep finds no race here.
// SPDX-License-Identifier: Apache-2.0
__device__ unsigned arrived;

// A flag: the data, a fence, the flag; another block waits for it.
extern "C" __global__ void message(int *data, volatile int *flag, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 3 * t;
        __threadfence();
        __syncthreads();
        if (t == 0) *flag = 1;
    } else {
        if (t == 0)
            while (!*flag) { }
        __syncthreads();
        __threadfence();
        out[t] = data[63 - t];
    }
}
// The same by an atomic: the last block adds what all have stored.
extern "C" __global__ void last(const int *in, int *part, int *out)
{
    __shared__ bool is_last;
    part[blockIdx.x * blockDim.x + threadIdx.x] = 2 * in[threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(&arrived, 1) == gridDim.x - 1;
    __syncthreads();
    if (is_last) {
        int sum = 0;
        for (unsigned k = threadIdx.x; k < gridDim.x * blockDim.x; k += blockDim.x) sum += part[k];
        out[threadIdx.x] = sum;
    }
}
// Shared memory, used again after block barriers.
extern "C" __global__ void turns(int *out)
{
    __shared__ int a[64];
    int t = threadIdx.x, s = 0;
    for (int k = 0; k < 4; k++) {
        a[t] = t + k;
        __syncthreads();
        s += a[63 - t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s;
}
// Lanes of one warp; bytes of one word; the same value by all; a lock.
extern "C" __global__ void others(int *out, unsigned char *bytes, int *any, int *lock, int *sum)
{
    __shared__ int w[64];
    int t = threadIdx.x, base = t & ~31;
    w[t] = t;
    __syncwarp();
    out[blockIdx.x * 64 + t] = w[base + (31 - t % 32)];
    bytes[(t % 32) * 4 + t / 32 + 2 * blockIdx.x] = (unsigned char)t;
    *any = 1;
    if (t % 32 == 0) {
        while (atomicCAS(lock, 0, 1)) { }
        __threadfence();
        *sum = *sum + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
