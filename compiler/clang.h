/* clang, as all commands that compile run it.  SPDX-License-Identifier: Apache-2.0 */
#ifndef CLANG_H
#define CLANG_H
#include "cmodel/base/err.h"

/* clang.c: what it says goes on to standard error, but for a crash's report.  out: its standard
 * output, -1: ours.  Its exit status; or err's, which is not said yet: the file is `source`. */
int clang_run(const char *const *argv, int out, const char *source, struct hd_err *err);
#endif
