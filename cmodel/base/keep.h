/* The user's folder for what takes long to make and can be made again: images, translations.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HD_KEEP_H
#define HD_KEEP_H
#include <stdbool.h>
#include <stddef.h>

/* $XDG_CACHE_HOME/heddle, else .cache/heddle in $HOME, which has to be there: some users' is not.
 * False: there is none.  Nothing is made. */
bool keep_folder(char *path, size_t size);
/* Makes it, and the folders that it is in.  False: errno says why. */
bool keep_make(const char *path);
#endif
