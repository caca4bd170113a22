/* The verdict on a paper's claims: an honest `differs' is allowed where a file says so, and only
 * there.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whatever changes, a claim that held and does not, or one that did not and does, fails until the
 * file has looked at it and changed the file. */
#include "claims.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void claim(struct claims *c, const char *of, const char *what, const char *theirs, bool holds,
           const char *ours, ...)
{
    va_list ap;
    va_start(ap, ours);
    printf("%s: %s.%s, ", c->paper, of, what);
    vprintf(ours, ap);
    printf(", %s, %s\n", theirs, holds ? c->yes : "differs");
    va_end(ap);
    if (c->n < CLAIMS_MAX) {
        snprintf(c->list[c->n].name, CLAIM_NAME, "%s.%s", of, what);
        c->list[c->n].holds = holds;
    }
    c->n++;
}

static bool wrong(const struct claims *c, const char *path, const char *name, const char *what)
{
    fprintf(stderr, "%s: %s %s (%s)\n", c->paper, name, what, path);
    return false;
}

/* Its place in the list, c->n: there is none. */
static unsigned find(const struct claims *c, const char *name)
{
    unsigned i = 0;
    while (i < c->n && strcmp(c->list[i].name, name))
        i++;
    return i;
}

static bool is_place(const char *at)
{
    return !strcmp(at, "core") || !strcmp(at, "model") || !strcmp(at, "both") ||
           !strcmp(at, "h200");
}

/* A line of the file; known: the claims that it names. */
static bool judge_line(const struct claims *c, const char *path, const char *line,
                       const char *where, bool *known)
{
    char name[CLAIM_NAME], at[8];
    if (line[strspn(line, " \t\n")] == '#' || !line[strspn(line, " \t\n")])
        return true;
    if (sscanf(line, "%47s %7s", name, at) != 2 || !is_place(at))
        return wrong(c, path, line, "is no line `NAME core|model|both|h200 WHY'");
    if (strcmp(at, where) && (strcmp(at, "both") || !strcmp(where, "h200")))
        return true;
    unsigned i = find(c, name);
    if (i == c->n)
        return wrong(c, path, name, "is known to differ, but is no claim");
    known[i] = true;
    return !c->list[i].holds ||
           wrong(c, path, name, "is known to differ, but does not: change the file");
}

bool claims_as_known(const struct claims *c, const char *path, const char *where)
{
    char line[512];
    bool known[CLAIMS_MAX] = { false }, ok = c->n && c->n <= CLAIMS_MAX;
    FILE *f = fopen(path, "r");
    if (!ok)
        wrong(c, path, "all", c->n ? "are too many claims" : "are no claims");
    if (!f)
        return wrong(c, path, "the file", "cannot be read");
    while (ok && fgets(line, sizeof line, f))
        ok &= judge_line(c, path, line, where, known);
    ok &= !ferror(f);
    fclose(f);
    for (unsigned i = 0; i < c->n && i < CLAIMS_MAX; i++)
        if (!c->list[i].holds && !known[i])
            ok = wrong(c, path, c->list[i].name, "differs, but is not known to");
    return ok;
}
