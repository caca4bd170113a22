/* Commands that take a launch or a saved commit log.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMIT_LOG_H
#define COMMIT_LOG_H
#include <stdbool.h>
#include <string.h>

/* By its name: what `heddle trace --json -o F.jsonl' wrote. */
static inline bool is_commit_log(const char *path)
{
    size_t n = path ? strlen(path) : 0;
    return n > 6 && !strcmp(path + n - 6, ".jsonl");
}
#endif
