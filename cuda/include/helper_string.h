/* What the samples' helper_string.h is used for: command lines of -name and -name=value.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_HELPER_STRING_H
#define HEDDLE_HELPER_STRING_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
/* Past the dashes of an argument that is -name or -name=value, at its =, or its end; NULL: it is
 * another. */
static inline const char *heddle_argument(const char *arg, const char *name)
{
    size_t n = strlen(name);
    arg += strspn(arg, "-");
    return !strncasecmp(arg, name, n) && (!arg[n] || arg[n] == '=') ? arg + n : NULL;
}
static inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name)
{
    for (int k = 1; k < argc; k++)
        if (heddle_argument(argv[k], name)) return true;
    return false;
}
static inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name,
                                            char **value)
{
    for (int k = 1; k < argc; k++) {
        const char *at = heddle_argument(argv[k], name);
        if (at && *at) return *value = (char *)at + 1, true;
    }
    *value = NULL;
    return false;
}
static inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name)
{
    char *value;
    return getCmdLineArgumentString(argc, argv, name, &value) ? atoi(value) : 0;
}
static inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name)
{
    char *value;
    return getCmdLineArgumentString(argc, argv, name, &value) ? (float)atof(value) : 0.0f;
}
/* A sample's data: beside it, or in its data folder; to be freed. */
static inline char *sdkFindFilePath(const char *name, const char *)
{
    static const char *const folders[] = { "", "data/", "../data/", "../../data/" };
    for (const char *folder : folders) {
        char *path = (char *)malloc(strlen(folder) + strlen(name) + 1);
        strcat(strcpy(path, folder), name);
        FILE *f = fopen(path, "rb");
        if (f) return fclose(f), path;
        free(path);
    }
    return NULL;
}
#endif
