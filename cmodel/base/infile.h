/* Opening what is to be read.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_INFILE_H
#define HD_INFILE_H
#include <stdio.h>
#include "cmodel/base/err.h"
/* A file, a pipe or a terminal.  Not a folder, which fopen takes, and not a device: reading
 * /dev/zero never ends.  NULL: err names the path and says why. */
FILE *infile_open(const char *path, struct hd_err *err);
#endif
