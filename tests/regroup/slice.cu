// Kernels whose slices there are not: what is said of them (tests/fail/cli.sh).
// SPDX-License-Identifier: Apache-2.0
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
extern "C" __global__ void own(const unsigned *in, unsigned *out)
{
    unsigned t = ID, x = t;
    for (unsigned n = in[t] >> 24; n; n--)
        x = (x ^ x >> 7) * 5 + (x ^ x >> 11) * 3 + (x ^ x >> 19) + (x >> 3 ^ n);
    out[t] = x;
}
extern "C" __global__ void written(unsigned *data)
{
    unsigned t = ID;
    for (unsigned n = data[t] >> 24; n; n--)
        data[t + n] = n;
}
extern "C" __global__ void first_come(unsigned *counter, unsigned *out)
{
    unsigned t = ID, x = t;
    for (unsigned n = atomicAdd(counter, 1); n; n--)
        x = x * 5 + n;
    out[t] = x;
}
extern "C" __global__ void neighbours(const unsigned *in, unsigned *out)
{
    unsigned t = ID, x = t;
    for (unsigned n = __shfl_sync(~0u, in[t] >> 24, 3); n; n--)
        x = x * 5 + n;
    out[t] = x;
}
extern "C" __global__ void late(unsigned *out)
{
    unsigned t = ID, x = t;
    for (unsigned n = clock() & 15; n; n--)
        x = x * 5 + n;
    out[t] = x;
}
extern "C" __global__ void all_decides(const unsigned *in, unsigned *out)
{
    unsigned t = ID, n = 0;
    for (unsigned x = in[t]; x != 1 && n < 40; n++)
        x = x & 1 ? 3 * x + 1 : x >> 1;
    out[t] = n;
}
