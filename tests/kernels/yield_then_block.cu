// Lanes leave a loop that yields at different times and go round the loop about it: those that are first wait for the
// block inside a branch, at whose end the others wait a round before, or at the end of another branch.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4
// RUN: --grid 1 --block 64 out:i32[64] turns:i32[64] c:i32[8]=iota
// EXPECT: out[0:8] = 606 607 608 609 610 606 607 608
// EXPECT: out[60:64] = 606 607 608 609
extern "C" __global__ void k(int *out, volatile int *turns, const int *c)
{
    __shared__ int met[64];
    int t = threadIdx.x;
    met[t] = 0;
    for (int round = 0; round < 8; round++) {
        if (c[round] < 6) {
            met[t]++;
            __syncthreads();
        }
        while (turns[t] > 0) turns[t]--;
        turns[t] = t % 5;
        if (c[round] % 2) __syncthreads();
    }
    out[t] = met[t ^ 33] * 101 + turns[t];
}
