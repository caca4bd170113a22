/* An endless loop that stores: at the limit its place is named.  Of 128 lanes one is left, block (1,0,0), thread
 * (3,0,0), in the loop of `drain'.  The program runs itself and reads what is said.
 * SPDX-License-Identifier: Apache-2.0 */
#include <cstdio>
#include <cstring>

__global__ void drain(int *work, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int left = work[t];
    while (left != 0) {                 /* of 402, taken by fours, never */
        left -= step;
        work[t] = left;
        if (left < -1000) left = 1000003;
    }
}

static int spin()
{
    int work[128], *d;
    for (int t = 0; t < 128; t++) work[t] = 400;
    work[67] = 402;
    cudaMalloc(&d, sizeof work);
    cudaMemcpy(d, work, sizeof work, cudaMemcpyHostToDevice);
    drain<<<2, 64>>>(d, 4);
    return cudaDeviceSynchronize() == cudaSuccess;
}

int main(int argc, char **argv)
{
    if (argc > 1) return spin();
    char command[4096], line[4096];
    bool limit = false, place = false;
    snprintf(command, sizeof command, "HEDDLE_LIMIT=2000000 %s child 2>&1", argv[0]);
    FILE *f = popen(command, "r");
    while (fgets(line, sizeof line, f)) {
        fputs(line, stdout);
        limit |= strstr(line, "limit") != NULL;
        place |= strstr(line, ".cu:") != NULL;
    }
    if (pclose(f) != 0) return printf("FAIL: the loop ended\n"), 1;
    if (!limit || !place) return printf("FAIL: no line of the loop is named\n"), 1;
    printf("PASS\n");
    return 0;
}
