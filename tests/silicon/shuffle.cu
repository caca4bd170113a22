// What SHFL gives of a lane that does not execute it: shuffle.txt is what an H100 printed.  A word
// for each lane: the value; * where the predicate is false, - where nothing was read.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
enum { UP, DOWN, BFLY, IDX };
// Reads lane+-12, lane^16 or 31-lane, of all 32 lanes.
template <int op> __device__ int2 shfl(int x, unsigned mask, int lane)
{
    int d, in;
#define ASK(NAME, B, C) asm volatile("{ .reg .pred p; shfl.sync." NAME ".b32 %0|p, %2, %3, " C ", %4;" \
    " selp.b32 %1, 1, 0, p; }" : "=r"(d), "=r"(in) : "r"(x), "r"(B), "r"(mask) : "memory")
    if (op == UP) ASK("up", 12, "0");
    if (op == DOWN) ASK("down", 12, "31");
    if (op == BFLY) ASK("bfly", 16, "31");
    if (op == IDX) ASK("idx", 31 - lane, "31");
#undef ASK
    return make_int2(d, in);
}
template <int op> __global__ void k(int how, const volatile int *in, int2 *out)
{
    int lane = threadIdx.x, x = in[lane];
    int2 r = make_int2(-1, -1);
    bool low = lane < 20;
    if (how == 0) {                        // the others are at the end of the branch
        if (low) r = shfl<op>(x, 0xfffff, lane);
    } else if (how == 1) {                 // their value is from before: x changes in the branch
        if (low) { x += 1000; r = shfl<op>(x, 0xfffff, lane); }
    } else if (how == 2) {                 // the others have exited; all are named
        if (!low) return;
        r = shfl<op>(x, 0xffffffff, lane);
    } else if (how == 3) {                 // and are not named
        if (!low) return;
        r = shfl<op>(x, 0xfffff, lane);
    } else if (how == 4) {                 // execute it as well, with their own mask
        r = shfl<op>(x, low ? 0xfffff : 0xfff00000, lane);
    } else if (how == 5) {                 // every other lane executes
        if (lane % 3) r = shfl<op>(x, 0xb6db6db6, lane);
    }
    out[lane] = r;
    out[lane + 32].x = x;
}
int main()
{
    int *in;
    int2 *out;
    static void (*const ks[])(int, const volatile int *, int2 *) = { k<UP>, k<DOWN>, k<BFLY>, k<IDX> };
    static const char *const names[] = { "up", "down", "bfly", "idx" };
    cudaMallocManaged(&in, 128);
    cudaMallocManaged(&out, 512);
    for (int l = 0; l < 32; l++) in[l] = 100 + l;
    for (int how = 0; how < 6; how++)
        for (int op = 0; op < 4; op++) {
            for (int l = 0; l < 32; l++) out[l] = make_int2(-2, -2);
            ks[op]<<<1, 32>>>(how, in, out);
            int e = cudaDeviceSynchronize();
            printf("%d %s %d", how, names[op], e);
            for (int l = 0; l < 32; l++) printf(" %d%s", out[l].x, out[l].y == 1 ? "" : out[l].y ? "-" : "*");
            printf("\n");
        }
}
