/* Source lines of PCs, from the ELF of a program: of streams, whose instructions nobody else names.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_LINES_H
#define SOURCE_LINES_H
#include <stdbool.h>
#include <stdint.h>
#include "cmodel/base/err.h"

struct source_lines;
/* The line tables (DWARF) of an ELF that is linked.  NULL: err says why there are none. */
struct source_lines *source_lines_open(const char *path, struct hd_err *err);
void source_lines_close(struct source_lines *);
/* False: no line has an instruction there.  The name lives as long as the lines do. */
bool source_line_at(const struct source_lines *, uint64_t pc, const char **file, unsigned *line);
#endif
