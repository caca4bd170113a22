/* The commands of `heddle`, all of them.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/commands.h"

const struct command commands[] = {
#define COMMAND(...) { __VA_ARGS__ },
#define HOST_COMMAND(...) { __VA_ARGS__ },
#include "harness/commands.def"
};
const unsigned ncommands = sizeof commands / sizeof commands[0];
