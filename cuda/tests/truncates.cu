// Conversions that name their rounding: integers to f32 and f64, f64 to f32, floats to integers; those to integers give
// the nearest integer that there is.  Each value is exact arithmetic.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
typedef long long s64;
typedef unsigned long long u64;

#define FLOATS(F) \
    F(__int2float_rn, int, 16777217, 16777216.0f) \
    F(__int2float_rz, int, 16777219, 16777218.0f) \
    F(__int2float_rz, int, -16777219, -16777218.0f) \
    F(__int2float_rd, int, 16777219, 16777218.0f) \
    F(__int2float_rd, int, -16777217, -16777218.0f) \
    F(__int2float_ru, int, 16777217, 16777218.0f) \
    F(__int2float_ru, int, -16777219, -16777218.0f) \
    F(__uint2float_rn, unsigned, 0xffffffffu, 4294967296.0f) \
    F(__uint2float_rz, unsigned, 0xffffffffu, 4294967040.0f) \
    F(__uint2float_rd, unsigned, 0xffffffffu, 4294967040.0f) \
    F(__uint2float_ru, unsigned, 0x80000001u, 2147483904.0f) \
    F(__ll2float_rn, s64, 16777217, 16777216.0f) \
    F(__ll2float_rz, s64, 0x7fffffffffffffff, 9223371487098961920.0f) \
    F(__ll2float_rz, s64, -16777219, -16777218.0f) \
    F(__ll2float_rd, s64, -16777217, -16777218.0f) \
    F(__ll2float_ru, s64, 16777217, 16777218.0f) \
    F(__ull2float_rz, u64, ~0ull, 18446742974197923840.0f) \
    F(__ull2float_rd, u64, ~0ull, 18446742974197923840.0f) \
    F(__ull2float_ru, u64, 16777217, 16777218.0f) \
    F(__double2float_rn, double, 16777217.0, 16777216.0f) \
    F(__double2float_rz, double, 16777219.0, 16777218.0f) \
    F(__double2float_rd, double, -16777217.0, -16777218.0f) \
    F(__double2float_ru, double, 16777217.0, 16777218.0f)
#define DOUBLES(F) \
    F(__ll2double_rn, s64, 9007199254740993, 9007199254740992.0) \
    F(__ll2double_rz, s64, 9007199254740995, 9007199254740994.0) \
    F(__ll2double_rz, s64, -9007199254740995, -9007199254740994.0) \
    F(__ll2double_rd, s64, -9007199254740993, -9007199254740994.0) \
    F(__ll2double_ru, s64, 9007199254740993, 9007199254740994.0) \
    F(__ull2double_rz, u64, ~0ull, 18446744073709549568.0) \
    F(__ull2double_rd, u64, ~0ull, 18446744073709549568.0) \
    F(__ull2double_ru, u64, 9007199254740993, 9007199254740994.0) \
    F(__int2double_rn, int, -2147483647, -2147483647.0) \
    F(__uint2double_rn, unsigned, 0xffffffffu, 4294967295.0)
#define INTEGERS(F) \
    F(__float2int_rn, float, 2.5f, 2) \
    F(__float2int_rz, float, -2.5f, -2) \
    F(__float2int_ru, float, 2.25f, 3) \
    F(__float2int_rd, float, -2.25f, -3) \
    F(__float2uint_ru, float, 2.25f, 3) \
    F(__float2ll_rd, float, -2.25f, -3) \
    F(__float2ull_ru, float, 2.25f, 3) \
    F(__double2int_rd, double, -2.25, -3) \
    F(__double2uint_ru, double, 2.25, 3) \
    F(__double2ll_ru, double, -2.25, -2) \
    F(__double2ull_rd, double, 2.75, 2) \
    F(__double2ll_rn, double, -3.5, -4) \
    F(__float2int_rz, float, 3e9f, 2147483647) \
    F(__float2uint_rz, float, -3.0f, 0) \
    F(__double2int_rz, double, -1e300, -2147483648.0) \
    F(__double2uint_rz, double, 1e10, 4294967295.0) \
    F(__double2ll_rz, double, 1e19, 9223372036854775807.0) \
    F(__double2ull_rz, double, -1.0, 0) \
    F(__float2ull_rz, float, 1e20f, 18446744073709551615.0)
#define ALL(F) FLOATS(F) DOUBLES(F) INTEGERS(F)

#define COUNT(NAME, T, IN, WANT) + 1
enum { N = 0 ALL(COUNT) };

/* Read from memory, and of constants. */
__global__ void convert(double *out, const s64 *bits)
{
    int k = 0;
#define ROW(NAME, T, IN, WANT) out[k] = (double)NAME(*(const T *)(bits + k)), out[N + k++] = (double)NAME((T)(IN));
    ALL(ROW)
}

int main()
{
    static s64 bits[N];
    static double out[2 * N];
    double *dout;
    s64 *dbits;
    int k = 0;
#define FILL(NAME, T, IN, WANT) *(T *)(bits + k++) = (T)(IN);
    ALL(FILL)
    cudaMalloc(&dbits, sizeof bits), cudaMalloc(&dout, sizeof out);
    cudaMemcpy(dbits, bits, sizeof bits, cudaMemcpyHostToDevice);
    convert<<<1, 1>>>(dout, dbits);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    if (cudaDeviceSynchronize() != cudaSuccess) return printf("FAIL: launch\n"), 1;
    int bad = 0;
    k = 0;
#define CHECK(NAME, T, IN, WANT) \
    if ((out[k] != (double)(WANT) || out[N + k] != (double)(WANT)) && ++bad) \
        printf("FAIL: %s(%s) is %.17g, of a constant %.17g, right is %.17g\n", #NAME, #IN, out[k], out[N + k], \
               (double)(WANT)); \
    k++;
    ALL(CHECK)
    if (bad) return printf("%d of %d differ\n", bad, (int)N), 1;
    printf("PASS\n");
    return 0;
}
