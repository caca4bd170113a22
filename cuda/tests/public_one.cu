// For the test of public.pl: says PASS or FAIL; its last argument has to have become 1.  SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
__global__ void k(int *p) { *p = 42 + WRONG; }
int main(int argc, char **argv)
{
    int *p, v = 0;
    if (argc != 3 || atoi(argv[1]) != 5 || atoi(argv[2]) != 1) return 3;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
    puts(v == 42 ? "Verification PASSED" : "Verification FAILED");
    return v != 42;
}
