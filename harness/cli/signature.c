/* What the kernel's source calls its parameters, against what the command line calls them: buffers
 * of another element type, or exchanged, would give wrong numbers without a word.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names are in the source alone: the parameter list of `__global__ ... NAME(` in the file itself,
 * as text.  Where macros, templates or two kernels of that name leave a doubt, nothing is said.
 * Types are in the names of C++, too.  PTX and images of extern "C" kernels have neither. */
#include "harness/cli/cli.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS = 128, TEXT = 160 };
struct parameter { char type[TEXT], name[64]; };
struct list { struct parameter p[PARAMS]; size_t n; unsigned found; };

/* Comments, strings and directives become spaces. */
static void blank(char *p)
{
    for (bool line = true; *p; p++) {
        char *from = p;
        if (p[0] == '/' && p[1] == '*') {
            char *end = strstr(p + 2, "*/");
            p = end ? end + 1 : p + strlen(p) - 1;
        } else if ((p[0] == '/' && p[1] == '/') || (line && *p == '#')) {
            while (p[1] && (p[1] != '\n' || *p == '\\'))
                p++;
        } else if (*p == '"' || *p == '\'') {
            while (p[1] && p[1] != *from && p[1] != '\n')
                p += p[1] == '\\' && p[2] ? 2 : 1;
            p += p[1] == *from;
        } else {
            line = *p == '\n' || (line && isspace((unsigned char)*p));
            continue;
        }
        for (; from <= p; from++)
            if (*from != '\n')
                *from = ' ';
        line = false;
    }
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* One parameter's words: its name is the last before a default or brackets. */
static void split(const char *from, size_t n, struct parameter *out)
{
    size_t end = strcspn(from, "=["), at;
    end = end < n ? end : n;
    while (end && isspace((unsigned char)from[end - 1]))
        end--;
    for (at = end; at && in_word(from[at - 1]); at--) { }
    snprintf(out->name, sizeof out->name, "%.*s", (int)(end - at), from + at);
    size_t k = 0;
    for (size_t i = 0; i < at && k + 1 < sizeof out->type; i++) {
        bool space = isspace((unsigned char)from[i]);
        if (!space || (k && out->type[k - 1] != ' '))
            out->type[k++] = space ? ' ' : from[i];
    }
    while (k && out->type[k - 1] == ' ')
        k--;
    out->type[k] = 0;
    if (from[end] == '[' && k + 2 < sizeof out->type)
        strcpy(out->type + k, " *");
}

/* The list that begins after `('; false: it has no end. */
static bool read_list(const char *p, struct list *l)
{
    int depth = 0;
    l->n = 0;
    for (const char *from = p; *p; p++) {
        if ((*p == ')' || *p == ',') && !depth) {
            const char *word = from + strspn(from, " \t\n");
            if (l->n == PARAMS)
                return false;
            if (word < p)
                split(from, (size_t)(p - from), &l->p[l->n++]);
            from = p + 1;
            if (*p == ')')
                return true;
        } else
            depth += strchr("(<[{", *p) ? 1 : strchr(")>]}", *p) ? -1 : 0;
    }
    return false;
}

/* Of `name' in this text with n parameters; found: how many there are. */
static void find(const char *text, const char *name, size_t n, struct list *l)
{
    static struct list one;
    const size_t len = strlen(name);
    for (const char *p = strstr(text, "__global__"); p; p = strstr(p + 1, "__global__")) {
        const char *q = p, *end = q + strcspn(q, "{;");
        for (q = strstr(q, name); q && q < end; q = strstr(q + 1, name)) {
            const char *after = q + len + strspn(q + len, " \t\n");
            if (in_word(q[-1]) || in_word(q[len]) || *after != '(')
                continue;
            if (!read_list(after + 1, &one) || one.n != n)
                break;
            bool same = !l->found;
            if (l->found)
                same = !memcmp(one.p, l->p, n * sizeof *one.p);
            if (!l->found)
                memcpy(l->p, one.p, sizeof one.p), l->n = n;
            l->found = same ? 1 : 2;
            break;
        }
    }
}

/* The kernel's own name, of `void ns::name<int>(float*)'. */
static void own_name(const char *plain, char *buf, size_t n)
{
    size_t end = strcspn(plain, "<("), at = end;
    while (at && in_word(plain[at - 1]))
        at--;
    snprintf(buf, n, "%.*s", (int)(end - at), plain + at);
}

/* ---- element types ---- */

struct element { char kind; unsigned bytes; };       /* 'f', 'i'; 0: nothing is known */

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
        if ((p == text || !in_word(p[-1])) && !in_word(p[n]))
            return true;
    return false;
}

/* Of `const float *' and the like: one star, a type that every program has. */
static struct element element(const char *type)
{
    static const struct { const char *word; struct element is; } words[] = {
        { "float", { 'f', 4 } },        { "float2", { 'f', 4 } },     { "float3", { 'f', 4 } },
        { "float4", { 'f', 4 } },       { "double", { 'f', 8 } },     { "double2", { 'f', 8 } },
        { "bool", { 'i', 1 } },         { "char", { 'i', 1 } },       { "int8_t", { 'i', 1 } },
        { "uint8_t", { 'i', 1 } },      { "short", { 'i', 2 } },      { "int16_t", { 'i', 2 } },
        { "uint16_t", { 'i', 2 } },     { "int64_t", { 'i', 8 } },    { "uint64_t", { 'i', 8 } },
        { "size_t", { 'i', 8 } },       { "long", { 'i', 8 } },       { "int32_t", { 'i', 4 } },
        { "uint32_t", { 'i', 4 } },     { "int", { 'i', 4 } },        { "unsigned", { 'i', 4 } },
        { "uint", { 'i', 4 } },
    };
    const char *star = strchr(type, '*');
    if (!star || strchr(star + 1, '*') || strchr(type, '&'))
        return (struct element){ 0 };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(type, words[i].word))
            return words[i].is;
    return (struct element){ 0 };
}

static void given(const struct arg *a, char *buf, size_t n)
{
    static const char letter[] = { [ARG_INT] = 'i', [ARG_UINT] = 'u', [ARG_FLOAT] = 'f' };
    snprintf(buf, n, "%c%u", letter[a->kind], 8 * a->width);
}

/* ---- both ---- */

static void compare_types(struct cli *c, const char *plain, const struct list *l)
{
    char type[TEXT], have[16];
    for (size_t i = 0; i < c->launch.nargs; i++) {
        const struct arg *a = &c->launch.args[i];
        plain_type(plain, i, type, sizeof type);
        if (!*type && l->found == 1)
            snprintf(type, sizeof type, "%s", l->p[i].type);
        const struct element e = element(type);
        if (!a->array || a->raw || a->kind == ARG_BYTES || !e.kind ||
            (e.bytes == a->width && (e.kind == 'f') == (a->kind == ARG_FLOAT)))
            continue;
        given(a, have, sizeof have);
        fprintf(c->err,
                "heddle %s: warning: %s is a buffer of %s, but parameter %zu of %s is %s%s%s\n",
                c->cmd->name, a->name, have, i + 1, plain, type, l->found == 1 ? " " : "",
                l->found == 1 ? l->p[i].name : "");
    }
}

/* False: two buffers have each other's place. */
static bool compare_names(struct cli *c, const char *plain, const struct list *l)
{
    for (size_t i = 0; i < c->launch.nargs && l->found == 1; i++) {
        const struct arg *a = &c->launch.args[i];
        if (!strcmp(a->name, l->p[i].name))
            continue;
        for (size_t j = 0; j < l->n; j++) {
            const bool taken = !strcmp(c->launch.args[j].name, l->p[j].name);
            if (strcmp(a->name, l->p[j].name) || taken)
                continue;
            cli_usage(c, "%s is parameter %zu of %s, but stands at place %zu, where %s belongs: "
                      "parameters stand in the kernel's order", a->name, j + 1, plain, i + 1,
                      l->p[i].name);
            return false;
        }
    }
    return true;
}

bool args_fit_source(struct cli *c, const struct hd_kernel *k)
{
    static struct list l;
    char *plain = plain_name(k->name), own[200];
    size_t n = strlen(c->input);
    char *text = n > 3 && !strcmp(c->input + n - 3, ".cu") ? session_text(c->input) : NULL;
    l.found = 0;
    bool ok = true;
    if (plain && c->launch.nargs == k->nparams && k->nparams <= PARAMS) {
        own_name(plain, own, sizeof own);
        if (text && *own) {
            blank(text);
            find(text, own, k->nparams, &l);
        }
        compare_types(c, plain, &l);
        ok = compare_names(c, plain, &l);
    }
    free(text);
    free(plain);
    return ok;
}
