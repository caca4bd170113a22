/* The system's C compiler, at work beside the program.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_COMPILER_H
#define HD_COMPILER_H
#include <stdbool.h>
#include <sys/types.h>

struct compiler {
    pid_t group;                            /* its processes */
    int from;                               /* it writes its exit status there */
    int life;                               /* open as long as somebody waits for it */
};
enum { COMPILER_BROKEN = -1, COMPILER_MISSING = 127 };      /* statuses; 126 also says the latter */

/* Starts a command, of COMPILER_WORDS words at most.  0, or the errno of why not.  If this process
 * ends before it, however it does, the command is ended, and `made` and `source` are removed, and
 * files whose names are that of `made` with a dot and more. */
enum { COMPILER_WORDS = 40 };
int compiler_start(struct compiler *c, const char *const *argv, const char *made,
                   const char *source);
/* Whether it has ended within so many milliseconds, -1: however many; with its exit status then. */
bool compiler_ended(struct compiler *c, int milliseconds, int *status);
/* Ends it. */
void compiler_stop(struct compiler *c);
#endif
