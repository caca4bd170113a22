// _Float16 of the host, as gcc has it: rounded once from every type, and the same bits as the device's.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

__global__ void round(unsigned short *out, const float *in)
{
    out[threadIdx.x] = __half_as_ushort(__float2half_rn(in[threadIdx.x]));
}

int main()
{
    float in[4] = { 0.1f, 1.0009765625f, 65504.0f, 5.9604645e-8f }, *din;
    unsigned short out[4], *dout;
    cudaMalloc(&din, sizeof in), cudaMalloc(&dout, sizeof out);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    round<<<1, 4>>>(dout, din);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 4; k++) {
        _Float16 h = (_Float16)in[k];
        unsigned short bits;
        memcpy(&bits, &h, 2);
        if (bits != out[k]) return printf("FAIL: %g is %04x, right is %04x\n", in[k], out[k], bits), 1;
    }
    volatile double d = 1 + 0x1p-11 + 0x1p-40;
    volatile long double l = 2.5L;
    volatile int i = 2049;
    volatile unsigned long long u = 65504;
    _Float16 h = (_Float16)d, a = (_Float16)l, b = (_Float16)i, c = (_Float16)u, sum = h * a + b;
    if ((double)h != 1 + 0x1p-10 || (long double)a != 2.5L || (int)b != 2048 || (unsigned long long)c != 65504 ||
        (float)sum != 2050)
        return printf("FAIL: %a %g %g %g %g\n", (double)h, (double)a, (double)b, (double)c, (double)sum), 1;
    printf("PASS\n");
    return 0;
}
