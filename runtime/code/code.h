/* Device code as programs carry it: PTX text of many kernels.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CODE_H
#define CODE_H
#include "cmodel/image/image.h"
#include "compiler/all.h"

/* The image of PTX text without the kernels that do not compile.  *refused: these, each as
 * `NAME\tWHY\n`, to be freed; NULL: none.  NULL: err says why nothing compiles. */
struct hd_image *code_compile(const char *ptx, const struct cc_options *opt, char **refused,
                              struct hd_err *err);
/* Blanks the kernel or function that holds this line (from 1) of PTX; lines stay lines.  Its name,
 * to be freed; NULL: none does. */
char *code_prune(char *ptx, unsigned line);
#endif
