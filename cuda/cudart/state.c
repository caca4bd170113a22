/* The run time's one state, its lock, its messages, its begin and its end.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "cuda/code/names.h"
#include "cuda/cudart/rt.h"

struct rt rt;
static pthread_mutex_t lock;
static _Thread_local cudaError_t last;

__attribute__((constructor)) static void make_lock(void)
{
    pthread_mutexattr_t a;                  /* recursive: a host function may call the API */
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &a);
    pthread_mutexattr_destroy(&a);
}

void rt_lock(void) { pthread_mutex_lock(&lock); }
void rt_unlock(const int *held)
{
    (void)held;
    pthread_mutex_unlock(&lock);
}

cudaError_t rt_error(cudaError_t e)
{
    if (e != cudaSuccess)
        last = e;
    return e;
}

cudaError_t cudaPeekAtLastError(void)
{
    rt.refused &= !last;                    /* the program has looked */
    return last ? last : rt.sticky;
}
cudaError_t cudaGetLastError(void)
{
    cudaError_t e = cudaPeekAtLastError();
    last = cudaSuccess;
    return e;
}

static void say(const char *fmt, va_list ap)
{
    char text[2048];
    vsnprintf(text, sizeof text, fmt, ap);
    fflush(stdout);                         /* what the program said before comes before */
    fprintf(stderr, "heddle: %s\n", text);
}

void rt_say(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
}

_Noreturn void rt_die(int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
    fflush(NULL);
    _exit(status);
}

double rt_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void rt_name(const char *mangled, char *buf, size_t n)
{
    names_plain(mangled, buf, n);
}

/* Launches that did not end well, as ` up to 1 fault, 2 deadlocks'; empty: none. */
static void bad_ends(char *buf, size_t n)
{
    static const struct {
        enum hd_status s;
        const char *one, *several;
    } ends[] = { { HD_FAULT, "fault", "faults" },
                 { HD_DEADLOCK, "deadlock", "deadlocks" },
                 { HD_LIMIT, "limit", "limits" } };
    size_t used = 0;
    *buf = 0;
    for (size_t k = 0; k < sizeof ends / sizeof *ends && used < n; k++)
        if (rt.ended[ends[k].s])
            used += (size_t)snprintf(buf + used, n - used, "%s%llu %s", used ? ", " : " up to ",
                                     (unsigned long long)rt.ended[ends[k].s],
                                     rt.ended[ends[k].s] == 1 ? ends[k].one : ends[k].several);
}

/* The sums of all launches, where somebody asked for them. */
static void at_end(void)
{
    double efficiency = rt.total.warp_insns ? 100.0 * (double)rt.total.active_lanes / 32 /
                                                  (double)rt.total.warp_insns
                                            : 0;
    char ends[120];
    rt_watch_close();
    if (!rt.dev || (!rt.opt.report && rt.opt.cfg.kind == HD_MODEL))
        return;
    rt_say("all: launches %llu, warp instructions %llu, SIMT efficiency %.1f%%, %.3f s in launches",
           (unsigned long long)rt.launches, (unsigned long long)rt.total.warp_insns, efficiency,
           rt.seconds);
    bad_ends(ends, sizeof ends);
    if (rt.opt.cfg.kind == HD_LOCKSTEP)     /* a difference ends the program before */
        rt_say(
            "all: lockstep: equal%s; compared %llu fields in %llu commits, overrode %llu, clock "
            "reads %llu",
            ends, (unsigned long long)rt.total.fields_compared,
            (unsigned long long)rt.total.warp_insns, (unsigned long long)rt.total.overridden,
            (unsigned long long)rt.total.clock_reads);
}

static int left_with;

static void keep_status(int status, void *user)
{
    (void)user;
    left_with = status;
}

/* Last of all: a program that ends well though a launch of its did not. */
__attribute__((destructor)) static void judge(void)
{
    const bool bad = rt.opt.strict && (rt.failed || rt.refused);
    if (!rt.dev || left_with || !(bad || rt.raced))
        return;
    if (bad)
        rt_say("HEDDLE_STRICT: a launch %s; the status is 1",
               rt.failed ? "did not end well" : "was refused, and nobody asked why");
    fflush(NULL);
    _exit(1);
}

cudaError_t rt_open(void)
{
    if (rt.dev)
        return cudaSuccess;
    rt_options_read(&rt.opt);
    if (hd_open(&rt.opt.cfg, &rt.dev) != HD_OK)
        rt_die(2, "%s", hd_device_error(rt.dev));
    atexit(at_end);
    on_exit(keep_status, NULL);
    return cudaSuccess;
}
