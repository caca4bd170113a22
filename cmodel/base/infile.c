/* Input files: folders and devices are refused by name.  SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/infile.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *infile_open(const char *path, struct hd_err *err)
{
    struct stat s;
    FILE *f = fopen(path, "re");
    const char *why = !f || fstat(fileno(f), &s) ? strerror(errno)
                      : S_ISDIR(s.st_mode)       ? "it is a folder"
                      : S_ISBLK(s.st_mode) || (S_ISCHR(s.st_mode) && !isatty(fileno(f)))
                          ? "it is a device"
                          : NULL;
    if (!why)
        return f;
    hd_err_set(err, 2, "%s: cannot be read: %s", path, why);
    if (f)
        fclose(f);
    return NULL;
}
