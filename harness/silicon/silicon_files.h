/* The recordings of a folder, read whole or not at all.  SPDX-License-Identifier: Apache-2.0 */
#ifndef SILICON_FILES_H
#define SILICON_FILES_H
#include "cmodel/base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SILICON_WARPS = 8 };

/* What a kernel left on the H200: the hash of `out`, and each warp's sequence, " id:mask id:mask
 * ...". */
struct silicon_trace { char *text; uint32_t outhash; const char *sequence[SILICON_WARPS]; };
bool silicon_trace_read(const char *dir, const char *name, struct silicon_trace *t,
                        struct hd_err *err);
void silicon_trace_free(struct silicon_trace *t);

/* Lines `NAME` or `NAME<TAB>VALUE`.  A file that is not there is a list of none, and no error. */
struct silicon_list { char *text; unsigned n; struct { const char *name, *value; } *line; };
bool silicon_list_read(const char *dir, const char *file, struct silicon_list *l,
                       struct hd_err *err);
/* The value of a line, "" where it has none; NULL: no such line. */
const char *silicon_list_find(const struct silicon_list *l, const char *name);
void silicon_list_free(struct silicon_list *l);

/* The whole of DIR/FILE, gzipped or not, which must have exactly that many bytes. */
bool silicon_bytes(const char *dir, const char *file, void *to, size_t bytes, struct hd_err *err);
/* DIR/FILE: 1 is there, 0 is not; a folder must hold something: -1 and err. */
int silicon_part(const char *dir, const char *file, struct hd_err *err);
#endif
