/* Removes functions from PTX text: one, so that the others compile; all kernels but one, to be sent
 * to others.
 * SPDX-License-Identifier: Apache-2.0
 *
 * ptx_prune overwrites what goes by blanks: lines stay lines, and messages about the rest name the
 * right ones.
 *
 * Requires: PTX text and a line of it.
 * Ensures:  the function that holds the line is blank; nothing else is changed. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"

/* Past a comment or a string that begins here, else past one character. */
static char *past(char *p)
{
    char *end;
    if (p[0] == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*')
        return (end = strstr(p + 2, "*/")) ? end + 2 : p + strlen(p);
    if (p[0] == '"') {
        for (p++; *p && *p != '"'; p++)
            p += p[0] == '\\' && p[1];
        return *p ? p + 1 : p;
    }
    return p + 1;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool word(const char *p, const char *w)
{
    size_t n = strlen(w);
    return !strncmp(p, w, n) && !in_name(p[n]);
}

/* The name after .entry, or after .func and what it returns. */
static char *name_of(const char *p)
{
    p += strcspn(p, " \t\r\n(");
    p += strspn(p, " \t\r\n");
    if (*p == '(') {
        p += strcspn(p, ")");
        p += *p == ')';
        p += strspn(p, " \t\r\n");
    }
    size_t n = 0;
    while (in_name(p[n]))
        n++;
    return strndup(p, n);
}

static unsigned newlines(const char *p, const char *end)
{
    unsigned n = 0;
    for (; p < end; p++)
        n += *p == '\n';
    return n;
}

/* The end of what begins at .entry or .func: past its body, or past the `;' of a declaration. */
static char *end_of(char *p, bool *body)
{
    int depth = 0;
    for (*body = false; *p; p = past(p)) {
        depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
        *body = *body || *p == '{';
        if ((*p == '}' && !depth) || (*p == ';' && !*body))
            return p + 1;
    }
    return p;
}

char *ptx_prune(char *ptx, unsigned line)
{
    unsigned at = 1;
    char *first = ptx;                      /* of the line */
    for (char *p = ptx, *next; *p; p = next) {
        next = past(p);
        bool body = false, function = *p == '.' && (word(p, ".entry") || word(p, ".func"));
        if (function)
            next = end_of(p, &body);
        unsigned to = at + newlines(p, next);
        if (body && line >= at && line <= to) {
            char *name = name_of(p);
            for (char *c = first; c < next; c++)
                *c = *c == '\n' ? '\n' : ' ';
            return name;
        }
        if (*p == '\n')
            first = next;
        else if (function)
            first = next;
        at = to;
    }
    return NULL;
}

static bool places(const char *line)
{
    line += strspn(line, " \t");
    return word(line, ".loc") || word(line, ".file");
}

static bool named(const char *p, const char *name)
{
    char *is = name_of(p);
    bool same = is && !strcmp(is, name);
    free(is);
    return same;
}

void ptx_only(char *ptx, const char *kernel)
{
    char *to = ptx, *line = ptx;            /* of what is kept; where its last line begins */
    bool begins = true;
    for (char *p = ptx, *next; *p; p = next) {
        bool body = false;
        next = past(p);
        if (begins && places(p)) {
            next = p + strcspn(p, "\n");
            next += *next == '\n';
            continue;
        }
        if (kernel && *p == '.' && word(p, ".entry") && !named(p, kernel)) {
            next = end_of(p, &body);
            to = line;
            continue;
        }
        begins = next[-1] == '\n';
        memmove(to, p, (size_t)(next - p));
        to += next - p;
        line = begins ? to : line;
    }
    *to = 0;
}
