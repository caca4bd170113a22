/* `heddle progress`: the progress line of work that other processes do, for scripts.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It looks twice a second, until it is stopped or the script has ended. */
#include "harness/cli/cli.h"
#include "harness/process/stop.h"
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

/* The number that the command prints; false: none. */
static bool ask(const char *command, uint64_t *n)
{
    FILE *f = popen(command, "r");
    bool ok = f && fscanf(f, "%" SCNu64, n) == 1;
    return f && pclose(f) != -1 && ok;
}

int cmd_progress(struct cli *c)
{
    struct hd_err err = { 0 };
    struct progress p = { 0 };
    struct progress_state s = { 0 };
    uint64_t all;
    if (c->nfiles != 4)
        return cli_usage(c, "four words are needed: WHAT TOTAL PIECES COMMAND");
    if (!args_number(c->files[1], &all, &err) || !all)
        return cli_usage(c, "TOTAL: `%s` is no number above 0", c->files[1]);
    s = (struct progress_state){
        .what = c->files[0], .all = all, .pieces = c->files[2], .unit = c->files[2]
    };
    stop_gracefully();
    stop_with_parent(getppid(), SIGTERM);
    for (; isatty(STDERR_FILENO) && !stop_requested(); usleep(500000)) {
        if (!ask(c->files[3], &s.done))
            continue;                                /* nothing is there yet */
        s.work = s.done;
        if (p.began <= 0)
            progress_begin(&p, s.done, s.done);
        progress_show(&p, &s);
    }
    progress_end(&p);
    return EXIT_YES;
}
