/* A file that is written whole or not at all.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is written goes into a temporary file beside the target, which takes the target's place at
 * the end and is removed on every other way out (scratch.h).  Until then the target is as it was.
 * A symbolic link stays, and what it leads to is written; so does a file with several names.  What
 * is no regular file (a device, a pipe), and what standard output is, are written as they are. */
#ifndef HD_OUTFILE_H
#define HD_OUTFILE_H
#include <stdbool.h>
#include <stdio.h>
#include "cmodel/base/err.h"

struct outfile;
/* Finds out now what could only fail later.  NULL: err names the path and says why. */
struct outfile *outfile_open(const char *path, struct hd_err *err);
FILE *outfile_stream(struct outfile *o);
/* The name under which another program can write it: the temporary file's, or the device's. */
const char *outfile_name(const struct outfile *o);
/* Ends the file.  False: what was written could not be kept, the target is as before. */
bool outfile_keep(struct outfile *o, struct hd_err *err);
/* Ends it without a trace.  NULL is nothing. */
void outfile_drop(struct outfile *o);
#endif
