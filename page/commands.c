/* The commands of a page: none that runs other programs, and one for its pictures.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/commands.h"
#include "page/rows.h"

const struct command commands[] = {
#define COMMAND(...) { __VA_ARGS__ },
#define HOST_COMMAND(...)
#include "harness/commands.def"
    { "rows", "F.fst", "Prints the rows of a waveform as JSON.", OPT_FILES, cmd_rows },
};
const unsigned ncommands = sizeof commands / sizeof commands[0];
