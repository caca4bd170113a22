/* The line that says how far long work has come.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The time left takes for granted that pieces of the work take as long as those that are done. */
#include "harness/process/progress.h"
#include "harness/process/seconds.h"
#include "harness/process/stop.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE = 256 };
static const double FIRST = 2, EVERY = 0.5;          /* seconds */

struct text { char *buf; size_t n, at; };

__attribute__((format(printf, 2, 3)))
static void put(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int k = vsnprintf(t->buf + t->at, t->n - t->at, fmt, ap);
    va_end(ap);
    t->at = t->at + (size_t)k < t->n ? t->at + (size_t)k : t->n - 1;
}

static void put_rate(struct text *t, double rate, const char *unit)
{
    if (rate >= 1e6)
        put(t, ", %.2f million %s/s", rate / 1e6, unit);
    else
        put(t, rate >= 10 ? ", %.0f %s/s" : ", %.2g %s/s", rate, unit);
}

static void put_left(struct text *t, double s)
{
    if (s < 120)
        put(t, ", %.0f s left", s);
    else if (s < 7200)
        put(t, ", %.0f min left", s / 60);
    else
        put(t, ", %.1f h left", s / 3600);
}

void progress_line(const struct progress *p, const struct progress_state *s, double seconds,
                   char *buf, size_t n)
{
    struct text t = { buf, n, 0 };
    double done = (double)(s->done - p->done), work = (double)(s->work - p->work);
    put(&t, "%s: ", s->what);
    if (s->all)
        put(&t, "%" PRIu64 " of %" PRIu64 " %s, ", s->done, s->all, s->pieces);
    put(&t, "%.0f s", seconds);
    if (s->unit && seconds > 0)
        put_rate(&t, work / seconds, s->unit);
    double left = s->all && done > 0 && s->done <= s->all
                      ? seconds / done * (double)(s->all - s->done)
                      : -1;
    if (s->limit > 0 && (left < 0 || left > s->limit - seconds))
        left = s->limit > seconds ? s->limit - seconds : 0;
    if (left >= 0)
        put_left(&t, left);
    if (s->also)
        put(&t, ", %s", s->also);
    put(&t, "; Ctrl-C stops");
}

void progress_begin(struct progress *p, uint64_t done, uint64_t work)
{
    *p = (struct progress){ .began = seconds_now(), .done = done, .work = work };
    stop_clears_line(isatty(STDERR_FILENO));
}

/* So that it never wraps: what is too long for the terminal is cut. */
static int width(void)
{
    struct winsize w;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) || w.ws_col < 20 ? 79 : w.ws_col - 1;
}

void progress_show(struct progress *p, const struct progress_state *s)
{
    char line[LINE];
    double now = seconds_now();
    if (p->began <= 0 || now - p->began < FIRST || now - p->shown < EVERY || !isatty(STDERR_FILENO))
        return;
    p->shown = now;
    progress_line(p, s, now - p->began, line, sizeof line);
    fflush(stdout);                                 /* what was printed before it stands above it */
    /* what is printed next begins where it began */
    fprintf(stderr, "\r\033[K%.*s\r", width(), line);
}

void progress_end(struct progress *p)
{
    if (p->shown > 0)
        fputs("\r\033[K", stderr);
    p->shown = 0;
    stop_clears_line(false);
}
