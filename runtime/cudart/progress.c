/* What a launch that takes long says at a terminal while it runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C is the program's own.  Where it has not asked for it, the line goes before it ends. */
#include <signal.h>
#include <unistd.h>
#include "harness/process/progress.h"
#include "runtime/cudart/rt.h"

static struct progress line;
static struct sigaction before;
static bool caught;

static void interrupted(int sig)
{
    static const char clear[] = "\r\033[K";
    ssize_t n = write(STDERR_FILENO, clear, sizeof clear - 1);
    (void)n;
    raise(sig);                  /* as it was before: SA_RESETHAND */
}

static bool show(void *user, const struct hd_counters *now)
{
    const struct rt_function *f = user;
    bool model = rt.opt.cfg.kind == HD_MODEL;
    char name[300], what[400];
    rt_name(f->name, name, sizeof name);
    snprintf(what, sizeof what, "launch %llu, %s", (unsigned long long)rt.launches + 1, name);
    struct progress_state s = { .what = what,
                                .pieces = "blocks",
                                .work = model ? now->warp_insns : now->cycles,
                                .unit = model ? "warp instructions" : "cycles" };
    hd_get_blocks(rt.dev, &s.done, &s.all);
    progress_show(&line, &s);
    if (line.shown > 0 && !caught && !sigaction(SIGINT, NULL, &before) &&
        !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
        caught = !sigaction(
            SIGINT, &(struct sigaction){ .sa_handler = interrupted, .sa_flags = (int)SA_RESETHAND },
            NULL);
    return true;
}

void rt_progress_begin(struct rt_function *f)
{
    progress_begin(&line, 0, 0);
    hd_on_progress(rt.dev, show, f);
}

void rt_progress_end(void)
{
    progress_end(&line);
    if (caught)
        sigaction(SIGINT, &before, NULL);
    caught = false;
}
