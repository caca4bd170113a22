/* See keep.h.  SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/keep.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool keep_folder(char *path, size_t size)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = xdg && *xdg ? snprintf(path, size, "%s/heddle", xdg)
          : home && *home && !access(home, X_OK) ? snprintf(path, size, "%s/.cache/heddle", home)
                                                 : 0;
    return n > 0 && (size_t)n < size;
}

bool keep_make(const char *path)
{
    char *part = strdup(path);
    for (char *slash = part ? part + 1 : NULL; slash && (slash = strchr(slash, '/'));
         *slash++ = '/') {
        *slash = 0;
        mkdir(part, 0777);
    }
    const bool room = part != NULL;
    free(part);
    return room && (!mkdir(path, 0777) || errno == EEXIST);
}
