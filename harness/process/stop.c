/* The signals that end a command, and the one place that handles them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A handler has no argument of ours, so what it looks at is global, here and in scratch.c only. */
#include "harness/process/stop.h"
#include "cmodel/base/scratch.h"
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

enum { GRACE_MICROSECONDS = 700000 };

static volatile sig_atomic_t requested, graceful, line;

_Noreturn static void end_now(int signal)
{
    scratch_remove_all();
    if (line && write(STDERR_FILENO, "\r\033[K", 4) < 0)
        _exit(128 + signal);                         /* there is nobody left to tell */
    _exit(128 + signal);
}

static void on_stop(int signal)
{
    if (signal == SIGALRM)
        end_now(requested ? requested : signal);
    if (requested)
        return;                                      /* the time is running */
    requested = signal;
    if (!graceful || signal == SIGPIPE)
        end_now(signal);
    setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = { 0, GRACE_MICROSECONDS } }, NULL);
}

/* A crash of ours: the files go, and it dies of the signal as it would have. */
static void on_crash(int signal)
{
    scratch_remove_all();
    raise(signal);                                   /* SA_RESETHAND; delivered when we return */
}

static void handle(int signal, void (*fn)(int), int flags)
{
    struct sigaction a = { .sa_handler = fn, .sa_flags = flags };
    sigfillset(&a.sa_mask);
    sigaction(signal, &a, NULL);
}

/* A handler that reports crashes already (a sanitiser's) stays.  On a stack of its own, because
 * one that has overflowed has no room. */
static void handle_crash(int signal)
{
    static char stack[64 << 10];
    struct sigaction old;
    stack_t now;
    if (!sigaltstack(NULL, &now) && now.ss_flags & SS_DISABLE)
        sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
    if (!sigaction(signal, NULL, &old) && old.sa_handler == SIG_DFL)
        handle(signal, on_crash, (int)(SA_RESETHAND | SA_ONSTACK));
}

/* A file that is opened never gets the number of a standard stream that the caller closed; what is
 * printed there is refused, as if it still were. */
static void keep_streams(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            _exit(2);
}

void stop_install(void)
{
    static const int stops[] = { SIGINT, SIGTERM, SIGPIPE, SIGALRM };
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT };
    struct sigaction old;
    sigset_t none;
    keep_streams();
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        handle(stops[i], on_stop, SA_RESTART);
    if (!sigaction(SIGHUP, NULL, &old) && old.sa_handler != SIG_IGN)     /* nohup */
        handle(SIGHUP, on_stop, SA_RESTART);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        handle_crash(crashes[i]);
    signal(SIGXFSZ, SIG_IGN);                        /* write says EFBIG */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);           /* a parent's mask does not make us deaf */
}

void stop_gracefully(void) { graceful = 1; }

void stop_at_once(void) { graceful = 0; }

void stop_clears_line(bool on) { line = on; }

void stop_with_parent(pid_t parent, int signal)
{
    prctl(PR_SET_PDEATHSIG, signal);
    if (getppid() != parent)
        raise(signal);                               /* it had ended before */
}

bool stop_requested(void) { return requested != 0; }
int stop_status(int status) { return requested ? 128 + requested : status; }
