/* Two processes share a list of jobs: what one crashes on, the other still does.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/silicon/silicon.h"
#include "harness/process/progress.h"
#include "harness/process/stop.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { PROCESSES = 2 };

void *shared_alloc(size_t bytes)
{
    void *p = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                   0);
    return p == MAP_FAILED ? NULL : p;
}

void shared_free(void *p, size_t bytes)
{
    if (p)
        munmap(p, bytes ? bytes : 1);
}

struct share { atomic_uint next, done; unsigned current[PROCESSES]; struct progress progress; };

static pid_t start(const char *what, struct share *s, int p, unsigned n,
                   void (*fn)(void *user, unsigned i), void *user)
{
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid)
        return pid;
    stop_with_parent(parent, SIGTERM);
    for (unsigned i; (i = atomic_fetch_add(&s->next, 1)) < n;) {
        s->current[p] = i;
        fn(user, i);
        fflush(stdout);
        unsigned done = atomic_fetch_add(&s->done, 1) + 1;
        progress_show(&s->progress, &(struct progress_state){
                                        .what = what, .done = done, .all = n, .pieces = "jobs" });
    }
    _exit(0);
}

void jobs_run(const char *what, unsigned n, void (*fn)(void *user, unsigned i), void *user)
{
    struct share *s = shared_alloc(sizeof *s);
    pid_t pid[PROCESSES], dead;
    int status, running = 0;
    if (!s)
        return;
    progress_begin(&s->progress, 0, 0);
    for (int p = 0; p < PROCESSES; p++)
        running += (pid[p] = start(what, s, p, n, fn, user)) > 0;
    while (running && (dead = wait(&status)) > 0) {
        int p = dead == pid[0] ? 0 : 1;
        running--;
        if (WIFSIGNALED(status)) {                  /* the job counts as failed; the others go on */
            printf("job %u was ended by signal %d\n", s->current[p], WTERMSIG(status));
            running += (pid[p] = start(what, s, p, n, fn, user)) > 0;
        }
    }
    progress_end(&s->progress);
    shared_free(s, sizeof *s);
}
