/* PTX to image, without the kernels that do not compile.  SPDX-License-Identifier: Apache-2.0
 *
 * A program has kernels that it does not launch.  One that does not compile is taken out, and why,
 * for who launches it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/code/code.h"

#define TEXT_NAME "device code"

/* The line of the first call of a function in the text; 0: none. */
static unsigned line_of_call(const char *ptx, const char *name)
{
    size_t n = strlen(name);
    unsigned line = 1;
    bool call = false;                      /* between `call' and its `;' */
    for (const char *p = ptx; *p; p++) {
        line += *p == '\n';
        if (!strncmp(p, "call", 4) && (p[4] == '.' || isspace((unsigned char)p[4])))
            call = true;
        if (*p == ';')
            call = false;
        if (call && !strncmp(p, name, n) && (isspace((unsigned char)p[-1])) &&
            strchr(" ,;\t\r\n", p[n]))
            return line;
    }
    return 0;
}

/* The line of PTX that a message is about; 0: none is known. */
static unsigned line_of(const char *ptx, const char *message)
{
    unsigned line = 0;
    char name[512];
    if (sscanf(message, TEXT_NAME ":%u:", &line) == 1)
        return line;
    if (sscanf(message, TEXT_NAME ": function %511s is not defined", name) == 1)
        return line_of_call(ptx, name);
    if (sscanf(message, TEXT_NAME ": %511s needs", name) == 1) {
        char key[600];
        snprintf(key, sizeof key, ".entry %s", name);
        const char *at = strstr(ptx, key);
        for (const char *p = ptx; at && p <= at; p++)
            line += *p == '\n';
        return at ? line + 1 : 0;
    }
    return 0;
}

/* The reason of a function that is gone already; NULL: it was never there. */
static const char *reason_of(const char *refused, const char *name, size_t *n)
{
    size_t len = strlen(name);
    for (const char *p = refused; p && *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (!strncmp(p, name, len) && p[len] == '\t') {
            *n = strcspn(p + len + 1, "\n");
            return p + len + 1;
        }
    return NULL;
}

/* Appends NAME\tWHY\n; of a function that calls one that was refused, the reason of that. */
static char *refuse(char *refused, const char *name, const char *message)
{
    char callee[512] = "", *grown = NULL;
    size_t n = strcspn(message, "\n");
    const char *why = message, *known = NULL;
    unsigned line, column;
    if (sscanf(message, TEXT_NAME ": function %511s is not defined", callee) == 1 ||
        sscanf(message, TEXT_NAME ":%u:%u: %511s is no function", &line, &column, callee) == 3)
        known = reason_of(refused, callee, &n);
    if (known)
        why = known;
    else {
        why += !strncmp(why, TEXT_NAME ": ", strlen(TEXT_NAME ": ")) ? strlen(TEXT_NAME ": ") : 0;
        n -= (size_t)(why - message);
    }
    if (asprintf(&grown, "%s%s\t%.*s\n", refused ? refused : "", name, (int)n, why) < 0)
        grown = NULL;
    free(refused);
    return grown;
}

struct hd_image *code_compile(const char *ptx, const struct cc_options *opt, char **refused,
                              struct hd_err *err)
{
    struct hd_image *img = NULL;
    char *text = strdup(ptx);
    *refused = NULL;
    while (text) {
        *err = (struct hd_err){ 0 };
        img = hd_compile_ptx(TEXT_NAME, text, opt, err);
        unsigned line = img ? 0 : line_of(text, err->text);
        char *name = line ? code_prune(text, line) : NULL;
        if (!name)
            break;
        *refused = refuse(*refused, name, err->text);
        free(name);
    }
    free(text);
    return img;
}
