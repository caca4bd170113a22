/* Two processes share a list of jobs: what one crashes on, the other still does.
 * SPDX-License-Identifier: Apache-2.0 */
#include "silicon.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <stdatomic.h>
#include <unistd.h>

enum { PROCESSES = 2 };

void *shared_alloc(size_t bytes)
{
    void *p = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void shared_free(void *p, size_t bytes)
{
    if (p)
        munmap(p, bytes ? bytes : 1);
}

void jobs_run(unsigned n, void (*fn)(void *user, unsigned i), void *user)
{
    atomic_uint *next = shared_alloc(sizeof *next);
    pid_t pid[PROCESSES];
    if (!next)
        return;
    fflush(NULL);
    for (int p = 0; p < PROCESSES; p++) {
        pid[p] = fork();
        if (pid[p] == 0) {
            for (unsigned i; (i = atomic_fetch_add(next, 1)) < n;) {
                fn(user, i);
                fflush(stdout);
            }
            _exit(0);
        }
    }
    for (int p = 0; p < PROCESSES; p++)
        if (pid[p] > 0)
            waitpid(pid[p], NULL, 0);
    shared_free(next, sizeof *next);
}
