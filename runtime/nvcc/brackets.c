/* nvcc reads `kernel<< <1, 2>> >(x)` as a launch, which is what old formatters make of one; clang
 * wants `<<<` and `>>>` whole.  Sources that have it are rewritten, at the same length, and clang
 * is shown the copies under the sources' own names.  SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"
#include "runtime/nvcc/nvcc.h"

/* After a comment, string or character constant that begins at p; p itself, where none does. */
static char *skip(char *p)
{
    if (p[0] == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*') {
        char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"' && *p != '\'')
        return p;
    char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

/* The length of twice c, blanks, c, where that stands at p and means nothing longer; else 0. */
static size_t apart(const char *p, char c)
{
    if (p[0] != c || p[1] != c)
        return 0;
    size_t blanks = strspn(p + 2, " \t");
    return blanks && p[2 + blanks] == c && p[3 + blanks] != c && p[3 + blanks] != '=' ? 3 + blanks
                                                                                        : 0;
}

/* Where the launch's brackets close, its arguments following. */
static char *closing(char *p)
{
    int depth = 0;
    while (*p && *p != ';' && depth >= 0) {
        char *next = skip(p);
        if (next != p) {
            p = next;
            continue;
        }
        size_t n = depth ? 0 : apart(p, '>');
        if (n && p[n + strspn(p + n, " \t\n\\")] == '(')
            return p;
        depth += *p == '(' || *p == '[' || *p == '{';
        depth -= *p == ')' || *p == ']' || *p == '}';
        p++;
    }
    return NULL;
}

static void join(char *p, size_t n, char c)
{
    memset(p, ' ', n - 3);
    memset(p + n - 3, c, 3);
}

bool nvcc_join_brackets(char *text)
{
    bool changed = false, call = false;      /* call: something that can be launched is before */
    for (char *p = text; *p;) {
        char *next = skip(p), *end;
        size_t n = apart(p, '<');
        if (next != p) {
            p = next;
        } else if (n && call && (end = closing(p + n))) {
            join(p, n, '<');
            join(end, apart(end, '>'), '>');
            changed = true;
            p = end;
        } else {
            bool word = *p == '_' || *p == '>' || (*p >= '0' && *p <= '9') ||
                        (*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z');
            bool blank = *p == ' ' || *p == '\t' || *p == '\n';
            call = word ? p - text < 7 || strncmp(p - 7, "operator", 8) : call && blank;
            p++;
        }
    }
    return changed;
}

/* ---- files ---- */

struct copies {
    struct words seen;
    FILE *overlay;               /* NULL: no file needed a copy yet */
    const char *overlay_path;
    char *(*between)(const char *name, unsigned k, const char *suffix);
};

static bool add_copy(struct copies *c, const char *real, const char *text)
{
    const char *path = c->between(real, (unsigned)c->seen.n, ".joined");
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(text, f) >= 0;
    ok = f && !fclose(f) && ok;
    if (ok && !c->overlay) {
        c->overlay_path = c->between("overlay", 0, ".yaml");
        c->overlay = fopen(c->overlay_path, "w");
        ok = c->overlay && fputs("{'version': 0, 'use-external-names': false, 'roots': [\n",
                                 c->overlay) >= 0;
    }
    return ok && fprintf(c->overlay, "{'type': 'file', 'name': '%s', 'external-contents': '%s'},\n",
                         real, path) > 0;
}

static bool known(struct copies *c, const char *real)
{
    for (size_t k = 0; k < c->seen.n; k++)
        if (!strcmp(c->seen.word[k], real))
            return true;
    words_add(&c->seen, words_print("%s", real));
    return false;
}

static bool visit(struct copies *c, const struct nvcc *n, const char *path);

/* #include "name": in the file's own folder, or in one of -I. */
static bool visit_included(struct copies *c, const struct nvcc *n, const char *from,
                           const char *name)
{
    char *folder = words_print("%s", from), *path = words_print("%s/%s", dirname(folder), name);
    bool ok = visit(c, n, path);
    for (size_t k = 0; ok && k < n->cpp.n; k++) {
        const char *word = n->cpp.word[k];
        if (!strncmp(word, "-I", 2)) {
            const char *at = word[2] ? word + 2 : k + 1 < n->cpp.n ? n->cpp.word[k + 1] : ".";
            char *other = words_print("%s/%s", at, name);
            ok = visit(c, n, other);
            free(other);
        }
    }
    free(folder);
    free(path);
    return ok;
}

static bool visit(struct copies *c, const struct nvcc *n, const char *path)
{
    char real[PATH_MAX];
    struct hd_err err = { 0 };
    size_t len = 0;
    if (!realpath(path, real) || strpbrk(real, "'\n") || known(c, real))
        return true;
    char *text = cc_read(real, &len, &err);
    if (!text || strlen(text) != len) {          /* clang will say what is wrong with it */
        free(text);
        return true;
    }
    bool ok = true;
    for (const char *p = text; ok && (p = strstr(p, "include")); p++) {
        size_t blanks = strspn(p + 7, " \t"), n_name = strcspn(p + 7 + blanks + 1, "\"\n");
        const char *name = p + 7 + blanks + 1;
        if (name[-1] != '"' || name[n_name] != '"')
            continue;
        char *file = words_print("%.*s", (int)n_name, name);
        ok = visit_included(c, n, real, file);
        free(file);
    }
    if (ok && nvcc_join_brackets(text))
        ok = add_copy(c, real, text);
    free(text);
    return ok;
}

bool nvcc_brackets(const struct nvcc *n, const char *source,
                   char *(*between)(const char *name, unsigned k, const char *suffix),
                   const char **overlay)
{
    struct copies c = { .between = between };
    bool ok = visit(&c, n, source);
    if (c.overlay)
        ok = fputs("]}\n", c.overlay) >= 0 && ok;
    if (c.overlay && fclose(c.overlay))
        ok = false;
    *overlay = c.overlay_path;
    return ok;
}
