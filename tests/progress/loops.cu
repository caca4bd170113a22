// Loops of one class of instruction each, long enough that a warp which never gets its turn shows
// (tests/progress/progress.c).  n: rounds.
// SPDX-License-Identifier: Apache-2.0
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
extern "C" __global__ void alu(unsigned *out, const unsigned *in, int n)
{
    unsigned s = in[THREAD & 1023];
#pragma unroll 8
    for (int i = 0; i < n; i++)
        s = s * 3 + (s ^ 5);
    out[THREAD] = s;
}
extern "C" __global__ void fpu(float *out, const unsigned *in, int n)
{
    float a = (float)in[THREAD & 1023], b = 1.5f, c = 0.25f, d = 3;
#pragma unroll 8
    for (int i = 0; i < n; i++) {
        a = a * 0.5f + 1;
        b = b * 0.75f + 2;
        c = c * 0.25f + 3;
        d = d * 0.125f + 4;
    }
    out[THREAD] = a + b + c + d;
}
extern "C" __global__ void sfu(float *out, const unsigned *in, int n)
{
    float a = 1.25f + (in[THREAD & 1023] & 7);
#pragma unroll 4
    for (int i = 0; i < n; i++)
        a = __sinf(a) + 1.5f;
    out[THREAD] = a;
}
extern "C" __global__ void loads(unsigned *out, const unsigned *in, int n)
{
    unsigned s = THREAD & 1023;
    for (int i = 0; i < n; i++)
        s = in[s & 1023];
    out[THREAD] = s;
}
// Each warp does something else, and another one in each round of eight: who waits for which unit shifts all the time.
extern "C" __global__ void mixed(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned cell[1024];
    unsigned s = in[THREAD & 1023], w = threadIdx.x / 32;
    float f = 1.25f;
    cell[threadIdx.x] = s;
    for (int i = 0; i < n; i++)
        switch ((w + i / 8) % 8) {
        case 0: s = s * 5 + i; s ^= s >> 3; s += s << 7; break;
        case 1: f = f * 0.5f + 1; f = f * 0.25f + 2; f = f * 0.75f + 3; break;
        case 2: f = __sinf(f) + 1.5f; break;
        case 3: s += in[(s + i) & 1023]; break;
        case 4: out[THREAD] = s; break;
        case 5: s += __shfl_xor_sync(~0u, s, 5); break;
        case 6: cell[threadIdx.x] += s; s += cell[threadIdx.x ^ 1 ? threadIdx.x : 0]; break;
        default: s += atomicAdd(&cell[threadIdx.x], 1u); break;
        }
    out[THREAD] = s + (unsigned)f;
}
// One warp exchanges values between its lanes, all others keep the float unit busy.
extern "C" __global__ void shuffles(float *out, const unsigned *in, int n)
{
    float a = (float)in[THREAD & 1023], b = 1.5f, c = 0.25f, d = 3;
    if (threadIdx.x < 32)
        for (int i = 0; i < n; i++)
            a += __shfl_xor_sync(~0u, a, 1 + (i & 15));
    else
#pragma unroll 8
        for (int i = 0; i < n; i++) {
            a = a * 0.5f + 1;
            b = b * 0.75f + 2;
            c = c * 0.25f + 3;
            d = d * 0.125f + 4;
        }
    out[THREAD] = a + b + c + d;
}
// All but the last block's warps go round a branch until the clock has come far: blocks after them start all the same,
// and what those store retires.
extern "C" __global__ void spin(unsigned *out, const unsigned *in, int n)
{
    unsigned start = clock(), rounds = 0;
    while ((unsigned)clock() - start < 16u * n)
        rounds++;
    out[THREAD] = in[THREAD & 1023] + (rounds != 0);
}
