/* A campaign in a process of its own: a kernel that brings it down is told like any other failure.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random programs are there to find crashes of the compiler and of the harness, too; who crashes
 * can't say any more at which kernel. */
#include "fuzz.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What ends the watcher alone has to reach the other as well. */
static int wait_for(pid_t child, const sigset_t *set)
{
    for (int status;;) {
        int signal = sigwaitinfo(set, NULL);
        if (signal != SIGCHLD)
            kill(child, signal);
        else if (waitpid(child, &status, WNOHANG) == child)
            return status;
    }
}

bool fuzz_watch(uint64_t **at, int *status)
{
    sigset_t held, ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    held = ours;
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    *at = mmap(NULL, sizeof **at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (*at == MAP_FAILED)
        abort();
    fflush(NULL);
    sigprocmask(SIG_BLOCK, &held, NULL);
    pid_t child = fork();
    if (child <= 0) {                                /* without a watcher it runs all the same */
        sigprocmask(SIG_UNBLOCK, &ours, NULL);
        if (child == 0)
            prctl(PR_SET_PDEATHSIG, SIGKILL);
        return false;
    }
    *status = wait_for(child, &held);
    return true;
}
