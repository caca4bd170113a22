// What kernels print: every kind of argument, from divergent lanes, in order of commits.
// SPDX-License-Identifier: Apache-2.0
// LANES: 4
// RUN: --grid 1 --block 3 --mode barrier n:i32=7 text:u8[1]
// PRINTS: lane 0
// PRINTS: lane 1
// PRINTS: lane 2
// PRINTS: even abc at depth 0  |
// PRINTS: odd acc at depth 1  |
// PRINTS: even adc at depth 2  |
// PRINTS: (null)7
// PRINTS: (null)7
// PRINTS: (null)7
// PRINTS: 2
// RUN: --grid 1 --block 1 n:i32=8 text:u8[1]
// PRINTS: 100% of  3.14, ok, 44 4464 0x8 -1.000e-310
// PRINTS: [     8] [ab   ] [xy] 0x1234 4 -1234567890123 ffffffffffffffff
// RUN: --grid 1 --block 1 n:i32=9 text:u8[1048600]=fill:120
// LANES: none
// PRINTS: before
// PRINTS: heddle: 1048640 bytes of what the kernel printed are lost: its buffer holds 1048576
#include <cstdio>
static __device__ void tell(int depth, const char *what)
{
    char word[4] = { 'a', (char)('b' + depth), 'c', 0 };
    printf("%s %s at depth %-3d|\n", what, word, depth);
}
extern "C" __global__ void prints(int n, char *text)
{
    int t = threadIdx.x;
    if (n == 8) {
        printf("100%% of %5.2f, %c%c, %hhd %hu %#x %08.3e\n", 3.14159, 'o', 'k', (char)300, (unsigned short)70000, n,
               -1.0e-310);
        printf("[%*d] [%-*s] [%.*s] %p %zu %lld %llx\n", 6, n, 5, "ab", 2, "xyz", (void *)0x1234, sizeof(int),
               -1234567890123LL, ~0ULL);
        return;
    }
    if (n == 9) {            /* more than there is room for, and what comes after it */
        printf("before\n");
        text[1048599] = 0;
        printf("%s\n", text);
        printf("after\n");
        return;
    }
    printf("lane %d\n", t);
    tell(t, t == 1 ? "odd" : "even");
    const char *none = nullptr;
    int r = printf("%s%d\n", none, n);
    if (t == 0) printf("%d\n", r);
}
