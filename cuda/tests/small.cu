// f16 and bf16 on host and device, bit for bit; random numbers by their means; complex numbers; the samples' helpers.
// SPDX-License-Identifier: Apache-2.0
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <helper_cuda.h>
#include <helper_functions.h>

enum { STEP = 37, DRAWS = 300 };                         // STEP: of all 65536 halves one in 37

__global__ void convert(unsigned short *h, unsigned short *b)
{
    for (unsigned i = threadIdx.x; i * STEP < 65536; i += blockDim.x) {
        float v = __half2float(__ushort_as_half((unsigned short)(i * STEP)));
        h[i] = __half_as_ushort(__float2half(v * 1.0009765625f) + half(0.125f));
        b[i] = __bfloat16_as_ushort(__float2bfloat16(v * 1.001f));
    }
}

// Products halfway between two numbers, and a third operand that tells which is nearer, but is too small for f32.
__host__ __device__ static unsigned fused()
{
    __half h = __hfma(__ushort_as_half(0x3e00), __ushort_as_half(0x3c01), __ushort_as_half(0x8001));
    __nv_bfloat16 b = __hfma(__ushort_as_bfloat16(0x3fc0), __ushort_as_bfloat16(0xbf81), __ushort_as_bfloat16(0x2b80));
    return (unsigned)__half_as_ushort(h) << 16 | __bfloat16_as_ushort(b);
}
__global__ void fuse(unsigned *out) { *out = fused(); }

__global__ void draw(float *mean, half *sum)
{
    curandState x;
    curandStatePhilox4_32_10_t p, q;
    curand_init(1234, threadIdx.x, 0, &x);
    curand_init(1234, threadIdx.x, 0, &p);
    curand_init(1234, threadIdx.x, 9, &q);
    float u = 0, v = 0, n = 0;
    for (int i = 0; i < DRAWS; i++) {
        float z = curand_normal(&x);
        unsigned bits = curand(&p);
        if (i >= 9 && bits != curand(&q)) n = 1e9f;      // an offset is where it says
        u += curand_uniform(&x), v += heddle_uniform(bits), n += z * z;
    }
    atomicAdd(&mean[0], u), atomicAdd(&mean[1], v), atomicAdd(&mean[2], n);
    atomicAdd(&sum[threadIdx.x & 1], half(1.0f));
    if (threadIdx.x == 0) {
        cuFloatComplex c = cuCdivf(cuCmulf(make_cuFloatComplex(1, 2), make_cuFloatComplex(3, 4)), make_cuFloatComplex(3, 4));
        mean[3] = cuCrealf(c), mean[4] = cuCimagf(c);
    }
}

int main(int argc, const char **argv)
{
    int wrong = 0;
    unsigned short *h, *b;
    float *mean;
    half *sum;
    StopWatchInterface *timer;
    findCudaDevice(argc, argv);
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    checkCudaErrors(cudaMallocManaged(&h, 65536));
    checkCudaErrors(cudaMallocManaged(&b, 65536));
    checkCudaErrors(cudaMallocManaged(&mean, 5 * sizeof *mean));
    checkCudaErrors(cudaMallocManaged(&sum, 2 * sizeof *sum));
    convert<<<1, 64>>>(h, b);
    draw<<<1, 32>>>(mean, sum);
    checkCudaErrors(cudaDeviceSynchronize());
    getLastCudaError("draw");
    for (unsigned i = 0; i * STEP < 65536; i++) {
        float v = __half2float(__ushort_as_half((unsigned short)(i * STEP)));
        if (v != v) continue;
        wrong += h[i] != __half_as_ushort(__float2half(v * 1.0009765625f) + half(0.125f));
        wrong += b[i] != __bfloat16_as_ushort(__float2bfloat16(v * 1.001f));
    }
    // What f16 and bf16 are, by numbers of their own: 1/3, the largest, the smallest, a tie that goes to even.
    wrong += __half_as_ushort(__float2half(1.0f / 3)) != 0x3555 || __half_as_ushort(__float2half(65519.0f)) != 0x7bff;
    wrong += __half_as_ushort(__float2half(65520.0f)) != 0x7c00 || __half_as_ushort(__float2half(5.9604645e-8f)) != 1;
    wrong += __half_as_ushort(__float2half(2049.0f)) != 0x6800 || __bfloat16_as_ushort(__float2bfloat16(1.0f / 3)) != 0x3eab;
    unsigned *both;
    checkCudaErrors(cudaMallocManaged(&both, sizeof *both));
    fuse<<<1, 1>>>(both);
    checkCudaErrors(cudaDeviceSynchronize());
    wrong += *both != 0x3e01bfc1 || fused() != *both;
    const double n = 32.0 * DRAWS;
    wrong += fabs(mean[0] / n - 0.5) > 0.015 || fabs(mean[1] / n - 0.5) > 0.015 || fabs(mean[2] / n - 1) > 0.06;
    wrong += fabs(mean[3] - 1) > 1e-6 || fabs(mean[4] - 2) > 1e-6;
    wrong += (float)sum[0] != 16 || (float)sum[1] != 16;
    sdkStopTimer(&timer);
    wrong += sdkGetTimerValue(&timer) < 0 || checkCmdLineFlag(argc, argv, "size") != (argc > 1);
    if (argc > 1) wrong += getCmdLineArgumentInt(argc, argv, "size") != 17;
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
