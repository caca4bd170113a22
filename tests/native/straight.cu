// Warps that go straight to their end, and some that nearly do (cmodel/native/straight.c).
// SPDX-License-Identifier: Apache-2.0

// An end that some warps reach early, and one warp in part.
extern "C" __global__ void guard(const int *x, int *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] = 3 * x[i] + y[i];
}

// Rows that overlap, are read after they are written, and begin anywhere.
extern "C" __global__ void overlap(const int *x, int *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    y[i + n] = x[i] + 1;
    y[i] = y[i + 1] ^ x[i + n];
    y[i + 1] = 5;
}

// One word for all lanes, values that are kept past a store, predicates that vary.
extern "C" __global__ void same(const int *x, int *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x, a = x[i], b = x[n];
    y[i] = a > b ? a - b : a + n;
    y[i + n] = a > 0 ? b : 7;
}

// Words that are not side by side.
extern "C" __global__ void apart(const int *x, int *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    y[i] = x[2 * i] + n;
}

// Lanes at both ends of a warp are less, and those between them are not.
extern "C" __global__ void between(const int *x, int *y, int n, int less)
{
    unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if ((int)(i - n) < less)
        y[i] = x[i] + 1;
}

// Lane 0 reads in range, and a later lane's index has wrapped around: before it was made wide,
// multiplied as a signed number, and made wide after it was multiplied.
extern "C" __global__ void wide(const int *x, int *y, int n, long long back)
{
    unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    y[i] = *(const int *)((const char *)x + back + (unsigned long long)(i + n) * 4);
}
extern "C" __global__ void wide_signed(const int *x, int *y, int n, long long back)
{
    unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    y[i] = *(const int *)((const char *)x + back + (long long)(int)(i + n) * 4);
}
extern "C" __global__ void wide_late(const int *x, int *y, int n, long long back)
{
    unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    y[i] = *(const int *)((const char *)x + back + (unsigned long long)((i + n) * 4));
}

// Pairs and quads: in rows, one for all lanes, at any distance from each other, and beyond the ends.
struct __attribute__((aligned(8))) pair { int a, b; };
struct __attribute__((aligned(16))) quad { int a, b, c, d; };
extern "C" __global__ void pairs(const pair *x, pair *y, int n, int far)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        pair p = x[i], q = y[i + far], s = x[n];
        y[i + far] = pair{ p.b - q.a, p.a ^ q.b };
        y[i] = pair{ s.b + i, s.a - q.b };
    }
}
extern "C" __global__ void quads(const quad *x, quad *y, int n, int far)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        quad p = x[i], q = y[i + far], s = x[n];
        y[i + far] = quad{ p.d, q.c - p.b, p.a ^ q.b, s.d };
        y[i] = quad{ s.a + q.d, p.c, s.b - i, s.c };
        ((pair *)y)[i] = pair{ q.a, p.c + n };
    }
}
// Pairs that lie apart, that begin within a pair, and whose second word is a condition.
extern "C" __global__ void strides(const pair *x, pair *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    y[i] = x[2 * i + n];
}
extern "C" __global__ void within(const char *x, pair *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    y[i] = ((const pair *)(x + n))[i];
}
extern "C" __global__ void second(const pair *x, pair *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    pair p = x[i];
    if (p.b < n) {
        pair q = x[i + 1];
        y[i + 256] = pair{ q.b - p.a, q.a ^ p.b };
        y[i] = q;
    }
}

// Two dimensions.
extern "C" __global__ void plane(const int *x, int *y, int n)
{
    int column = blockDim.x * blockIdx.x + threadIdx.x, row = blockDim.y * blockIdx.y + threadIdx.y;
    if (column < n && row < 60)
        y[row * n + column] = x[row * n + column] + row;
}

// Loads and stores of one buffer, at any distance from each other, and beyond its ends.
extern "C" __global__ void chain(const int *x, int *y, int n, int far)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    volatile int *here = y, *there = y + far;
    if (i < n) {
        there[i] = here[i + 1];
        here[i + 3] = there[i + 1];
        there[i + 2] = here[i] + x[i];
    }
}
