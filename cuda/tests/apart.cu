// Products that are not fused into sums: an argument's, and those of __fmul_rn and its like.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>

// A product that is an argument is rounded first.
__global__ void apart(float a, float b, double c, double d, float *f, double *g)
{
    f[0] = roundf(a * b), f[1] = __fmul_rn(a, b) + -178.5f, f[2] = __fadd_rn(a * b, -178.5f);
    f[3] = fdimf(a * b, 178.5f), f[4] = modff(a * b, &f[5]);
    g[0] = round(c * d), g[1] = __dmul_rn(c, d) - 178.5, g[2] = __dadd_rn(c * d, -178.5);
}

int main()
{
    float *f;
    double *g;
    int bad = 0;
    cudaMallocManaged(&f, 64), cudaMallocManaged(&g, 64);
    // 0.7 255 is a little below 178.5, to which it is rounded
    apart<<<1, 1>>>(0.7f, 255.0f, 0.7, 255.0, f, g);
    if (cudaDeviceSynchronize()) return 2;
    for (int k = 0; k < 6; k++) {
        static const float want[] = { 179, 0, 0, 0, 0.5f, 178 };
        if (f[k] != want[k]) bad++, printf("fused: f32 %d: %.9g\n", k, f[k]);
    }
    for (int k = 0; k < 3; k++)
        if (g[k] != (k ? 0 : 179)) bad++, printf("fused: f64 %d: %.17g\n", k, g[k]);
    puts(bad ? "FAIL" : "PASS");
    return bad;
}
