/* A campaign in a process of its own: a kernel that brings it down is reported like any other
 * failure.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random programs are there to find crashes of the compiler and of the harness, too; a process that
 * crashes can't say any more at which kernel. */
#include "harness/fuzz/fuzz.h"
#include "harness/process/stop.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What ends the watcher alone has to reach the other as well, which ends in its own time: the
 * watcher's status is then the other's. */
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
    static const int signals[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP };
    sigset_t held, old;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&held, signals[i]);
    *at = mmap(NULL, sizeof **at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (*at == MAP_FAILED)
        abort();
    fflush(NULL);
    sigprocmask(SIG_BLOCK, &held, &old);
    pid_t parent = getpid(), child = fork();
    if (child <= 0) {                                /* without a watcher it runs all the same */
        if (child == 0)
            stop_with_parent(parent, SIGKILL);       /* at once: the state is another's now */
        stop_gracefully();
        sigprocmask(SIG_SETMASK, &old, NULL);
        return false;
    }
    *status = wait_for(child, &held);
    return true;
}
