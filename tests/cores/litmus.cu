// Litmus tests: each block has a core of its own.  In round i all begin together, wait for some cycles each, and work on
// places that no other round, or group of blocks, touches.  What is read goes to r.  tests/cores/litmus.sh says what may be read.
// SPDX-License-Identifier: Apache-2.0
enum { STORE_BUFFERING, MESSAGE, COHERENCE, IRIW, FAR = 32 };    // FAR: words from one place to the next

__device__ int set(volatile int *p, int how)
{
    if (how == 2)
        return atomicExch((int *)p, 1);
    *p = 1;
    if (how == 1)
        __threadfence();
    return 0;
}
__device__ int get(volatile int *p, int how)
{
    int v = how == 2 ? atomicAdd((int *)p, 0) : *p;
    if (how == 1)
        __threadfence();
    return v;
}

extern "C" __global__ void litmus(int *mem, int *r, int *all, int rounds, int test, int how, int seed,
                                  int group)
{
    for (int i = 0; i < rounds; i++) {
        volatile int *x = mem + 2 * FAR * (blockIdx.x / group * rounds + i), *y = x + FAR;
        unsigned wait = (seed * 31 + i * 7 + blockIdx.x * 13) * 2654435761u >> 26;
        int a = 0, b = 0, who = blockIdx.x % group;
        atomicAdd(all + i, 1);
        while (((volatile int *)all)[i] < (int)gridDim.x) { }
        for (unsigned k = 0; k < wait; k++)
            asm volatile("add.u32 %0, %0, 0;" : "+r"(wait));
        if (test == STORE_BUFFERING) {
            set(who ? y : x, how);
            a = get(who ? x : y, how);
        } else if (test == MESSAGE) {
            if (who == 0)
                set(x, how), set(y, how);
            else
                a = get(y, how), b = get(x, how);
        } else if (test == COHERENCE) {
            if (who == 0)
                set(x, how);
            else
                a = get(x, how), b = get(x, how);
        } else {
            if (who < 2)
                set(who ? y : x, how);
            else
                a = get(who == 2 ? x : y, how), b = get(who == 2 ? y : x, how);
        }
        r[(blockIdx.x * rounds + i) * 2] = a;
        r[(blockIdx.x * rounds + i) * 2 + 1] = b;
    }
}
