/* Runs one block of assembly text on the model and writes what happened as a short text.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef RULE_RUN_H
#define RULE_RUN_H
#include <stddef.h>
#include "cmodel/fast/fast.h"

/* In the text, a line "!X" is a mark: an instruction that does nothing and prints "X:lanes".
 * BMOV.R prints "B8=participants", every rule 8 release "gaveway".  The prelude sets R0 = lane and
 * P0 = lane < 12 (T of probes.txt), P1 = lane < 16.  Status words end the text: "end", "deadlock",
 * "limit" (2000 instructions), "fault N". */
void rule_run(const char *text, unsigned threads, char *out, size_t size);
#endif
