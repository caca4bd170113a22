/* Temporary files and folders: what is named here does not outlive the process.
 * SPDX-License-Identifier: Apache-2.0
 *
 * They are removed when the process exits, however it does: a program that handles signals calls
 * scratch_remove_all from its handler.  (SIGKILL alone leaves them.)  A child that was forked owns
 * none of its parent's. */
#ifndef HD_SCRATCH_H
#define HD_SCRATCH_H
#include <stdbool.h>

/* Makes a file, or a folder, in place of the XXXXXX that name ends with.  file: a descriptor, or
 * -1; folder: false; errno says why. */
int scratch_file(char *name);
bool scratch_folder(char *name);
/* One whose name we know, which is about to be made in a folder of ours. */
bool scratch_add(const char *name);
/* Removes the file or the empty folder. */
void scratch_remove(const char *name);
/* Gives the file its final name, in one step.  False: both are as before. */
bool scratch_rename(const char *name, const char *to);
/* Everything that is left of this process; may be called from a signal handler. */
void scratch_remove_all(void);
#endif
