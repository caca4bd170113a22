/* Regrouping of threads: what divergence costs by block counts, and orders that cost less.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The folder's table of contents, a file a section.  Paper B is "An Accurate GPU Performance Model for
 * Effective Control Flow Divergence Optimization"; numbers in brackets are its equations.
 * docs/regroup.md. */
#ifndef REGROUP_H
#define REGROUP_H
#include "cmodel/machine/bbv.h"
#include "cmodel/base/err.h"

/* ---- file.c: block counts as a file ---------------------------------------------------------- */

/* To a stream, whose errors are its owner's. */
void bbv_put(const struct bbv *, FILE *);
/* Reads and checks everything; NULL: err says what is wrong, with status 2. */
struct bbv *bbv_read(const char *path, struct hd_err *err);
struct bbv *bbv_parse(const char *name, const void *data, size_t size, struct hd_err *err);
#endif
