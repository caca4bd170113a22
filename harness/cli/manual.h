/* The manual and the completion of shells, from the tables of commands and options.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MANUAL_H
#define MANUAL_H
#include "harness/cli/cli.h"

/* `heddle manual FOLDER`: heddle.1, and heddle-COMMAND.1 of each command, for man.  Returns the
 * exit status. */
int manual_write(const struct command *commands, unsigned n, const char *folder);
/* `heddle completion bash|zsh`: a script that completes the words of heddle. */
int completion_print(const struct command *commands, unsigned n, const char *shell);
#endif
