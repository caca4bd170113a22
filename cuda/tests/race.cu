/* A race between warps: it is said where the third leg is asked for, with any other setting, and the program does not end
 * with 0.  It runs itself in three ways, and looks for the word `race' and at the status.
 * SPDX-License-Identifier: Apache-2.0 */
#include <cstdio>
#include <cstring>

__global__ void race(int *total)
{
    volatile int *v = total;
    for (int k = 0; k < 10; k++) *v = *v + 1;
}

static int child()
{
    int *d, h;
    cudaMalloc(&d, 4);
    cudaMemset(d, 0, 4);
    race<<<1, 128>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    return printf("ok\n"), 0;
}

int main(int argc, char **argv)
{
    static const char *const ways[] = { "HEDDLE_THIRD_LEG=1", "HEDDLE_THIRD_LEG=1 HEDDLE_REPORT=1",
                                        "HEDDLE=lockstep HEDDLE_THIRD_LEG=1" };
    char command[4096], line[4096];
    int bad = 0;
    if (argc > 1) return child();
    for (int k = 0; k < 3; k++) {
        bool said = false;
        snprintf(command, sizeof command, "env %s %s child 2>&1", ways[k], argv[0]);
        FILE *f = popen(command, "r");
        while (fgets(line, sizeof line, f)) said |= strstr(line, " race") != NULL;
        int status = pclose(f) >> 8;
        if (!said) bad++, printf("FAIL: %s: nothing is said of the race\n", ways[k]);
        if (status == 0) bad++, printf("FAIL: %s: status 0\n", ways[k]);
    }
    if (bad) return 1;
    printf("PASS\n");
    return 0;
}
