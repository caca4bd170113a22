/* hd_show_progress: what a launch that takes long says at a terminal while it runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C is the program's own.  Where it has not asked for it, the line goes before it ends. */
#include <signal.h>
#include <unistd.h>
#include "cmodel/heddle.h"
#include "harness/process/progress.h"

/* A process has one terminal, so there is one line. */
static struct { struct progress line; hd_device *dev; const char *what; bool model; } shown;
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
    (void)user;
    struct progress_state s = { .what = shown.what,
                                .pieces = "blocks",
                                .work = shown.model ? now->warp_insns : now->cycles,
                                .unit = shown.model ? "warp instructions" : "cycles" };
    hd_get_blocks(shown.dev, &s.done, &s.all);
    progress_show(&shown.line, &s);
    if (shown.line.shown > 0 && !caught && !sigaction(SIGINT, NULL, &before) &&
        !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
        caught = !sigaction(
            SIGINT, &(struct sigaction){ .sa_handler = interrupted, .sa_flags = (int)SA_RESETHAND },
            NULL);
    return true;
}

static void hide(void)
{
    progress_end(&shown.line);
    if (caught)
        sigaction(SIGINT, &before, NULL);
    caught = false;
}

void hd_show_progress(hd_device *d, const char *what)
{
    struct hd_core core;
    hide();
    hd_get_core(d, &core);
    shown.dev = d, shown.what = what, shown.model = !core.file;
    if (what)
        progress_begin(&shown.line, 0, 0);
    hd_on_progress(d, what ? show : NULL, NULL);
}
