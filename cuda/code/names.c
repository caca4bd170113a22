/* Names as sources have them.  SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/code/names.h"

/* of the C++ library */
char *__cxa_demangle(const char *mangled, char *buf, size_t *n, int *status);

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* A function of C's name `i' is not a type's: only what begins as C++'s names do is one. */
void names_plain(const char *sentence, char *buf, size_t n)
{
    size_t used = 0;
    if (n)
        *buf = 0;
    for (const char *p = sentence; *p && used + 1 < n;) {
        size_t len = 0;
        while (in_name(p[len])) len++;
        char *name = strndup(p, len ? len : 1), *plain = NULL;
        int status = -1;
        if (name && !strncmp(name, "_Z", 2))
            plain = __cxa_demangle(name, NULL, NULL, &status);
        used += (size_t)snprintf(buf + used, n - used, "%s", plain ? plain : name ? name : "");
        free(plain);
        free(name);
        p += len ? len : 1;
    }
}
