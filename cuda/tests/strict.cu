/* Kernels that end badly, of which the program takes no notice: with HEDDLE_STRICT=1 it does not end with 0, without it
 * it does, as in CUDA.  It runs itself for each.
 * SPDX-License-Identifier: Apache-2.0 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#ifndef STRICT
#define STRICT "HEDDLE_STRICT=1"
#endif

__global__ void past_the_end(int *p) { p[threadIdx.x + 1000000] = 1; }
__global__ void spins(int *p) { while (*(volatile int *)p == 0) { } }
__global__ void traps(int *) { asm volatile("trap;"); }

int main(int argc, char **argv)
{
    static const char *const how[] = { "fault", "deadlock", "trap", "too many threads" };
    char command[4096];
    int bad = 0;
    if (argc > 1) {                     /* the program that does not look */
        int *p, k = atoi(argv[1]);
        cudaMalloc(&p, 128);
        cudaMemset(p, 0, 128);
        if (k == 0) past_the_end<<<1, 32>>>(p);
        if (k == 1) spins<<<1, 32>>>(p);
        if (k == 2) traps<<<1, 32>>>(p);
        if (k == 3) traps<<<1, 2048>>>(p);
        cudaDeviceSynchronize();
        return 0;
    }
    for (int k = 0; k < 4; k++) {
        snprintf(command, sizeof command, STRICT " HEDDLE_LIMIT=1000000 %s %d >x.log 2>&1", argv[0], k);
        int strict = system(command);
        bool unknown = system("grep -q 'is no option' x.log") == 0;
        snprintf(command, sizeof command, "HEDDLE_LIMIT=1000000 %s %d >x.log 2>&1", argv[0], k);
        int plain = system(command);
        if (strict == 0 || plain != 0 || unknown)
            bad++, printf("FAIL: %s: status %d%s\n", how[k], plain >> 8,
                          unknown ? ", and " STRICT " is no setting" : "");
    }
    remove("x.log");
    if (bad) return 1;
    printf("PASS\n");
    return 0;
}
