/* `heddle rows`, a command of the page alone.  SPDX-License-Identifier: Apache-2.0 */
#ifndef ROWS_H
#define ROWS_H
#include "harness/cli/cli.h"

/* Prints the rows of a waveform (FST) as JSON: name, and each change as cycle and value. */
int cmd_rows(struct cli *c);
#endif
