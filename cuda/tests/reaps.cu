// A program that waits for whichever of its children ends, while its kernel is compiled.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <csignal>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t signals, done;
static int waited, status;

__global__ void busy(int *out, int n)
{
    int s = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s = s * 1664525 + i;
        s ^= s >> 3;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

static void child_ended(int) { signals = signals + 1; }

static void *wait_for_all(void *)
{
    while (!done)
        if (wait(&status) > 0)
            waited++;
        else
            usleep(100);
    return nullptr;
}

int main(int argc, char **)
{
    int *out;
    pthread_t thread;
    signal(SIGCHLD, argc > 1 ? SIG_IGN : child_ended);
    pthread_create(&thread, nullptr, wait_for_all, nullptr);
    if (!fork())
        _exit(7);
    cudaMalloc(&out, 1024 * sizeof *out);
    busy<<<8, 128>>>(out, 3000000);
    cudaDeviceSynchronize();
    done = 1;
    pthread_join(thread, nullptr);
    printf("children: %d waited for, %d signal, status %d\n", waited, (int)signals, WEXITSTATUS(status));
}
