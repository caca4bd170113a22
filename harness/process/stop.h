/* Ctrl-C and similar signals: every command ends within a second, with an exit status of its own,
 * and leaves neither temporary files nor children.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef STOP_H
#define STOP_H
#include <stdbool.h>
#include <sys/types.h>

/* For the whole process, once.  From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE end it at once with
 * exit status 128 + the signal's number, and a file that grows too large is an error of the
 * write. */
void stop_install(void);
/* The first such signal is noted only; who calls this looks at stop_requested often and then says
 * how far it has come.  It has most of a second for that. */
void stop_gracefully(void);
/* Takes stop_gracefully back. */
void stop_at_once(void);
/* Whether a line of progress may stand at the terminal, which an end at once must remove. */
void stop_clears_line(bool on);
/* In a child, at its beginning: it gets this signal when the parent has ended. */
void stop_with_parent(pid_t parent, int signal);
bool stop_requested(void);
/* The exit status of a command that would otherwise end with `status`. */
int stop_status(int status);
#endif
