/* Finds programs beside heddle.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/beside.h"
#include <dirent.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BEGIN "heddle-"

bool beside_folder(char *folder, size_t room)
{
    ssize_t n = readlink("/proc/self/exe", folder, room - 1);
    if (n <= 0)
        return false;
    folder[n] = 0;
    dirname(folder);
    return true;
}

static bool is_program(const char *folder, const char *file)
{
    char path[4400];
    return !strncmp(file, BEGIN, strlen(BEGIN)) && !strchr(file, '.') &&
           strlen(file) < BESIDE_NAME &&
           snprintf(path, sizeof path, "%s/%s", folder, file) < (int)sizeof path &&
           !access(path, X_OK);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

unsigned beside_list(char name[BESIDE_MOST][BESIDE_NAME])
{
    char folder[4096];
    unsigned n = 0;
    DIR *d = beside_folder(folder, sizeof folder) ? opendir(folder) : NULL;
    for (struct dirent *e; d && n < BESIDE_MOST && (e = readdir(d));)
        if (is_program(folder, e->d_name))
            snprintf(name[n++], BESIDE_NAME, "%s", e->d_name + strlen(BEGIN));
    if (d)
        closedir(d);
    qsort(name, n, BESIDE_NAME, by_name);
    return n;
}

void beside_run(char **argv)
{
    char folder[4096], file[BESIDE_NAME], path[4400];
    if (strchr(argv[1], '/') || strlen(BEGIN) + strlen(argv[1]) >= sizeof file)
        return;
    snprintf(file, sizeof file, BEGIN "%s", argv[1]);
    if (!beside_folder(folder, sizeof folder) || !is_program(folder, file))
        return;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    argv[1] = path;
    execv(path, argv + 1);
    perror(path);
}
