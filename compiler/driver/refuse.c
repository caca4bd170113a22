/* PTX to image, without the functions that do not compile.  SPDX-License-Identifier: Apache-2.0
 *
 * A program has kernels that it does not launch.  One that does not compile is taken out of the
 * text, with the functions that call what is gone, and why, for who launches it.
 *
 * Requires: PTX text.
 * Ensures:  an image of all functions that compile, and of each other the reason; or NULL, and err
 *           says why there is none. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "cmodel/image/image.h"
#include "compiler/all.h"

/* The line of the first call of a function in the text; 0: none. */
static unsigned line_of_call(const char *ptx, const char *name)
{
    size_t n = strlen(name);
    unsigned line = 1;
    bool call = false;                      /* between `call' and its `;' */
    for (const char *p = ptx; *p; p++) {
        line += *p == '\n';
        if (!strncmp(p, "call", 4) && (p[4] == '.' || isspace((unsigned char)p[4]))) call = true;
        if (*p == ';') call = false;
        if (call && !strncmp(p, name, n) && isspace((unsigned char)p[-1]) &&
            strchr(" ,;\t\r\n", p[n]))
            return line;
    }
    return 0;
}

/* The line of PTX that an error is about; 0: none is known. */
static unsigned line_of(const char *ptx, const char *path, const struct hd_err *err)
{
    unsigned line = 0;
    char name[512];
    size_t prefix = strlen(path) + 2;       /* `path: ' */
    if (strncmp(err->text, path, prefix - 2)) return 0;     /* about the library */
    if (err->line > 0) return (unsigned)err->line;
    if (strlen(err->text) < prefix) return 0;
    if (sscanf(err->text + prefix, "function %511s is not defined", name) == 1)
        return line_of_call(ptx, name);
    if (sscanf(err->text + prefix, "%511s needs", name) == 1) {
        char key[600];
        snprintf(key, sizeof key, ".entry %s", name);
        const char *at = strstr(ptx, key);
        for (const char *p = ptx; at && p <= at; p++) line += *p == '\n';
        return at ? line + 1 : 0;
    }
    return 0;
}

/* The reason of a function that is gone already; NULL: it was never there. */
static const char *reason_of(const char *refused, const char *name, size_t len, size_t *n)
{
    for (const char *p = refused; p && *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (!strncmp(p, name, len) && p[len] == '\t') {
            *n = strcspn(p + len + 1, "\n");
            return p + len + 1;
        }
    return NULL;
}

/* The function that a message says is not there; NULL: it says something else. */
static const char *missing(const char *message, size_t *n)
{
    const char *at, *end;
    if ((at = strstr(message, "function ")) && (end = strstr(at, " is not defined"))) at += 9;
    else if ((end = strstr(message, " is no function")))
        for (at = end; at > message && at[-1] != ' '; at--) continue;
    else return NULL;
    *n = (size_t)(end - at);
    return at;
}

static bool line_has(const char *p, const char *what)
{
    return memmem(p, strcspn(p, "\n"), what, strlen(what));
}

/* `.loc 1 ...', up to its first number: true, with that and what follows.  (sscanf would measure
 * the whole text at each line.) */
static bool directive(const char *line, const char *name, unsigned *number, char **rest)
{
    size_t n = strlen(name);
    line += strspn(line, " \t");
    if (strncmp(line, name, n) || !isblank((unsigned char)line[n])) return false;
    *number = (unsigned)strtoul(line + n, rest, 10);
    return *rest > line + n;
}

/* Where the source has this line of the text, as `, FILE:LINE'; empty: the text does not say. */
static void source_of(const char *ptx, unsigned line, char *buf, size_t n)
{
    unsigned at = 1, file = 0, number = 0, f;
    char *rest;
    *buf = 0;
    for (const char *p = ptx; *p && at <= line; p += strcspn(p, "\n"), p += *p == '\n', at++)
        if (directive(p, ".loc", &f, &rest) && strtoul(rest, NULL, 10))
            file = f, number = (unsigned)strtoul(rest, NULL, 10);
        else if (line_has(p, ".entry") || line_has(p, ".func")) file = 0;
    for (const char *p = ptx; file && *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (directive(p, ".file", &f, &rest) && f == file) {
            rest += strspn(rest, " \t\"");
            snprintf(buf, n, ", %.*s:%u", (int)strcspn(rest, "\"\n"), rest, number);
            return;
        }
}

/* Appends NAME\tWHY\n; of a function that calls one that was refused, the reason of that.  Of one
 * that is nowhere the source's line is all that a reader knows it by. */
static char *refuse(char *refused, const char *name, const char *path, const char *message,
                    const char *source)
{
    char *grown = NULL;
    size_t n = strcspn(message, "\n"), len = 0;
    const char *callee = missing(message, &len),
               *why = callee ? reason_of(refused, callee, len, &n) : NULL;
    if (why || !callee) source = "";
    if (!why) {
        size_t prefix = strlen(path) + 2;
        why = message;
        if (!strncmp(why, path, prefix - 2) && !strncmp(why + prefix - 2, ": ", 2))
            why += prefix, n -= prefix;
    }
    if (asprintf(&grown, "%s%s\t%.*s%s\n", refused ? refused : "", name, (int)n, why, source) < 0)
        grown = NULL;
    free(refused);
    return grown;
}

struct hd_image *hd_compile_some(const char *path, const char *ptx, const struct cc_options *opt,
                                 char **refused, struct hd_err *err)
{
    struct hd_image *img = NULL;
    struct cc_options quiet = *opt;
    bool prints = opt->show || opt->remarks || opt->map;
    char *text = strdup(ptx), source[600];
    quiet.show = NULL, quiet.remarks = NULL, quiet.map = NULL;
    *refused = NULL;
    while (text) {
        *err = (struct hd_err){ 0 };
        img = hd_compile_ptx(path, text, &quiet, err);
        unsigned line = img ? 0 : line_of(text, path, err);
        source_of(text, line, source, sizeof source);
        char *name = line ? ptx_prune(text, line) : NULL;
        if (!name) break;
        *refused = refuse(*refused, name, path, err->text, source);
        free(name);
    }
    if (img && prints) {
        hd_image_free(img);
        img = hd_compile_ptx(path, text, opt, err);
    }
    free(text);
    return img;
}
