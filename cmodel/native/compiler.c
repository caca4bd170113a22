/* The system's C compiler as a process that the program around us does not see.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program that uses the model may wait for whichever of its children ends, may count SIGCHLD or
 * ignore it.  So the compiler is no child of it.  What starts it is one, for a moment, but one made
 * without a signal, which wait() passes over (clone(2)).  The compiler's shell, then without a
 * parent, writes the exit status into a pipe; all that it starts holds the pipe, too.  Of another
 * pipe the program holds the end to write: when that is closed by the program's end, a second shell
 * ends the compiler. */
#include "cmodel/native/compiler.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 1 << 15, END_MS = 1000, WATCH_FD = 4 };

struct start {
    struct compiler *compiler;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    char *argv[COMPILER_WORDS + 7];
    int why;
};

/* Runs in our memory, while we stand still. */
static int start(void *arg)
{
    struct start *s = arg;
    s->why = posix_spawn(&s->compiler->group, "/bin/sh", &s->files, &s->how, s->argv, environ);
    return 0;
}

/* Its words: what was made, the source, the command.  The watch outlives the signal that it sends
 * to its group, and gives the others time to end, lest one makes a file after all.  The compiler's
 * own files have a folder: an assembler that ends after its driver would leave one elsewhere. */
#define SHELL "exec 3>&1; made=$1 source=$2; shift 2; " \
              "export TMPDIR=$made.tmp; mkdir -- \"$TMPDIR\"; " \
              "(trap '' TERM; read -r none <&4; kill -TERM 0; sleep 0.2; " \
              "rm -rf -- \"$source\" \"$made\" \"$made\".*) > /dev/null 3>&- & watch=$!; " \
              "\"$@\" 4<&- > /dev/null; status=$?; " \
              "kill -KILL $watch; rm -rf -- \"$TMPDIR\"; echo $status"

/* A group of its own, to be ended together; signals as a new program has them. */
static void prepare(struct start *s, const char *const *argv, const char *made,
                    const char *source, int out, int watch)
{
    const char *const shell[] = { "sh", "-c", SHELL, "sh", made, source };
    enum { BEFORE = sizeof shell / sizeof *shell };
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&s->files);
    posix_spawn_file_actions_addopen(&s->files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&s->files, out, 1);
    posix_spawn_file_actions_adddup2(&s->files, watch, WATCH_FD);
    posix_spawn_file_actions_addopen(&s->files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&s->how);
    posix_spawnattr_setpgroup(&s->how, 0);
    posix_spawnattr_setsigmask(&s->how, &none);
    posix_spawnattr_setsigdefault(&s->how, &all);
    posix_spawnattr_setflags(&s->how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                      POSIX_SPAWN_SETSIGDEF);
    memcpy(s->argv, shell, sizeof shell);
    for (int k = 0; k < COMPILER_WORDS && argv[k]; k++)
        s->argv[BEFORE + k] = (char *)(uintptr_t)argv[k];
}

int compiler_start(struct compiler *c, const char *const *argv, const char *made,
                   const char *source)
{
    _Alignas(64) char stack[STACK];
    struct start s = { .compiler = c };
    sigset_t all, before;
    int pipes[2], life[2];
    if (pipe2(pipes, O_CLOEXEC))
        return errno;
    if (pipe2(life, O_CLOEXEC)) {
        const int why = errno;
        close(pipes[0]);
        close(pipes[1]);
        return why;
    }
    prepare(&s, argv, made, source, pipes[1], life[0]);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);     /* no handler of the program's runs twice */
    const pid_t between = clone(start, stack + sizeof stack, CLONE_VM | CLONE_VFORK, &s);
    if (between < 0)
        s.why = errno;
    else
        waitpid(between, NULL, __WCLONE);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    posix_spawn_file_actions_destroy(&s.files);
    posix_spawnattr_destroy(&s.how);
    close(pipes[1]);
    close(life[0]);
    c->from = pipes[0];
    c->life = life[1];
    if (s.why) {
        close(c->from);
        close(c->life);
    }
    return s.why;
}

bool compiler_ended(struct compiler *c, int milliseconds, int *status)
{
    char text[16] = { 0 };
    struct pollfd from = { .fd = c->from, .events = POLLIN };
    int ready;
    while ((ready = poll(&from, 1, milliseconds)) < 0 && errno == EINTR)
        ;
    if (!ready)
        return false;
    const ssize_t n = read(c->from, text, sizeof text - 1);
    *status = n > 0 ? atoi(text) : COMPILER_BROKEN;
    close(c->from);
    close(c->life);
    return true;
}

void compiler_stop(struct compiler *c)
{
    int status;
    if (compiler_ended(c, 0, &status))
        return;
    kill(-c->group, SIGTERM);
    compiler_ended(c, END_MS, &status);
}
