/* Recording a window of cycles.  SPDX-License-Identifier: Apache-2.0 */
#ifndef WAVE_H
#define WAVE_H
#include "cli.h"
/* Runs the launch again and writes fst, its view and its disassembly table; says so on `say`. */
int wave_record(struct cli *c, const char *fst, uint64_t from, uint64_t to, FILE *say);
#endif
