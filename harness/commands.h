/* The commands that this build of `heddle` has: commands.c; page/commands.c.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMANDS_H
#define COMMANDS_H
#include "harness/cli/cli.h"

extern const struct command commands[];
extern const unsigned ncommands;
#endif
